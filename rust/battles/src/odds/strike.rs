//! The description of one strike: attacker, defender, circumstances, and how both sides decide.

use sengoku_kernel::SetupError;

use super::cards::{Card, CardSet};
use super::piece::{Piece, PieceKind};
use crate::combat_roll::{melee_base, ranged_base};
use crate::data::{HONOR_TOKENS, Terrain, UnitKind, numbered};

/// Most units of a levy charge: a hex has six neighbours.
pub const MAX_CHARGE: usize = 6;
/// Most dice that a card can be asked to add to each attacking unit.
pub const MAX_DICE_BONUS: u8 = 6;
/// Most dice of the attack, re-rolls not counted.
pub const MAX_DICE: u8 = 30;

numbered! {
    /// The sides of a strike.
    pub enum Role {
        /// The attacker: the active player.
        Attacker,
        /// The defender.
        Defender,
    }
}

impl Role {
    /// The other side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Attacker => Self::Defender,
            Self::Defender => Self::Attacker,
        }
    }

    /// The side in one word.
    pub const fn name(self) -> &'static str {
        ["attacker", "defender"][self as usize]
    }
}

sengoku_kernel::by_id! {
    /// A value for each side.
    #[derive(Default, PartialOrd, Ord, Hash)]
    pub struct ByRole<T>([T; 2]) by Role;
}

/// A shot, where the attack is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shot {
    /// Distance to the target (BT-RANGED-05).
    pub distance: u8,
    /// Whether the shooter moved this turn (BT-UNITS-01).
    pub moved: bool,
}

/// A strike as one writes it down.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StrikeSetup {
    /// The attackers: a unit, or the levies of a charge (BT-LEVY-CHARGE-01).
    pub attackers: Vec<Piece>,
    /// The defender: a unit or a lone leader.
    pub defender: Piece,
    /// The shot, if it is ranged combat and no melee.
    pub shot: Option<Shot>,
    /// Dice that cards add to each attacking unit besides those of `cards` (BT-MELEE-05, BT-RANGED-07).
    pub dice_bonus: u8,
    /// Cards in play that change the strike; they are paid for.
    pub cards: ByRole<CardSet>,
    /// Choice: a defender that may battle back does (BT-BATTLEBACK-01).
    pub battle_back: bool,
    /// Choice: the unit of a charge that is battled back, struck first, or meant by Aikido Training
    /// (BT-LEVY-CHARGE-03, BT-R-38, BT-R-39).
    pub against: u8,
    /// Honor of both players; one that is not given never runs out.
    pub honor: ByRole<Option<u8>>,
    /// Honor in the common pool; if not given it never runs out (BT-HONOR-01).
    pub pool: Option<u8>,
}

impl StrikeSetup {
    /// A melee with battle back, and nothing besides.
    pub fn melee(attacker: Piece, defender: Piece) -> Self {
        Self {
            attackers: vec![attacker],
            defender,
            shot: None,
            dice_bonus: 0,
            cards: ByRole::default(),
            battle_back: true,
            against: 0,
            honor: ByRole::default(),
            pool: None,
        }
    }
}

/// A strike that the rules allow. [`Strike::new`] is the only door.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Strike {
    setup: StrikeSetup,
    /// Kind of the attacking units; several are all levies.
    attacking: UnitKind,
}

