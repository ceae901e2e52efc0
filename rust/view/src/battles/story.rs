//! The story of a match: a sentence for every event.

use sengoku_battles::data::{LeaderKind, Side, UnitKind};
use sengoku_battles::event::{Loss, Removal, Roll, Why};
use sengoku_battles::{Event, State};
use sengoku_kernel::Seat;

use crate::story::{Told, count, list};

/// Tells events in order.
pub(super) struct Teller<'a> {
    state: &'a State,
    seat: Option<Seat>,
}

impl<'a> Teller<'a> {
    pub(super) const fn new(state: &'a State, seat: Option<Seat>) -> Self {
        Self { state, seat }
    }

    /// The name of an army.
    fn army(&self, side: Side) -> &str {
        &self.state.scenario.armies[side].name
    }

    /// Whether cards that a side has drawn face down can be named.
    fn sees_hand(&self, side: Side) -> bool {
        self.seat.is_none_or(|seat| seat == side.seat())
    }

    pub(super) fn tell(&self, event: &Event) -> Told {
        match event {
            Event::BattleBegun { .. }
            | Event::Dealt { .. }
            | Event::Rolled { .. }
            | Event::TurnBegun { .. }
            | Event::MovedBack { .. }
            | Event::Reshuffled
            | Event::TentRemoved { .. }
            | Event::Honor { .. }
            | Event::Banners { .. }
            | Event::BattleOver { .. }
            | Event::Over { .. } => self.frame(event),
            Event::CommandPlayed { .. }
            | Event::CommandCounts { .. }
            | Event::DragonPlayed { .. }
            | Event::CommandReplaced { .. }
            | Event::Redirected { .. }
            | Event::NoEffect { .. }
            | Event::Targeted { .. }
            | Event::Healed { .. }
            | Event::Turned { .. }
            | Event::DragonTaken { .. }
            | Event::CommandLost { .. }
            | Event::CommandDrawn { .. }
            | Event::CommandDiscarded { .. }
            | Event::CommandTaken { .. }
            | Event::DragonDrawn { .. }
            | Event::DragonDiscarded { .. } => self.cards(event),
            Event::Ordered { .. }
            | Event::OrdersGiven { .. }
            | Event::Moved { .. }
            | Event::Stayed { .. }
            | Event::CalledBack { .. } => self.orders(event),
            Event::Attack { .. }
            | Event::BlocksLost { .. }
            | Event::UnitGone { .. }
            | Event::LeaderGone { .. }
            | Event::Flags { .. }
            | Event::Retreated { .. }
            | Event::TookGround { .. } => self.combat(event),
        }
    }

    /// The course of the match, dice, honor and banners.
    fn frame(&self, event: &Event) -> Told {
        match event {
            Event::BattleBegun { scenario, first } => {
                Told::Heading(1, format!("{scenario}: {} moves first", self.army(*first)))
            }
            Event::Dealt { side, command, dragon, honor } => Told::listed(
                "At the start",
                format!(
                    "{} has {}, {} and {honor} honor",
                    self.army(*side),
                    count(*command, "command card", "command cards"),
                    count(*dragon, "dragon card", "dragon cards")
                ),
            ),
            Event::Rolled { side, roll, faces, replaces } => {
                let faces = if faces.is_empty() {
                    "no dice".into()
                } else {
                    faces.iter().map(|face| face.letter()).collect::<String>()
                };
                let again = if *replaces { " instead of the last roll" } else { "" };
                let text = format!("{} rolls {faces} for {}{again}", self.army(*side), roll_text(*roll));
                if is_minor(*roll) { Told::Detail(text) } else { Told::Line(text) }
            }
            Event::TurnBegun { side, round } => {
                Told::Heading(2, format!("round {round}, turn of {}", self.army(*side)))
            }
            Event::MovedBack { side, from, to } => {
                Told::listed(format!("{} goes back", self.army(*side)), format!("from {from} to {to}"))
            }
            Event::Reshuffled => Told::Detail("both decks are shuffled with their discards".into()),
            Event::TentRemoved { side, hex } => {
                Told::Line(format!("the command tent of {} at {hex} is taken down", self.army(*side)))
            }
            Event::Honor { side, change, now, why } => {
                let (army, reason) = (self.army(*side), why_text(*why));
                let verb = if *change < 0 { "loses" } else { "gains" };
                Told::Detail(format!("{army} {verb} {} honor {reason} and has {now}", change.unsigned_abs()))
            }
            Event::Banners { side, change, now, why } => {
                let (army, reason) = (self.army(*side), why_text(*why));
                let verb = if *change < 0 { "loses" } else { "gains" };
                let banners = count(change.unsigned_abs(), "banner", "banners");
                Told::Line(format!("{army} {verb} {banners} {reason} and has {now}"))
            }
            Event::BattleOver { winner, reason, top, bottom } => {
                let score =
                    format!("{} {top}, {} {bottom} banners", self.army(Side::Top), self.army(Side::Bottom));
                Told::Line(format!("the battle is over: {}; {score}", self.end_text(*winner, reason)))
            }
            Event::Over { winner, reason } => {
                Told::Line(format!("the match is over: {}", self.end_text(*winner, reason)))
            }
            _ => unreachable!("{event:?} is told elsewhere"),
        }
    }

