//! A season from its first card to clean-up (TW-ROUND).

use sengoku_kernel::{List, Top, shuffle_cards};

use crate::data::{ACTIONS, Round, SLOTS, SeatId, Space, Special};
use crate::event::{Context, Event};
use crate::state::{End, Plan, Point, Spaces, State};

/// Action cards that are dealt face up (TW-ROUND-03).
pub(crate) const FACE_UP: u8 = 5;

impl State {
    /// Action cards, special cards and favours are laid out (TW-ROUND-03, TW-ROUND-04, CT-ROUND-01).
    pub(crate) fn begin_season(&mut self, context: &mut impl Context) {
        self.round = self.round.next();
        let (year, round) = (self.year, self.round);
        context.log(|| Event::SeasonBegun { year, round });
        let mut actions: [Space; ACTIONS] = std::array::from_fn(|code| Space::ALL[code]);
        let name = |space: Space| space.name().to_owned();
        shuffle_cards(&mut actions, Top::First, &mut self.draws, context, name); // TW-RNG-04
        self.action_order = List::of(&actions);
        self.action_revealed = FACE_UP;
        context.log(|| Event::ActionCards { cards: actions[..usize::from(FACE_UP)].to_vec() });
        let mut specials: [Special; SLOTS] = Special::ALL;
        let name = |special: Special| special.name().to_owned();
        shuffle_cards(&mut specials, Top::First, &mut self.draws, context, name); // TW-RNG-05, TW-R-12
        self.special_on_slot = List::of(&specials);
        context.log(|| Event::SpecialCards { cards: specials.to_vec() });
        if self.options.court {
            self.lay_favours(context);
        }
        self.ask(SeatId(0), Point::Plan(0));
    }

    /// Cards go back to the hands; the next season or winter follows (TW-ROUND-01, TW-ROUND-08).
    pub(crate) fn clean_up(&mut self, context: &mut impl Context) {
        let round = self.round;
        let winter_next = round == Round::Autumn;
        context.log(|| Event::SeasonOver { round });
        for seat in self.everyone() {
            let player = &mut self.players[seat];
            (player.plan, player.revealed, player.special) = (Plan::default(), Spaces::default(), None);
            if !winter_next {
                player.slot = 0;
            }
            self.drop_protections(seat);
        }
        if !winter_next {
            self.turn_order.clear(); // after autumn it stays in force for winter
        }
        self.action_order.clear();
        self.special_on_slot.clear();
        (self.action_revealed, self.place, self.turn) = (0, 0, 0);
        (self.event, self.event_removed) = (None, false);
        self.decider = SeatId(0);
        if self.is_capped() {
            self.finish(End::RoundLimit, context);
        } else if winter_next {
            self.round = Round::Winter;
            self.point = Point::Winter;
        } else {
            self.point = Point::Season;
        }
    }

    /// Whether the host's cap on rounds is reached.
    pub(crate) const fn is_capped(&self) -> bool {
        self.rounds() >= self.options.max_rounds
    }
}
