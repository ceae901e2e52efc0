//! A heuristic player: it gives everything a worth in points and takes the decision that is worth most now.
//!
//! A whole plan is made at its first space and stored until it is entered; everything else is derived anew
//! from the board by the same worths, so that decisions that belong together fit together.

mod assigning;
mod budget;
mod chances;
mod context;
mod court;
mod drafting;
mod moving;
mod planning;
mod slots;
mod winter;
mod worth;

use sengoku_tower::data::{Card, SeatId, Space};
use sengoku_tower::state::{Plan, Point};
use sengoku_tower::{Action, State};

use self::context::DecisionContext;
use crate::{Bot, Seen, place_of};

/// Takes the decision that looks best now.
#[derive(Clone, Debug, Default)]
pub struct Greedy {
    planned: Option<Box<Planned>>,
}

/// A plan under way. It changes no answer, only how fast it comes.
#[derive(Clone, Debug)]
struct Planned {
    /// The view of the seat before it entered the first card.
    before: State,
    plan: Plan,
}

impl Greedy {
    /// The plan made from what was seen before the first card of it.
    fn plan(&mut self, state: &State, me: SeatId) -> Plan {
        let mut before = *state;
        before.point = Point::Plan(0);
        before.players[me].plan = Plan::default();
        if let Some(planned) = &self.planned
            && planned.before == before
        {
            return planned.plan;
        }
        let plan = DecisionContext::new(&before, me).make_plan();
        match &mut self.planned {
            Some(planned) => **planned = Planned { before, plan },
            None => self.planned = Some(Box::new(Planned { before, plan })),
        }
        plan
    }
}

impl Bot<State> for Greedy {
    fn decide(
        &mut self,
        seen: &Seen<'_, State>,
        legal: &[Action],
        _chance: &mut dyn FnMut(u32) -> u32,
    ) -> usize {
        if legal.len() == 1 {
            return 0;
        }
        let state = seen.look();
        let me = SeatId(seen.seat().0);
        if let Point::Plan(entered) = state.point {
            let space = Space::ENTRY[usize::from(entered)];
            return enter(self.plan(&state, me).card(space), legal);
        }
        DecisionContext::new(&state, me).choose(legal)
    }
}

/// The place of a planned card; where it is used up, because another hand began the plan, that of a card without effect.
fn enter(card: Card, legal: &[Action]) -> usize {
    let wanted = match card {
        Card::Province(province) => Action::Province(province),
        Card::Treasure(value) => Action::Treasure(value),
        Card::Tower => Action::TowerCard,
        Card::Empty | Card::FaceDown => Action::Empty,
    };
    place_of(legal, wanted).unwrap_or(0)
}

impl DecisionContext<'_> {
    fn choose(&self, legal: &[Action]) -> usize {
        match self.state.point {
            Point::DraftRefresh => self.refresh(legal),
            Point::DraftCard => self.take_card(legal),
            Point::DraftGroup => self.place_group(legal),
            Point::Slot => self.take_slot(legal),
            Point::Favour => self.take_favour(legal),
            Point::FavourEvent => self.decide_event(legal),
            Point::FavourUnrest => self.calm(legal),
            Point::FavourArmies => self.send_armies(legal),
            Point::FavourBuilding => self.build_by_favour(legal),
            Point::Kept => self.use_kept(legal),
            Point::DeployMove | Point::Battle => self.move_armies(legal),
            Point::Revolt => self.face_revolt(legal),
            Point::Plan(_)
            | Point::Season
            | Point::Event
            | Point::Court
            | Point::Hall
            | Point::Turn
            | Point::Act
            | Point::CleanUp
            | Point::Winter
            | Point::Revolts
            | Point::Quell
            | Point::Score
            | Point::Over(_) => 0, // nobody is asked here, or has been answered before
        }
    }
}
