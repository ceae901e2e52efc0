//! What is always true of a state, for everything that comes from outside and after every decision of a debug build.

use sengoku_kernel::cube_tower::count;
use sengoku_kernel::{List, SetupError};

use crate::data::{
    ACTIONS, Building, COLOURS, Card, EVENTS, FARMER, FAVOURS, IN_THE_BOX, MAX_PLAYERS, Mode, OFFICERS,
    ProvinceId, Round, SLOTS, SeatId, Side, Space, TOWER_CARDS, UNREST_MARKERS,
};
use crate::state::{Court, Draft, End, Plan, Player, Point, Province, State, Tally};

/// Most chests, rice or points that a counter is let grow to.
pub(crate) const MAX_COUNT: u16 = 60_000;
/// Most unrest markers in a province: three of a position and three of the year (TW-ST-20).
pub(crate) const MAX_UNREST: u8 = 6;
/// Most points by favours in a year.
const MAX_FAVOUR_POINTS: u8 = 250;

/// An error at a field, unless something holds.
fn ensure(holds: bool, field: &str, reason: impl FnOnce() -> String) -> Result<(), SetupError> {
    if holds { Ok(()) } else { Err(SetupError::new(field, reason())) }
}

/// Whether all items differ.
fn distinct<T: PartialEq>(items: &[T]) -> bool {
    items.iter().enumerate().all(|(place, item)| !items[..place].contains(item))
}

/// What a point belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Drafting,
    Between,
    Planning,
    Closed,
    Slots,
    Converting,
    Audience,
    Actions,
    Winter,
    Over,
}

impl State {
    fn stage(&self) -> Stage {
        match self.point {
            Point::DraftRefresh | Point::DraftCard | Point::DraftGroup => Stage::Drafting,
            Point::Season => Stage::Between,
            Point::Plan(_) => Stage::Planning,
            Point::Event => Stage::Closed,
            Point::Slot => Stage::Slots,
            Point::Court => Stage::Converting,
            Point::Hall
            | Point::Favour
            | Point::FavourEvent
            | Point::FavourUnrest
            | Point::FavourArmies
            | Point::FavourBuilding => Stage::Audience,
            Point::Kept if self.round == Round::Winter => Stage::Winter,
            Point::Turn | Point::Kept | Point::Act | Point::DeployMove | Point::Battle | Point::CleanUp => {
                Stage::Actions
            }
            Point::Winter | Point::Revolts | Point::Revolt | Point::Quell | Point::Score => Stage::Winter,
            Point::Over(_) => Stage::Over,
        }
    }

    /// Checks everything that is always true of a state.
    ///
    /// # Errors
    /// [`SetupError`] with the field and what is wrong with it.
    pub fn check(&self) -> Result<(), SetupError> {
        self.check_options()?;
        self.check_time()?;
        self.check_provinces()?;
        self.check_cubes()?;
        self.check_players()?;
        self.check_draft()?;
        self.check_events()?;
        self.check_layout()?;
        self.check_order()?;
        self.check_plans()?;
        self.check_court()?;
        self.check_winter()?;
        self.check_point()
    }

    fn check_options(&self) -> Result<(), SetupError> {
        let options = &self.options;
        let seats = options.seats;
        ensure((3..=5).contains(&seats), "options.seats", || format!("{seats}, 3 to 5 can play"))?;
        ensure(options.side == Side::Sun || options.mode == Mode::Draft, "options.mode", || {
            "\"fixed\" exists only for the sun side (TW-SETUP-01)".into()
        })?;
        let bump = options.bump_65536.unwrap_or(0);
        ensure(bump <= 65_536, "options.bump_65536", || format!("{bump}, at most 65536"))?;
        let event12 = self.board.event(EVENTS as u8);
        let loss = options.event12_rice_loss;
        let known = [Some(event12.rice_loss), event12.rice_loss_printed_card].contains(&Some(loss));
        ensure(known, "options.event12_rice_loss", || format!("{loss} is on neither card"))?;
        ensure(options.max_rounds > 0, "options.max_rounds", || "0 rounds, a match has at least 1".into())?;
        ensure(self.decider.0 < seats, "decider", || format!("there is no seat {}", self.decider.0))
    }

