//! Set-up: material, and provinces by draft or as the set-up says (TW-SETUP).

use sengoku_kernel::cube_tower::{CubeTower, Parameters};
use sengoku_kernel::{List, Top, shuffle_cards};

use crate::action::{Action, ActionSink};
use crate::board::Board;
use crate::data::{
    ByColour, ByProvince, BySeat, FARMER, IN_THE_BOX, Mode, OFFICERS, PROVINCES, ProvinceId, Provinces,
    Round, SeatId,
};
use crate::event::{Context, Event};
use crate::state::{Court, Draft, Options, Point, Province, State};

impl State {
    /// A match before its first decision: material is given out, and provinces too in a fixed set-up.
    pub(crate) fn deal(
        board: &'static Board,
        parameters: &'static Parameters,
        options: Options,
        context: &mut impl Context,
    ) -> Self {
        let mut state = Self {
            board,
            parameters,
            options,
            year: 1,
            round: Round::Setup,
            point: Point::DraftCard,
            decider: SeatId(0),
            players: BySeat::default(),
            provinces: ByProvince([Province::default(); PROVINCES]),
            supply: ByColour::default(),
            tray: ByColour::default(),
            tower: CubeTower::EMPTY,
            draft: Draft::default(),
            action_order: List::default(),
            action_revealed: 0,
            place: 0,
            turn: 0,
            special_on_slot: List::default(),
            bid_order: List::default(),
            turn_order: List::default(),
            event_deck: List::default(),
            open_events: List::default(),
            event: None,
            event_removed: false,
            court: Court::default(),
            pending: List::default(),
            extra_farmers: 0,
            revolt: None,
            draws: 0,
            tower_draws: 0,
            owned: BySeat::default(),
        };
        *state.supply.farmers_mut() = IN_THE_BOX[FARMER] as u8;
        for seat in state.everyone() {
            *state.supply.of_mut(seat) = IN_THE_BOX[seat.0] as u8;
            if options.court {
                state.players[seat].officers.supply = OFFICERS; // CT-SETUP-01
            }
        }
        match options.mode {
            Mode::Fixed => state.place_fixed(context),
            Mode::Draft => state.begin_draft(context),
        }
        state
    }

    /// The fixed set-up (TW-SETUP-09).
    fn place_fixed(&mut self, context: &mut impl Context) {
        let board = self.board;
        for seat in self.everyone() {
            for &(province, armies) in board.start(self.options.seats, seat.0) {
                *self.supply.of_mut(seat) -= armies;
                self.place_group(seat, province, armies, context);
            }
        }
        self.finish_setup(context);
    }

    fn place_group(&mut self, seat: SeatId, province: ProvinceId, armies: u8, context: &mut impl Context) {
        self.set_owner(province, Some(seat));
        self.provinces[province].armies = armies;
        let key = self.board.key(province);
        context.log(|| Event::GroupPlaced { seat, province: key, armies });
    }

    /// Groups wait on the player boards, the deck is shuffled, two cards are open (TW-SETUP-04, TW-SETUP-05, TW-RNG-01).
    fn begin_draft(&mut self, context: &mut impl Context) {
        let groups = self.board.groups(self.options.seats);
        for seat in self.everyone() {
            self.players[seat].groups = List::of(groups);
            *self.supply.of_mut(seat) -= groups.iter().sum::<u8>();
        }
        self.draft.deck = Provinces(self.in_play()).collect();
        let board = self.board;
        let name = |province: ProvinceId| board.key(province).to_owned();
        shuffle_cards(&mut self.draft.deck, Top::First, &mut self.draws, context, name);
        self.draft.open = [self.draft.deck.take_first(), self.draft.deck.take_first()];
        if let Some(open) = self.open_names() {
            context.log(|| Event::DraftOpened { open });
        }
        self.begin_draft_turn(SeatId(0), context);
    }

    fn open_names(&self) -> Option<[&'static str; 2]> {
        let board = self.board;
        Some([board.key(self.draft.open[0]?), board.key(self.draft.open[1]?)])
    }

