//! Redraws the information that is hidden from a seat (SW-GEN-14, SW-R-88, SW-R-89).
//!
//! Answers that others have given in a step under way are given again: the rules say what is legal, and each legal answer
//! is as likely as any other. Cards of hidden ronin are laid again by their sizes, which are public (SW-RONIN-09).

use arrayvec::ArrayVec;
use sengoku_kernel::{ChanceFn, Seat, Silent};

use crate::action::Action;
use crate::data::{ClanId, PROVINCES, ProvinceId, Provinces, RONIN};
use crate::play::combat::Role;
use crate::play::fighting::forced_losses;
use crate::play::setting_up::HALF_HAND;
use crate::state::{PlanBox, Point, State};

/// Most legal answers at a point where answers are secret: to pass, a province, or the army in it.
const ANSWERS: usize = 1 + 2 * PROVINCES;
/// Boxes of a plan that are decided; the last takes what is left (SW-PLAN-01).
const DECIDED: [PlanBox; 4] = [PlanBox::Swords, PlanBox::Build, PlanBox::Levy, PlanBox::Ronin];

/// Sizes of face-down cards: there are at most as many as ronin.
type Sizes = ArrayVec<u8, { RONIN as usize }>;

impl State {
    /// A state that a seat cannot tell from this one.
    pub(crate) fn imagined(&self, seat: Seat, chance: &mut ChanceFn<'_>) -> Self {
        let mut state = self.redacted(seat);
        let strangers = || self.in_play().filter(|&clan| !self.is_run_by(clan, seat));
        // Answers given: all, those before the place that is asked about, or none.
        let given = |clan: ClanId, all: u8, place: u8| match () {
            () if self.clans[clan].answered => all,
            () if clan == self.decider => place,
            () => 0,
        };
        match self.point {
            Point::Divide(left) => {
                for clan in strangers().filter(|clan| clan.0.is_multiple_of(2)) {
                    state.divide_anew(clan, given(clan, HALF_HAND, HALF_HAND - left), seat, chance);
                }
            }
            Point::Spy | Point::Plan(_) => {
                for clan in strangers().filter(|&clan| !self.knows_plan(seat, clan)) {
                    let decided = |place: &&PlanBox| match self.point {
                        _ if self.clans[clan].committed => true,
                        Point::Plan(next) => clan == self.decider && (**place as u8) < next as u8,
                        _ => false,
                    };
                    let places = DECIDED.iter().filter(decided);
                    state.answer_anew(clan, places.map(|&place| Point::Plan(place)), chance);
                }
            }
            Point::Swords => state.wish_anew(seat, chance),
            Point::Build => {
                for clan in strangers() {
                    let answers = given(clan, 1, 0);
                    state.answer_anew(clan, (0..answers).map(|_| Point::Build), chance);
                }
            }
            Point::Buy(spent) => {
                for clan in strangers() {
                    let answers = given(clan, self.clans[clan].plan.levy, spent);
                    state.answer_anew(clan, (0..answers).map(Point::Buy), chance);
                }
            }
            Point::Levy(place) => {
                for clan in strangers() {
                    let answers = given(clan, self.clans[clan].bought.total(), place);
                    state.answer_anew(clan, (0..answers).map(Point::Levy), chance);
                }
            }
            Point::Ronin(place) => {
                for clan in strangers() {
                    let answers = given(clan, self.clans[clan].hired, place);
                    state.answer_anew(clan, (0..answers).map(Point::Ronin), chance);
                }
            }
            Point::Casualties(_) => state.lose_anew(seat, chance),
            _ => {}
        }
        for clan in strangers().filter(|&clan| self.knows_cards(seat, clan)) {
            state.lay_anew(clan, self.cards(clan).collect(), chance);
        }
        if let (Point::Garrison { .. } | Point::LeaveRonin(_), Some(march)) = (self.point, &mut state.march)
            && !self.is_run_by(self.active, seat)
        {
            let stack = state.provinces[march.from].hidden;
            march.hidden = (chance.0)(u32::from(stack) + 1) as u8;
        }
        state
    }

    /// Answers for a clan at these points, each time with a random legal action.
    fn answer_anew(&mut self, clan: ClanId, points: impl Iterator<Item = Point>, chance: &mut ChanceFn<'_>) {
        let (point, decider, answered) = (self.point, self.decider, self.clans[clan].answered);
        for place in points {
            (self.point, self.decider) = (place, clan);
            let mut legal = ArrayVec::<Action, ANSWERS>::new();
            match place {
                Point::Plan(_) => self.legal_planning(&mut legal),
                Point::Build => self.legal_building(&mut legal),
                Point::Buy(_) => self.legal_buying(&mut legal),
                Point::Levy(place) => self.legal_levying(place, &mut legal),
                Point::Ronin(_) => self.legal_placing_ronin(&mut legal),
                _ => unreachable!("answers at {place:?} are not secret"),
            }
            let Some(action) = chance.choose(&legal) else { unreachable!("no legal answer at {place:?}") };
            self.apply_at_point(action, &mut Silent(chance));
        }
        (self.point, self.decider, self.clans[clan].answered) = (point, decider, answered);
    }

