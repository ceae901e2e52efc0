//! `Strike`: the question, and the ways to answer it.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use sengoku_battles::SetupError;
use sengoku_battles::data::{Face, HONOR_TOKENS, MAX_RANGE, Terrain};
use sengoku_battles::odds::{
    ByRole, Card, CardSet, MAX_CHARGE, MAX_DICE_BONUS, Piece, Role, Shot, Strike, StrikeSetup,
};
use sengoku_kernel::odds::{Ask, Question};

use super::fight::PyStrikeFight;
use super::odds::PyStrikeOdds;
use super::piece::{PyPiece, leader as leader_from, piece, terrain as terrain_from};
use crate::args::{items, text, whole};
use crate::errors::{CoreError, wrong_type};
use crate::odds::{Options, evaluate};
use crate::odds_classes::question_class;
use crate::work::{PyCancel, caught, detached};

/// Longest script of faces that is read; no strike comes near it.
const MAX_FACES: usize = 10_000;
/// Distance of a shot where none is given: the nearest there is.
const NEAREST: u8 = 2;

/// One strike: a unit attacks a unit or a lone leader, in melee with battle back, or `ranged`.
///
/// `attacker` and `defender` are a `Piece`, or the code of a full unit in the open; several levies attack as a levy charge.
/// `terrain` is that of the defender's hex and `leader` the one attached to the attacker, where the pieces do not say so
/// themselves. `dice_bonus` is for each attacking unit, besides the dice of cards that are named. A shot is over a `distance` of so many
/// hexes, by a unit that `moved` or did not. Of a charge the defender is `against` the unit of this number. Honor of the
/// players and of the common pool does not run out where it is not given.
#[pyclass(name = "Strike", module = "sengoku.battles", frozen, eq, hash, from_py_object)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct PyStrike(pub(super) Strike);

/// One piece, or those of a charge; one too many is read only to be refused.
fn pieces(field: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<Piece>> {
    if given.is_instance_of::<PyPiece>() || given.is_instance_of::<PyString>() {
        return Ok(vec![piece(field, given)?]);
    }
    let items = items(field, given, MAX_CHARGE, "a Piece, the code of one, or a sequence of them")?;
    items.iter().map(|item| piece(field, item)).collect()
}

fn cards(field: &str, given: Option<&Bound<'_, PyAny>>) -> PyResult<CardSet> {
    let Some(given) = given else { return Ok(CardSet::default()) };
    let wanted = "a sequence of names of cards";
    if given.is_instance_of::<PyString>() {
        return Err(wrong_type(field, given, wanted));
    }
    let card = |item: &Bound<'_, PyAny>| {
        let name = text(field, item)?;
        Ok(Card::named(&name).ok_or_else(|| {
            let known = format!("cards are {}", Card::ALL.map(Card::name).join(", "));
            CoreError::refused("SetupError", field, &format!("{name:?}"), &known)
        })?)
    };
    items(field, given, Card::COUNT, wanted)?.iter().map(card).collect()
}

fn honor(field: &str, given: Option<&Bound<'_, PyAny>>) -> PyResult<Option<u8>> {
    let tokens = given.map(|given| whole("SetupError", field, Some(given), HONOR_TOKENS.into()));
    Ok(tokens.transpose()?.map(|tokens| tokens as u8))
}

fn refused(field: &str, reason: impl Into<String>) -> CoreError {
    SetupError::new(field, reason).into()
}

