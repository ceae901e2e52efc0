//! One clash: who fights whom, what is thrown, and what becomes of the tray (TW-BATTLE-03..16).

use sengoku_kernel::SetupError;
use sengoku_kernel::cube_tower::Parameters;

use crate::data::{COLOUR_NAMES, COLOURS, Cubes, FARMER, FILL_ARMIES, FILL_FARMERS, IN_THE_BOX};

/// The three kinds of battle (TW-BATTLE-01).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Player against player.
    #[default]
    Attack,
    /// Player against a neutral province, which farmers defend.
    Neutral,
    /// Farmers against the owner of a province.
    Revolt,
}

/// A side and what it throws.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Party {
    /// Whose cubes.
    pub colour: u8,
    /// How many are thrown.
    pub cubes: u16,
}

/// A clash as it is written down.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ClashSetup {
    /// Kind of battle.
    pub kind: Kind,
    /// Who attacks: a player, or the farmers in a revolt.
    pub attacker: Party,
    /// Who defends: a player, or the farmers of a neutral province, where not given 1 of them (TW-BATTLE-04).
    pub defender: Option<Party>,
    /// Whether farmers help the owner: the province has no unrest marker (TW-BATTLE-07).
    pub farmers_defend: bool,
    /// What lies in the tray and is thrown along.
    pub tray: Cubes,
    /// What is in the tower; if not known, a tower just filled at a table of `players` (TW-FILL-01).
    pub contents: Option<Cubes>,
    /// Players at the table whose fill it is: the colours of the clash, and the first ones besides.
    pub players: u8,
    /// The tower.
    pub parameters: Parameters,
}

impl Default for ClashSetup {
    fn default() -> Self {
        Self {
            kind: Kind::Attack,
            attacker: Party::default(),
            defender: None,
            farmers_defend: true,
            tray: Cubes::NONE,
            contents: None,
            players: 4,
            parameters: Parameters::default(),
        }
    }
}

/// A clash that can be.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Clash {
    setup: ClashSetup,
    attacker: Party,
    defender: Party,
}

/// Who holds the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Winner {
    /// The attacker has the province, or the revolt has succeeded.
    Attacker,
    /// The defender keeps the province.
    Defender,
    /// A draw: the province is neutral.
    Nobody,
}

impl Winner {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Attacker, Self::Defender, Self::Nobody];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Attacker => "attacker",
            Self::Defender => "defender",
            Self::Nobody => "none",
        }
    }
}

/// What becomes of a tray.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Settlement {
    /// Who holds the field.
    pub winner: Winner,
    /// Armies in the province afterwards, the winner's.
    pub armies_left: u16,
    /// Cubes that go back to the supplies.
    pub to_supply: Cubes,
    /// Cubes that stay in the tray: those that took no part (TW-BATTLE-16).
    pub tray: Cubes,
    /// Whether the province is neutral afterwards, its buildings and unrest markers gone.
    pub neutral: bool,
}

