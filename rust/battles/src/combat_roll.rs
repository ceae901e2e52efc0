//! One combat roll as pure rules: how many dice, what their faces mean, how many flags may be ignored.
//!
//! A match and the odds use these same functions; callers add the effects of cards and inspiring.

use crate::data::{
    Face, Faces, MAX_IGNORED_FLAGS, Symbol, Terrain, UnitKind, Weapon, ignored_swords, melee_cap, ranged_cap,
};

/// Dice of a melee roll after the terrain of both hexes, before bonuses; 0 where it is prohibited (BT-MELEE-04).
#[inline]
pub fn melee_base(kind: UnitKind, blocks: u8, from: Terrain, into: Terrain) -> u8 {
    kind.melee_dice(blocks).min(melee_cap(from, into, kind.arm()))
}

/// Dice of a shot after the terrain of both hexes, before bonuses; 0 where it is prohibited (BT-RANGED-06).
#[inline]
pub fn ranged_base(kind: UnitKind, distance: u8, moved: bool, from: Terrain, into: Terrain) -> u8 {
    kind.ranged_dice(distance, moved).min(ranged_cap(from, into, kind.arm()))
}

/// Whether each X of a roll is rolled once more for additional faces (BT-ARMY-COMMANDER-05, BT-DRAGON-25, BT-R-80).
#[inline]
pub const fn rolls_swords_again(by: UnitKind, ranged: bool, volley: bool) -> bool {
    if ranged { volley && matches!(by.weapon(), Weapon::Arquebus) } else { by.is_bodyguard() }
}

/// A combat roll: who rolls against whom, and what its faces mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CombatRoll {
    /// The unit that rolls; all units of a levy charge are of one kind.
    pub by: UnitKind,
    /// The unit that is rolled against, or nothing for a lone leader.
    pub against: Option<UnitKind>,
    /// Whether it is a shot.
    pub ranged: bool,
    /// Number of units in the roll that are inspired (BT-INSPIRE-06).
    pub inspired: u8,
    /// Terror Strike: each flag counts twice (BT-DRAGON-15).
    pub terror: bool,
}

impl CombatRoll {
    /// Hits: blocks that fall as far as there are blocks, or 1 for a lone leader that falls (BT-MELEE-07, BT-RANGED-09,
    /// BT-LEADERS-20).
    pub fn hits(&self, faces: &Faces) -> u8 {
        let swords = faces[Face::Swords];
        let Some(against) = self.against else { return u8::from(swords > 0) };
        // Only X hits a bodyguard, and its symbol is X (BT-ARMY-COMMANDER-07).
        let symbol = if against.is_bodyguard() { 0 } else { faces[against.symbol().face()] };
        let effective = match (self.ranged, self.by.weapon()) {
            (false, _) => swords.saturating_sub(ignored_swords(against, self.by)), // BT-MELEE-08
            (true, Weapon::Arquebus) => swords,                                    // BT-UNITS-06
            (true, _) => 0,
        };
        symbol + effective
    }

    /// Honor that the roller collects from H faces (BT-MELEE-11, BT-RANGED-10, BT-R-14, BT-R-34).
    pub fn honor(&self, faces: &Faces) -> u8 {
        let collects = if self.ranged {
            self.by.is_bow()
        } else {
            self.against.is_none_or(|against| self.by.collects_in_melee(against))
        };
        if collects { faces[Face::Honor].saturating_sub(self.inspired) } else { 0 }
    }

    /// Flags that count against a unit; they do nothing to a lone leader (BT-LEADERS-21).
    pub fn flags(&self, faces: &Faces) -> u8 {
        if self.against.is_none() { 0 } else { faces[Face::Flag] << u8::from(self.terror) }
    }
}

/// The conditions that help a unit to ignore flags, at the time they are resolved (BT-MORALE-02).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stand {
    /// The unit.
    pub kind: UnitKind,
    /// Where it stands.
    pub terrain: Terrain,
    /// Whether a leader is attached to it.
    pub led: bool,
    /// Whether friends stand in at least two hexes next to it.
    pub supported: bool,
}

impl Stand {
    /// Flags of one roll that the unit may ignore without cards (BT-MORALE-02..07).
    pub fn allowance(&self, by: UnitKind) -> u8 {
        let sources = u8::from(self.supported)
            + u8::from(self.led)
            + u8::from(self.kind.symbol() == Symbol::Square)
            + self.terrain.ignored_flags(self.kind.arm(), by.arm());
        sources.min(MAX_IGNORED_FLAGS)
    }

