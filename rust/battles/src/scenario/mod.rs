//! The battles: maps, pieces, cards, and what each of them changes about the rules (BT-SCEN).
//!
//! `data/scenarios.toml` has the headers of the forty battles and `data/deployments/NN.toml` their maps and pieces; all
//! are compiled in. A user's own battle is one text with both, read by [`Scenario::parse`]; `data/deployments/FORMAT.md`
//! describes it. A scenario lives as long as the process, so that a state holds it as a plain reference.

mod deployed_pieces;
mod deployment;
mod header;
mod record_format;
mod records;

use std::fmt;

use sengoku_kernel::{DecodeError, Registered, Registry, SetupError, digest, read_setup};
use serde_json::Value;

use crate::board::HEXES;
use crate::data::{ByHex, BySide, HexId, HexSet, LeaderKind, Side, Terrain, UnitKind};
use crate::observe::{PER_HEX, empty_hex};
use crate::sight::Sight;

pub use deployed_pieces::short;
pub use header::{Army, Campaign, CampaignRole, Confidence, First, FordTiles, TerrainRules};
pub use records::{MAX_HELD, Special, Victory};

/// Number of battles that are compiled in.
pub const SCENARIOS: usize = 40;

/// A unit, with its leader, or a lone leader, as it is deployed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Whose it is.
    pub side: Side,
    /// Where.
    pub hex: HexId,
    /// The unit.
    pub unit: Option<UnitKind>,
    /// The leader.
    pub leader: Option<LeaderKind>,
    /// Number of the leader's name in [`Scenario::leader_names`].
    pub name: Option<u8>,
}

/// Background information about a battle, which does not affect a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remarks {
    /// Which parts of the deployment are known and which are not.
    pub basis: String,
    /// The historical background: who fights whom, where and why.
    pub narrative: String,
    /// Source of map and pieces: `reconstructed`, or the text in a custom file.
    pub deployment_source: String,
    /// How sure it is who moves first (BT-R-82).
    pub first_player_confidence: Confidence,
    /// The value in the printed text, where the data differ from it (BT-R-83).
    pub text_value: Option<String>,
    /// Anything else.
    pub notes: Option<String>,
}

/// A battle.
pub struct Scenario {
    /// Its number: 1 to 40, or the number in a custom file, 0 by default.
    pub number: u16,
    /// Its name without spaces.
    pub key: String,
    /// Its name.
    pub name: String,
    /// Which part of a longer battle it is.
    pub phase: Option<String>,
    /// When it was fought.
    pub year: Option<i16>,
    /// Both armies with their cards and honor.
    pub armies: BySide<Army>,
    /// The side that moves first.
    pub first: First,
    /// Banners each side needs.
    pub banners_to_win: BySide<u8>,
    /// The map after applying the terrain rules of the scenario (BT-TERRAIN-06, BT-TERRAIN-07).
    pub terrain: ByHex<Terrain>,
    /// Hexes that nobody can enter: rivers, and what the scenario declares so.
    pub impassable: HexSet,
    /// Lines of sight over the terrain.
    pub sight: Sight,
    /// Units and leaders, the top army's first, in the order of the file.
    pub pieces: Vec<Piece>,
    /// Names of leaders.
    pub leader_names: Vec<String>,
    /// Command tents.
    pub tents: BySide<Option<HexId>>,
    /// Named hexes.
    pub objectives: Vec<(String, HexId)>,
    /// The sides of the river or gorge, where a rule needs them or the file lists them (BT-SCEN-03, BT-SCEN-19).
    pub banks: BySide<HexSet>,
    /// Named contingents, by where they start.
    pub groups: Vec<(String, HexSet)>,
    /// Banners besides the standard ones.
    pub victory: Vec<Victory>,
    /// Special rules that change the flow of play.
    pub special: Vec<Special>,
    /// The battle it is linked with (BT-SCEN-20).
    pub campaign: Option<Campaign>,
    /// Terrain rules of the scenario.
    pub terrain_rules: TerrainRules,
    /// Background information.
    pub remarks: Remarks,
    of_terrain: [HexSet; Terrain::COUNT],
    water: HexSet,
    stops: HexSet,
    /// The hexes without pieces as they stand in an observation.
    pub(crate) ground: [[u8; PER_HEX]; HEXES],
    content: Value,
    digest: u64,
}