impl Clash {
    /// Checks a clash.
    ///
    /// # Errors
    /// [`SetupError`] with the field that cannot be.
    pub fn new(setup: &ClashSetup) -> Result<Self, SetupError> {
        let wrong = |field: &str, reason: String| Err(SetupError::new(field, reason));
        let farmers = |party: Party| party.colour == FARMER;
        let attacker = setup.attacker;
        let defender = match (setup.defender, setup.kind) {
            (Some(defender), _) => defender,
            (None, Kind::Neutral) => Party { colour: FARMER, cubes: 1 },
            (None, _) => return wrong("defender", "none, only a neutral province has no defender".into()),
        };
        for (field, party) in [("attacker", attacker), ("defender", defender)] {
            if usize::from(party.colour) >= COLOURS {
                return wrong(field, format!("colour {}, there are {COLOURS}", party.colour));
            }
        }
        let name = |party: Party| format!("{:?}", COLOUR_NAMES[usize::from(party.colour)]);
        // TW-BATTLE-03, TW-BATTLE-04, TW-BATTLE-05
        match setup.kind {
            Kind::Revolt if !farmers(attacker) => {
                return wrong("attacker", format!("{}, in a revolt it is \"farmer\"", name(attacker)));
            }
            Kind::Attack | Kind::Neutral if farmers(attacker) => {
                return wrong("attacker", "\"farmer\", farmers attack only in a revolt".into());
            }
            Kind::Neutral if !farmers(defender) => {
                return wrong(
                    "defender",
                    format!("{}, in a neutral province it is \"farmer\"", name(defender)),
                );
            }
            Kind::Attack | Kind::Revolt if farmers(defender) => {
                return wrong("defender", "\"farmer\", farmers defend only a neutral province".into());
            }
            _ => {}
        }
        if attacker.colour == defender.colour {
            return wrong("defender", format!("{}, which attacks", name(defender)));
        }
        for (field, party) in [("attacker", attacker), ("defender", defender)] {
            // Farmers can be none where the supply had none (TW-R-28); armies cannot (TW-TOWER-13).
            if party.cubes == 0 && !farmers(party) {
                return wrong(field, "0 cubes, at least 1 is possible".into());
            }
        }
        if !(3..=5).contains(&setup.players) {
            return wrong("players", format!("{}, 3 to 5 are possible", setup.players));
        }
        let setup = ClashSetup { defender: Some(defender), ..setup.clone() };
        let clash = Self { setup: setup.clone(), attacker, defender };
        let inside = clash.inside();
        let capacity = clash.setup.parameters.capacity();
        if setup.contents.is_some() && usize::from(inside.total()) > capacity {
            return wrong("contents", format!("{} cubes, the tower holds {capacity}", inside.total()));
        }
        // TW-TOWER-04: no more cubes than there are, colour by colour
        for colour in 0..COLOURS as u8 {
            let armies = [attacker, defender].into_iter().find(|party| party.colour == colour);
            let parts = [
                (
                    if attacker.colour == colour { "attacker" } else { "defender" },
                    armies.map_or(0, |party| party.cubes),
                ),
                ("tray", setup.tray[colour]),
                ("contents", inside[colour]),
            ];
            let mut sum = 0_u32;
            for (field, count) in parts {
                sum += u32::from(count);
                if sum > u32::from(IN_THE_BOX[colour]) {
                    let (there, all) = (COLOUR_NAMES[usize::from(colour)], IN_THE_BOX[colour]);
                    return wrong(field, format!("{count} {there}, {sum} in all, but there are {all}"));
                }
            }
        }
        Ok(clash)
    }

    /// The clash as it was written down.
    pub const fn setup(&self) -> &ClashSetup {
        &self.setup
    }

    /// Who attacks.
    pub const fn attacker(&self) -> Party {
        self.attacker
    }

    /// Who defends.
    pub const fn defender(&self) -> Party {
        self.defender
    }

    /// What is thrown: both sides and the whole tray (TW-TUSE-01).
    pub fn thrown(&self) -> Cubes {
        let mut cubes = self.setup.tray;
        for party in [self.attacker, self.defender] {
            cubes[party.colour] += party.cubes;
        }
        cubes
    }

    /// What is in the tower, or what the fill throws into it.
    pub fn inside(&self) -> Cubes {
        self.setup.contents.unwrap_or_else(|| self.fill())
    }

    /// The fill of the table (TW-FILL-01): 7 armies of every player and 10 farmers.
    pub fn fill(&self) -> Cubes {
        let mut fill = Cubes::of(FARMER, FILL_FARMERS);
        let involved =
            [self.attacker.colour, self.defender.colour].into_iter().filter(|&colour| colour != FARMER);
        let mut players = 0;
        for colour in involved.chain(0..FARMER) {
            if players < self.setup.players && fill[colour] == 0 {
                fill[colour] = FILL_ARMIES;
                players += 1;
            }
        }
        fill
    }

    /// Most armies that can be left in the province.
    pub fn most_armies(&self) -> u16 {
        let all = self.thrown() + self.inside();
        let most = |party: Party| if party.colour == FARMER { 0 } else { all[party.colour] };
        most(self.attacker).max(most(self.defender))
    }