    fn end_text(&self, winner: Option<Side>, reason: &str) -> String {
        let reason = match reason {
            "banners" => "by banners",
            "surrender" => "because the enemy surrenders",
            "tent" => "by the command tent",
            _ => "when the rounds are over",
        };
        winner.map_or_else(
            || format!("nobody wins {reason}"),
            |side| format!("{} wins {reason}", self.army(side)),
        )
    }

    /// Cards played, drawn and lost.
    fn cards(&self, event: &Event) -> Told {
        match event {
            Event::CommandPlayed { side, card } => {
                Told::Line(format!("{} plays {}", self.army(*side), card.name()))
            }
            Event::CommandCounts { side, card, left, center, right } => {
                let (army, card) =
                    (self.army(*side), card.map_or("a card without orders", |card| card.name()));
                let orders: Vec<String> = [(left, "left"), (center, "in the centre"), (right, "right")]
                    .into_iter()
                    .filter(|&(&orders, _)| orders > 0)
                    .map(|(orders, place)| format!("{orders} {place}"))
                    .collect();
                Told::Detail(if orders.is_empty() {
                    format!("it counts as {card} for {army}")
                } else {
                    format!("{army} can order {} ({card})", list(&orders))
                })
            }
            Event::DragonPlayed { side, card, cost } => {
                Told::Line(format!("{} plays {} for {cost} honor", self.army(*side), card.name()))
            }
            Event::CommandReplaced { side, from, to } => Told::Line(format!(
                "Wild Winds: {} must play {} instead of {}",
                self.army(*side),
                to.name(),
                from.name()
            )),
            Event::Redirected { side, from, to } => Told::Line(format!(
                "Tactical Wisdom: {} gives the orders of the {} to the {}",
                self.army(*side),
                from.name(),
                to.name()
            )),
            Event::NoEffect { side, card } => {
                Told::Line(format!("{} of {} has no effect", card.name(), self.army(*side)))
            }
            Event::Targeted { side, card, hex } => {
                Told::Line(format!("{} aims {} at {hex}", self.army(*side), card.name()))
            }
            Event::Healed { hex, unit, blocks } => Told::Line(format!(
                "the {} at {hex} is back at {}",
                unit.name(),
                count(*blocks, "block", "blocks")
            )),
            Event::Turned { side, hex, unit, turned } => Told::Line(if *turned {
                format!("the {} at {hex} changes over to {}", unit.name(), self.army(*side))
            } else {
                format!("{} leaves the {} at {hex} where it is", self.army(*side), unit.name())
            }),
            Event::DragonTaken { side, card } => {
                Told::Line(format!("{} takes {} from the discards", self.army(*side), card.name()))
            }
            Event::CommandLost { side, card } => {
                Told::Line(format!("{} loses the command card {}", self.army(*side), card.name()))
            }
            Event::CommandDrawn { side, card } => {
                let known = if self.sees_hand(*side) { format!(": {}", card.name()) } else { String::new() };
                Told::Detail(format!("{} draws a command card{known}", self.army(*side)))
            }
            Event::CommandDiscarded { side, card } => {
                Told::Detail(format!("{} discards {}", self.army(*side), card.name()))
            }
            Event::CommandTaken { side, card } => {
                Told::Line(format!("{} takes {} from the discards", self.army(*side), card.name()))
            }
            Event::DragonDrawn { side, card } => {
                let known = if self.sees_hand(*side) { format!(": {}", card.name()) } else { String::new() };
                Told::Detail(format!("{} draws a dragon card{known}", self.army(*side)))
            }
            Event::DragonDiscarded { side, card } => {
                Told::Line(format!("{} discards {} for honor", self.army(*side), card.name()))
            }
            _ => unreachable!("{event:?} is told elsewhere"),
        }
    }

