//! Bots that belong to a match: they are part of what it was created with, and of its replay.

use std::collections::BTreeMap;

use sengoku_kernel::Seat;
use serde_json::{Value, json};

use crate::{Match, Playable, RunError};

/// The bot of each seat that the match plays itself, by its name with options.
pub type Hosted = BTreeMap<u8, String>;

/// The bots as a table, seat by seat.
pub(crate) fn hosted_table(hosted: &Hosted) -> Value {
    let rows = hosted.iter().map(|(seat, name)| (seat.to_string(), json!(name)));
    Value::Object(rows.collect())
}

/// Reads what [`hosted_table`] wrote; `Err` is the reason why it cannot be.
pub(crate) fn hosted_from(table: &Value) -> Result<Hosted, String> {
    let rows = table.as_object().ok_or_else(|| format!("{table} is not a table of seats"))?;
    let row = |(seat, name): (&String, &Value)| {
        let number = seat.parse().ok().filter(|number: &u8| number.to_string() == *seat);
        let number = number.ok_or_else(|| format!("{seat:?} is not a seat"))?;
        let name = name.as_str().ok_or_else(|| format!("{name} is not the name of a bot"))?;
        Ok((number, name.to_owned()))
    };
    rows.iter().map(row).collect()
}

impl<G: Playable> Match<G> {
    /// The bots that belong to the match.
    pub const fn hosted(&self) -> &Hosted {
        &self.bots.hosted
    }

    /// Seats bots that belong to the match: unlike those of [`Match::seat_bot`] they are saved and written into replays.
    ///
    /// # Errors
    /// [`RunError`] when there is no such bot or seat, or no seat is left without one.
    pub fn host_bots(&mut self, hosted: Hosted) -> Result<(), RunError> {
        let seats = self.key().seats;
        if let Some(&seat) = hosted.keys().find(|&&seat| usize::from(seat) >= seats) {
            return Err(RunError::NoSuchSeat { seat: seat.into(), seats });
        }
        if hosted.len() == seats {
            return Err(RunError::NoSeatLeft { seats });
        }
        for (&seat, name) in &hosted {
            self.seat_bot(Seat(seat), Some(name))?;
        }
        self.bots.hosted = hosted;
        Ok(())
    }
}
