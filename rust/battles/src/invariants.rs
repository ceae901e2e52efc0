//! What is always true of a state, for everything that comes from outside and after every decision of a debug build.

use sengoku_kernel::SetupError;

use crate::action::MAX_NUMBER;
use crate::board::HexSet;
use crate::combat::Combat;
use crate::data::{
    COMMAND_CARDS, CommandCard, DRAGON_CARDS, DragonCard, FULL_BLOCKS, HONOR_TOKENS, LeaderKind, Side, Window,
};
use crate::pieces::{Leader, LeaderId, LeaderSet, Unit, UnitId, UnitSet};
use crate::play::Step;
use crate::scenario::Victory;
use crate::state::{Mover, State, Turn};

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
        ensure(unit(mover.unit) && leader(mover.leader), "mover", || format!("{mover:?} names nobody"))?;
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
            ensure(!impassable.contains(hex), &field(), || format!("nobody can be at {hex}"))?;
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
            ensure(!impassable.contains(hex), &field(), || format!("nobody can be at {hex}"))?;
            ensure(leader.kind != LeaderKind::Commander || leader.was_commander, &field(), || {
                "an army commander was one".into()
            })?;
            let names = self.scenario.leader_names.len();
            ensure(leader.name.is_none_or(|name| usize::from(name) < names), &field(), || {
                "no such name".into()
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
        command[CommandCard::FirstStrike.index()] += self.turn.first_strikes;
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

    /// Cards of the turn are there only from when they are played, drawn or taken until they are put away.
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
        ensure(under_way || *combat == Combat::default(), "combat", || "is over and not forgotten".into())
    }

    /// Somebody is asked and has an answer, or the match is over.
    fn check_agenda(&self) -> Result<(), SetupError> {
        if self.decided.is_some() {
            return ensure(self.agenda.is_empty(), "agenda", || "a battle that is over has none".into());
        }
        let Some(&step) = self.agenda.last() else {
            return ensure(false, "agenda", || "is empty".into());
        };
        self.check_order()?;
        ensure(self.decider(step).is_some(), "agenda", || format!("{step:?} asks nobody"))?;
        let mut legal = Vec::new();
        self.legal(&mut legal);
        ensure(!legal.is_empty(), "agenda", || format!("{step:?} has no answer"))
    }

    /// At the bottom of the agenda are the parts that are still to come, of the set-up, of a turn or of its end; above them
    /// is what belongs to the part under way.
    fn check_order(&self) -> Result<(), SetupError> {
        let common = |parts: &[Step]| {
            parts.iter().zip(self.agenda.iter()).take_while(|(part, step)| part == step).count()
        };
        let (turn, end) = (self.turn_parts(), self.end_parts());
        let (in_turn, in_end) = (common(&turn), common(&end));
        let wrong = |field: &str| SetupError::new(field, format!("{:?} cannot be", self.agenda));
        let inner: fn(Step) -> bool = if in_end > 0 {
            |step| matches!(step, Step::Advise | Step::KeepOne)
        } else if self.agenda.first() == Some(&Step::Deal) {
            |step| {
                matches!(
                    step,
                    Step::CarryDice { .. }
                        | Step::CarryOver { .. }
                        | Step::CarryLoss { .. }
                        | Step::CarryBack { .. }
                        | Step::CarryBackTo { .. }
                )
            }
        } else {
            match turn.get(in_turn.wrapping_sub(1)) {
                Some(Step::BeginOrders) => Step::is_of_dragon,
                Some(Step::Move) => Step::is_of_movement,
                Some(Step::Battle) => Step::is_of_battle,
                Some(_) => |_| false,
                None => return Err(wrong("agenda")),
            }
        };
        let known = in_turn.max(in_end).max(usize::from(self.agenda.first() == Some(&Step::Deal)));
        if !self.agenda[known..].iter().all(|&step| inner(step)) {
            return Err(wrong("agenda"));
        }
        // The command card lies on the table from DP-01 until the cards of the turn are put away.
        let before = in_turn == turn.len() || in_turn == 0 && in_end == 0;
        let after = in_end > 0 && in_end < end.len() - 1 && !self.agenda.contains(&Step::Advise);
        let played = self.turn.command.is_some();
        self.check_subjects()?;
        ensure(played != (before || after), "turn.command", || format!("{:?} now", self.turn.command))?;
        ensure(!before || self.turn == Turn::default(), "turn", || "is not begun and not empty".into())
    }
}