question_class! {
    impl PyStrike -> PyStrikeOdds {
        /// The odds as `n` strikes show them.
        fn sample;

        /// The odds. They are always exact, for a strike has few states; the options are those of other questions.
        fn odds(max_error = 1e-4);

        #[new]
        #[pyo3(signature = (
            attacker, defender, *, ranged=false, distance=None, moved=false, terrain=None, leader=None, dice_bonus=None,
            attacker_cards=None, defender_cards=None, battle_back=true, against=None, attacker_honor=None,
            defender_honor=None, pool=None
        ))]
        #[expect(clippy::too_many_arguments, reason = "one argument for each part of the question")]
        fn new(
            attacker: &Bound<'_, PyAny>,
            defender: &Bound<'_, PyAny>,
            ranged: bool,
            distance: Option<&Bound<'_, PyAny>>,
            moved: bool,
            terrain: Option<&Bound<'_, PyAny>>,
            leader: Option<&Bound<'_, PyAny>>,
            dice_bonus: Option<&Bound<'_, PyAny>>,
            attacker_cards: Option<&Bound<'_, PyAny>>,
            defender_cards: Option<&Bound<'_, PyAny>>,
            battle_back: bool,
            against: Option<&Bound<'_, PyAny>>,
            attacker_honor: Option<&Bound<'_, PyAny>>,
            defender_honor: Option<&Bound<'_, PyAny>>,
            pool: Option<&Bound<'_, PyAny>>,
        ) -> PyResult<Self> {
            let (mut attackers, mut defender) = (pieces("attacker", attacker)?, piece("defender", defender)?);
            if let Some(name) = terrain {
                let terrain = terrain_from("terrain", name)?;
                if ![Terrain::Open, terrain].contains(&defender.terrain) {
                    let stands = defender.terrain.code();
                    let reason = format!("{:?}, the defender stands in {stands:?}", terrain.code());
                    return Err(refused("terrain", reason).into());
                }
                defender.terrain = terrain;
            }
            if let Some(name) = leader {
                let leader = leader_from("leader", name)?;
                match &mut attackers[..] {
                    [piece] if piece.leader.is_none_or(|other| other == leader) => piece.leader = Some(leader),
                    [_] => {
                        let reason = format!("{:?}, the attacker has another one", leader.code());
                        return Err(refused("leader", reason).into());
                    }
                    _ => {
                        let reason = format!("{:?}, there is more than one attacking unit", leader.code());
                        return Err(refused("leader", reason).into());
                    }
                }
            }
            let shot = if ranged {
                let distance = match distance {
                    Some(_) => whole("SetupError", "distance", distance, MAX_RANGE.into())? as u8,
                    None => NEAREST,
                };
                Some(Shot { distance, moved })
            } else {
                if distance.is_some() || moved {
                    let field = if moved { "moved" } else { "distance" };
                    return Err(refused(field, "which is for ranged combat").into());
                }
                None
            };
            let setup = StrikeSetup {
                attackers,
                defender,
                shot,
                dice_bonus: whole("SetupError", "dice_bonus", dice_bonus, MAX_DICE_BONUS.into())? as u8,
                cards: ByRole([
                    cards("attacker_cards", attacker_cards)?,
                    cards("defender_cards", defender_cards)?,
                ]),
                battle_back,
                against: whole("SetupError", "against", against, MAX_CHARGE as u64)? as u8,
                honor: ByRole([
                    honor("attacker_honor", attacker_honor)?,
                    honor("defender_honor", defender_honor)?,
                ]),
                pool: honor("pool", pool)?,
            };
            caught(|| Ok(Self(Strike::new(&setup)?)))
        }

        /// The units that attack: one, or those of a levy charge.
        #[getter]
        fn attackers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
            PyTuple::new(py, self.0.setup().attackers.iter().copied().map(PyPiece))
        }

        #[getter]
        fn defender(&self) -> PyPiece {
            PyPiece(self.0.setup().defender)
        }

        #[getter]
        fn ranged(&self) -> bool {
            self.0.is_ranged()
        }

        /// Distance of the shot; None in melee.
        #[getter]
        fn distance(&self) -> Option<u8> {
            self.0.setup().shot.map(|shot| shot.distance)
        }

        #[getter]
        fn moved(&self) -> bool {
            self.0.setup().shot.is_some_and(|shot| shot.moved)
        }

        #[getter]
        fn dice_bonus(&self) -> u8 {
            self.0.setup().dice_bonus
        }

        #[getter]
        fn attacker_cards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
            self.cards_of(Role::Attacker, py)
        }

        #[getter]
        fn defender_cards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
            self.cards_of(Role::Defender, py)
        }

        #[getter]
        fn battle_back(&self) -> bool {
            self.0.setup().battle_back
        }

        #[getter]
        fn against(&self) -> u8 {
            self.0.setup().against
        }

        #[getter]
        fn attacker_honor(&self) -> Option<u8> {
            self.0.setup().honor[Role::Attacker]
        }

        #[getter]
        fn defender_honor(&self) -> Option<u8> {
            self.0.setup().honor[Role::Defender]
        }

        #[getter]
        fn pool(&self) -> Option<u8> {
            self.0.setup().pool
        }

        /// Fights the strike with scripted faces, each C, T, S, F, H or X, in the order of the rules.
        fn fight(&self, py: Python<'_>, faces: &Bound<'_, PyAny>) -> PyResult<PyStrikeFight> {
            let items = items("faces", faces, MAX_FACES, "a sequence of faces")?;
            if items.len() > MAX_FACES {
                let length = format!("longer than {MAX_FACES}");
                return Err(
                    CoreError::refused("ArgumentError", "faces", &length, "no strike needs that many").into()
                );
            }
            let face = |(place, item): (usize, &Bound<'_, PyAny>)| {
                let name = text("faces", item)?;
                let mut letters = name.chars();
                let face = letters.next().and_then(Face::of_letter).filter(|_| letters.next().is_none());
                Ok(face.ok_or_else(|| CoreError::no_such_letter(place, &format!("{name:?}")))?)
            };
            let faces: Vec<Face> = items.iter().enumerate().map(face).collect::<PyResult<_>>()?;
            let fight = detached(py, || Ok(self.0.fight(&faces)?))?;
            Ok(PyStrikeFight { strike: self.0.clone(), fight })
        }

        /// Number of states that the exact odds visit: all results of the attack's dice.
        #[getter]
        fn states(&self) -> u64 {
            self.0.states()
        }

        /// The exact odds.
        #[pyo3(signature = (*, threads=None, cancel=None, background=false))]
        fn exact(
            &self,
            py: Python<'_>,
            threads: Option<&Bound<'_, PyAny>>,
            cancel: Option<&PyCancel>,
            background: bool,
        ) -> PyResult<PyStrikeOdds> {
            let ask = Ask::Exact { max_states: u64::MAX };
            evaluate(py, &self.0, ask, &Options { threads, cancel, background, ..Options::default() }).map(PyStrikeOdds)
        }

        fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
            let (pieces, options) = self.__getnewargs_ex__(py)?;
            let mut parts = vec![
                format!("attacker={}", pieces.get_item(0)?.repr()?),
                format!("defender={}", pieces.get_item(1)?.repr()?),
            ];
            for (name, value) in options {
                parts.push(format!("{name}={}", value.repr()?));
            }
            Ok(format!("Strike({})", parts.join(", ")))
        }

        fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
            let (options, setup) = (PyDict::new(py), self.0.setup());
            if let Some(Shot { distance, moved }) = setup.shot {
                options.set_item("ranged", true)?;
                options.set_item("distance", distance)?;
                if moved {
                    options.set_item("moved", true)?;
                }
            }
            if setup.dice_bonus > 0 {
                options.set_item("dice_bonus", setup.dice_bonus)?;
            }
            for (name, cards) in
                [("attacker_cards", self.attacker_cards(py)?), ("defender_cards", self.defender_cards(py)?)]
            {
                if !cards.is_empty() {
                    options.set_item(name, cards)?;
                }
            }
            if !setup.battle_back {
                options.set_item("battle_back", false)?;
            }
            if setup.against > 0 {
                options.set_item("against", setup.against)?;
            }
            for (name, tokens) in [
                ("attacker_honor", self.attacker_honor()),
                ("defender_honor", self.defender_honor()),
                ("pool", self.pool()),
            ] {
                if tokens.is_some() {
                    options.set_item(name, tokens)?;
                }
            }
            let attackers = self.attackers(py)?;
            let attacker = if attackers.len() == 1 { attackers.get_item(0)? } else { attackers.into_any() };
            Ok(((attacker, self.defender()).into_pyobject(py)?, options))
        }
    }
}

impl PyStrike {
    fn cards_of<'py>(&self, role: Role, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let names: Vec<&str> = self.0.setup().cards[role].iter().map(Card::name).collect();
        PyTuple::new(py, names)
    }
}
