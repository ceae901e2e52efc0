//! Action 2: swords (SW-SWORD, SW-R-18).

use arrayvec::ArrayVec;

use crate::action::{Action, ActionSink};
use crate::data::{ClanId, MAX_CLANS};
use crate::draws;
use crate::event::{Context, Event};
use crate::play::Next;
use crate::state::{Point, State};

type Clans = ArrayVec<ClanId, MAX_CLANS>;

impl State {
    /// Begins Action 2; the koku for swords are spent whatever they win (SW-SWORD-05).
    pub(crate) fn start_swords(&mut self) {
        for clan in &mut self.clans.0 {
            clan.koku -= clan.plan.swords;
            (clan.sword, clan.wish) = (0, 0);
        }
        self.point = Point::Swords;
    }

    /// Swords nobody has taken: as many as clans are in play (SW-SETUP-05, SW-R-19).
    fn swords_left(&self) -> ArrayVec<u8, MAX_CLANS> {
        let taken = |sword| self.clans.0.iter().any(|clan| clan.sword == sword);
        (1..=self.in_play().count() as u8).filter(|&sword| !taken(sword)).collect()
    }

    /// The highest bidders still without a sword (SW-SWORD-02, SW-SWORD-03).
    pub(crate) fn choosing_swords(&self) -> Clans {
        let bid = |clan: ClanId| self.clans[clan].plan.swords;
        let waiting = || self.in_play().filter(|&clan| self.clans[clan].sword == 0 && bid(clan) > 0);
        let highest = waiting().map(bid).max();
        waiting().filter(|&clan| Some(bid(clan)) == highest).collect()
    }

    pub(crate) fn advance_swords(&mut self, context: &mut impl Context) -> Next {
        let group = self.choosing_swords();
        match group[..] {
            [] => {
                self.draw_rest(context);
                self.start_building();
                Next::Go
            }
            [clan] => {
                self.decider = clan;
                Next::Choose
            }
            _ => {
                if let Some(&clan) = group.iter().find(|&&clan| self.clans[clan].wish == 0) {
                    self.decider = clan;
                    return Next::Ask;
                }
                self.settle_wishes(&group, context);
                Next::Go
            }
        }
    }

    /// Clans without a bid draw what is left (SW-SWORD-04).
    fn draw_rest(&mut self, context: &mut impl Context) {
        let clans: Clans = self.in_play().filter(|&clan| self.clans[clan].sword == 0).collect();
        let mut swords = self.swords_left();
        for (clan, sword) in
            clans.iter().zip(draws::draw_swords(clans.len(), &mut swords, &mut self.draws, context))
        {
            self.take_sword(*clan, sword, true, context);
        }
    }

    /// Steps 2 and 3 of SW-R-18; clans left without a sword choose again.
    fn settle_wishes(&mut self, group: &Clans, context: &mut impl Context) {
        for sword in self.swords_left() {
            let claimants: Clans =
                group.iter().copied().filter(|&clan| self.clans[clan].wish == sword).collect();
            match claimants[..] {
                [] => {}
                [clan] => self.take_sword(clan, sword, false, context),
                _ => {
                    let clan = draws::settle_claim(&claimants, &mut self.draws, context);
                    self.take_sword(clan, sword, false, context);
                }
            }
        }
        for clan in group {
            self.clans[*clan].wish = 0;
        }
    }

    fn take_sword(&mut self, clan: ClanId, sword: u8, drawn: bool, context: &mut impl Context) {
        self.clans[clan].sword = sword;
        context.log(|| Event::Sword { clan, sword, drawn });
    }

    pub(crate) fn legal_swords(&self, out: &mut impl ActionSink) {
        out.add_all(self.swords_left().into_iter().map(Action::Sword));
    }

    pub(crate) fn play_sword(&mut self, action: Action, context: &mut impl Context) {
        let Action::Sword(sword) = action else { unreachable!("{action:?} is not a sword") };
        if self.choosing_swords().len() == 1 {
            self.take_sword(self.decider, sword, false, context);
        } else {
            self.clans[self.decider].wish = sword;
        }
    }
}
