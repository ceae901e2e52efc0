//! Action 6: the ninja, and the windows in which he strikes (SW-NINJA, SW-NW).

use crate::action::{Action, ActionSink};
use crate::data::{ClanId, DAIMYO, NINJA_MAX, REVENGE_MIN, Unit};
use crate::event::{Context, Event};
use crate::play::die;
use crate::state::{Point, Revenge, State};

impl State {
    /// Action 6: the highest bid hires the ninja, a tie nobody (SW-NINJA-01).
    pub(crate) fn start_ninja(&mut self, context: &mut impl Context) {
        let highest = self.in_play().map(|clan| self.clans[clan].plan.ninja).max().unwrap_or(0);
        let mut bidders = self.in_play().filter(|&clan| self.clans[clan].plan.ninja == highest);
        let holder = bidders.next().filter(|_| highest > 0 && bidders.next().is_none());
        for clan in self.in_play() {
            self.clans[clan].koku -= self.clans[clan].plan.ninja;
        }
        (self.ninja, self.ninja_fresh) = (holder, holder.is_some());
        context.log(|| Event::Ninja { clan: holder });
        self.open_window(1);
        self.turn = 0;
        self.point = Point::WarTurn;
    }

    /// Opens a window: the holder is asked before anything else goes on (SW-D-12).
    pub(crate) const fn open_window(&mut self, window: u8) {
        // No attempt in round 1 (SW-NINJA-03); whether somebody holds the ninja is public.
        if self.ninja.is_some() && self.round >= 2 {
            self.window = Some(window);
        }
    }

    /// Living daimyo of a clan, by army.
    fn daimyo_of(&self, clan: ClanId) -> impl Iterator<Item = Action> + '_ {
        let armies = (0..DAIMYO as u8).filter(move |&army| self.army(clan, army).is_led());
        armies.map(move |army| Action::Daimyo { clan, army })
    }

    /// Enemy daimyo in play and not assassinated (SW-R-40).
    fn targets_of(&self, holder: ClanId) -> impl Iterator<Item = Action> + '_ {
        self.in_play()
            .filter(move |&clan| self.are_enemies(holder, clan))
            .flat_map(|clan| self.daimyo_of(clan))
    }

    pub(crate) fn legal_window(&self, out: &mut impl ActionSink) {
        out.add(Action::Pass);
        if let Some(holder) = self.ninja {
            out.add_all(self.targets_of(holder));
        }
    }

    pub(crate) fn play_window(&mut self, action: Action, context: &mut impl Context) {
        self.window = None;
        let (on, army) = match action {
            Action::Pass => return,
            Action::Daimyo { clan, army } => (clan, army),
            _ => unreachable!("{action:?} is not an answer in a ninja window"),
        };
        let Some(clan) = self.ninja else { unreachable!("{action:?} while nobody holds the ninja") };
        self.ninja = None; // used, whatever comes of it (SW-NINJA-04)
        self.ninja_fresh = false;
        let roll = die(self, context);
        let success = u32::from(roll) <= NINJA_MAX;
        context.log(|| Event::Assassination { clan, on, army: army + 1, die: roll, success });
        if success {
            self.assassinate(on, army, clan, context);
            return;
        }
        // SW-NINJA-05: the victim answers at once
        let roll = die(self, context);
        let success = u32::from(roll) >= REVENGE_MIN;
        context.log(|| Event::Revenge { clan: on, on: clan, die: roll, success });
        if success && self.daimyo_of(clan).next().is_some() {
            self.revenge = Some(Revenge { by: on, on: clan });
        }
    }

    pub(crate) fn legal_revenge(&self, revenge: Revenge, out: &mut impl ActionSink) {
        out.add_all(self.daimyo_of(revenge.on));
    }

    pub(crate) fn play_revenge(&mut self, revenge: Revenge, action: Action, context: &mut impl Context) {
        let Action::Daimyo { clan, army } = action else { unreachable!("{action:?} takes no revenge") };
        self.revenge = None;
        self.assassinate(clan, army, revenge.by, context);
    }

    /// The daimyo falls; his army is disrupted until the end of the round, or lost if it has no other unit.
    fn assassinate(&mut self, clan: ClanId, army: u8, by: ClanId, context: &mut impl Context) {
        let victim = self.army_mut(clan, army);
        victim.units[Unit::Daimyo] = 0;
        victim.disrupted = true;
        context.log(|| Event::Disrupted { clan, army: army + 1 });
        if self.army(clan, army).followers() == 0 {
            let place = self.army(clan, army).province;
            self.lose_army(clan, army, context); // SW-R-34
            if let Some(province) = place {
                self.vacate_if_empty(province, context);
            }
            self.eliminate_if_leaderless(&[(clan, by)], context);
        }
    }
}