    /// Year, round and point go together (TW-ST-02).
    fn check_time(&self) -> Result<(), SetupError> {
        let (year, round) = (self.year, self.round);
        ensure((1..=2).contains(&year), "year", || format!("{year}, there are 2"))?;
        if let Point::Plan(entered) = self.point {
            let spaces = self.spaces();
            ensure(usize::from(entered) < spaces, "point.plan", || format!("{entered} of {spaces} spaces"))?;
        }
        let season = matches!(round, Round::Spring | Round::Summer | Round::Autumn);
        let fits = match self.stage() {
            Stage::Drafting => round == Round::Setup && year == 1,
            Stage::Between => match round {
                Round::Setup => year == 1,
                Round::Spring | Round::Summer => true,
                Round::Autumn => false,
                Round::Winter => year == 2,
            },
            Stage::Winter => round == Round::Winter,
            Stage::Over => match self.point {
                Point::Over(End::SecondWinter) => year == 2 && round == Round::Winter,
                _ => round != Round::Setup,
            },
            _ => season,
        };
        ensure(fits, "round", || format!("{} of year {year} does not go with the point", round.name()))
    }

    fn check_provinces(&self) -> Result<(), SetupError> {
        let in_play = self.in_play();
        for province in ProvinceId::all() {
            let it = &self.provinces[province];
            let field = || format!("provinces.{}", self.board.key(province));
            let wrong =
                |name: &str, reason: String| Err(SetupError::new(format!("{}.{name}", field()), reason));
            if in_play & province.bit() == 0 && *it != Province::default() {
                return Err(SetupError::new(field(), "is out of the game (TW-BOARD-04)"));
            }
            match it.owner {
                None if *it != Province::default() => {
                    return Err(SetupError::new(field(), "is neutral, so it holds nothing (TW-BOARD-06)"));
                }
                Some(owner) if owner.0 >= self.options.seats => {
                    return wrong("owner", format!("there is no seat {}", owner.0));
                }
                Some(_) if it.armies == 0 => {
                    return wrong("armies", "0 in an owned province (TW-BOARD-07)".into());
                }
                _ => {}
            }
            let sites = self.map().sites(province);
            if it.buildings() > sites {
                return wrong("castle", format!("{} buildings on {sites} sites", it.buildings()));
            }
            if it.unrest > MAX_UNREST {
                return wrong("unrest", format!("{}, at most {MAX_UNREST}", it.unrest));
            }
        }
        let markers = self.unrest_markers();
        ensure(markers <= UNREST_MARKERS, "provinces", || {
            format!("{markers} unrest markers, there are {UNREST_MARKERS} (TW-R-02)")
        })?;
        for building in Building::ALL {
            let built = self.provinces.0.iter().filter(|province| province.has(building)).count();
            ensure(built <= usize::from(building.tiles()), "provinces", || {
                format!("{built} tiles \"{}\", there are {}", building.name(), building.tiles())
            })?;
        }
        Ok(())
    }

    /// No cube is created or lost (TW-TOWER-04, TW-TOWER-05).
    fn check_cubes(&self) -> Result<(), SetupError> {
        ensure(self.tower.fits(self.parameters), "tower", || "more cubes on a shelf than it holds".into())?;
        let inside: [u16; COLOURS] = count(self.tower.cubes());
        let mut sums: [u32; COLOURS] = std::array::from_fn(|colour| {
            u32::from(self.supply.0[colour]) + u32::from(self.tray.0[colour]) + u32::from(inside[colour])
        });
        for province in &self.provinces.0 {
            if let Some(owner) = province.owner {
                sums[owner.index()] += u32::from(province.armies);
            }
        }
        for (sum, player) in sums.iter_mut().zip(&self.players.0) {
            *sum += player.groups.iter().map(|&size| u32::from(size)).sum::<u32>();
        }
        for colour in 0..COLOURS as u8 {
            let there = colour == FARMER || colour < self.options.seats;
            let (sum, all) = (sums[usize::from(colour)], if there { IN_THE_BOX[colour] } else { 0 });
            ensure(sum == u32::from(all), &format!("supply[{colour}]"), || {
                format!("{sum} cubes of colour {colour} in all, {all} wanted (TW-TOWER-04)")
            })?;
        }
        Ok(())
    }