impl Strike {
    /// A strike, once its parts have been checked.
    ///
    /// # Errors
    /// [`SetupError`] with the field and the offending value.
    pub fn new(setup: &StrikeSetup) -> Result<Self, SetupError> {
        let refuse = |field: &str, reason: String| Err(SetupError::new(field, reason));
        let count = setup.attackers.len();
        if !(1..=MAX_CHARGE).contains(&count) {
            return refuse("attacker", format!("{count} units, 1 to {MAX_CHARGE} are possible"));
        }
        if usize::from(setup.against) >= count {
            return refuse("against", format!("{}, there are {count} attacking units", setup.against));
        }
        for piece in &setup.attackers {
            piece.validate().map_err(|error| error.within("attacker"))?;
        }
        let PieceKind::Unit(attacking) = setup.attackers[0].kind else {
            // BT-LEADERS-06
            let code = setup.attackers[0].kind.code();
            return refuse("attacker", format!("{code:?}, a lone leader never battles"));
        };
        setup.defender.validate().map_err(|error| error.within("defender"))?;
        let strike = Self { setup: setup.clone(), attacking };
        strike.check_charge()?;
        strike.check_kind()?;
        strike.check_cards()?;
        strike.check_honor()?;
        if setup.dice_bonus > MAX_DICE_BONUS {
            return refuse("dice_bonus", format!("{}, 0 to {MAX_DICE_BONUS} are possible", setup.dice_bonus));
        }
        let dice = strike.most_dice();
        if dice > u32::from(MAX_DICE) {
            return refuse("attacker", format!("up to {dice} dice, at most {MAX_DICE} are possible"));
        }
        Ok(strike)
    }

    /// BT-LEVY-CHARGE-01, BT-R-37
    fn check_charge(&self) -> Result<(), SetupError> {
        if self.setup.attackers.len() == 1 {
            return Ok(());
        }
        let refuse = |field: &str, reason: String| Err(SetupError::new(field, reason));
        let levy = PieceKind::Unit(UnitKind::Levy);
        if let Some(piece) = self.setup.attackers.iter().find(|piece| piece.kind != levy) {
            return refuse("attacker", format!("{:?}, only levies charge together", piece.kind.code()));
        }
        if self.setup.shot.is_some() {
            return refuse("ranged", "true, a levy charge is a melee".into());
        }
        match self.setup.defender.kind {
            PieceKind::Unit(_) => Ok(()),
            PieceKind::Leader(kind) => {
                refuse("defender", format!("{:?}, a levy charge is against a unit", kind.code()))
            }
        }
    }

    /// Whether such a unit may attack so (BT-MELEE-01, BT-RANGED-01, BT-UNITS-04, BT-TERRAIN-09).
    fn check_kind(&self) -> Result<(), SetupError> {
        let refuse = |field: &str, reason: String| Err(SetupError::new(field, reason));
        let (defender, kind) = (&self.setup.defender, self.attacking);
        let Some(Shot { distance, moved }) = self.setup.shot else {
            return match self.setup.attackers.iter().find(|piece| melee_dice(piece, defender) == 0) {
                None => Ok(()),
                Some(piece) => refuse(
                    "attacker",
                    format!("{:?}, cavalry has no melee in a castle or against one", piece.kind.code()),
                ),
            };
        };
        if !kind.is_missile() {
            return refuse("ranged", format!("true, {:?} does not shoot", kind.code()));
        }
        if defender.kind == PieceKind::Unit(UnitKind::Bodyguard) {
            return refuse("defender", "\"BG\", a bodyguard cannot be shot at".into());
        }
        if !(2..=kind.range()).contains(&distance) {
            return refuse(
                "distance",
                format!("{distance}, {:?} shoots 2 to {} hexes", kind.code(), kind.range()),
            );
        }
        if moved && kind == UnitKind::AshigaruArquebus {
            // BT-R-93: a card can let it shoot after a move, but with the dice of one that stood still.
            return refuse("moved", "true, an arquebus that moved may not battle".into());
        }
        if self.ranged_base(&self.setup.attackers[0], distance, moved) == 0 {
            return refuse("attacker", format!("{:?}, cavalry in a castle may not battle", kind.code()));
        }
        Ok(())
    }

    fn check_cards(&self) -> Result<(), SetupError> {
        for role in Role::ALL {
            for card in self.setup.cards[role].iter() {
                if let Err(reason) = card.check(self, role) {
                    let field = format!("{}_cards", role.name());
                    return Err(SetupError::new(field, format!("{:?}, {reason}", card.name())));
                }
            }
        }
        Ok(())
    }

    fn check_honor(&self) -> Result<(), SetupError> {
        let ByRole([attacker, defender]) = self.setup.honor;
        let amounts = [("attacker_honor", attacker), ("defender_honor", defender), ("pool", self.setup.pool)];
        let mut sum = 0_u32;
        for (field, amount) in amounts {
            sum += u32::from(amount.unwrap_or(0));
            if sum > u32::from(HONOR_TOKENS) {
                let reason = format!("{}, but there are {HONOR_TOKENS} tokens in all", amount.unwrap_or(0));
                return Err(SetupError::new(field, reason));
            }
        }
        Ok(())
    }

