//! The story of a match: a sentence for every event.

use sengoku_tower::data::{ByColour, SeatId, Space};
use sengoku_tower::{Event, State};

use super::words::{building_text, effect_text, favour_text, seat_text, space_text, special_text};
use crate::story::{Told, count, list};

mod battle;
mod court;

/// Tells events in order.
pub(super) struct Teller<'a> {
    state: &'a State,
}

impl<'a> Teller<'a> {
    pub(super) const fn new(state: &'a State) -> Self {
        Self { state }
    }

    /// The display name of a province by its key.
    fn province(&self, key: &str) -> String {
        let board = self.state.board;
        board.find(key).map_or_else(|| key.into(), |province| board.name(province).into())
    }

    fn provinces(&self, keys: &[&str]) -> String {
        list(&keys.iter().map(|key| self.province(key)).collect::<Vec<_>>())
    }

    fn seat(&self, seat: SeatId) -> &'static str {
        self.state.colour_name(seat)
    }

    fn seats(&self, seats: &[SeatId]) -> String {
        list(&seats.iter().map(|&seat| self.seat(seat)).collect::<Vec<_>>())
    }

    /// Cubes by colour.
    fn cubes(&self, cubes: &ByColour) -> String {
        let players = (0..self.state.options.seats).map(SeatId).filter(|&seat| cubes.of(seat) > 0);
        let players = players.map(|seat| format!("{} {}", cubes.of(seat), self.seat(seat)));
        let farmers = (cubes.farmers() > 0).then(|| count(cubes.farmers(), "farmer", "farmers"));
        list(&players.chain(farmers).collect::<Vec<_>>())
    }

    /// A card in a plan, by its word in the log.
    fn card(&self, word: &str) -> String {
        match word {
            "tower" => "the tower card".into(),
            "empty" => "no card".into(),
            "face_down" => "a card that stays hidden".into(),
            _ => match word.strip_prefix("treasure_") {
                Some(value) => format!("treasure card {value}"),
                None => self.province(word),
            },
        }
    }

    fn favour(&self, card: u8) -> String {
        favour_text(self.state.board.favour(card))
    }

    pub(super) fn tell(&self, event: &Event) -> Told {
        match event {
            Event::DraftOpened { .. }
            | Event::DraftRefreshed { .. }
            | Event::DraftTaken { .. }
            | Event::GroupPlaced { .. }
            | Event::DraftReplaced { .. }
            | Event::TowerFilled { .. }
            | Event::OfficersGranted { .. } => self.draft(event),
            Event::EventsOpened { .. }
            | Event::SeasonBegun { .. }
            | Event::ActionCards { .. }
            | Event::SpecialCards { .. }
            | Event::FavoursLaid { .. }
            | Event::PlansClosed { .. }
            | Event::EventDrawn { .. }
            | Event::Bid { .. }
            | Event::Lots { .. }
            | Event::SlotTaken { .. }
            | Event::TurnOrder { .. }
            | Event::SeasonOver { .. }
            | Event::YearOver { .. }
            | Event::Over { .. } => self.season(event),
            Event::ActionBegun { .. }
            | Event::ActionRevealed { .. }
            | Event::CardRevealed { .. }
            | Event::Passed { .. }
            | Event::Built { .. }
            | Event::Unrest { .. }
            | Event::Collected { .. }
            | Event::Deployed { .. }
            | Event::Moved { .. }
            | Event::Stayed { .. } => self.action(event),
            Event::Attack { .. }
            | Event::Revolt { .. }
            | Event::Thrown { .. }
            | Event::Settled { .. }
            | Event::Conquered { .. }
            | Event::Neutral { .. }
            | Event::CardLost { .. }
            | Event::Bumped { .. } => self.battle(event),
            Event::Converted { .. }
            | Event::NotConverted { .. }
            | Event::CourtOrder { .. }
            | Event::Audience { .. }
            | Event::FavourTaken { .. }
            | Event::NoFavour { .. }
            | Event::FavourGained { .. }
            | Event::FavourWithoutEffect { .. }
            | Event::FavourKept { .. }
            | Event::FavourUsed { .. }
            | Event::EventRemoved { .. }
            | Event::CourtClosed { .. } => self.court(event),
            Event::RiceLost { .. }
            | Event::Supplied { .. }
            | Event::RevoltsDrawn { .. }
            | Event::Scored { .. } => self.winter(event),
        }
    }

    /// The draft and the first filling of the tower.
    fn draft(&self, event: &Event) -> Told {
        match event {
            Event::DraftOpened { open } => {
                Told::Heading(1, format!("draft: {} lie open", self.provinces(open)))
            }
            Event::DraftRefreshed { seat, open } => Told::Detail(format!(
                "{} puts both open cards under the deck; {} are turned up",
                self.seat(*seat),
                self.provinces(open)
            )),
            Event::DraftTaken { seat, province, position } => Told::Detail(format!(
                "{} takes {} from the {}",
                self.seat(*seat),
                self.province(province),
                if position.is_some() { "open cards" } else { "deck" }
            )),
            Event::GroupPlaced { seat, province, armies } => Told::listed(
                format!("{} places", self.seat(*seat)),
                format!("{} in {}", count(*armies, "army", "armies"), self.province(province)),
            ),
            Event::DraftReplaced { province, position: _ } => {
                Told::Detail(format!("{} is turned up", self.province(province)))
            }
            Event::TowerFilled { thrown, out } => Told::Detail(format!(
                "the tower is filled with {}; {} come out",
                self.cubes(thrown),
                self.cubes(out)
            )),
            Event::OfficersGranted { seat, officers } => Told::listed(
                "For armies that came out:",
                format!("{} gets {}", self.seat(*seat), count(*officers, "officer", "officers")),
            ),
            _ => unreachable!("{event:?} is told elsewhere"),
        }
    }

    /// Seasons up to the turn order, and how they end.
    fn season(&self, event: &Event) -> Told {
        match event {
            Event::EventsOpened { year, cards } => {
                let effects = cards.iter().map(|&card| effect_text(self.state.board.event(card).effect));
                Told::Line(format!("the events of year {year}: {}", list(&effects.collect::<Vec<_>>())))
            }
            Event::SeasonBegun { year, round } => Told::Heading(1, format!("year {year}, {}", round.name())),
            Event::ActionCards { cards } => {
                Told::Detail(format!("the first actions are {}", spaces_text(cards)))
            }
            Event::SpecialCards { cards } => {
                let cards: Vec<&str> = cards.iter().map(|&card| special_text(card)).collect();
                Told::Detail(format!("the special cards are {}", list(&cards)))
            }
            Event::FavoursLaid { cards } => {
                let cards: Vec<String> = cards.iter().flatten().map(|&card| self.favour(card)).collect();
                Told::Detail(format!("the favours are {}", list(&cards)))
            }
            Event::PlansClosed { empty } => {
                let left_empty: Vec<String> = empty
                    .iter()
                    .zip(0..)
                    .filter(|(spaces, _)| !spaces.is_empty())
                    .map(|(spaces, seat)| {
                        format!("{} leaves {} empty", self.seat(SeatId(seat)), spaces_text(spaces))
                    })
                    .collect();
                let how =
                    if left_empty.is_empty() { String::new() } else { format!(": {}", list(&left_empty)) };
                Told::Detail(format!("all plans are made{how}"))
            }
            Event::EventDrawn { card: _, effect } => {
                Told::Line(format!("the event of the season: {}", effect_text(*effect)))
            }
            Event::Bid { seat, card, paid } => Told::listed(
                "Bids:",
                format!("{} {} ({})", self.seat(*seat), self.card(card), count(*paid, "chest", "chests")),
            ),
            Event::Lots { order } => Told::Detail(format!("lots decide: {}", self.seats(order))),
            Event::SlotTaken { seat, slot, special } => Told::listed(
                "Special cards:",
                format!("{} takes {} and slot {slot}", self.seat(*seat), special_text(*special)),
            ),
            Event::TurnOrder { order } => Told::Line(format!("the turn order is {}", self.seats(order))),
            Event::SeasonOver { round } => Told::Detail(format!("{} is over", round.name())),
            Event::YearOver { year } => Told::Detail(format!("year {year} is over")),
            Event::Over { reason, winners } => Told::Line(match (*reason, &winners[..]) {
                (_, [winner]) => format!("{} wins", seat_text(self.state, *winner)),
                (_, []) => "the match ends after its last round without a winner by rule".into(),
                _ => format!("{} share the victory", self.seats(winners)),
            }),
            _ => unreachable!("{event:?} is told elsewhere"),
        }
    }

    /// The ten actions of a season.
    fn action(&self, event: &Event) -> Told {
        match event {
            Event::ActionBegun { place, action } => {
                Told::Heading(2, format!("action {place}: {}", space_text(*action)))
            }
            Event::ActionRevealed { place, action } => {
                Told::Detail(format!("action {place} will be {}", space_text(*action)))
            }
            Event::CardRevealed { seat, card, space: _ } => {
                Told::listed_detail("Plans:", format!("{} {}", self.seat(*seat), self.card(card)))
            }
            Event::Passed { seat, action, province, reason } => Told::Detail(format!(
                "{} cannot carry out {} in {} ({})",
                self.seat(*seat),
                space_text(*action),
                self.province(province),
                reason.replace('_', " ")
            )),
            Event::Built { seat, province, building, paid } => Told::Line(format!(
                "{} builds a {} in {} for {}",
                self.seat(*seat),
                building_text(*building),
                self.province(province),
                count(*paid, "chest", "chests")
            )),
            Event::Unrest { province, markers } => Told::listed_detail(
                "Unrest:",
                format!("{} now has {}", self.province(province), count(*markers, "marker", "markers")),
            ),
            Event::Collected { seat, action, province, amount } => Told::Line(format!(
                "{} collects {amount} {} in {}",
                self.seat(*seat),
                if *action == Space::Tax { "chests" } else { "rice" },
                self.province(province)
            )),
            Event::Deployed { seat, province, armies, paid } => Told::Line(format!(
                "{} places {} in {} for {}",
                self.seat(*seat),
                count(*armies, "army", "armies"),
                self.province(province),
                count(*paid, "chest", "chests")
            )),
            Event::Moved { seat, from, to, armies } => Told::Line(format!(
                "{} moves {} from {} to {}",
                self.seat(*seat),
                count(*armies, "army", "armies"),
                self.province(from),
                self.province(to)
            )),
            Event::Stayed { seat, province } => {
                Told::Detail(format!("{} stays in {}", self.seat(*seat), self.province(province)))
            }
            _ => unreachable!("{event:?} is told elsewhere"),
        }
    }

    fn winter(&self, event: &Event) -> Told {
        match event {
            Event::RiceLost { loss, rice, card: _ } => {
                let left: Vec<String> = rice
                    .iter()
                    .zip(0..)
                    .map(|(rice, seat)| format!("{} {rice}", self.seat(SeatId(seat))))
                    .collect();
                Told::Line(format!("everybody loses {loss} rice; left are {}", list(&left)))
            }
            Event::Supplied { seat, provinces, rice, shortage } => Told::Line(format!(
                "{} feeds {} with {rice} rice{}",
                self.seat(*seat),
                count(*provinces, "province", "provinces"),
                if *shortage > 0 { format!(", {shortage} short") } else { String::new() }
            )),
            Event::RevoltsDrawn { seat, by, provinces, extra_farmers } => Told::Line(format!(
                "{} draws {} of {} for revolts{}",
                self.seat(*by),
                self.provinces(provinces),
                self.seat(*seat),
                if *extra_farmers > 0 {
                    format!(", each with {} more", count(*extra_farmers, "farmer", "farmers"))
                } else {
                    String::new()
                }
            )),
            Event::Scored { seat, tally, score } => Told::Line(format!(
                "{} scores {} for provinces, {} for buildings, {} for majorities{}: {score} in all",
                self.seat(*seat),
                tally.provinces,
                tally.buildings,
                tally.majorities.total(),
                if tally.favours > 0 { format!(", {} for favours", tally.favours) } else { String::new() }
            )),
            _ => unreachable!("{event:?} is told elsewhere"),
        }
    }
}

fn spaces_text(spaces: &[Space]) -> String {
    list(&spaces.iter().map(|&space| space_text(space)).collect::<Vec<_>>())
}
