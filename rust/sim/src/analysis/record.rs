//! What an analysis says about a decision, as it is written down.

use sengoku_kernel::Seat;
use sengoku_view::{ActionText, DrawKind};
use serde_json::{Value, json};

/// Everything about one decision.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The seat that decided; none for the set-up.
    pub seat: Option<Seat>,
    /// What it did.
    pub action: Option<ActionText>,
    /// What that was worth.
    pub moves: Option<MoveRecord>,
    /// What was drawn.
    pub luck: Option<LuckRecord>,
}

/// What a move was worth. Win probabilities are by seat.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveRecord {
    /// Number of legal actions.
    pub legal: u32,
    /// How many of them were tried.
    pub tried: u32,
    /// Before the decision, if all play on like the game's own player.
    pub before: Vec<f64>,
    /// Standard errors of `before`.
    pub before_error: Vec<f64>,
    /// With the action played, before anything is drawn.
    pub expected: Vec<f64>,
    /// Standard errors of `expected`.
    pub expected_error: Vec<f64>,
    /// After the decision and what was drawn in it.
    pub after: Vec<f64>,
    /// Standard errors of `after`.
    pub after_error: Vec<f64>,
    /// Place of the action played among those tried.
    pub rank: u32,
    /// The best action found: the one played where none was better.
    pub best: ActionText,
    /// Its value to the deciding seat.
    pub best_value: f64,
    /// How much better it is, in the same worlds.
    pub loss: f64,
    /// Standard error of `loss`.
    pub loss_error: f64,
}

/// What draws changed, by seat.
#[derive(Clone, Debug, PartialEq)]
pub struct LuckRecord {
    /// The kinds of draws.
    pub kinds: Vec<DrawKind>,
    /// Change of the win probability against its expectation.
    pub change: Vec<f64>,
    /// Standard errors of `change`.
    pub error: Vec<f64>,
    /// Hits made.
    pub hits: Vec<u32>,
    /// Mean of the hits of draws made instead.
    pub hits_expected: Vec<f64>,
    /// Losses taken.
    pub losses: Vec<u32>,
    /// Mean of the losses of draws made instead.
    pub losses_expected: Vec<f64>,
}

/// To millionths: more digits than the errors have, and short to write.
fn short(value: f64) -> f64 {
    (value * 1e6).round() / 1e6 + 0.0 // no minus before a zero
}

fn all_short(values: &[f64]) -> Vec<f64> {
    values.iter().copied().map(short).collect()
}

impl Record {
    /// The record as a table.
    pub fn to_json(&self, decision: usize) -> Value {
        let mut row = json!({ "decision": decision });
        if let (Some(seat), Some(action)) = (self.seat, &self.action) {
            row["seat"] = json!(seat.0);
            row["action"] = json!(action.index);
            row["text"] = json!(action.text);
        }
        if let Some(moves) = &self.moves {
            row["moves"] = moves.to_json();
        }
        if let Some(luck) = &self.luck {
            row["luck"] = luck.to_json();
        }
        row
    }
}

impl MoveRecord {
    fn to_json(&self) -> Value {
        json!({
            "legal": self.legal,
            "tried": self.tried,
            "before": all_short(&self.before),
            "before_error": all_short(&self.before_error),
            "expected": all_short(&self.expected),
            "expected_error": all_short(&self.expected_error),
            "after": all_short(&self.after),
            "after_error": all_short(&self.after_error),
            "rank": self.rank,
            "best": self.best.index,
            "best_text": self.best.text,
            "best_value": short(self.best_value),
            "loss": short(self.loss),
            "loss_error": short(self.loss_error),
        })
    }
}

impl LuckRecord {
    fn to_json(&self) -> Value {
        json!({
            "kinds": self.kinds,
            "change": all_short(&self.change),
            "error": all_short(&self.error),
            "hits": self.hits,
            "hits_expected": all_short(&self.hits_expected),
            "losses": self.losses,
            "losses_expected": all_short(&self.losses_expected),
        })
    }
}
