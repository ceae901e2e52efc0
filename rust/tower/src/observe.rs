//! Observations: the information that a seat may see (TW-D-12, TW-D-13, TW-R-41, CT-R-01).

use sengoku_kernel::Seat;
use sengoku_kernel::cube_tower::{Colour, CubeTower, MAX_CAPACITY, SHELVES};
use serde_json::{Value, json};

use crate::data::{
    Building, COLOURS, Card, EVENTS, FARMER, FavourDeck, MAX_PLAYERS, PROVINCES, ProvinceId, SeatId,
};
use crate::position::on_board;
use crate::state::{End, Plan, Point, State};

pub(crate) const HEADER: usize = 84;
pub(crate) const PER_PLAYER: usize = 64;
pub(crate) const PER_PROVINCE: usize = 6;
/// Bytes of an observation: what is common, then the players, then the provinces.
pub(crate) const OBSERVATION_SIZE: usize = HEADER + MAX_PLAYERS * PER_PLAYER + PROVINCES * PER_PROVINCE;

/// Nobody, nowhere, nothing, unknown, where a number says who, where or what.
const NONE: u8 = 255;

impl State {
    /// Cubes in the tower by colour, public by subtraction (TW-TOWER-14).
    pub fn inside(&self) -> [u8; COLOURS] {
        self.tower.contents().map(|count| count as u8)
    }

    /// Event cards that acted, or were left over, in this match (TW-D-12).
    pub fn used_events(&self) -> impl Iterator<Item = u8> {
        let none_yet = self.event_deck.is_empty();
        (1..=EVENTS as u8).filter(move |card| {
            !none_yet
                && !self.event_deck.contains(card)
                && !self.open_events.contains(card)
                && self.event != Some(*card)
        })
    }

    /// Whether plans are still being entered, so that nothing of another's can be seen.
    const fn is_planning(&self) -> bool {
        matches!(self.point, Point::Plan(_))
    }

    /// The plan of a player as a seat sees it.
    fn seen_plan(&self, seat: Seat, player: SeatId) -> Plan {
        let mut plan = self.players[player].plan;
        if player.0 == seat.0 {
            return plan;
        }
        if self.is_planning() {
            return Plan::default();
        }
        for space in crate::data::Space::ALL {
            let card = &mut plan.0[space.index()];
            if *card != Card::Empty && !self.players[player].revealed.has(space) {
                *card = Card::FaceDown;
            }
        }
        plan
    }

    /// The state without what a seat may not see. Orders that are hidden become ascending: what is in a deck is public.
    pub(crate) fn redacted(&self, seat: Seat) -> Self {
        let mut seen = *self;
        for player in self.everyone() {
            seen.players[player].plan = self.seen_plan(seat, player);
        }
        let revealed = usize::from(self.action_revealed).min(self.action_order.len());
        seen.action_order[revealed..].sort_unstable();
        seen.draft.deck.sort_unstable();
        seen.event_deck.sort_unstable();
        let known = usize::from(self.options.favour_deck == FavourDeck::OpenTop).min(self.court.deck.len());
        seen.court.deck[known..].sort_unstable();
        seen.tower = sorted(&self.tower);
        (seen.draws, seen.tower_draws) = (0, 0);
        seen
    }

    /// Everything, or what a seat may see, as a table of names and numbers; what it may not see is null.
    pub(crate) fn table(&self, seat: Option<Seat>) -> Value {
        let state = seat.map_or(*self, |seat| self.redacted(seat));
        let mut table = on_board(self.board, || serde_json::to_value(state)).unwrap_or(Value::Null);
        if let Some(players) = table["players"].as_array_mut() {
            players.truncate(usize::from(self.options.seats));
        }
        if let Some(provinces) = table["provinces"].as_object_mut() {
            for province in ProvinceId::all().filter(|province| self.in_play() & province.bit() == 0) {
                provinces.shift_remove(self.board.key(province));
            }
        }
        table["phase"] = self.phase().into();
        table["tiles"] = Building::ALL
            .into_iter()
            .map(|building| (building.name().to_owned(), Value::from(self.tiles(building))))
            .collect::<serde_json::Map<_, _>>()
            .into();
        table["inside"] = json!(self.inside());
        table["used_events"] = self.used_events().collect();
        table["tower_model"] = json!({ "shelves": self.parameters.shelves() });
        let Some(seat) = seat else { return table };
        for field in ["draws", "tower_draws", "tower", "event_deck"] {
            table[field] = Value::Null;
        }
        table["draft"]["deck"] = Value::Null;
        let deck = &mut table["court"]["deck"];
        match (self.options.favour_deck, deck.as_array_mut()) {
            (FavourDeck::OpenTop, Some(cards)) => cards.truncate(1),
            _ => *deck = Value::Null,
        }
        let revealed = usize::from(self.action_revealed);
        if let Some(cards) = table["action_order"].as_array_mut() {
            cards.iter_mut().skip(revealed).for_each(|card| *card = Value::Null);
        }
        if self.is_planning() {
            for other in self.everyone().filter(|other| other.0 != seat.0) {
                table["players"][other.index()]["plan"] = Value::Null;
            }
        }
        table
    }

