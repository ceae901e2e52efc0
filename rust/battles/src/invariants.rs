//! Invariants of a state, checked for all external input and, in debug builds, after every decision.

mod agenda;

use sengoku_kernel::SetupError;

use crate::action::MAX_NUMBER;
use crate::board::HexSet;
use crate::combat::Combat;
use crate::data::{
    COMMAND_CARDS, CommandCard, DRAGON_CARDS, DragonCard, FULL_BLOCKS, HONOR_TOKENS, LeaderKind, Side,
};
use crate::pieces::{Leader, LeaderId, LeaderSet, Unit, UnitId, UnitSet};
use crate::play::Step;
use crate::scenario::Victory;
use crate::state::State;

/// No combat roll has as many dice: six levies with every bonus have 26. All of them flags that count twice are a number
/// of the action table.
const MAX_DICE: u8 = MAX_NUMBER / 2;

/// An error at a field, unless something holds.
fn ensure(holds: bool, field: &str, reason: impl FnOnce() -> String) -> Result<(), SetupError> {
    if holds { Ok(()) } else { Err(SetupError::new(field, reason())) }
}

impl State {
    /// Checks everything that is always true of a state.
    ///
    /// # Errors
    /// [`SetupError`] with the field and what is wrong with it.
    pub fn check(&self) -> Result<(), SetupError> {
        self.check_ids()?;
        self.check_combat()?;
        self.check_pieces()?;
        self.check_index()?;
        self.check_tokens()?;
        self.check_cards()?;
        self.check_turn()?;
        self.check_agenda()
    }

    /// Whatever names a unit or a leader names one of the lists, so that nothing else can fail on it.
    fn check_ids(&self) -> Result<(), SetupError> {
        let every_unit = UnitSet((1 << self.units.len()) - 1);
        let every_leader = LeaderSet((1 << self.leaders.len()) - 1);
        let unit = |unit: Option<UnitId>| unit.is_none_or(|unit| unit.index() < self.units.len());
        let leader =
            |leader: Option<LeaderId>| leader.is_none_or(|leader| leader.index() < self.leaders.len());
        let (turn, mover) = (&self.turn, &self.mover);
        let sets = [turn.ordered, turn.chosen, turn.moved, turn.barred, turn.battled, self.trackers.marked];
        for set in sets.into_iter().chain(self.trackers.held) {
            ensure((set - every_unit).is_empty(), "units", || format!("{set:?} of {}", self.units.len()))?;
        }
        for set in [turn.ordered_leaders, turn.chosen_leaders] {
            ensure((set - every_leader).is_empty(), "leaders", || {
                format!("{set:?} of {}", self.leaders.len())
            })?;
        }
        ensure(unit(mover.unit) && leader(mover.leader), "mover", || {
            format!("{mover:?} names no piece on the board")
        })?;
        for &step in self.agenda.iter() {
            let holds = match step {
                Step::CarryBackTo { unit: named, .. }
                | Step::Turncoat { unit: named }
                | Step::Inspire { unit: named }
                | Step::Settled { unit: named } => unit(Some(named)),
                Step::GiveWay { unit: named, flags } => unit(Some(named)) && flags <= MAX_NUMBER,
                Step::Retreat { unit: named, hexes } => unit(Some(named)) && hexes <= 2 * MAX_NUMBER,
                Step::LeaderFate { leader: named } => leader(Some(named)),
                Step::KeepOne => self.command.hands[self.active].len() >= 2,
                Step::IgnoreFlags { flags } => flags <= MAX_NUMBER,
                _ => true,
            };
            ensure(holds, "agenda", || format!("{step:?} cannot be"))?;
        }
        Ok(())
    }

    /// One unit and one leader in a hex, nobody with the enemy, everybody where he may be (BT-BOARD-10, BT-LEADERS-03).
    fn check_pieces(&self) -> Result<(), SetupError> {
        let impassable = self.scenario.impassable;
        let mut units = HexSet::EMPTY;
        for (place, unit) in self.units.iter().enumerate().filter(|(_, unit)| **unit != Unit::default()) {
            let field = || format!("units[{place}]");
            let hex = unit.hex;
            ensure((1..=FULL_BLOCKS).contains(&unit.blocks), &field(), || format!("{} blocks", unit.blocks))?;
            ensure(!units.contains(hex), &field(), || format!("another unit is at {hex}"))?;
            ensure(!impassable.contains(hex), &field(), || format!("no piece can be at {hex}"))?;
            if unit.kind.is_bodyguard() {
                let guarded = |leader: &Leader| {
                    leader.present && leader.hex == hex && leader.kind == LeaderKind::Commander
                };
                ensure(self.leaders.iter().any(guarded), &field(), || {
                    format!("no army commander is with it at {hex}")
                })?;
                ensure(self.tent(unit.side) == Some(hex), &field(), || {
                    format!("no tent of its army is at {hex}")
                })?;
            }
            units.insert(hex);
        }
        let mut leaders = HexSet::EMPTY;
        for (place, leader) in
            self.leaders.iter().enumerate().filter(|(_, leader)| **leader != Leader::default())
        {
            let field = || format!("leaders[{place}]");
            let hex = leader.hex;
            ensure(leader.present, &field(), || "is not on the board and not forgotten".into())?;
            ensure(!leaders.contains(hex), &field(), || format!("another leader is at {hex}"))?;
            ensure(!impassable.contains(hex), &field(), || format!("no piece can be at {hex}"))?;
            ensure(leader.kind != LeaderKind::Commander || leader.was_commander, &field(), || {
                "an army commander was one".into()
            })?;
            let names = self.scenario.leader_names.len();
            ensure(leader.name.is_none_or(|name| usize::from(name) < names), &field(), || {
                "unknown name".into()
            })?;
            let with = self.units.iter().find(|unit| unit.blocks > 0 && unit.hex == hex);
            match with {
                Some(unit) => {
                    ensure(unit.side == leader.side, &field(), || format!("an enemy is at {hex}"))?;
                    let kind = unit.kind.code();
                    ensure(leader.kind.may_lead(unit.kind), &field(), || {
                        format!("cannot be with {kind} at {hex}")
                    })?;
                }
                None => ensure(leader.kind != LeaderKind::Commander, &field(), || {
                    format!("an army commander without bodyguard at {hex} is a foot leader")
                })?,
            }
            leaders.insert(hex);
        }
        Ok(())
    }