    fn check_players(&self) -> Result<(), SetupError> {
        for seat in (0..MAX_PLAYERS as u8).map(SeatId) {
            let player = &self.players[seat];
            let at = |name: &str| format!("players[{}].{name}", seat.0);
            if seat.0 >= self.options.seats {
                ensure(*player == Player::default(), &format!("players[{}]", seat.0), || {
                    "a seat that is not taken has something".into()
                })?;
                continue;
            }
            for (name, value) in [("chests", player.chests), ("rice", player.rice), ("score", player.score)] {
                ensure(value <= MAX_COUNT, &at(name), || format!("{value}, at most {MAX_COUNT}"))?;
            }
            for (year, tally) in player.tally.iter().enumerate() {
                let field = at(&format!("tally[{year}]"));
                let most = MAX_FAVOUR_POINTS;
                ensure(tally.favours <= most, &field, || format!("{} by favours", tally.favours))?;
                let later = year >= usize::from(self.year);
                ensure(!later || *tally == Tally::default(), &field, || "points of a year to come".into())?;
            }
            let officers = player.officers;
            let sum = u32::from(officers.supply) + u32::from(officers.entrance) + u32::from(officers.hall);
            let wanted = if self.options.court { OFFICERS.into() } else { 0 };
            ensure(sum == wanted, &at("officers"), || {
                format!("{sum} in all, {wanted} wanted (CT-SETUP-02)")
            })?;
            let hall = officers.hall == 0 || self.stage() == Stage::Audience;
            ensure(hall, &at("officers.hall"), || format!("{} outside the audience", officers.hall))?;
            let wintry = self.round == Round::Winter && self.point != Point::Winter;
            let short = player.shortage <= if wintry { 45 } else { 0 };
            ensure(short, &at("shortage"), || format!("{} at this point", player.shortage))?;
        }
        Ok(())
    }

    /// The draft (TW-ST-16), and that nothing of it is left afterwards.
    fn check_draft(&self) -> Result<(), SetupError> {
        let drafting = self.stage() == Stage::Drafting;
        if !drafting {
            let nothing = self.draft == Draft::default();
            ensure(nothing, "draft", || "something is left of the draft".into())?;
            for seat in self.everyone() {
                let player = &self.players[seat];
                let nothing = player.groups.is_empty() && player.last_pair.is_none();
                ensure(nothing, &format!("players[{}].groups", seat.0), || "outside the draft".into())?;
            }
            return Ok(());
        }
        ensure(self.options.mode == Mode::Draft, "options.mode", || "\"fixed\" has no draft".into())?;
        let untouched = self.tower.is_empty() && self.tray.total() == 0;
        ensure(untouched, "tower", || "the tower is filled after the draft".into())?;
        let rest = self.players[self.decider].groups.len();
        ensure(rest > 0, "decider", || "the seat on turn has no group left".into())?;
        let mut left = 0;
        for seat in self.everyone() {
            let groups = &self.players[seat].groups;
            let field = format!("players[{}].groups", seat.0);
            let wanted = rest - usize::from(seat < self.decider);
            ensure(groups.len() == wanted, &field, || format!("{} left, {wanted} wanted", groups.len()))?;
            let sound = groups.iter().all(|&size| (1..=crate::data::MAX_GROUP).contains(&size))
                && groups.windows(2).all(|pair| pair[0] >= pair[1]);
            ensure(sound, &field, || "not sizes from the largest to the smallest".into())?;
            let pair = self.players[seat].last_pair;
            let sorted = pair.is_none_or(|pair| pair[0] < pair[1]);
            ensure(sorted, &format!("players[{}].last_pair", seat.0), || "the smaller comes first".into())?;
            left += groups.len();
        }
        let cards = self.draft.deck.iter().copied().chain(self.draft.open.into_iter().flatten());
        let cards: List<ProvinceId, 48> = cards.chain(self.draft.taken).collect();
        let set = cards.iter().fold(0, |set, card| set | card.bit());
        let all = distinct(&cards) && set == self.neutral();
        ensure(all, "draft", || "not every neutral province has its card there once".into())?;
        ensure(cards.len() >= left + 2, "draft.deck", || format!("{} cards for {left} groups", cards.len()))?;
        let taken = self.draft.taken.is_some() == (self.point == Point::DraftGroup);
        ensure(taken, "draft.taken", || "does not go with the point".into())?;
        let open = self.draft.open.iter().flatten().count();
        let least = if self.point == Point::DraftGroup { 1 } else { 2 };
        ensure(open >= least, "draft.open", || format!("{open} open cards"))?;
        let pair = self.open_pair();
        let refresh = self.point != Point::DraftRefresh || self.players[self.decider].last_pair == pair;
        ensure(refresh, "point", || "the open cards are not those of the last turn (TW-SETUP-07)".into())
    }

