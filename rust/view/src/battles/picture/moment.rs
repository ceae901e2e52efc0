//! A match in one line: the turn, the pending decision, attacker and defender.

use sengoku_battles::board::HexId;
use sengoku_battles::data::{Side, Window};
use sengoku_battles::play::Step;
use sengoku_battles::state::State;

use crate::Words;

impl Words<'_, State> {
    /// Round and turn, and what is decided, or how it ended.
    pub(super) fn headline(&self) -> String {
        let name = |side: Side| self.scenario.armies[side].name.as_str();
        if let Some(decided) = self.decided {
            let reason = decided.end.reason().replace('_', " ");
            return match decided.winner {
                Some(side) => format!("round {}: {} has won ({reason})", self.round, name(side)),
                None => format!("round {}: over without a winner ({reason})", self.round),
            };
        }
        let turn = format!("round {}, turn of {}", self.round, name(self.active));
        let asked = self.agenda.last().and_then(|&step| self.decider(step));
        match (asked, self.agenda.last().and_then(|&step| question(step))) {
            (Some(side), Some(question)) => format!("{turn}; {}: {question}", name(side)),
            (Some(side), None) => format!("{turn}; {} decides", name(side)),
            (None, _) => turn,
        }
    }

    /// Attacker and defender of the roll that is under way or next.
    pub(super) fn attacks(&self) -> impl Iterator<Item = (HexId, HexId)> {
        let combat = &self.combat;
        let living = combat.attackers.filter(|&unit| self.lives(unit));
        living.map(|unit| (self.unit(unit).hex, combat.target)).filter(|(from, to)| from != to)
    }
}

/// The decision of a step in few words; nothing where there is none, or where a seat may not know it.
const fn question(step: Step) -> Option<&'static str> {
    Some(match step {
        Step::CarryLoss { .. } => "which enemy unit loses a block",
        Step::CarryBack { .. } => "which enemy unit goes back",
        Step::CarryBackTo { .. } => "where it goes back to",
        Step::PlayCommand => "which command card",
        Step::Window { window, .. } => offer(window),
        Step::TacticalWisdom => "which section Tactical Wisdom changes",
        Step::DragonTarget { .. } => "the target of the dragon card",
        Step::Turncoat { .. } => "whether the unit changes sides",
        Step::NinjaThief => "which discarded card Ninja Thief takes",
        Step::PlayStolen { .. } => "whether the card is played at once",
        Step::DriveBack { .. } => "which unit Red Dragon drives back",
        Step::Order => "orders",
        Step::Move => "which piece moves",
        Step::Destination => "where it moves",
        Step::Battle => "which unit battles",
        Step::Target => "whom it attacks",
        Step::Charge => "which levies charge with it",
        Step::SecondShot => "the second shot",
        Step::Duellist { .. } => "which leader fights the duel",
        Step::Struck => "which attacker is struck first",
        Step::Inspire { .. } => "whether the unit is inspired",
        Step::CardUnit { .. } => "for or against which unit the card is played",
        Step::IgnoreFlags { .. } => "how many flags are ignored",
        Step::Retreat { .. } => "where the unit retreats to",
        Step::LeaderFate { .. } => "retreat or seppuku of a leader",
        Step::LoseNearest { .. } | Step::LoseBlock { .. } => "which unit loses a block",
        Step::TakeGround => "whether ground is taken",
        Step::BonusMelee => "the bonus melee",
        Step::BattleBack => "whether the defender battles back",
        Step::Advise => "which discarded card Wise Advisor takes",
        Step::KeepOne => "which command card is kept",
        Step::Replenish => "a dragon card or honor",
        Step::DiscardForHonor => "a dragon card for honor, or none",
        _ => return None,
    })
}

/// Possible plays in a window (BT-DRAGON-USE-04).
const fn offer(window: Window) -> &'static str {
    match window {
        Window::CommandActive => "a dragon card with the command card, or none",
        Window::CommandOther => "a dragon card against the command card, or none",
        Window::MoveActive => "a dragon card for the move, or none",
        Window::MoveOther => "a dragon card against the move of a leader, or none",
        Window::MeleeStart => "a challenge, or none",
        Window::First => "whether the defender strikes first",
        Window::PreRoller | Window::PreOpponent => "a dragon card before the roll, or none",
        Window::PostRoller | Window::PostOpponent => "a dragon card after the roll, or none",
        Window::Success => "a dragon card after the success, or none",
        Window::Ground => "a dragon card against taking ground, or none",
        Window::End => "a dragon card at the end of the turn, or none",
    }
}
