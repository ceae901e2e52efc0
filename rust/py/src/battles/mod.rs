//! Python classes of the strike of `battles`.

mod account;
mod batch;
mod fight;
mod odds;
mod piece;
mod strike;

use pyo3::prelude::*;
use sengoku_battles::data::{Face, LeaderKind, Terrain, UnitKind};
use sengoku_battles::odds::Card;

/// Adds the classes of this game to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<piece::PyPiece>()?;
    module.add_class::<strike::PyStrike>()?;
    module.add_class::<fight::PyStrikeFight>()?;
    module.add_class::<fight::PyStrikeStep>()?;
    module.add_class::<odds::PyStrikeOdds>()?;
    module.add_class::<odds::PyOutcome>()?;
    module.add_function(wrap_pyfunction!(batch::evaluate_strikes, module)?)?;
    module.add("UNIT_KINDS", UnitKind::ALL.map(|kind| (kind.code(), kind.name())))?;
    module.add("LEADER_KINDS", LeaderKind::ALL.map(|kind| (kind.code(), kind.name())))?;
    module.add("TERRAINS", Terrain::ALL.map(|terrain| (terrain.code(), terrain.name())))?;
    module.add("STRIKE_CARDS", Card::ALL.map(Card::name))?;
    module.add("FACES", Face::ALL.map(|face| face.letter().to_string()))
}