    /// Settles what lies in the tray after the throw (TW-BATTLE-06..15).
    #[inline(always)]
    pub fn settle(&self, tray: &Cubes) -> Settlement {
        let (attacker, defender) = (self.attacker.colour, self.defender.colour);
        settle(self.setup.kind, attacker, defender, self.setup.farmers_defend, tray)
    }
}

/// Settles what lies in the tray after a throw (TW-BATTLE-06..15). Sides are named by their colours.
#[inline(always)]
pub fn settle(kind: Kind, attacker: u8, defender: u8, farmers_defend: bool, tray: &Cubes) -> Settlement {
    let mut tray = *tray;
    let mut to_supply = Cubes::NONE;
    if kind == Kind::Revolt {
        let (own, farmers) = (tray.take(defender), tray.take(FARMER));
        to_supply[FARMER] = farmers;
        let won = own > farmers;
        to_supply[defender] = if won { farmers } else { own };
        let armies_left = if won { own - farmers } else { 0 };
        let winner = if won { Winner::Defender } else { Winner::Attacker };
        return Settlement { winner, armies_left, to_supply, tray, neutral: !won };
    }
    let attackers = tray.take(attacker);
    let owned = kind == Kind::Attack;
    let own = if owned { tray.take(defender) } else { 0 };
    let farmers = if !owned || farmers_defend { tray.take(FARMER) } else { 0 };
    let defenders = own + farmers;
    to_supply[FARMER] += farmers;
    let (winner, armies_left, lost) = if attackers > defenders {
        to_supply[attacker] += defenders;
        (Winner::Attacker, attackers - defenders, own)
    } else {
        to_supply[attacker] += attackers;
        if attackers < defenders && own >= 1 {
            let lost = attackers.saturating_sub(farmers);
            (Winner::Defender, own - lost, lost)
        } else {
            (Winner::Nobody, 0, own)
        }
    };
    if owned {
        to_supply[defender] += lost;
    }
    Settlement { winner, armies_left, to_supply, tray, neutral: winner == Winner::Nobody }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn clash(kind: Kind, farmers_defend: bool) -> Clash {
        let farmers = Party { colour: FARMER, cubes: 1 };
        let (attacker, defender) = match kind {
            Kind::Attack => (Party { colour: 1, cubes: 4 }, Party { colour: 2, cubes: 3 }),
            Kind::Neutral => (Party { colour: 1, cubes: 4 }, farmers),
            Kind::Revolt => (farmers, Party { colour: 2, cubes: 3 }),
        };
        let setup =
            ClashSetup { kind, attacker, defender: Some(defender), farmers_defend, ..ClashSetup::default() };
        Clash::new(&setup).unwrap()
    }

    #[test]
    fn battles_of_the_ledger() {
        // TW-EX-20, cases a to i: attacker, defender, farmers, others -> winner, into province, to supplies, left in tray
        use Kind::{Attack, Neutral};
        use Winner::{Attacker, Defender, Nobody};
        let rows = [
            // TW-BATTLE-10
            (Attack, true, [5, 2, 2, 3], Attacker, 1, [4, 2, 2], [3, 0]),
            // TW-BATTLE-07, TW-BATTLE-12
            (Attack, false, [2, 2, 3, 1], Nobody, 0, [2, 2, 0], [1, 3]),
            // TW-BATTLE-11, TW-R-24
            (Attack, true, [2, 3, 1, 0], Defender, 2, [2, 1, 1], [0, 0]),
            (Attack, true, [1, 2, 4, 0], Defender, 2, [1, 0, 4], [0, 0]),
            // TW-R-25: farmers alone
            (Attack, true, [1, 0, 3, 2], Nobody, 0, [1, 0, 3], [2, 0]),
            (Attack, false, [4, 1, 5, 0], Attacker, 3, [1, 1, 0], [0, 5]),
            // TW-BATTLE-08
            (Neutral, true, [3, 0, 1, 2], Attacker, 2, [1, 0, 1], [2, 0]),
            (Neutral, true, [1, 0, 3, 0], Nobody, 0, [1, 0, 3], [0, 0]),
            // TW-R-26: 0 to 0
            (Neutral, true, [0, 0, 0, 1], Nobody, 0, [0, 0, 0], [1, 0]),
        ];
        for (case, (kind, farmers_defend, tray, winner, armies, supply, left)) in rows.into_iter().enumerate()
        {
            let [a, d, f, o] = tray;
            let settled = clash(kind, farmers_defend).settle(&Cubes([o, a, d, 0, 0, f]));
            assert_eq!((settled.winner, settled.armies_left), (winner, armies), "case {case}");
            assert_eq!(settled.to_supply, Cubes([0, supply[0], supply[1], 0, 0, supply[2]]), "case {case}");
            assert_eq!(settled.tray, Cubes([left[0], 0, 0, 0, 0, left[1]]), "case {case}");
            assert_eq!(settled.neutral, winner == Nobody, "case {case}");
        }
    }

    #[test]
    fn revolts_of_the_ledger() {
        // TW-EX-21, TW-BATTLE-09, TW-BATTLE-14, TW-BATTLE-15, TW-R-27; TW-R-26: 0 to 0 is lost
        for (own, farmers, left) in [(5, 3, Some(2)), (2, 2, None), (0, 0, None), (1, 0, Some(1))] {
            let settled = clash(Kind::Revolt, true).settle(&Cubes([4, 0, own, 0, 0, farmers]));
            assert_eq!(settled.winner, if left.is_some() { Winner::Defender } else { Winner::Attacker });
            assert_eq!((settled.armies_left, settled.neutral), (left.unwrap_or(0), left.is_none()));
            let lost = own - left.unwrap_or(0);
            assert_eq!(settled.to_supply, Cubes([0, 0, lost, 0, 0, farmers]));
            assert_eq!(settled.tray, Cubes([4, 0, 0, 0, 0, 0]));
        }
    }

    #[test]
    fn what_is_thrown() {
        // TW-BATTLE-03, TW-BATTLE-04, TW-BATTLE-05, TW-TUSE-01: both sides and the whole tray
        let tray = Cubes([2, 1, 0, 0, 0, 1]);
        let with = |kind| {
            let setup = ClashSetup { tray, ..clash(kind, true).setup().clone() };
            Clash::new(&setup).unwrap().thrown()
        };
        assert_eq!(with(Kind::Attack), Cubes([2, 5, 3, 0, 0, 1]));
        assert_eq!(with(Kind::Neutral), Cubes([2, 5, 0, 0, 0, 2]));
        assert_eq!(with(Kind::Revolt), Cubes([2, 1, 3, 0, 0, 2]));
        let alone = ClashSetup { defender: None, ..clash(Kind::Neutral, true).setup().clone() };
        assert_eq!(Clash::new(&alone).unwrap().thrown(), Cubes([0, 4, 0, 0, 0, 1]));
    }

    #[test]
    fn the_fill_of_the_table() {
        // TW-FILL-01: the colours of the clash, and others until all seats are taken
        for (players, fill) in [(3, [7, 7, 7, 0, 0, 10]), (4, [7, 7, 7, 7, 0, 10]), (5, [7, 7, 7, 7, 7, 10])]
        {
            let setup = ClashSetup { players, ..clash(Kind::Attack, true).setup().clone() };
            assert_eq!(Clash::new(&setup).unwrap().fill(), Cubes(fill));
        }
        let last = Party { colour: 4, cubes: 1 };
        let setup = ClashSetup { attacker: last, players: 3, ..clash(Kind::Neutral, true).setup().clone() };
        assert_eq!(Clash::new(&setup).unwrap().fill(), Cubes([7, 7, 0, 0, 7, 10]));
    }

    #[test]
    fn clashes_that_cannot_be() {
        let good = clash(Kind::Attack, true).setup().clone();
        let error = |setup: ClashSetup| Clash::new(&setup).unwrap_err().to_string();
        let party = |colour, cubes| Party { colour, cubes };
        let farmers = Some(party(FARMER, 1));
        assert!(error(ClashSetup { defender: None, ..good.clone() }).starts_with("defender: none"));
        assert!(error(ClashSetup { defender: farmers, ..good.clone() }).starts_with("defender: \"farmer\""));
        assert!(
            error(ClashSetup { attacker: party(FARMER, 2), ..good.clone() })
                .starts_with("attacker: \"farmer\"")
        );
        assert!(error(ClashSetup { kind: Kind::Revolt, ..good.clone() }).starts_with("attacker: \"blue\""));
        assert!(
            error(ClashSetup { kind: Kind::Neutral, ..good.clone() }).starts_with("defender: \"yellow\"")
        );
        assert_eq!(
            error(ClashSetup { defender: Some(party(1, 3)), ..good.clone() }),
            "defender: \"blue\", which attacks"
        );
        // TW-TOWER-13: at least one army
        assert_eq!(
            error(ClashSetup { attacker: party(1, 0), ..good.clone() }),
            "attacker: 0 cubes, at least 1 is possible"
        );
        assert!(
            error(ClashSetup { attacker: party(6, 1), ..good.clone() }).starts_with("attacker: colour 6")
        );
        assert_eq!(error(ClashSetup { players: 6, ..good.clone() }), "players: 6, 3 to 5 are possible");
        // TW-TOWER-04, TW-TOWER-10: no more cubes than there are
        assert_eq!(
            error(ClashSetup { attacker: party(1, 63), ..good.clone() }),
            "attacker: 63 blue, 63 in all, but there are 62"
        );
        assert_eq!(
            error(ClashSetup { tray: Cubes([0, 59, 0, 0, 0, 0]), ..good.clone() }),
            "tray: 59 blue, 63 in all, but there are 62"
        );
        assert_eq!(
            error(ClashSetup { contents: Some(Cubes([0, 0, 0, 0, 0, 21])), ..good.clone() }),
            "contents: 21 farmer, 21 in all, but there are 20"
        );
        assert_eq!(
            error(ClashSetup {
                contents: Some(Cubes([25, 26, 0, 0, 0, 0])),
                parameters: Parameters::named("ledger").unwrap(),
                ..good.clone()
            }),
            "contents: 51 cubes, the tower holds 50"
        );
        // TW-R-28: a supply without farmers sends none
        assert!(
            Clash::new(&ClashSetup { kind: Kind::Neutral, defender: Some(party(FARMER, 0)), ..good }).is_ok()
        );
    }

    proptest! {
        #[test]
        fn no_cube_is_lost(tray in any::<[u8; COLOURS]>(), farmers_defend: bool) {
            // TW-TOWER-04, TW-TOWER-09, TW-BATTLE-06, TW-BATTLE-16: everything is somewhere, and cubes of others stay
            let tray = Cubes(tray.map(u16::from));
            for kind in [Kind::Attack, Kind::Neutral, Kind::Revolt] {
                let clash = clash(kind, farmers_defend);
                let settled = clash.settle(&tray);
                let mut found = settled.to_supply + settled.tray;
                match settled.winner {
                    Winner::Attacker => found[clash.attacker().colour] += settled.armies_left,
                    Winner::Defender => found[clash.defender().colour] += settled.armies_left,
                    Winner::Nobody => prop_assert_eq!(settled.armies_left, 0),
                }
                prop_assert_eq!(found, tray);
                prop_assert_eq!(settled.neutral, settled.armies_left == 0);
                for colour in 0..FARMER {
                    let involved = [clash.attacker().colour, clash.defender().colour].contains(&colour);
                    prop_assert_eq!(settled.tray[colour], if involved { 0 } else { tray[colour] });
                }
                let stay = kind == Kind::Attack && !farmers_defend;
                prop_assert_eq!(settled.tray[FARMER], if stay { tray[FARMER] } else { 0 });
            }
        }
    }
}