    /// Whether the unit takes a hit for each flag instead of retreating (BT-TERRAIN-09, BT-R-42).
    #[inline]
    pub fn holds_a_castle(&self) -> bool {
        self.terrain == Terrain::Castle && self.kind.is_infantry()
    }
}

/// Dice of a leader-loss check; the leader falls if all of them show X (BT-LEADER-LOSS-02..04, BT-LEADER-LOSS-07,
/// BT-R-15).
pub const fn leader_check_dice(ranged: bool, unit_survives: bool, with_bodyguard: bool) -> u8 {
    if with_bodyguard || ranged && unit_survives { 2 } else { 1 }
}

/// Honor that a retreat of this number of hexes costs, with or without an attached leader (BT-HONOR-06..08).
#[inline]
pub const fn retreat_honor(kind: UnitKind, hexes: u8, led: bool) -> u8 {
    kind.retreat_honor(hexes) + if led { hexes } else { 0 }
}

/// Dice of a lack-of-honor roll (BT-LACK-OF-HONOR-01).
#[inline]
pub const fn lack_of_honor_dice(unpaid: u8) -> u8 {
    4 + unpaid
}

#[cfg(test)]
mod tests {
    use super::*;
    use UnitKind::*;

    fn faces(letters: &str) -> Faces {
        letters.chars().filter_map(Face::of_letter).collect()
    }

    fn melee(by: UnitKind, against: UnitKind) -> CombatRoll {
        CombatRoll { by, against: Some(against), ranged: false, inspired: 0, terror: false }
    }

    fn shot(by: UnitKind, against: UnitKind) -> CombatRoll {
        CombatRoll { ranged: true, ..melee(by, against) }
    }

    #[test]
    fn terrain_caps_the_base_dice() {
        // BT-MELEE-04, BT-RANGED-06, BT-TERRAIN-01, BT-TERRAIN-04, BT-ARMY-COMMANDER-04
        assert_eq!(melee_base(SamuraiSpear, 1, Terrain::Open, Terrain::Open), 4);
        assert_eq!(melee_base(SamuraiSpear, 4, Terrain::Hill, Terrain::Hill), 3);
        assert_eq!(melee_base(SamuraiSpear, 4, Terrain::Open, Terrain::Hill), 2);
        assert_eq!(melee_base(SpearCavalry, 4, Terrain::Open, Terrain::Gorge), 1);
        assert_eq!(melee_base(SpearCavalry, 4, Terrain::Open, Terrain::Castle), 0);
        assert_eq!(melee_base(Bodyguard, 3, Terrain::Tent, Terrain::Open), 3);
        assert_eq!(melee_base(Bodyguard, 3, Terrain::Tent, Terrain::Forest), 2);
        assert_eq!(ranged_base(SamuraiBow, 3, false, Terrain::Open, Terrain::Open), 3);
        assert_eq!(ranged_base(SamuraiBow, 3, true, Terrain::Open, Terrain::Open), 1);
        assert_eq!(ranged_base(AshigaruArquebus, 2, false, Terrain::Ford, Terrain::Open), 1);
    }

    #[test]
    fn melee_hits() {
        // BT-MELEE-07, BT-MELEE-08, BT-MELEE-10
        assert_eq!(melee(SamuraiSpear, AshigaruSpear).hits(&faces("TXXC")), 3);
        assert_eq!(melee(AshigaruBow, SamuraiSpear).hits(&faces("XS")), 1); // one X is not enough to be ignored twice
        assert_eq!(melee(Levy, SpearCavalry).hits(&faces("XXXXS")), 2); // BT-EX-05
    }

    #[test]
    fn bodyguards_are_hit_by_swords_only() {
        // BT-ARMY-COMMANDER-06, BT-ARMY-COMMANDER-07
        assert_eq!(melee(Levy, Bodyguard).hits(&faces("CTSXX")), 2);
        assert_eq!(melee(Bodyguard, SpearCavalry).hits(&faces("XXS")), 3);
        assert!(rolls_swords_again(Bodyguard, false, false));
        assert!(!rolls_swords_again(AshigaruArquebus, true, false));
        assert!(rolls_swords_again(AshigaruArquebus, true, true)); // BT-R-80
    }

    #[test]
    fn only_arquebuses_hit_with_swords_from_afar() {
        // BT-UNITS-06, BT-RANGED-09
        assert_eq!(shot(SamuraiBow, Levy).hits(&faces("CXX")), 1);
        assert_eq!(shot(AshigaruArquebus, SamuraiSpear).hits(&faces("SXX")), 3); // rank is for melee
    }