    /// The strike as it was written down.
    pub const fn setup(&self) -> &StrikeSetup {
        &self.setup
    }

    /// Kind of the units that attack; those of a charge are all levies.
    pub const fn attacking(&self) -> UnitKind {
        self.attacking
    }

    /// The piece of a side; of a charge the unit that the defender strikes at.
    pub fn piece(&self, role: Role) -> &Piece {
        match role {
            Role::Attacker => &self.setup.attackers[usize::from(self.setup.against)],
            Role::Defender => &self.setup.defender,
        }
    }

    /// Whether a side has a card in play.
    pub fn has(&self, role: Role, card: Card) -> bool {
        self.setup.cards[role].contains(card)
    }

    /// Whether it is a shot.
    pub const fn is_ranged(&self) -> bool {
        self.setup.shot.is_some()
    }

    /// Whether the defender strikes first (BT-CMD-20, BT-DRAGON-16).
    pub fn strikes_first(&self) -> bool {
        self.has(Role::Defender, Card::FirstStrike) || self.has(Role::Defender, Card::Ambush)
    }

    /// Whether terrain lets the defender battle the attacker that it is against; a lone leader never does
    /// (BT-BATTLEBACK-06, BT-LEADERS-23).
    pub fn can_battle_back(&self) -> bool {
        let defender = &self.setup.defender;
        matches!(defender.kind, PieceKind::Unit(_)) && melee_dice(defender, self.piece(Role::Attacker)) > 0
    }

    /// Dice of a shot before bonuses; 0 where terrain prohibits it.
    pub(super) fn ranged_base(&self, by: &Piece, distance: u8, moved: bool) -> u8 {
        let into: Terrain = self.setup.defender.terrain;
        by.kind.unit().map_or(0, |kind| ranged_base(kind, distance, moved, by.terrain, into))
    }

    /// Dice that cards add to each attacking unit, whatever its blocks.
    pub(super) fn attack_bonus(&self) -> u8 {
        let cards = self.setup.cards[Role::Attacker];
        self.setup.dice_bonus + cards.iter().map(Card::attack_dice).sum::<u8>()
    }

    /// Most dice of the attack, re-rolls not counted.
    pub fn most_dice(&self) -> u32 {
        let bonus = u32::from(self.attack_bonus());
        let unit = |piece: &Piece| {
            let base = match self.setup.shot {
                Some(Shot { distance, moved }) => self.ranged_base(piece, distance, moved),
                None => melee_dice(piece, &self.setup.defender),
            };
            u32::from(base) + bonus + u32::from(piece.inspire)
        };
        let desperate = self.has(Role::Attacker, Card::DesperateCharge);
        self.setup.attackers.iter().map(unit).sum::<u32>() + 2 * u32::from(desperate)
    }
}

