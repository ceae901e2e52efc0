//! One clash: who fights whom, what is thrown, and what becomes of the tray (TW-BATTLE-03..16).

use sengoku_kernel::SetupError;
use sengoku_kernel::cube_tower::{Loader, Parameters};

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
    /// The attacker: a player, or the farmers in a revolt.
    pub attacker: Party,
    /// The defender: a player, or the farmers of a neutral province; by default 1 farmer (TW-BATTLE-04).
    pub defender: Option<Party>,
    /// Whether farmers help the owner: the province has no unrest marker (TW-BATTLE-07).
    pub farmers_defend: bool,
    /// Cubes in the tray, which are thrown as well.
    pub tray: Cubes,
    /// Cubes in the tower; by default those of a tower just filled for `players` players (TW-FILL-01).
    pub contents: Option<Cubes>,
    /// The same by shelf, the upper one first, where that is known; `contents` are none then.
    pub shelves: Option<Vec<Cubes>>,
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
            shelves: None,
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

/// The side that wins a clash.
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

/// The result of a clash: where the cubes of the tray go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Settlement {
    /// The side that wins.
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
        if let Some(shelves) = &setup.shelves {
            if setup.contents.is_some() {
                return wrong("shelves", "given with contents, which follow from them".into());
            }
            let counts: Vec<&[u16]> = shelves.iter().map(|cubes| &cubes.0[..]).collect();
            Loader::of_shelves(&setup.parameters, &counts)?;
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
                (if setup.shelves.is_some() { "shelves" } else { "contents" }, inside[colour]),
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

    /// The attacker.
    pub const fn attacker(&self) -> Party {
        self.attacker
    }

    /// The defender.
    pub const fn defender(&self) -> Party {
        self.defender
    }

    /// The cubes that are thrown: both sides and the whole tray (TW-TUSE-01).
    pub fn thrown(&self) -> Cubes {
        let mut cubes = self.setup.tray;
        for party in [self.attacker, self.defender] {
            cubes[party.colour] += party.cubes;
        }
        cubes
    }

    /// The cubes in the tower, or those that the initial fill throws into it.
    pub fn inside(&self) -> Cubes {
        match &self.setup.shelves {
            Some(shelves) => shelves.iter().fold(Cubes::NONE, |sum, &cubes| sum + cubes),
            None => self.setup.contents.unwrap_or_else(|| self.fill()),
        }
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
mod tests;