    /// Seasons of the year whose event has been drawn, and whether one is in force.
    fn events_drawn(&self) -> (usize, bool) {
        let round = usize::from((self.round as u8).min(3));
        match self.stage() {
            Stage::Drafting => (0, false),
            Stage::Between if self.round == Round::Winter => (0, false),
            Stage::Between | Stage::Over | Stage::Winter => (round, false),
            Stage::Planning | Stage::Closed => (round - 1, false),
            _ => (round, true),
        }
    }

    /// The event cards (TW-ST-15).
    fn check_events(&self) -> Result<(), SetupError> {
        let (drawn, in_force) = self.events_drawn();
        ensure(self.event.is_some() == in_force, "event", || "does not go with the point".into())?;
        let removed = !self.event_removed || (in_force && self.options.court);
        ensure(removed, "event_removed", || "no favour can have done that".into())?;
        let drafting = self.stage() == Stage::Drafting;
        let open = if drafting { 0 } else { 4 - drawn };
        let found = self.open_events.len();
        ensure(found == open, "open_events", || format!("{found} cards, {open} wanted"))?;
        let deck = if drafting { 0 } else { 12 - 4 * usize::from(self.year) };
        let found = self.event_deck.len();
        ensure(found == deck, "event_deck", || format!("{found} cards, {deck} wanted"))?;
        let sorted = self.open_events.windows(2).all(|pair| pair[0] < pair[1]);
        ensure(sorted, "open_events", || "not in ascending order".into())?;
        let cards = self.event_deck.iter().chain(self.open_events.iter()).copied().chain(self.event);
        let cards: List<u8, 17> = cards.collect();
        let known = cards.iter().all(|card| (1..=EVENTS as u8).contains(card)) && distinct(&cards);
        ensure(known, "event_deck", || "a card that is not there, or is there twice".into())
    }

    /// Action and special cards (TW-ST-13, TW-ST-14).
    fn check_layout(&self) -> Result<(), SetupError> {
        let laid = (Stage::Planning..=Stage::Actions).contains(&self.stage());
        let (actions, specials) = if laid { (ACTIONS, SLOTS) } else { (0, 0) };
        let sound = self.action_order.len() == actions
            && distinct(&self.action_order)
            && self.action_order.iter().all(|action| action.index() < ACTIONS);
        ensure(sound, "action_order", || format!("not {actions} different actions"))?;
        let sound = self.special_on_slot.len() == specials && distinct(&self.special_on_slot);
        ensure(sound, "special_on_slot", || format!("not {specials} different cards"))?;
        let acting = self.stage() == Stage::Actions;
        let place = self.place;
        let least = u8::from(acting && self.point != Point::Turn);
        let most = if acting { ACTIONS as u8 } else { 0 };
        ensure((least..=most).contains(&place), "place", || format!("{place}, {least} to {most}"))?;
        let wanted = if laid { (4 + place.max(1)).min(10) } else { 0 };
        let found = self.action_revealed;
        ensure(found == wanted, "action_revealed", || format!("{found}, {wanted} wanted"))
    }