/// Dice of a melee roll before bonuses; 0 where terrain prohibits it.
fn melee_dice(by: &Piece, against: &Piece) -> u8 {
    by.kind.unit().map_or(0, |kind| melee_base(kind, by.blocks, by.terrain, against.terrain))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::LeaderKind;

    fn setup(attacker: UnitKind, defender: UnitKind) -> StrikeSetup {
        StrikeSetup::melee(Piece::unit(attacker), Piece::unit(defender))
    }

    fn error(setup: &StrikeSetup) -> String {
        Strike::new(setup).unwrap_err().to_string()
    }

    #[test]
    fn strikes_that_cannot_be() {
        let good = setup(UnitKind::SamuraiSpear, UnitKind::Levy);
        let lone = Piece::new(PieceKind::Leader(LeaderKind::Foot));
        assert!(error(&StrikeSetup { attackers: vec![], ..good.clone() }).starts_with("attacker: 0 units"));
        assert!(
            error(&StrikeSetup { attackers: vec![lone], ..good.clone() }).starts_with("attacker: \"LF\"")
        ); // BT-LEADERS-06
        let weak = Piece { blocks: 9, ..Piece::unit(UnitKind::Levy) };
        assert!(error(&StrikeSetup { defender: weak, ..good.clone() }).starts_with("defender.blocks: 9"));
        assert!(error(&StrikeSetup { dice_bonus: 7, ..good.clone() }).starts_with("dice_bonus: 7"));
        assert!(error(&StrikeSetup { against: 1, ..good.clone() }).starts_with("against: 1"));
        // Found by fuzzing: cards look at the piece that is meant before its number was checked.
        let cards = ByRole([CardSet::default(), CardSet::from_iter([Card::Cowards])]);
        assert!(error(&StrikeSetup { against: 5, cards, ..good.clone() }).starts_with("against: 5"));
        let honor = ByRole([Some(20), Some(11)]);
        assert!(error(&StrikeSetup { honor, ..good.clone() }).starts_with("defender_honor: 11"));
        assert!(error(&StrikeSetup { pool: Some(31), ..good }).starts_with("pool: 31"));
    }

    #[test]
    fn only_levies_charge_together() {
        // BT-LEVY-CHARGE-01, BT-R-37
        let levy = Piece::unit(UnitKind::Levy);
        let charge = StrikeSetup { attackers: vec![levy; 6], ..setup(UnitKind::Levy, UnitKind::SamuraiBow) };
        assert_eq!(Strike::new(&charge).unwrap().most_dice(), 12);
        assert!(
            error(&StrikeSetup { attackers: vec![levy; 7], ..charge.clone() }).starts_with("attacker: 7")
        );
        assert!(
            error(&StrikeSetup { dice_bonus: 4, ..charge.clone() }).starts_with("attacker: up to 36 dice")
        );
        let lone = Piece::new(PieceKind::Leader(LeaderKind::Foot));
        assert!(error(&StrikeSetup { defender: lone, ..charge.clone() }).starts_with("defender: \"LF\""));
        let bows = Piece::unit(UnitKind::AshigaruBow);
        assert!(
            error(&StrikeSetup { attackers: vec![levy, bows], ..charge }).starts_with("attacker: \"AB\"")
        );
    }

    #[test]
    fn shots_that_cannot_be() {
        // BT-RANGED-01, BT-UNITS-04, BT-UNITS-05, BT-TERRAIN-09
        let shot = |distance, moved| Some(Shot { distance, moved });
        let good = StrikeSetup { shot: shot(3, true), ..setup(UnitKind::SamuraiBow, UnitKind::Levy) };
        assert!(Strike::new(&good).is_ok());
        assert!(error(&StrikeSetup { shot: shot(1, false), ..good.clone() }).starts_with("distance: 1"));
        assert!(error(&StrikeSetup { shot: shot(4, false), ..good.clone() }).starts_with("distance: 4"));
        let spears = StrikeSetup { attackers: vec![Piece::unit(UnitKind::AshigaruSpear)], ..good.clone() };
        assert!(error(&spears).starts_with("ranged: true"));
        let guns = vec![Piece::unit(UnitKind::AshigaruArquebus)];
        assert!(error(&StrikeSetup { attackers: guns, ..good.clone() }).starts_with("moved: true"));
        let guard = Piece::unit(UnitKind::Bodyguard);
        assert!(error(&StrikeSetup { defender: guard, ..good.clone() }).starts_with("defender: \"BG\""));
        let inside = Piece { terrain: Terrain::Castle, ..Piece::unit(UnitKind::BowCavalry) };
        let shooting = StrikeSetup { attackers: vec![inside], ..good.clone() };
        assert!(error(&shooting).starts_with("attacker: \"SBC\""));
        let cavalry = setup(UnitKind::BowCavalry, UnitKind::Levy);
        let castle = Piece { terrain: Terrain::Castle, ..Piece::unit(UnitKind::Levy) };
        assert!(error(&StrikeSetup { defender: castle, ..cavalry.clone() }).starts_with("attacker: \"SBC\""));
        assert!(error(&StrikeSetup { attackers: vec![inside], ..cavalry }).starts_with("attacker: \"SBC\""));
    }
}