    #[test]
    fn lone_leaders_fall_to_any_swords() {
        // BT-LEADERS-20, BT-LEADERS-21, BT-R-11
        let roll = CombatRoll { against: None, ..shot(SamuraiBow, Levy) };
        assert_eq!((roll.hits(&faces("XX")), roll.hits(&faces("CTSF"))), (1, 0));
        assert_eq!(roll.flags(&faces("FF")), 0);
    }

    #[test]
    fn honor_from_faces() {
        // BT-MELEE-11, BT-RANGED-10, BT-INSPIRE-06, BT-R-14, BT-R-34
        let roll = faces("HHH");
        assert_eq!(melee(SamuraiSpear, AshigaruSpear).honor(&roll), 3);
        assert_eq!(CombatRoll { inspired: 1, ..melee(SamuraiSpear, AshigaruSpear) }.honor(&roll), 2);
        assert_eq!(CombatRoll { inspired: 4, ..melee(Levy, AshigaruSpear) }.honor(&roll), 0);
        assert_eq!(melee(SpearCavalry, AshigaruSpear).honor(&roll), 0);
        assert_eq!(melee(SpearCavalry, SamuraiSpear).honor(&roll), 3);
        assert_eq!(melee(SamuraiSpear, Levy).honor(&roll), 0);
        assert_eq!(CombatRoll { against: None, ..melee(SpearCavalry, Levy) }.honor(&roll), 3);
        assert_eq!(shot(SamuraiBow, Levy).honor(&roll), 3);
        assert_eq!(shot(BowCavalry, Levy).honor(&roll), 3);
        assert_eq!(shot(AshigaruArquebus, Levy).honor(&roll), 0);
    }

    #[test]
    fn flags_count_twice_in_terror() {
        // BT-DRAGON-15
        let roll = melee(SamuraiSpear, Levy);
        assert_eq!(
            (roll.flags(&faces("FFX")), CombatRoll { terror: true, ..roll }.flags(&faces("FFX"))),
            (2, 4)
        );
    }

    #[test]
    fn sources_of_morale_add_up_to_two() {
        // BT-MORALE-02..07
        let stand = Stand { kind: Levy, terrain: Terrain::Open, led: false, supported: false };
        assert_eq!(stand.allowance(Levy), 0);
        assert_eq!(Stand { supported: true, ..stand }.allowance(Levy), 1);
        assert_eq!(Stand { terrain: Terrain::Fence, ..stand }.allowance(Levy), 0);
        assert_eq!(Stand { terrain: Terrain::Fence, ..stand }.allowance(BowCavalry), 1);
        assert_eq!(Stand { terrain: Terrain::Palisade, ..stand }.allowance(Levy), 1);
        assert_eq!(Stand { kind: SpearCavalry, terrain: Terrain::Palisade, ..stand }.allowance(Levy), 1);
        let most = Stand { kind: SamuraiBow, terrain: Terrain::Bridge, led: true, supported: true };
        assert_eq!(most.allowance(Levy), 2);
    }

    #[test]
    fn castles_are_held() {
        // BT-TERRAIN-09, BT-R-42
        let stand = Stand { kind: Levy, terrain: Terrain::Castle, led: false, supported: false };
        assert_eq!((stand.holds_a_castle(), stand.allowance(Levy)), (true, 1));
        assert!(!Stand { kind: BowCavalry, ..stand }.holds_a_castle());
    }

    #[test]
    fn dice_of_leader_checks() {
        // BT-LEADER-LOSS-02..04, BT-LEADER-LOSS-07, BT-R-15
        assert_eq!(leader_check_dice(true, true, false), 2);
        assert_eq!(leader_check_dice(true, false, false), 1);
        assert_eq!(leader_check_dice(false, true, false), 1);
        assert_eq!(leader_check_dice(false, false, true), 2);
    }

    #[test]
    fn what_a_retreat_costs() {
        // BT-HONOR-06..08, BT-EX-01, BT-EX-02, BT-EX-04
        assert_eq!(retreat_honor(SamuraiSpear, 1, false), 2);
        assert_eq!(lack_of_honor_dice(retreat_honor(SamuraiSpear, 1, false) - 1), 5);
        assert_eq!([1, 2].map(|hexes| retreat_honor(AshigaruSpear, hexes, true)), [2, 4]);
        assert_eq!([0, 1, 2].map(|hexes| retreat_honor(Levy, hexes, false)), [0, 2, 2]);
        assert_eq!(retreat_honor(Levy, 2, true), 4);
    }
}