    /// The two open cards as a pair, the smaller first.
    pub(crate) fn open_pair(&self) -> Option<[ProvinceId; 2]> {
        let mut pair = [self.draft.open[0]?, self.draft.open[1]?];
        pair.sort_unstable();
        Some(pair)
    }

    /// A draft turn, or the end of the draft (TW-SETUP-06, TW-SETUP-07, TW-SETUP-08).
    fn begin_draft_turn(&mut self, seat: SeatId, context: &mut impl Context) {
        if self.players[seat].groups.is_empty() {
            self.draft = Draft::default();
            for player in &mut self.players.0 {
                player.last_pair = None;
            }
            self.finish_setup(context);
            return;
        }
        let pair = self.open_pair();
        let again = pair.is_some() && self.players[seat].last_pair == pair; // TW-R-08
        self.ask(seat, if again { Point::DraftRefresh } else { Point::DraftCard });
    }

    pub(crate) fn legal_drafting(&self, out: &mut impl ActionSink) {
        match self.point {
            Point::DraftRefresh => {
                out.add(Action::Refresh);
                out.add(Action::Keep);
            }
            Point::DraftCard => {
                for position in 0..2 {
                    if self.draft.open[usize::from(position)].is_some() {
                        out.add(Action::Open(position));
                    }
                }
                if !self.draft.deck.is_empty() {
                    out.add(Action::Deck);
                }
            }
            _ => {
                let groups = &self.players[self.decider].groups;
                for &size in groups.iter().rev().enumerate().filter_map(|(place, size)| {
                    // Groups are sorted, so equal sizes stand side by side: each once, the smallest first.
                    let next = groups.iter().rev().nth(place + 1);
                    (next != Some(size)).then_some(size)
                }) {
                    out.add(Action::Group(size));
                }
            }
        }
    }

    pub(crate) fn play_drafting(&mut self, action: Action, context: &mut impl Context) {
        let seat = self.decider;
        match action {
            Action::Refresh => {
                // Position 0 first, position 1 beneath it (TW-R-08).
                for position in 0..2 {
                    if let Some(card) = self.draft.open[position].take() {
                        self.draft.deck.push(card);
                    }
                }
                self.draft.open = [self.draft.deck.take_first(), self.draft.deck.take_first()];
                if let Some(open) = self.open_names() {
                    context.log(|| Event::DraftRefreshed { seat, open });
                }
                self.point = Point::DraftCard;
            }
            Action::Keep => self.point = Point::DraftCard,
            Action::Open(_) | Action::Deck => {
                self.players[seat].last_pair = self.open_pair();
                let position = if let Action::Open(position) = action { Some(position) } else { None };
                self.draft.taken = match position {
                    Some(position) => self.draft.open[usize::from(position)].take(),
                    None => self.draft.deck.take_first(),
                };
                let Some(province) = self.draft.taken else { return };
                let key = self.board.key(province);
                context.log(|| Event::DraftTaken { seat, province: key, position });
                self.point = Point::DraftGroup;
            }
            Action::Group(armies) => self.play_group(seat, armies, context),
            _ => {}
        }
    }

    fn play_group(&mut self, seat: SeatId, armies: u8, context: &mut impl Context) {
        let Some(province) = self.draft.taken.take() else { return };
        let groups = &mut self.players[seat].groups;
        let Some(place) = groups.iter().position(|&size| size == armies) else { return };
        groups.remove(place);
        self.place_group(seat, province, armies, context);
        // Only now is a taken open card replaced (TW-R-40).
        for position in 0..2 {
            if self.draft.open[position].is_none() {
                self.draft.open[position] = self.draft.deck.take_first();
                if let Some(card) = self.draft.open[position] {
                    let key = self.board.key(card);
                    context.log(|| Event::DraftReplaced { position: position as u8, province: key });
                }
            }
        }
        self.begin_draft_turn(SeatId((seat.0 + 1) % self.options.seats), context);
    }
}
