//! Invariants of the agenda: the order of its steps, and the pieces that they are about.

use sengoku_kernel::SetupError;

use super::ensure;
use crate::data::Window;
use crate::play::Step;
use crate::state::{Mover, State, Turn};

impl State {
    /// Somebody is asked and has an answer, or the match is over.
    pub(super) fn check_agenda(&self) -> Result<(), SetupError> {
        if self.decided.is_some() {
            return ensure(self.agenda.is_empty(), "agenda", || {
                "must be empty once the battle is over".into()
            });
        }
        let Some(&step) = self.agenda.last() else {
            return ensure(false, "agenda", || "is empty".into());
        };
        self.check_order()?;
        ensure(self.decider(step).is_some(), "agenda", || format!("{step:?} has no side that decides"))?;
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

    /// The pieces that steps are about are on the board and on the side that it takes.
    pub(super) fn check_subjects(&self) -> Result<(), SetupError> {
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
            ensure(holds, "agenda", || format!("{step:?} is about no piece on the board"))?;
        }
        let Mover { unit, leader, from, left, .. } = self.mover;
        let unmoved = self.agenda.contains(&Step::Destination);
        if !unmoved && !self.agenda.contains(&Step::Arrive) {
            return ensure(self.mover == Mover::default(), "mover", || "set while no piece moves".into());
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
