//! What happens at court.

use sengoku_tower::Event;
use sengoku_tower::data::FavourKind;

use super::Teller;
use crate::story::{Told, count, list};
use crate::tower::words::space_text;

impl Teller<'_> {
    /// The expansion court.
    pub(super) fn court(&self, event: &Event) -> Told {
        Told::Line(match event {
            Event::Converted { seat, armies, province } => format!(
                "{} makes {} of {} from {}",
                self.seat(*seat),
                count(*armies, "officer", "officers"),
                count(*armies, "army", "armies"),
                province.map_or_else(|| "the tray".into(), |province| self.province(province))
            ),
            Event::NotConverted { seat, space } => {
                return Told::Detail(format!(
                    "{} cannot carry out the {}",
                    self.seat(*seat),
                    space_text(*space)
                ));
            }
            Event::CourtOrder { order } => {
                return Told::Heading(2, format!("audience: {}", self.seats(order)));
            }
            Event::Audience { seat, officers } => {
                return Told::listed(
                    "Into the hall go",
                    format!("{} of {}", count(*officers, "officer", "officers"), self.seat(*seat)),
                );
            }
            Event::FavourTaken { seat, card, price, kind: _ } => format!(
                "{} gives {} for the favour \"{}\"",
                self.seat(*seat),
                count(*price, "officer", "officers"),
                self.favour(*card)
            ),
            Event::NoFavour { seat } => {
                return Told::Detail(format!("{} takes no favour", self.seat(*seat)));
            }
            Event::FavourGained { seat, kind, amount } => {
                format!("{} gains {}", self.seat(*seat), gain_text(*kind, *amount))
            }
            Event::FavourWithoutEffect { seat, card } => {
                format!("the favour \"{}\" of {} has no effect", self.favour(*card), self.seat(*seat))
            }
            Event::FavourKept { seat, card } => {
                return Told::Detail(format!(
                    "{} keeps the favour \"{}\"",
                    self.seat(*seat),
                    self.favour(*card)
                ));
            }
            Event::FavourUsed { seat, card, province } => format!(
                "{} uses the favour \"{}\" in {}",
                self.seat(*seat),
                self.favour(*card),
                self.province(province)
            ),
            Event::EventRemoved { seat, removed } => format!(
                "{} {} the event of the season",
                self.seat(*seat),
                if *removed { "removes" } else { "leaves" }
            ),
            Event::CourtClosed { left } => {
                let left: Vec<String> = left.iter().map(|&card| self.favour(card)).collect();
                return Told::Detail(if left.is_empty() {
                    "the court closes".into()
                } else {
                    format!("the court closes; nobody took {}", list(&left))
                });
            }
            _ => unreachable!("{event:?} is told elsewhere"),
        })
    }
}

fn gain_text(kind: FavourKind, amount: u8) -> String {
    let some = |one, many| count(amount, one, many);
    match kind {
        FavourKind::Chests => some("chest", "chests"),
        FavourKind::Rice => format!("{amount} rice"),
        FavourKind::Points => some("point", "points"),
        FavourKind::ArmiesToTray => some("army in the tray", "armies in the tray"),
        _ => some("piece", "pieces"),
    }
}