/// Keys of a file that a match never sees.
const REMARKS: [&str; 4] = ["deployment_source", "first_player_confidence", "text_value", "notes"];
/// The same, of its deployment.
const DEPLOYMENT_REMARKS: [&str; 2] = ["basis", "narrative"];

static REGISTRY: Registry<Scenario> = Registry::new(|| {
    let headers = Scenario::read_toml(include_str!("../../data/scenarios.toml"));
    let headers = headers.and_then(|value| read_setup::<header::HeaderFile>(&value));
    let headers = headers.expect("the scenario file of the crate is valid").scenario;
    let read = |(number, (header, text)): (usize, (Value, &str))| {
        let scenario = Scenario::join(header, text);
        let scenario = scenario.map_err(|error| error.within(&format!("battle {number:02}")));
        scenario.expect("the scenarios of the crate are valid")
    };
    (1..).zip(headers.into_iter().zip(DEPLOYMENTS)).map(read).collect()
});

macro_rules! deployments {
    ($($number:literal)*) => {
        [$(include_str!(concat!("../../data/deployments/", $number, ".toml"))),*]
    };
}

const DEPLOYMENTS: [&str; SCENARIOS] = deployments!(
    "01" "02" "03" "04" "05" "06" "07" "08" "09" "10" "11" "12" "13" "14" "15" "16" "17" "18" "19" "20"
    "21" "22" "23" "24" "25" "26" "27" "28" "29" "30" "31" "32" "33" "34" "35" "36" "37" "38" "39" "40"
);

impl fmt::Debug for Scenario {
    /// Number and key; states are printed in test failures and a whole scenario would drown them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Scenario({} {})", self.number, self.key)
    }
}

/// A scenario is registered once, so scenarios are equal where they are at the same address.
impl PartialEq for Scenario {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Scenario {}

impl Registered for Scenario {
    const NAME: &'static str = "scenario";
    // One takes some tens of KiB, so that all of them stay below a hundred MiB.
    const MOST: usize = 1024;

    fn is_same(&self, other: &Self) -> bool {
        self.content == other.content
    }

    fn plays_the_same(&self, other: &Self) -> bool {
        without_remarks(&self.content) == without_remarks(&other.content)
    }

    fn digest(&self) -> Option<u64> {
        Some(self.digest)
    }
}

/// The forty battles in order.
pub fn all() -> &'static [Scenario] {
    REGISTRY.standard()
}

