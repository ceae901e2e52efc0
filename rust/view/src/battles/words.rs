//! Texts of actions, for legal lists and replays.

use sengoku_battles::action::Action;
use sengoku_battles::board::HexId;
use sengoku_battles::data::{CommandCard, DragonCard};
use sengoku_battles::play::Step;
use sengoku_battles::state::State;
use serde_json::{Value, json};

use crate::{ActionText, Words};

impl Words<'_, State> {
    /// An action as it stands at this point of the match.
    pub(super) fn in_words(&self, action: Action) -> ActionText {
        let args = match action {
            Action::Pass
            | Action::Yes
            | Action::Seppuku
            | Action::Leave
            | Action::DrawDragon
            | Action::TakeHonor => json!({}),
            Action::Command(card) => json!({ "card": card, "name": card.name() }),
            Action::Dragon(card) => json!({ "card": card, "name": card.name(), "cost": card.cost() }),
            Action::Redirect { from, to } => json!({ "from": from, "to": to }),
            Action::Number(number) => json!({ "number": number }),
            Action::Hex(hex) => json!({ "hex": hex, "piece": self.piece_value(hex) }),
            Action::Leader(hex) => json!({ "hex": hex, "piece": self.leader_words(hex) }),
        };
        ActionText { index: action.index(), name: action.name(), args, text: self.text(action) }
    }

    fn piece_value(&self, hex: HexId) -> Value {
        if self.occupied().contains(hex) { self.piece_words(hex).into() } else { Value::Null }
    }

    /// A piece with its place, e.g. `samurai spear infantry (3) with Oda Nobuhide at 4,5`.
    fn piece_words(&self, hex: HexId) -> String {
        match (self.unit_at(hex), self.leader_at(hex)) {
            (Some(unit), leader) => {
                let unit = self.unit(unit);
                let with = leader.map_or(String::new(), |_| format!(" with {}", self.leader_words(hex)));
                format!("{} ({}){with} at {hex}", unit.kind.name(), unit.blocks)
            }
            (None, Some(_)) => format!("{} at {hex}", self.leader_words(hex)),
            (None, None) => hex.to_string(),
        }
    }

    /// A piece that moves with its place; a leader with an order of his own does not go along (BT-R-24).
    fn mover_words(&self, hex: HexId) -> String {
        match self.unit_at(hex) {
            Some(unit) if self.goes_along(unit).is_none() => {
                let unit = self.unit(unit);
                format!("{} ({}) at {hex}", unit.kind.name(), unit.blocks)
            }
            _ => self.piece_words(hex),
        }
    }

    fn leader_words(&self, hex: HexId) -> String {
        self.leader_at(hex).map_or_else(
            || "nobody".into(),
            |leader| {
                let kind = self.leader(leader).kind.name();
                self.leader_name(leader).map_or_else(|| format!("a {kind}"), Into::into)
            },
        )
    }

    fn text(&self, action: Action) -> String {
        let step = self.agenda.last().copied().filter(|_| self.decided.is_none());
        match action {
            Action::Pass => self.pass_text(step).into(),
            Action::Yes => self.yes_text(step),
            Action::Seppuku => {
                "seppuku: 5 honor, a command card is lost, the enemy draws a dragon card".into()
            }
            Action::Leave => "leave the board for 3 honor".into(),
            Action::DrawDragon => "draw a dragon card".into(),
            Action::TakeHonor => "take 2 honor".into(),
            Action::Command(card) => command_text(step, card),
            Action::Dragon(card) => dragon_text(step, card),
            Action::Redirect { from, to } => {
                format!("orders for the {} go to the {}", from.name(), to.name())
            }
            Action::Number(number) => match step {
                Some(Step::IgnoreFlags { flags }) => format!("ignore {number} of {flags} flags"),
                _ => number.to_string(),
            },
            Action::Hex(hex) => self.hex_text(step, hex),
            Action::Leader(hex) => match step {
                Some(Step::Move) => format!("move {} away from the unit at {hex}", self.leader_words(hex)),
                _ => format!("order {} away from the unit at {hex}", self.leader_words(hex)),
            },
        }
    }

    fn pass_text(&self, step: Option<Step>) -> &'static str {
        match step {
            Some(Step::Window { .. }) => "play no card",
            Some(Step::Order) if self.turn.ordered.is_empty() && self.turn.ordered_leaders.is_empty() => {
                "give no orders"
            }
            Some(Step::Order) => "no more orders",
            Some(Step::Move) => "end movement",
            Some(Step::Battle) => "end the battle phase",
            Some(Step::Charge) => "no other levy joins",
            Some(Step::Inspire { .. }) => "do not inspire",
            Some(Step::TakeGround) => "do not take ground",
            Some(Step::BonusMelee) => "no bonus melee",
            Some(Step::BattleBack) => "do not battle back",
            Some(Step::SecondShot) => "no second shot",
            Some(Step::Turncoat { .. }) => "leave the unit to the enemy",
            Some(Step::PlayStolen { .. }) => "keep the card",
            Some(Step::DiscardForHonor) => "discard nothing",
            _ => "pass",
        }
    }

    fn yes_text(&self, step: Option<Step>) -> String {
        match step {
            Some(Step::Inspire { unit }) => format!("inspire {}", self.piece_words(self.unit(unit).hex)),
            Some(Step::Turncoat { unit }) => format!("turn {}", self.piece_words(self.unit(unit).hex)),
            Some(Step::PlayStolen { card }) => format!("play {} at once", card.name()),
            _ => "yes".into(),
        }
    }

    fn hex_text(&self, step: Option<Step>, hex: HexId) -> String {
        let piece = || self.piece_words(hex);
        match step {
            Some(Step::CarryLoss { .. } | Step::LoseBlock { .. } | Step::LoseNearest { .. }) => {
                format!("{} loses a block", piece())
            }
            Some(Step::CarryBack { .. }) => format!("{} goes back", piece()),
            Some(Step::DragonTarget { card }) => format!("{} on {}", card.name(), piece()),
            Some(Step::DriveBack { .. }) => format!("{} retreats", piece()),
            Some(Step::Order) => format!("order {}", self.mover_words(hex)),
            Some(Step::Move) => format!("move {}", self.mover_words(hex)),
            Some(Step::Destination) if hex == self.mover.from => "stay".into(),
            Some(Step::Destination | Step::CarryBackTo { .. }) => format!("go to {hex}"),
            Some(Step::Battle) => format!("battle with {}", piece()),
            Some(Step::Target) if self.unit(self.combat.attacker).hex.is_next_to(hex) => {
                format!("attack {}", piece())
            }
            Some(Step::Target | Step::SecondShot) => format!("shoot at {}", piece()),
            Some(Step::Charge) => format!("{} joins the charge", piece()),
            Some(Step::Duellist { .. }) => format!("{} fights the duel", self.leader_words(hex)),
            Some(Step::Struck) => format!("strike {} first", piece()),
            Some(Step::CardUnit { card, .. }) => format!("{}: {}", card.name(), piece()),
            Some(Step::Retreat { .. } | Step::LeaderFate { .. }) => format!("retreat to {hex}"),
            Some(Step::TakeGround) => format!("take ground with {}", piece()),
            Some(Step::BonusMelee) => format!("bonus melee against {}", piece()),
            Some(Step::BattleBack) => format!("battle back against {}", piece()),
            _ => piece(),
        }
    }
}

fn command_text(step: Option<Step>, card: CommandCard) -> String {
    match step {
        Some(Step::PlayCommand | Step::Window { .. }) => format!("play {}", card.name()),
        Some(Step::KeepOne) => format!("keep {}", card.name()),
        Some(Step::Advise) => format!("take {} from the discards", card.name()),
        _ => card.name().into(),
    }
}

fn dragon_text(step: Option<Step>, card: DragonCard) -> String {
    match step {
        Some(Step::Window { .. }) => format!("play {} for {} honor", card.name(), card.cost()),
        Some(Step::NinjaThief) => format!("take {} from the discards", card.name()),
        Some(Step::DiscardForHonor) => format!("discard {} for 1 honor", card.name()),
        _ => card.name().into(),
    }
}
