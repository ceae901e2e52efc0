//! `Piece`: a unit or a lone leader, where it stands, and how its owner decides.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use sengoku_battles::data::{FULL_BLOCKS, LeaderKind, Terrain};
use sengoku_battles::odds::{MAX_ROOM, Piece, PieceKind};

use crate::args::{text, whole};
use crate::errors::{CoreError, wrong_type};

/// A unit or a lone leader in a strike.
///
/// `kind` is the code of a unit ("`SSp`", "SB", "`ASp`", "AB", "AA", "LI", "`SSpC`", "SBC", "BG") or of a lone leader ("LF",
/// "LM"). `leader` is attached to the unit; a bodyguard always has its army commander ("AC"), in his tent. `support` is
/// friends in at least two adjacent hexes, `adjacent_leader` one nearby who can inspire, `room` how many hexes the unit can
/// retreat. Its owner's choices: `inspire` it whenever it may be, `ignore_flags` "all" that it may, "none", or at most so
/// many, and the `leader_fate` "retreat" or "seppuku" of a leader left alone.
///
/// Defaults: a unit with all its blocks in open ground, without `leader` (a leader is only there if it is named), without
/// `support` or `adjacent_leader`; it is not inspired even where it could be (`inspire=False`), ignores all the flags that
/// it may, has room for a retreat of any length, and its leader retreats.
#[pyclass(name = "Piece", module = "sengoku.battles", frozen, eq, hash, from_py_object)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct PyPiece(pub(super) Piece);

fn named<T>(
    field: &str,
    value: &Bound<'_, PyAny>,
    of_code: impl Fn(&str) -> Option<T>,
    known: impl FnOnce() -> String,
) -> PyResult<T> {
    let name = text(field, value)?;
    Ok(of_code(&name)
        .ok_or_else(|| CoreError::refused("SetupError", field, &format!("{name:?}"), &known()))?)
}

fn piece_kind(field: &str, value: &Bound<'_, PyAny>) -> PyResult<PieceKind> {
    let known = || "kinds are SSp, SB, ASp, AB, AA, LI, SSpC, SBC, BG, and LF, LM of a lone leader".into();
    named(field, value, PieceKind::of_code, known)
}

pub(super) fn leader(field: &str, value: &Bound<'_, PyAny>) -> PyResult<LeaderKind> {
    let known = || format!("leaders are {}", LeaderKind::ALL.map(LeaderKind::code).join(", "));
    named(field, value, LeaderKind::of_code, known)
}

pub(super) fn terrain(field: &str, value: &Bound<'_, PyAny>) -> PyResult<Terrain> {
    let known = || format!("terrains are {}", Terrain::ALL.map(Terrain::code).join(", "));
    named(field, value, Terrain::of_code, known)
}

fn ignore_flags(value: &Bound<'_, PyAny>) -> PyResult<Option<u8>> {
    if !value.is_instance_of::<PyString>() {
        return Ok(Some(whole("SetupError", "ignore_flags", Some(value), u8::MAX.into())? as u8));
    }
    let known = || "not \"all\", \"none\" or a number".into();
    let wish = |name: &str| match name {
        "all" => Some(None),
        "none" => Some(Some(0)),
        _ => None,
    };
    named("ignore_flags", value, wish, known)
}

fn seppuku(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    let fate = |name: &str| match name {
        "retreat" => Some(false),
        "seppuku" => Some(true),
        _ => None,
    };
    named("leader_fate", value, fate, || "not \"retreat\" or \"seppuku\"".into())
}