impl Scenario {
    /// The first of the forty battles.
    pub fn standard() -> &'static Self {
        &all()[0]
    }

    /// One of the forty battles.
    pub fn by_number(number: u16) -> Option<&'static Self> {
        all().get(usize::from(number).checked_sub(1)?)
    }

    /// The battle of a text in the format of `data/deployments/FORMAT.md`. The same content gives the same scenario,
    /// however often it is read.
    ///
    /// # Errors
    /// [`SetupError`] with the place in the file and what is wrong with it, e.g. `deployment.terrain[3]`, or with an empty
    /// field when the whole is at fault: not TOML, too long, or one scenario more than fit.
    pub fn parse(text: &str) -> Result<&'static Self, SetupError> {
        REGISTRY.register(Self::read(text)?)
    }

    /// The battle of a text, as [`Scenario::parse`] reads it, but not registered.
    ///
    /// # Errors
    /// As [`Scenario::parse`], but no scenario is one too many.
    pub fn read(text: &str) -> Result<Self, SetupError> {
        Self::of_content(Self::read_toml(text)?)
    }

    /// One of the forty or a loaded battle by its digest.
    ///
    /// # Errors
    /// [`DecodeError`] when this process knows none.
    pub fn by_digest(digest: u64) -> Result<&'static Self, DecodeError> {
        REGISTRY.by_digest(digest)
    }

    /// A number for the content, remarks left out, the same on every machine; states store it to name their scenario.
    pub const fn digest(&self) -> u64 {
        self.digest
    }

    /// The content of its file as a table.
    pub const fn content(&self) -> &Value {
        &self.content
    }

    /// The hexes with a kind of terrain.
    #[inline]
    pub const fn hexes_of(&self, terrain: Terrain) -> HexSet {
        self.of_terrain[terrain.index()]
    }

    /// Water hexes (BT-TERRAIN-12).
    #[inline]
    pub const fn water(&self) -> HexSet {
        self.water
    }

    /// Hexes in which an ordered move ends, tents included (BT-MOVE-04).
    #[inline]
    pub const fn stops(&self) -> HexSet {
        self.stops
    }

    /// The number of a leader's name, if the army has such a leader; both armies may have one of the same name.
    pub(crate) fn leader_named(&self, side: Side, name: &str) -> Option<u8> {
        let mut named = self.pieces.iter().filter(|piece| piece.side == side).filter_map(|piece| piece.name);
        named.find(|&number| self.leader_names[usize::from(number)] == name)
    }

    /// The second battle, where this one is the first of a campaign (BT-SCEN-20).
    pub fn second(&self) -> Option<u16> {
        self.campaign.filter(|campaign| campaign.role == CampaignRole::First).map(|campaign| campaign.linked)
    }

    /// A battle of the crate: its header, and its deployment as a text.
    fn join(mut header: Value, text: &str) -> Result<Self, SetupError> {
        let deployment = Self::read_toml(text)?;
        if let Some(table) = header.as_object_mut() {
            table.insert("deployment".into(), deployment);
        }
        Self::of_content(header)
    }

    fn of_content(content: Value) -> Result<Self, SetupError> {
        let header: header::Header = read_setup(&content)?;
        header.check()?;
        let map = header.deployment.read(&header).map_err(|error| error.within("deployment"))?;
        let victory = records::read_victory(&header, &map)?;
        let special = records::read_special(&header, &map)?;
        let banks = map
            .banks(&victory, &special, &header.terrain_rules)
            .map_err(|error| error.within("deployment"))?;
        let mut of_terrain = [HexSet::EMPTY; Terrain::COUNT];
        for hex in HexId::all() {
            of_terrain[map.terrain[hex].index()].insert(hex);
        }
        let all_of = |test: &dyn Fn(Terrain) -> bool| {
            let kinds = Terrain::ALL.into_iter().filter(|&terrain| test(terrain));
            kinds.fold(HexSet::EMPTY, |set, terrain| set | of_terrain[terrain.index()])
        };
        let blocking = all_of(&|terrain| terrain.blocks_sight() && terrain != Terrain::Tent);
        let digest = digest(without_remarks(&content).to_string().bytes());
        let (armies, first) = (header.armies(), First::from(header.first_player));
        Ok(Self {
            number: header.number.unwrap_or(0),
            key: header.key.unwrap_or_else(|| "own".into()),
            name: header.name,
            phase: header.phase,
            year: header.year,
            armies,
            first,
            banners_to_win: BySide([header.flags_to_win; 2]),
            terrain: map.terrain,
            impassable: map.impassable,
            sight: Sight::new(blocking, of_terrain[Terrain::Hill.index()]),
            pieces: map.pieces,
            leader_names: map.leader_names,
            tents: map.tents,
            objectives: map.objectives,
            banks,
            groups: map.groups,
            victory,
            special,
            campaign: header.campaign,
            terrain_rules: header.terrain_rules,
            remarks: Remarks {
                basis: header.deployment.basis,
                narrative: header.deployment.narrative,
                deployment_source: header.deployment_source.unwrap_or_else(|| "own".into()),
                first_player_confidence: header.first_player_confidence,
                text_value: header.text_value,
                notes: header.notes,
            },
            water: all_of(&Terrain::is_water),
            stops: all_of(&Terrain::stops),
            ground: std::array::from_fn(|place| {
                let hex = HexId(place as u8);
                empty_hex(map.terrain[hex], map.impassable.contains(hex))
            }),
            of_terrain,
            content,
            digest,
        })
    }
}

/// The parts of a file that affect a match, in a canonical order.
fn without_remarks(content: &Value) -> Value {
    let mut content = content.clone();
    if let Some(table) = content.as_object_mut() {
        table.retain(|key, _| !REMARKS.contains(&key.as_str()));
        if let Some(deployment) = table.get_mut("deployment").and_then(Value::as_object_mut) {
            deployment.retain(|key, _| !DEPLOYMENT_REMARKS.contains(&key.as_str()));
        }
    }
    content.sort_all_objects();
    content
}

#[cfg(test)]
mod tests;