    /// The index says what the pieces say.
    fn check_index(&self) -> Result<(), SetupError> {
        let mut expected = *self;
        expected.index_pieces();
        ensure(self.index == expected.index, "index", || "does not follow the pieces".into())
    }

    /// Thirty tokens; tents that the map has (BT-COMP-03).
    fn check_tokens(&self) -> Result<(), SetupError> {
        let held = self.honor[Side::Top].checked_add(self.honor[Side::Bottom]);
        let all = held.and_then(|held| held.checked_add(self.tokens)).unwrap_or(u8::MAX);
        ensure(all <= HONOR_TOKENS, "honor", || format!("{all} tokens of {HONOR_TOKENS}"))?;
        for side in Side::ALL {
            let printed = self.scenario.tents[side].is_some();
            ensure(printed || !self.tents[side], "tents", || format!("{} has no tent", side.name()))?;
        }
        let cost: u8 = self.turn.played.iter().map(|card| card.cost()).sum();
        ensure(self.tokens == cost, "tokens", || format!("{} on cards that cost {cost}", self.tokens))
    }

    /// Sixty command cards and forty dragon cards, each as often as in the box (BT-COMP-03).
    fn check_cards(&self) -> Result<(), SetupError> {
        let dealt = !matches!(self.agenda.first(), Some(Step::Deal));
        if !dealt {
            return Ok(());
        }
        let mut command = [0_u8; CommandCard::COUNT];
        let hands = self.command.hands.0.iter().flat_map(|hand| hand.iter());
        let piles = self.command.deck.iter().chain(self.command.discards.iter()).chain(hands);
        piles.chain(&self.turn.command).for_each(|card| command[card.index()] += 1);
        let strikes = &mut command[CommandCard::FirstStrike.index()];
        *strikes = strikes.saturating_add(self.turn.first_strikes);
        for card in CommandCard::ALL {
            let (found, copies) = (command[card.index()], card.copies());
            ensure(found == copies, "command", || format!("{found} of {copies} cards {}", card.name()))?;
        }
        let mut dragon = [0_u8; DragonCard::COUNT];
        let hands = self.dragon.hands.0.iter().flat_map(|hand| hand.iter());
        let piles = self.dragon.deck.iter().chain(self.dragon.discards.iter()).chain(hands);
        piles.chain(self.turn.played.iter()).for_each(|card| dragon[card.index()] += 1);
        for card in DragonCard::ALL {
            let (found, copies) = (dragon[card.index()], card.copies());
            ensure(found == copies, "dragon", || format!("{found} of {copies} cards {}", card.name()))?;
        }
        let (commands, dragons): (u8, u8) = (command.iter().sum(), dragon.iter().sum());
        debug_assert_eq!((usize::from(commands), usize::from(dragons)), (COMMAND_CARDS, DRAGON_CARDS));
        Ok(())
    }