    /// Writes an observation: see the crate's README for the meaning of every byte.
    ///
    /// It is written from the whole state, since a redacted copy takes longer than all the rest: of what is hidden, only
    /// the plans are written at all; of decks, only what is in them, and of the tower, only how many cubes.
    pub(crate) fn write_observation(&self, seat: Seat, out: &mut [u8]) {
        out.fill(0);
        let (header, rest) = out.split_at_mut(HEADER);
        let inside = self.inside();
        self.write_header(seat, inside[usize::from(FARMER)], header);
        let (players, provinces) = rest.split_at_mut(MAX_PLAYERS * PER_PLAYER);
        for (player, bytes) in self.everyone().zip(players.chunks_exact_mut(PER_PLAYER)) {
            self.write_player(player, &self.seen_plan(seat, player), inside[player.index()], bytes);
        }
        let in_play = self.in_play();
        for (province, bytes) in ProvinceId::all().zip(provinces.as_chunks_mut().0) {
            *bytes = self.province_bytes(province, in_play);
        }
    }

    fn write_header(&self, seat: Seat, farmers_inside: u8, out: &mut [u8]) {
        let options = &self.options;
        let place = |province: Option<ProvinceId>| province.map_or(NONE, |province| province.0);
        let (point, detail) = self.point_code();
        let mut writer = Bytes { out, at: 0 };
        writer.put(&[
            options.seats,
            seat.0,
            options.side as u8 | (options.mode as u8) << 1 | u8::from(options.court) << 2,
            options.reveal as u8 | u8::from(options.allow_zero_move) << 1 | (options.favour_deck as u8) << 2,
            options.event12_rice_loss,
            u8::from(options.bump_65536.is_some()),
            self.year,
            self.round as u8,
            point,
            detail,
            if self.is_over() { NONE } else { self.decider.0 },
            self.place,
            self.turn,
            self.action_revealed,
            self.event.unwrap_or(NONE),
            u8::from(self.event_removed),
            self.extra_farmers,
            place(self.revolt),
            self.court.taken.unwrap_or(NONE),
            self.court.turn,
        ]);
        let revealed = usize::from(self.action_revealed).min(self.action_order.len());
        writer.list::<10>(self.action_order[..revealed].iter().map(|&action| action as u8));
        writer.list::<5>(self.special_on_slot.iter().map(|&special| special as u8));
        writer.list::<5>(self.bid_order.iter().map(|seat| seat.0));
        writer.list::<5>(self.turn_order.iter().map(|seat| seat.0));
        writer.list::<4>(self.open_events.iter().copied());
        let used = self.used_events().fold(0_u16, |set, card| set | 1 << card);
        writer.put(&used.to_le_bytes());
        writer.put(&self.court.laid.map(|card| card.unwrap_or(NONE)));
        writer.list::<5>(self.court.order.iter().map(|seat| seat.0));
        let top = (options.favour_deck == FavourDeck::OpenTop).then(|| self.court.deck.first().copied());
        writer.put(&[top.flatten().unwrap_or(NONE)]);
        writer.list::<3>(self.pending.iter().map(|province| province.0));
        writer.put(&self.draft.open.map(place));
        writer.put(&[place(self.draft.taken)]);
        let farmers = usize::from(FARMER);
        writer.put(&[self.supply.0[farmers], self.tray.0[farmers], farmers_inside]);
        writer.put(&Building::ALL.map(|building| self.tiles(building)));
        writer.put(&(options.max_rounds.min(255) as u8).to_le_bytes());
    }

    /// The point as a number, and a byte about it.
    const fn point_code(&self) -> (u8, u8) {
        match self.point {
            Point::DraftRefresh => (0, 0),
            Point::DraftCard => (1, 0),
            Point::DraftGroup => (2, 0),
            Point::Season => (3, 0),
            Point::Plan(entered) => (4, entered),
            Point::Event => (5, 0),
            Point::Slot => (6, 0),
            Point::Court => (7, 0),
            Point::Hall => (8, 0),
            Point::Favour => (9, 0),
            Point::FavourEvent => (10, 0),
            Point::FavourUnrest => (11, 0),
            Point::FavourArmies => (12, 0),
            Point::FavourBuilding => (13, 0),
            Point::Turn => (14, 0),
            Point::Kept => (15, 0),
            Point::Act => (16, 0),
            Point::DeployMove => (17, 0),
            Point::Battle => (18, 0),
            Point::CleanUp => (19, 0),
            Point::Winter => (20, 0),
            Point::Revolts => (21, 0),
            Point::Revolt => (22, 0),
            Point::Quell => (23, 0),
            Point::Score => (24, 0),
            Point::Over(End::SecondWinter) => (25, 0),
            Point::Over(End::RoundLimit) => (25, 1),
        }
    }