    /// Orders and movement.
    fn orders(&self, event: &Event) -> Told {
        match event {
            Event::Ordered { side, hex, unit, leader } => {
                let kind = match (unit, leader) {
                    (Some(unit), false) => unit.name().into(),
                    (Some(unit), true) => format!("{} with its leader", unit.name()),
                    (None, _) => "a leader".into(),
                };
                Told::listed_detail(format!("{} orders", self.army(*side)), format!("{kind} at {hex}"))
            }
            Event::OrdersGiven { side } => Told::Detail(format!("{} has given its orders", self.army(*side))),
            Event::Moved { side, unit, leader, name, from, to } => Told::listed(
                format!("{} moves", self.army(*side)),
                format!("{} from {from} to {to}", piece_text(*unit, *leader, *name)),
            ),
            Event::Stayed { side, unit, leader, name, hex } => Told::listed_detail(
                format!("{} keeps in place", self.army(*side)),
                format!("{} at {hex}", piece_text(*unit, *leader, *name)),
            ),
            Event::CalledBack { side, from, to } => {
                Told::Line(format!("Insult: the leader of {} at {from} goes back to {to}", self.army(*side)))
            }
            _ => unreachable!("{event:?} is told elsewhere"),
        }
    }

    /// Attacks and what they lead to.
    fn combat(&self, event: &Event) -> Told {
        match event {
            Event::Attack { side, from, units, target, defender, name, ranged, bonus } => {
                let attackers: Vec<String> =
                    units.iter().zip(from).map(|(unit, hex)| format!("{} at {hex}", unit.name())).collect();
                let verb = match (ranged, bonus) {
                    (true, _) => "shoots at",
                    (false, true) => "attacks once more:",
                    (false, false) => "attacks",
                };
                let target = format!("{} at {target}", piece_text(*defender, defender.is_none(), *name));
                Told::Line(format!("{}: {} {verb} {target}", self.army(*side), list(&attackers)))
            }
            Event::BlocksLost { side, hex, unit, lost, left, why } => Told::Line(format!(
                "{}: {} at {hex} loses {} {} and has {left} left",
                self.army(*side),
                unit.name(),
                count(*lost, "block", "blocks"),
                loss_text(*why)
            )),
            Event::UnitGone { side, hex, unit, why } => {
                Told::Line(format!("{}: {} at {hex} {}", self.army(*side), unit.name(), removal_text(*why)))
            }
            Event::LeaderGone { side, hex, leader, name, why } => Told::Line(format!(
                "{}: {} at {hex} {}",
                self.army(*side),
                name.unwrap_or_else(|| leader_text(*leader)),
                removal_text(*why)
            )),
            Event::Flags { side, hex, flags, ignored } => Told::Detail(format!(
                "{}: the unit at {hex} takes {} and ignores {ignored}",
                self.army(*side),
                count(*flags, "flag", "flags")
            )),
            Event::Retreated { side, unit, leader, name, from, to, uncompleted } => {
                let piece = piece_text(*unit, *leader, *name);
                let way = if from == to {
                    format!("at {from} cannot retreat")
                } else {
                    format!("retreats from {from} to {to}")
                };
                let short = match uncompleted {
                    0 => String::new(),
                    hexes => format!(", {} short", count(*hexes, "hex", "hexes")),
                };
                Told::Line(format!("{}: {piece} {way}{short}", self.army(*side)))
            }
            Event::TookGround { side, from, to } => {
                Told::Line(format!("{} takes ground from {from} to {to}", self.army(*side)))
            }
            _ => unreachable!("{event:?} is told elsewhere"),
        }
    }
}