    /// Divides the cards that the observing seat does not hold between the other player's two clans: `given` of them go
    /// to the first clan (SW-TWO-03).
    fn divide_anew(&mut self, first: ClanId, given: u8, seat: Seat, chance: &mut ChanceFn<'_>) {
        let foreign = |province: &ProvinceId| {
            self.provinces[*province].owner.is_none_or(|owner| !self.is_run_by(owner, seat))
        };
        let mut hand: ArrayVec<ProvinceId, PROVINCES> = ProvinceId::all().filter(foreign).collect();
        for place in 0..usize::from(given).min(hand.len()) {
            let other = place + (chance.0)((hand.len() - place) as u32) as usize;
            hand.swap(place, other);
        }
        for (place, &province) in hand.iter().enumerate() {
            let clan = ClanId(first.0 + u8::from(place >= usize::from(given)));
            self.set_owner(province, Some(clan));
        }
    }

    /// Redraws the sword choices of the tied clans that were asked before the current one (SW-R-18).
    fn wish_anew(&mut self, seat: Seat, chance: &mut ChanceFn<'_>) {
        let group = self.choosing_swords();
        let mut legal = ArrayVec::<Action, ANSWERS>::new();
        self.legal_swords(&mut legal);
        for &clan in group.iter().take_while(|&&clan| clan != self.decider) {
            if let (false, Some(Action::Sword(sword))) = (self.is_run_by(clan, seat), chance.choose(&legal)) {
                self.clans[clan].wish = sword;
            }
        }
    }

    /// Casualties that have been chosen: as many as answers are not owed any more (SW-R-59).
    fn lose_anew(&mut self, seat: Seat, chance: &mut ChanceFn<'_>) {
        let fight = *self.fight_under_way();
        for (role, clan) in [(Role::Attacker, self.active), (Role::Defender, fight.defender)] {
            if self.is_run_by(clan, seat) {
                continue;
            }
            let due = fight.combat.casualties_due(role);
            let (losses, owed) = forced_losses(fight.combat.side(role), due);
            if let Some(fight) = &mut self.fight {
                (fight.losses[role as usize], fight.owed[role as usize]) = (losses, owed);
            }
            for _ in fight.owed[role as usize]..owed {
                let mut legal = ArrayVec::<Action, ANSWERS>::new();
                self.legal_casualties(role, &mut legal);
                if let Some(action) = chance.choose(&legal) {
                    self.play_casualties(role, action);
                }
            }
        }
    }

    /// Lays face-down cards of these sizes, the largest first, into provinces of a clan whose forces can lead them. A
    /// smaller card can lie wherever a larger one can, so every way to lay them all is as likely as any other.
    fn lay_anew(&mut self, clan: ClanId, mut sizes: Sizes, chance: &mut ChanceFn<'_>) {
        if sizes.is_empty() {
            return;
        }
        let mut places: ArrayVec<(ProvinceId, u8), PROVINCES> = Provinces(self.owned(clan))
            .filter(|&province| !self.is_turned_over(province))
            .map(|province| {
                let (army, provincial) = self.ronin_room(province);
                (province, army + provincial)
            })
            .collect();
        if let Point::RevealDefender(target) = self.point
            && let Some(place) = places.iter().position(|&(province, _)| province == target)
        {
            // Who is asked to divide a card has one there that can be divided.
            let divides = |card: &u8| {
                let (least, most) = self.divisions(target, sizes[usize::from(*card)]);
                least < most
            };
            let cards: Sizes = (0..sizes.len() as u8).filter(divides).collect();
            if let Some(card) = chance.choose(&cards) {
                self.provinces[target].hidden = sizes.remove(card.into());
                places.swap_remove(place);
            }
        }
        for size in sizes {
            // Between two checks of SW-R-31 a card can be larger than what its province can lead.
            let most = places.iter().map(|&(_, room)| room).max().unwrap_or(0);
            let wanted = size.min(most);
            let fitting: ArrayVec<usize, PROVINCES> =
                (0..places.len()).filter(|&place| places[place].1 >= wanted).collect();
            if let Some(place) = chance.choose(&fitting) {
                self.provinces[places.swap_remove(place).0].hidden = size;
            }
        }
    }

    /// Whether everybody has seen that no face-down card is left in a province: where a battle is fought, and where a march
    /// has taken ronin out of one.
    fn is_turned_over(&self, province: ProvinceId) -> bool {
        let fought = match self.point {
            Point::FirstDie(target) => target == province,
            _ => self.fight.is_some_and(|fight| fight.target == province),
        };
        fought || self.march.is_some_and(|march| march.rest > 0 && march.from == province)
    }
}