    fn write_player(&self, seat: SeatId, plan: &Plan, inside: u8, out: &mut [u8]) {
        let player = &self.players[seat];
        let mut writer = Bytes { out, at: 0 };
        for count in [player.chests, player.rice, player.score] {
            writer.put(&count.to_le_bytes());
        }
        let officers = player.officers;
        writer.put(&[
            self.supply.of(seat),
            self.tray.of(seat),
            inside,
            self.province_count(seat),
            player.slot,
            player.special.map_or(NONE, |special| special as u8),
            player.shortage,
            officers.supply,
            officers.entrance,
            officers.hall,
            self.options.colours[seat.index()],
        ]);
        writer.put(&player.kept.0.to_le_bytes()[..3]);
        writer.list::<9>(player.groups.iter().copied());
        writer.put(&player.last_pair.map_or([NONE; 2], |pair| pair.map(|province| province.0)));
        writer.put(&plan.0.map(Card::code));
        writer.put(&player.revealed.0.to_le_bytes());
        for tally in player.tally {
            writer.put(&[tally.provinces, tally.buildings, tally.favours]);
            writer.put(&tally.majorities.0.to_le_bytes());
        }
    }

    fn province_bytes(&self, number: ProvinceId, in_play: u64) -> [u8; PER_PROVINCE] {
        let province = &self.provinces[number];
        [
            u8::from(in_play & number.bit() != 0),
            province.owner.map_or(NONE, |owner| owner.0),
            province.armies,
            u8::from(province.castle) | u8::from(province.temple) << 1 | u8::from(province.no) << 2,
            province.unrest,
            0,
        ]
    }
}

/// The same cubes, arranged in the one way that tells nothing: by colour, from the upper shelf on.
fn sorted(tower: &CubeTower) -> CubeTower {
    let mut cubes = [Colour(0); *SHELVES.end() * MAX_CAPACITY];
    let mut count = 0;
    for (colour, more) in (0..).zip(tower.contents::<COLOURS>()) {
        let more = usize::from(more);
        cubes[count..count + more].fill(Colour(colour));
        count += more;
    }
    let mut chunks = cubes[..count].chunks(MAX_CAPACITY);
    let shelves: [&[Colour]; *SHELVES.end()] = std::array::from_fn(|_| chunks.next().unwrap_or_default());
    CubeTower::from_shelves(&shelves)
}

/// Bytes written one after the other.
struct Bytes<'a> {
    out: &'a mut [u8],
    at: usize,
}

impl Bytes<'_> {
    fn put(&mut self, bytes: &[u8]) {
        self.out[self.at..self.at + bytes.len()].copy_from_slice(bytes);
        self.at += bytes.len();
    }

    /// A list in `N` places, filled up with [`NONE`].
    fn list<const N: usize>(&mut self, items: impl Iterator<Item = u8>) {
        let mut bytes = [NONE; N];
        for (byte, item) in bytes.iter_mut().zip(items) {
            *byte = item;
        }
        self.put(&bytes);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use sengoku_kernel::conformance::{self, Visibility};
    use serde_json::json;

    use super::*;

    #[test]
    fn the_tower_is_seen_by_colours_alone() {
        // TW-D-12, TW-TOWER-14
        let cubes = |colours: &[u8]| -> Vec<Colour> { colours.iter().copied().map(Colour).collect() };
        let arranged =
            |upper: &[u8], lower: &[u8]| sorted(&CubeTower::from_shelves(&[&cubes(upper), &cubes(lower)]));
        let seen = arranged(&[2, 0, 5], &[1, 0]);
        assert_eq!(seen, arranged(&[0, 1], &[0, 2, 5]));
        assert_eq!(seen.shelf(0), cubes(&[0, 0, 1, 2, 5]));
        let full = arranged(&[5; 40], &[3; 40]); // more than one shelf takes
        assert_eq!(full.contents::<COLOURS>(), [0, 0, 0, 40, 0, 40]);
        assert_eq!(full.shelf(0).len(), MAX_CAPACITY);
    }

    /// Counts, over some matches, the visible and hidden changes of every variable.
    fn visibility() -> BTreeMap<String, Visibility> {
        let rebuild = |table| {
            let mut state: State = serde_json::from_value(table).ok()?;
            state.index_owners();
            Some(state)
        };
        let mut visibility: BTreeMap<String, Visibility> = BTreeMap::new();
        for (seats, setup, decisions) in [
            (3, json!({ "court": true }), (1_000, 7)),
            (4, json!({ "mode": "draft", "court": true, "favour_deck": "hidden" }), (1_000, 9)),
        ] {
            for (name, one) in
                conformance::check_visibility(seats, &setup, decisions, &["provinces"], rebuild)
            {
                let sum = visibility.entry(name).or_default();
                (sum.hidden, sum.shown) = (sum.hidden + one.hidden, sum.shown + one.shown);
                sum.missing += one.missing;
            }
        }
        visibility
    }

    #[test]
    fn an_observation_has_what_the_seat_may_see_and_nothing_else() {
        let visibility = visibility();
        // Read when it runs: the list has a reason for each name, for people.
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hidden.txt");
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let listed = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        let listed: Vec<&str> = listed.filter(|line| !line.is_empty()).collect();
        assert_eq!(conformance::hidden_and_missing(&visibility), listed);
        assert!(visibility.values().filter(|visibility| visibility.shown > 0).count() > 40, "{visibility:?}");
    }
}