    /// Slots, special cards, bid order and turn order (TW-ST-13, TW-ST-17).
    fn check_order(&self) -> Result<(), SetupError> {
        let stage = self.stage();
        let choosing = stage == Stage::Slots;
        let in_season = (Stage::Converting..=Stage::Actions).contains(&stage);
        let late = matches!(self.round, Round::Autumn | Round::Winter);
        let ordered = in_season || stage == Stage::Winter || (stage == Stage::Over && late);
        for seat in self.everyone() {
            let player = &self.players[seat];
            let at = |name: &str| format!("players[{}].{name}", seat.0);
            let waits = self.bid_order.contains(&seat);
            let has_slot = ordered || (choosing && !waits);
            let sound = if has_slot { (1..=SLOTS as u8).contains(&player.slot) } else { player.slot == 0 };
            ensure(sound, &at("slot"), || format!("{} at this point", player.slot))?;
            let twin = self
                .everyone()
                .any(|other| other != seat && player.slot > 0 && self.players[other].slot == player.slot);
            ensure(!twin, &at("slot"), || format!("slot {} is taken twice", player.slot))?;
            let special = (has_slot && (choosing || in_season))
                .then(|| self.special_on_slot[usize::from(player.slot) - 1]);
            ensure(player.special == special, &at("special"), || "not the card of the slot".into())?;
        }
        let in_seats =
            |list: &[SeatId]| distinct(list) && list.iter().all(|seat| seat.0 < self.options.seats);
        let bids = in_seats(&self.bid_order) && self.bid_order.is_empty() != choosing;
        ensure(bids, "bid_order", || "not seats that are to choose a slot".into())?;
        let wanted = if ordered { usize::from(self.options.seats) } else { 0 };
        let sound = in_seats(&self.turn_order)
            && self.turn_order.len() == wanted
            && self.turn_order.windows(2).all(|pair| self.players[pair[0]].slot < self.players[pair[1]].slot);
        ensure(sound, "turn_order", || "not the seats in the order of their slots (TW-BID-05)".into())?;
        let most = match self.point {
            Point::Turn if self.place == 0 => 0,
            Point::Turn | Point::Revolts | Point::CleanUp | Point::Score | Point::Over(_) => {
                self.options.seats
            }
            Point::Kept | Point::Act | Point::DeployMove | Point::Battle | Point::Revolt | Point::Quell => {
                self.options.seats - 1
            }
            _ => 0,
        };
        ensure(self.turn <= most, "turn", || format!("{}, at most {most}", self.turn))
    }

    /// What lies on the plan spaces (TW-ST-12, TW-D-05, TW-D-14).
    fn check_plans(&self) -> Result<(), SetupError> {
        let stage = self.stage();
        let planned = (Stage::Planning..=Stage::Actions).contains(&stage);
        for seat in self.everyone() {
            let player = &self.players[seat];
            let at = |name: &str| format!("players[{}].{name}", seat.0);
            if !planned {
                let nothing = player.plan == Plan::default() && player.revealed.0 == 0;
                ensure(nothing, &at("plan"), || "cards on it outside a season".into())?;
                continue;
            }
            self.check_plan(seat)?;
            let hidden = stage > Stage::Closed || player.revealed.0 == 0;
            ensure(hidden, &at("revealed"), || "cards turned up before all plans are closed".into())?;
            let there = player.revealed.iter().all(|space| player.plan.card(space) != Card::Empty);
            ensure(there, &at("revealed"), || "a space without a card".into())?;
            let entered = match self.point {
                Point::Plan(entered) if seat == self.decider => usize::from(entered),
                Point::Plan(_) if seat > self.decider => 0,
                Point::Plan(_) | Point::Event => self.spaces(),
                _ => continue,
            };
            let later = &Space::ENTRY[entered.min(Space::ENTRY.len())..];
            let nothing = later.iter().all(|&space| player.plan.card(space) == Card::Empty);
            ensure(nothing, &at("plan"), || "cards on spaces that come later".into())?;
            let empty =
                Space::ENTRY[..entered].iter().filter(|&&space| player.plan.card(space) == Card::Empty);
            let (empty, most) = (empty.count(), self.spaces().saturating_sub(self.card_count(seat)));
            let closed = entered == self.spaces();
            ensure(empty <= most && (!closed || empty == most), &at("plan"), || {
                format!("{empty} spaces are empty, {most} can be (TW-PLAN-03)")
            })?;
            if let Card::Treasure(value) = player.plan.card(Space::Bid) {
                let affordable = u16::from(value) <= player.chests;
                ensure(affordable, &at("plan.bid"), || {
                    format!("{value} with {} chests (TW-R-13)", player.chests)
                })?;
            }
        }
        Ok(())
    }