/// What the steps of an agenda are about.
impl State {
    /// The pieces that steps are about are on the board and on the side that it takes.
    fn check_subjects(&self) -> Result<(), SetupError> {
        let (own, enemy) = (self.active, self.active.other());
        for &step in self.agenda.iter() {
            let holds = match step {
                Step::Turncoat { unit } => self.units_of(enemy).contains(unit),
                Step::CarryBackTo { side, unit } => self.units_of(side.other()).contains(unit),
                Step::Inspire { unit } => self.units_of(self.combat.roll.side).contains(unit),
                Step::GiveWay { unit, .. } | Step::Retreat { unit, .. } => self.lives(unit),
                Step::LeaderFate { leader } => self.leader_lives(leader) && self.is_alone(leader),
                Step::DriveBack { side, .. } => side == enemy,
                Step::Target => self.ready().contains(self.combat.attacker),
                Step::TakeGround | Step::Ground => !self.occupied().contains(self.combat.target),
                Step::Window { window: Window::MoveActive, side } => side == own && self.mover.unit.is_some(),
                Step::Window { window: Window::MoveOther, side } => {
                    side == enemy && self.mover.leader.is_some()
                }
                _ => true,
            };
            ensure(holds, "agenda", || format!("{step:?} is about nobody"))?;
        }
        let Mover { unit, leader, from, left, .. } = self.mover;
        let unmoved = self.agenda.contains(&Step::Destination);
        if !unmoved && !self.agenda.contains(&Step::Arrive) {
            return ensure(self.mover == Mover::default(), "mover", || "nobody moves".into());
        }
        let (by_unit, by_leader) = (
            unit.is_some_and(|unit| self.turn.chosen.contains(unit)),
            leader.is_some_and(|leader| self.turn.chosen_leaders.contains(leader)),
        );
        ensure(if unit.is_some() { by_unit } else { by_leader }, "mover", || "has not been chosen".into())?;
        let at = unit
            .map_or_else(|| leader.map(|leader| self.leader(leader).hex), |unit| Some(self.unit(unit).hex));
        let with = unit.and(leader).is_none_or(|leader| {
            self.leaders_of(own).contains(leader) && Some(self.leader(leader).hex) == at
        });
        ensure(with && (at == Some(from)) == (unmoved || left), "mover", || {
            "is not where it should be".into()
        })?;
        ensure(!left || unit.is_none() && !unmoved, "mover", || "cannot have left".into())
    }
}

impl Step {
    /// Whether it belongs to a dragon card that is resolved.
    const fn is_of_dragon(self) -> bool {
        matches!(
            self,
            Self::TacticalWisdom
                | Self::DragonTarget { .. }
                | Self::Turncoat { .. }
                | Self::NinjaThief
                | Self::PlayStolen { .. }
                | Self::FamineHonor { .. }
                | Self::RedDragon { .. }
                | Self::DriveBack { .. }
        ) || self.is_of_losses()
    }

    /// Whether it belongs to a move.
    const fn is_of_movement(self) -> bool {
        matches!(
            self,
            Self::Destination
                | Self::Arrive
                | Self::Window { window: Window::MoveActive | Window::MoveOther, .. }
        )
    }

    /// Whether it belongs to a combat.
    const fn is_of_battle(self) -> bool {
        !matches!(
            self,
            Self::CarryDice { .. }
                | Self::CarryOver { .. }
                | Self::CarryLoss { .. }
                | Self::CarryBack { .. }
                | Self::CarryBackTo { .. }
                | Self::Deal
                | Self::BeginTurn
                | Self::PlayCommand
                | Self::ResolveDragon
                | Self::BeginOrders
                | Self::Order
                | Self::Move
                | Self::Battle
                | Self::EndTurn
                | Self::Advise
                | Self::CleanUp
                | Self::Draw
                | Self::KeepOne
                | Self::DrawMore
                | Self::Replenish
                | Self::DiscardForHonor
                | Self::PassTurn
                | Self::Window {
                    window: Window::CommandActive
                        | Window::CommandOther
                        | Window::MoveActive
                        | Window::MoveOther
                        | Window::End,
                    ..
                }
        ) && (!self.is_of_dragon() || self.is_of_losses())
            && !self.is_of_movement()
    }

    /// Whether it belongs to a retreat or to honor that cannot be paid.
    const fn is_of_losses(self) -> bool {
        matches!(
            self,
            Self::GiveWay { .. }
                | Self::Retreat { .. }
                | Self::Settled { .. }
                | Self::NearestLosses { .. }
                | Self::ChosenLosses { .. }
                | Self::LoseNearest { .. }
                | Self::LoseBlock { .. }
        )
    }
}