/// A unit with its leader, or a leader alone.
fn piece_text(unit: Option<UnitKind>, leader: bool, name: Option<&str>) -> String {
    match (unit, leader) {
        (Some(unit), false) => unit.name().into(),
        (Some(unit), true) => format!("{} with {}", unit.name(), name.unwrap_or("its leader")),
        (None, _) => name.unwrap_or("a leader").into(),
    }
}

const fn leader_text(kind: LeaderKind) -> &'static str {
    kind.name()
}

/// Rolls that only the long form tells: their results are told anyway.
const fn is_minor(roll: Roll) -> bool {
    matches!(roll, Roll::DiceOff | Roll::LeaderLoss)
}

const fn roll_text(roll: Roll) -> &'static str {
    match roll {
        Roll::DiceOff => "the first move",
        Roll::CarryOver => "what carries over",
        Roll::Shogun => "Shogun",
        Roll::Ranged => "the shot",
        Roll::Melee => "the melee",
        Roll::BattleBack => "battling back",
        Roll::FirstStrike => "the first strike",
        Roll::Again => "more: swords are rolled again",
        Roll::LeaderLoss => "the life of a leader",
        Roll::LackOfHonor => "lack of honor",
        Roll::NinjaAssassin => "the Ninja Assassin",
        Roll::BlueDragon => "the Blue Dragon",
        Roll::Turncoats => "Turncoats",
        Roll::PersonalChallenge => "the Personal Challenge",
        Roll::RiceFamine => "Rice Famine",
        Roll::RedDragon => "the Red Dragon",
        Roll::TeaCeremony => "the Tea Ceremony",
    }
}

const fn why_text(why: Why) -> &'static str {
    match why {
        Why::Cost => "for a dragon card",
        Why::Inspire => "to inspire",
        Why::Faces => "by honor rolled",
        Why::Retreat => "for a retreat",
        Why::Left => "for a leader who left",
        Why::Seppuku => "for seppuku",
        Why::Replenish => "at the end of the turn",
        Why::Discard => "for a card discarded",
        Why::Card => "by a dragon card",
        Why::Unit => "for a unit",
        Why::Leader => "for a leader",
        Why::Tent => "for the command tent",
        Why::Objective => "for an objective",
        Why::Across => "for units across",
        Why::Hills => "for most hills",
        Why::EmptySection => "for a section without enemies",
        Why::OrderOne => "by an Order One card",
        Why::Bank => "for the bank",
        Why::Exit => "for a unit that went off",
        Why::CarryOver => "from the first battle",
    }
}

const fn loss_text(why: Loss) -> &'static str {
    match why {
        Loss::Hits => "to hits",
        Loss::NoRoom => "for want of room to retreat",
        Loss::LackOfHonor => "for lack of honor",
        Loss::DragonCard => "to a dragon card",
        Loss::CarryOver => "carried over from the first battle",
    }
}

const fn removal_text(why: Removal) -> &'static str {
    match why {
        Removal::Eliminated => "is eliminated",
        Removal::Seppuku => "commits seppuku",
        Removal::Left => "leaves the board",
        Removal::Surrendered => "surrenders",
        Removal::Duel => "falls in the duel",
        Removal::Exit => "goes off across the river",
    }
}