#[pymethods]
impl PyPiece {
    #[new]
    #[pyo3(signature = (
        kind, blocks=None, *, leader=None, terrain=None, support=false, adjacent_leader=false, inspire=false,
        ignore_flags=None, room=None, leader_fate=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "one argument for each fact and choice")]
    fn new(
        kind: &Bound<'_, PyAny>,
        blocks: Option<&Bound<'_, PyAny>>,
        leader: Option<&Bound<'_, PyAny>>,
        terrain: Option<&Bound<'_, PyAny>>,
        support: bool,
        adjacent_leader: bool,
        inspire: bool,
        ignore_flags: Option<&Bound<'_, PyAny>>,
        room: Option<&Bound<'_, PyAny>>,
        leader_fate: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let mut piece = Piece::new(piece_kind("kind", kind)?);
        if blocks.is_some() {
            piece.blocks = whole("SetupError", "blocks", blocks, FULL_BLOCKS.into())? as u8;
        }
        if let Some(name) = leader {
            piece.leader = Some(self::leader("leader", name)?);
        }
        if let Some(name) = terrain {
            piece.terrain = self::terrain("terrain", name)?;
        }
        if let Some(wish) = ignore_flags {
            piece.ignore_flags = self::ignore_flags(wish)?;
        }
        if room.is_some() {
            piece.room = whole("SetupError", "room", room, MAX_ROOM.into())? as u8;
        }
        if let Some(fate) = leader_fate {
            piece.seppuku = seppuku(fate)?;
        }
        let piece = Piece { support, adjacent_leader, inspire, ..piece };
        piece.validate().map_err(CoreError::from)?;
        Ok(Self(piece))
    }

    /// Code of the unit, or of the lone leader.
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.kind.code()
    }

    /// Blocks of the unit; 0 for a lone leader.
    #[getter]
    fn blocks(&self) -> u8 {
        self.0.blocks
    }

    #[getter]
    fn leader(&self) -> Option<&'static str> {
        self.0.leader.map(LeaderKind::code)
    }

    #[getter]
    fn terrain(&self) -> &'static str {
        self.0.terrain.code()
    }

    #[getter]
    fn support(&self) -> bool {
        self.0.support
    }

    #[getter]
    fn adjacent_leader(&self) -> bool {
        self.0.adjacent_leader
    }

    #[getter]
    fn inspire(&self) -> bool {
        self.0.inspire
    }

    /// "all", "none", or the most flags that are ignored.
    #[getter]
    fn ignore_flags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(match self.0.ignore_flags {
            None => PyString::new(py, "all").into_any(),
            Some(0) => PyString::new(py, "none").into_any(),
            Some(most) => most.into_pyobject(py)?.into_any(),
        })
    }

    #[getter]
    fn room(&self) -> u8 {
        self.0.room
    }

    /// "retreat" or "seppuku".
    #[getter]
    fn leader_fate(&self) -> &'static str {
        if self.0.seppuku { "seppuku" } else { "retreat" }
    }

    fn __str__(&self) -> String {
        super::account::piece(&self.0)
    }

    pub(super) fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (_, options) = self.__getnewargs_ex__(py)?;
        let mut parts = vec![format!("{:?}", self.kind())];
        for (name, value) in options {
            parts.push(format!("{name}={}", value.repr()?));
        }
        Ok(format!("Piece({})", parts.join(", ")))
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
        let (piece, usual) = (&self.0, Piece::new(self.0.kind));
        let options = PyDict::new(py);
        if piece.blocks != usual.blocks {
            options.set_item("blocks", piece.blocks)?;
        }
        if piece.leader != usual.leader {
            options.set_item("leader", self.leader())?;
        }
        if piece.terrain != usual.terrain {
            options.set_item("terrain", self.terrain())?;
        }
        for (name, set) in [
            ("support", piece.support),
            ("adjacent_leader", piece.adjacent_leader),
            ("inspire", piece.inspire),
        ] {
            if set {
                options.set_item(name, true)?;
            }
        }
        if piece.ignore_flags.is_some() {
            options.set_item("ignore_flags", self.ignore_flags(py)?)?;
        }
        if piece.room != usual.room {
            options.set_item("room", piece.room)?;
        }
        if piece.seppuku {
            options.set_item("leader_fate", self.leader_fate())?;
        }
        Ok(((self.kind(),).into_pyobject(py)?, options))
    }
}

/// A piece, or the code of one that stands in the open.
pub(super) fn piece(field: &str, given: &Bound<'_, PyAny>) -> PyResult<Piece> {
    if given.is_instance_of::<PyString>() {
        return Ok(Piece::new(piece_kind(field, given)?));
    }
    Ok(given.extract::<PyPiece>().map_err(|_| wrong_type(field, given, "a Piece or the code of one"))?.0)
}
