//! What happens in a battle.

use sengoku_tower::Event;
use sengoku_tower::data::{ByColour, COLOUR_NAMES, FARMER, SeatId};

use super::Teller;
use crate::story::{Told, count};
use crate::tower::words::space_text;

impl Teller<'_> {
    /// Battles and revolts.
    pub(super) fn battle(&self, event: &Event) -> Told {
        match event {
            Event::Attack {
                seat,
                from,
                to,
                armies,
                defender,
                attacker_more,
                defender_more,
                farmers,
                wanted,
            } => {
                let against = match defender {
                    Some(defender) => {
                        format!("{}{}", self.seat(*defender), more(*defender_more, "defends with", "more"))
                    }
                    None => farmers_text(*farmers, *wanted),
                };
                Told::Line(format!(
                    "{} attacks {} from {} with {}{}, against {against}",
                    self.seat(*seat),
                    self.province(to),
                    self.province(from),
                    count(*armies, "army", "armies"),
                    more(*attacker_more, "adds", "more"),
                ))
            }
            Event::Revolt { seat, province, farmers, wanted } => Told::Line(format!(
                "{} revolt against {} in {}",
                farmers_text(*farmers, *wanted),
                self.seat(*seat),
                self.province(province)
            )),
            Event::Thrown { cubes, tray } => Told::Detail(format!(
                "into the tower go {}; in the tray lie {}",
                self.cubes(cubes),
                self.cubes(tray)
            )),
            Event::Settled { province, winner, armies, tray } => {
                let province = self.province(province);
                let left = count(*armies, "army", "armies");
                let rest = if *tray == ByColour::default() {
                    "the tray is empty".into()
                } else {
                    format!("the tray keeps {}", self.cubes(tray))
                };
                Told::Line(match *winner {
                    "attacker" if *armies > 0 => {
                        format!("the attacker wins {province} with {left} left; {rest}")
                    }
                    "attacker" => format!("the attackers win {province}; {rest}"),
                    "defender" if *armies > 0 => format!("{province} is held with {left} left; {rest}"),
                    "defender" => format!("{province} is held; {rest}"),
                    _ => format!("nobody wins {province}; {rest}"),
                })
            }
            Event::Conquered { seat, province, from } => Told::Line(match from {
                Some(from) => {
                    format!(
                        "{} takes {} from {}",
                        self.seat(*seat),
                        self.province(province),
                        self.seat(*from)
                    )
                }
                None => format!("{} takes {}", self.seat(*seat), self.province(province)),
            }),
            Event::Neutral { province } => Told::Line(format!("{} becomes neutral", self.province(province))),
            Event::CardLost { seat, province, space } => Told::Detail(match space {
                Some(space) => format!(
                    "{} loses the card of {}, which was planned for {}",
                    self.seat(*seat),
                    self.province(province),
                    space_text(*space)
                ),
                None => format!("{} loses the card of {}", self.seat(*seat), self.province(province)),
            }),
            Event::Bumped { cube } => Told::Detail(format!(
                "a {} cube falls out of the tower by accident",
                if *cube == FARMER { COLOUR_NAMES[usize::from(FARMER)] } else { self.seat(SeatId(*cube)) }
            )),
            _ => unreachable!("{event:?} is told elsewhere"),
        }
    }
}

/// Farmers that fight; where the supply has too few, how many it should have been.
fn farmers_text(farmers: u8, wanted: u8) -> String {
    let short = if farmers < wanted { format!(" of the {wanted} wanted") } else { String::new() };
    count(farmers, "farmer", "farmers") + &short
}

/// Cubes that a card adds.
fn more(cubes: u8, verb: &str, what: &str) -> String {
    if cubes == 0 { String::new() } else { format!(" ({verb} {cubes} {what})") }
}