    /// Cards belong to the planner and lie once.
    fn check_plan(&self, seat: SeatId) -> Result<(), SetupError> {
        let plan = &self.players[seat].plan;
        for (place, space) in Space::ALL.into_iter().enumerate() {
            let field = || format!("players[{}].plan.{}", seat.0, space.name());
            let card = plan.card(space);
            let owned = match card {
                Card::Province(province) => self.owned[seat] & province.bit() != 0,
                Card::Tower => self.options.court && plan.tower_cards() <= TOWER_CARDS,
                Card::FaceDown => false,
                Card::Empty | Card::Treasure(_) => true,
            };
            ensure(owned, &field(), || format!("{} is no card of this seat", card.word(self.board)))?;
            let again = !matches!(card, Card::Empty | Card::Tower) && plan.0[..place].contains(&card);
            ensure(!again, &field(), || format!("{} lies there twice", card.word(self.board)))?;
            let there = space.index() < self.spaces() || card == Card::Empty;
            ensure(there, &field(), || "there is no such space without the expansion".into())?;
        }
        Ok(())
    }

    /// The expansion (CT-ST-01..04).
    fn check_court(&self) -> Result<(), SetupError> {
        let court = &self.court;
        if !self.options.court {
            let nothing =
                *court == Court::default() && self.everyone().all(|seat| self.players[seat].kept.0 == 0);
            return ensure(nothing, "court", || "something of the expansion".into());
        }
        let stage = self.stage();
        let seasons = match stage {
            Stage::Between if self.round == Round::Winter => 0,
            _ => usize::from((self.round as u8).min(3)),
        } + 3 * (usize::from(self.year) - 1);
        let wanted = if stage == Stage::Drafting { 0 } else { FAVOURS - 3 * seasons };
        let found = court.deck.len();
        ensure(found == wanted, "court.deck", || format!("{found} cards, {wanted} wanted"))?;
        let laid: List<u8, 3> = court.laid.into_iter().flatten().collect();
        let sound = match stage {
            Stage::Planning | Stage::Closed | Stage::Slots | Stage::Converting => laid.len() == 3,
            Stage::Audience => true,
            _ => laid.is_empty(),
        };
        let sound = sound && laid.windows(2).all(|pair| pair[0] > pair[1]);
        ensure(sound, "court.laid", || format!("{laid:?} at this point (CT-FAV-01)"))?;
        let mut cards: Vec<u8> = court.deck.iter().copied().chain(laid.iter().copied()).collect();
        cards.extend(court.taken);
        for seat in self.everyone() {
            for card in self.players[seat].kept.iter() {
                let kind = self.board.favour(card).kind;
                let guarded = kind.is_protection() && (Stage::Audience..=Stage::Actions).contains(&stage);
                let kept = kind == crate::data::FavourKind::RemoveUnrest && stage != Stage::Drafting;
                ensure(guarded || kept, &format!("players[{}].kept", seat.0), || {
                    format!("{card} is not kept at this point")
                })?;
                cards.push(card);
            }
        }
        let known = cards.iter().all(|card| (1..=FAVOURS as u8).contains(card)) && distinct(&cards);
        ensure(known, "court.deck", || "a favour that is not there, or is there twice".into())?;
        let audience = stage == Stage::Audience;
        let order = distinct(&court.order)
            && court.order.iter().all(|seat| seat.0 < self.options.seats)
            && (audience || court.order.is_empty());
        ensure(order, "court.order", || "not seats that wait for an audience".into())?;
        let turn = usize::from(court.turn);
        let sound = match self.point {
            Point::Hall => turn <= court.order.len(),
            _ if audience => court.order.get(turn) == Some(&self.decider),
            _ => turn == 0,
        };
        ensure(sound, "court.turn", || format!("{turn} does not go with the order"))
    }