    /// Orders and what was done with them belong to pieces of the active side that are on the board.
    fn check_turn(&self) -> Result<(), SetupError> {
        let turn = &self.turn;
        let (units, leaders) = (self.units_of(self.active), self.leaders_of(self.active));
        let stray = |set: UnitSet, of: UnitSet| !(set - of).is_empty();
        ensure(!stray(turn.ordered, units), "turn.ordered", || format!("{:?} of {units:?}", turn.ordered))?;
        // A die for each command card of the hand (BT-CMD-60).
        let dice: usize = turn.shogun.iter().map(|&faces| usize::from(faces)).sum();
        ensure(dice <= COMMAND_CARDS, "turn.shogun", || format!("{dice} dice"))?;
        for (name, set) in [
            ("turn.chosen", turn.chosen),
            ("turn.moved", turn.moved),
            ("turn.barred", turn.barred),
            ("turn.battled", turn.battled),
        ] {
            ensure(!stray(set, turn.ordered), name, || format!("{set:?} of {:?}", turn.ordered))?;
        }
        let stray_leaders = |set: LeaderSet| !(set - leaders).is_empty();
        ensure(!stray_leaders(turn.ordered_leaders), "turn.ordered_leaders", || "not on the board".into())?;
        ensure((turn.chosen_leaders - turn.ordered_leaders).is_empty(), "turn.chosen_leaders", || {
            "not all have orders".into()
        })?;
        let everybody = self.units_of(Side::Top) | self.units_of(Side::Bottom);
        ensure(!stray(self.trackers.marked, everybody), "marked", || "a unit that is gone".into())?;
        for side in Side::ALL {
            let marks = self.scenario.victory.iter().any(|victory| match *victory {
                Victory::UnitsAcross { side: gains, .. } | Victory::GorgeRim { side: gains, .. } => {
                    gains == side
                }
                _ => false,
            });
            let marked = self.trackers.marked & self.units_of(side);
            ensure(marks || marked.is_empty(), "marked", || {
                format!("this battle has no banners for places of units of {}", side.name())
            })?;
        }
        let counts_hills =
            self.scenario.victory.iter().any(|victory| matches!(victory, Victory::HillMajority { .. }));
        ensure(counts_hills || self.trackers.hill_majority.is_none(), "hill_majority", || {
            "this battle has no banner for hills".into()
        })?;
        for held in self.trackers.held {
            ensure(!stray(held, everybody), "held", || "a unit that is gone".into())?;
        }
        self.check_played()
    }

    /// Cards of the turn are present only from the moment they are played, drawn or taken until they are put away.
    fn check_played(&self) -> Result<(), SetupError> {
        let (turn, hand) = (&self.turn, &self.dragon.hands[self.active]);
        let to_come = |step: Step| self.agenda.contains(&step);
        let ending = self.decided.is_none() && to_come(Step::PassTurn);
        let drawn = usize::from(turn.drawn);
        // One with an Order One card, one in the choice of (h).
        let most = if to_come(Step::Replenish) { 1 } else { 2 };
        ensure(drawn <= hand.len().min(most), "turn.drawn", || format!("{drawn} cards"))?;
        ensure(
            drawn == 0 || self.decided.is_some() || ending && !to_come(Step::DrawMore),
            "turn.drawn",
            || format!("{drawn} cards before they are drawn"),
        )?;
        let plain = turn.plain_draws;
        ensure(
            plain == 0 || self.decided.is_some() || ending && !to_come(Step::Draw),
            "turn.plain_draws",
            || format!("{plain} before they are known"),
        )?;
        ensure(plain <= self.command_draws(), "turn.plain_draws", || format!("{plain}"))?;
        ensure(!turn.advised || self.decided.is_some() || ending, "turn.advised", || "before T5".into())?;
        let declared = turn.declared.is_none_or(|card| turn.played.contains(&card));
        let declared = declared && (turn.declared.is_none() || to_come(Step::ResolveDragon));
        ensure(declared, "turn.declared", || format!("{:?} is not to be resolved", turn.declared))?;
        let stolen = turn.stolen.is_none_or(|card| turn.dragon_used[self.active] && hand.contains(&card));
        ensure(stolen, "turn.stolen", || format!("{:?} is not in the hand", turn.stolen))?;
        let stolen = self.agenda.iter().all(|step| match *step {
            Step::PlayStolen { card } => turn.stolen == Some(card),
            _ => true,
        });
        ensure(stolen, "agenda", || "a card that was not taken".into())
    }

    /// A combat names pieces that are or were on the board, has no more dice than can be rolled, and is forgotten when it
    /// is over.
    fn check_combat(&self) -> Result<(), SetupError> {
        let (combat, roll) = (&self.combat, &self.combat.roll);
        let known = UnitSet(((1_u128 << self.units.len()) - 1) as u64);
        let named =
            [combat.defender, combat.first_shot, combat.armored, roll.against, roll.desperate, roll.aikido];
        let units =
            named.into_iter().flatten().collect::<UnitSet>() | combat.attackers | roll.units | roll.inspired;
        ensure((units - known).is_empty(), "combat", || format!("{:?} do not exist", units - known))?;
        let attacker = *combat == Combat::default() || combat.attacker.index() < self.units.len();
        ensure(attacker, "combat.attacker", || "does not exist".into())?;
        let lone = combat.lone.is_none_or(|leader| leader.index() < self.leaders.len());
        ensure(lone, "combat.lone", || "does not exist".into())?;
        let dice = roll.faces.0.into_iter().chain([roll.dice, combat.dice_against]).max().unwrap_or_default();
        ensure(dice <= MAX_DICE, "combat.roll", || format!("{dice} dice"))?;
        ensure(combat.first_losses <= FULL_BLOCKS, "combat.first_losses", || "too many".into())?;
        let under_way = self.decided.is_some() || self.agenda.contains(&Step::EndCombat);
        ensure(under_way || *combat == Combat::default(), "combat", || "is over but not cleared".into())
    }
}
