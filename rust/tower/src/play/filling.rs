//! The tower: its fill, throws and accidental falls (TW-FILL, TW-TUSE), and what follows the placement in set-up.

use sengoku_kernel::cube_tower::{Colour, Cubes, MAX_CUBES, count};
use sengoku_kernel::{List, Top, shuffle_cards};

use crate::data::{
    ByColour, COLOURS, EVENTS, EVENTS_A_YEAR, FILL_ARMIES, FILL_FARMERS, MIN_PLAYERS, START_CHESTS,
};
use crate::event::{Context, Event};
use crate::state::{Point, State};

impl State {
    /// Tower, chests, events and favours, in this order (TW-SETUP-10..13).
    pub(crate) fn finish_setup(&mut self, context: &mut impl Context) {
        self.fill_tower(context);
        for seat in self.everyone() {
            self.players[seat].chests = START_CHESTS[usize::from(self.options.seats) - MIN_PLAYERS];
        }
        let mut events: [u8; EVENTS] = std::array::from_fn(|place| place as u8 + 1);
        let name = |card: u8| card.to_string();
        shuffle_cards(&mut events, Top::First, &mut self.draws, context, name); // TW-RNG-03
        self.event_deck = List::of(&events);
        self.open_year(context);
        if self.options.court {
            self.shuffle_favours(context);
        }
        self.point = Point::Season;
    }

    /// Seven armies of every player and ten farmers into the empty tower (TW-FILL-01, TW-FILL-02, TW-RNG-02).
    fn fill_tower(&mut self, context: &mut impl Context) {
        let mut thrown = ByColour::default();
        for seat in self.everyone() {
            *thrown.of_mut(seat) = FILL_ARMIES as u8;
        }
        *thrown.farmers_mut() = FILL_FARMERS as u8;
        for colour in 0..COLOURS {
            self.supply.0[colour] -= thrown.0[colour];
        }
        self.throw_cubes(&thrown, context);
        let out = std::mem::take(&mut self.tray);
        context.log(|| Event::TowerFilled { thrown, out });
        if self.options.court {
            self.grant_officers(&out, context); // TW-FILL-03
        }
        for colour in 0..COLOURS {
            self.supply.0[colour] += out.0[colour];
        }
    }

    /// The event cards of a year (TW-SETUP-12, TW-EVENT-03).
    pub(crate) fn open_year(&mut self, context: &mut impl Context) {
        self.open_events.clear();
        for _ in 0..EVENTS_A_YEAR {
            if let Some(card) = self.event_deck.take_first() {
                self.open_events.push(card);
            }
        }
        self.open_events.sort_unstable();
        let (year, cards) = (self.year, self.open_events);
        context.log(|| Event::EventsOpened { year, cards: cards.to_vec() });
    }

    /// Throws cubes together with the whole tray; the tray is what comes out (TW-TUSE-01, TW-TUSE-02, TW-TOWER-08).
    pub(crate) fn throw_cubes(&mut self, thrown: &ByColour, context: &mut impl Context) {
        let mut heap = [Colour(0); MAX_CUBES];
        let mut cubes = 0;
        for colour in 0..COLOURS {
            let more = usize::from(thrown.0[colour]) + usize::from(self.tray.0[colour]);
            heap[cubes..cubes + more].fill(Colour(colour as u8));
            cubes += more;
        }
        let mut out = Cubes::new();
        context.throw(&mut self.tower, self.parameters, &mut heap[..cubes], &mut self.tower_draws, &mut out);
        self.tray = ByColour(count(out).map(|cubes: u16| cubes as u8));
    }

    /// An accidental fall after a settled battle or revolt (TW-R-31, TW-RNG-11).
    pub(crate) fn bump(&mut self, context: &mut impl Context) {
        let Some(chance) = self.options.bump_65536 else { return };
        if let Some(cube) = context.bump(&mut self.tower, chance, &mut self.tower_draws) {
            self.tray.0[usize::from(cube.0)] += 1;
            context.log(|| Event::Bumped { cube: cube.0 });
        }
    }
}