    /// Revolts of winter (TW-ST-18).
    fn check_winter(&self) -> Result<(), SetupError> {
        let chosen = matches!(self.point, Point::Quell)
            || (self.point == Point::Kept && self.stage() == Stage::Winter);
        let drawn = chosen || self.point == Point::Revolt;
        ensure(self.revolt.is_some() == chosen, "revolt", || "does not go with the point".into())?;
        let sound = if self.point == Point::Revolt { !self.pending.is_empty() } else { true }
            && (drawn || self.pending.is_empty());
        ensure(sound, "pending", || format!("{} revolts at this point", self.pending.len()))?;
        ensure(self.extra_farmers <= if drawn { 20 } else { 0 }, "extra_farmers", || {
            format!("{} at this point", self.extra_farmers)
        })?;
        let all = self.pending.iter().copied().chain(self.revolt);
        let all: List<ProvinceId, 4> = all.collect();
        let owned = all.iter().all(|province| self.owned[self.decider] & province.bit() != 0);
        let sorted = self.pending.windows(2).all(|pair| pair[0] < pair[1]);
        ensure(owned && sorted && distinct(&all), "pending", || {
            "not provinces of the seat on turn in order".into()
        })
    }

    /// What a point needs to be played on from.
    fn check_point(&self) -> Result<(), SetupError> {
        let on_turn = self.on_turn() == Some(self.decider);
        let kind = self.court.taken.map(|card| self.board.favour(card).kind);
        let targets = self.favour_targets() != 0;
        let holds = match self.point {
            Point::Slot => self.bid_order.first() == Some(&self.decider),
            Point::Court | Point::Hall | Point::Favour => self.options.court,
            Point::FavourEvent => {
                kind == Some(crate::data::FavourKind::CancelEvent) && self.effect().is_some()
            }
            Point::FavourUnrest => kind == Some(crate::data::FavourKind::RemoveUnrest) && targets,
            Point::FavourArmies => kind == Some(crate::data::FavourKind::ArmiesToProvince) && targets,
            Point::FavourBuilding => kind.is_some_and(|kind| kind.building().is_some()) && targets,
            Point::Kept => {
                on_turn && self.kept_calm(self.decider).is_some() && self.unquiet(self.decider) != 0
            }
            Point::Act | Point::Revolt | Point::Quell => on_turn,
            Point::DeployMove => {
                on_turn && self.action() == Some(Space::Deploy1) && self.planned_province().is_some()
            }
            Point::Battle => {
                let battle = self.action().filter(|action| matches!(action, Space::BattleA | Space::BattleB));
                on_turn
                    && battle.zip(self.planned_province()).is_some_and(|(action, province)| {
                        self.can_battle(self.decider, province, action).is_ok()
                    })
            }
            _ => true,
        };
        let deciding = matches!(
            self.point,
            Point::FavourEvent | Point::FavourUnrest | Point::FavourArmies | Point::FavourBuilding
        );
        ensure(deciding == self.court.taken.is_some(), "court.taken", || {
            "does not go with the point".into()
        })?;
        ensure(holds, "point", || format!("{:?} does not go with the rest of the position", self.point))
    }
}
