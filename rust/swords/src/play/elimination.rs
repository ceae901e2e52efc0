//! Daimyo and clans that are lost, and what the eliminator gains (SW-ELIM).

use crate::action::{Action, ActionSink};
use crate::data::{ClanId, DAIMYO, ProvinceId, Provinces, Unit, WIN};
use crate::event::{Context, Event};
use crate::play::Next;
use crate::state::{Army, Attacker, Clan, End, Point, Recovery, State};

impl State {
    /// A daimyo is lost with his army; its ronin go back to the pool (SW-ELIM-01, SW-R-34).
    pub(crate) fn lose_army(&mut self, clan: ClanId, army: u8, context: &mut impl Context) {
        let lost = std::mem::take(self.army_mut(clan, army));
        self.pool.ronin += lost.units[Unit::Ronin];
        context.log(|| Event::DaimyoLost { clan, army: army + 1 });
        if clan == self.active {
            // What it had declared or begun is over, also if it comes back (SW-R-92).
            self.declared_armies[usize::from(army)] = None;
            if let Some((Attacker::Army(attacker), series)) = &mut self.series
                && *attacker == army
            {
                series.disrupt();
            }
        }
    }

    /// Takes the card of a province that holds no regular unit any more (SW-WAR-C-07, SW-WAR-C-08, SW-R-34).
    pub(crate) fn vacate_if_empty(&mut self, province: ProvinceId, context: &mut impl Context) {
        if self.provinces[province].owner.is_none() || self.forces_at(province).has_regulars() {
            return;
        }
        let left = &mut self.provinces[province];
        self.pool.ronin += std::mem::take(&mut left.hidden) + std::mem::take(&mut left.units[Unit::Ronin]);
        left.moved = crate::data::ByUnit::default();
        self.set_owner(province, None);
        self.declared_forces[province] = None;
        let key = self.map.key(province.0);
        context.log(|| Event::Emptied { province: key });
    }

    /// Puts clans out that have no daimyo left, each with the clan that took the last one (SW-ELIM-02, SW-R-66).
    ///
    /// Two clans that fall together gain nothing from each other (SW-R-71).
    pub(crate) fn eliminate_if_leaderless(
        &mut self,
        fallen: &[(ClanId, ClanId)],
        context: &mut impl Context,
    ) {
        let leaderless = |state: &Self, clan: ClanId| {
            let clan = &state.clans[clan];
            clan.out == 0 && clan.armies.iter().all(Army::is_lost)
        };
        let both = fallen.len() == 2 && fallen.iter().all(|&(clan, _)| leaderless(self, clan));
        for &(clan, by) in fallen {
            if leaderless(self, clan) {
                self.eliminate(clan, (!both).then_some(by), context);
            }
        }
        if both {
            // Both go out at the same rank: nobody is later than the other.
            let last = fallen.iter().map(|&(clan, _)| self.clans[clan].out).min().unwrap_or(0);
            for &(clan, _) in fallen {
                self.clans[clan].out = last;
            }
        }
        self.look_for_last_player(context);
    }

    fn eliminate(&mut self, clan: ClanId, by: Option<ClanId>, context: &mut impl Context) {
        let order = self.clans.0.iter().map(|clan| clan.out).max().unwrap_or(0) + 1;
        context.log(|| Event::Eliminated { clan, by });
        let gone = std::mem::replace(&mut self.clans[clan], Clan { out: order, ..Clan::default() });
        if self.ninja == Some(clan) {
            (self.ninja, self.ninja_fresh, self.window) = (None, false, None); // SW-R-41
        }
        for province in Provinces(self.owned(clan)) {
            if by.is_none() {
                // Nobody inherits: the pieces leave the game, ronin return, buildings stay (SW-R-71).
                let left = &mut self.provinces[province];
                self.pool.ronin += std::mem::take(&mut left.hidden) + left.units[Unit::Ronin];
                left.units = crate::data::ByUnit::default();
                left.moved = crate::data::ByUnit::default();
            }
            self.set_owner(province, by); // SW-ELIM-03
        }
        if clan == self.active && self.phase != crate::state::Phase::None {
            self.end_war_turn(); // SW-R-70
            self.window = None;
        }
        let Some(by) = by else { return };
        self.clans[by].tray.take_over(&gone.tray);
        self.clans[by].colours += gone.colours;
        self.look_for_conqueror(by, context); // before anybody is asked (SW-ELIM-07)
        self.look_for_last_player(context);
        if self.is_over() {
            return;
        }
        self.check_ronin(by, context);
        let armies = self.clans[by].armies.map(|army| army.is_lost());
        if armies.contains(&true) {
            self.recovery = Some(Recovery { clan: by, armies, placed: None, picked: false });
        }
    }

    /// Whether provinces win at any moment: not with two players (SW-TWO-06) or in the long game (SW-LONG-01).
    pub(crate) const fn wins_at_once(&self) -> bool {
        self.options.seats > 2 && !self.options.long_game
    }

    /// Victory by provinces, checked after every gain (SW-WIN-01, SW-WIN-02).
    pub(crate) fn look_for_conqueror(&mut self, clan: ClanId, context: &mut impl Context) {
        if self.wins_at_once() && self.province_count(clan) >= WIN {
            self.finish(End::Provinces(self.player(clan).0), context);
        }
    }

    /// The last player left wins at once (SW-R-80).
    fn look_for_last_player(&mut self, context: &mut impl Context) {
        let mut players = self.in_play().map(|clan| self.player(clan));
        match players.next() {
            None => self.finish(End::NobodyLeft, context),
            Some(first) if players.all(|player| player == first) => {
                self.finish(End::LastPlayer(first.0), context);
            }
            Some(_) => {}
        }
    }

    /// Ends the match.
    pub(crate) fn finish(&mut self, end: End, context: &mut impl Context) {
        if self.is_over() {
            return;
        }
        (self.window, self.revenge, self.recovery) = (None, None, None);
        (self.series, self.fight, self.must_move) = (None, None, None);
        self.point = Point::Over(end);
        context.log(|| Event::Over {
            reason: end.reason(),
            winner: match end {
                End::Provinces(player) | End::LastPlayer(player) => Some(player),
                End::NobodyLeft | End::RoundLimit => None,
            },
        });
    }

    /// Provinces to which a daimyo may return, as a set.
    fn recovery_places(&self, clan: ClanId) -> u128 {
        self.owned(clan) & !self.army_provinces(clan)
    }

    pub(crate) fn advance_recovering(&mut self, recovery: Recovery) -> Next {
        let is_waiting = recovery.armies.contains(&true) && self.recovery_places(recovery.clan) != 0;
        if recovery.placed.is_some() || is_waiting {
            return Next::Choose;
        }
        self.recovery = None; // all are back, or no province is free (SW-R-72)
        Next::Go
    }

    pub(crate) fn legal_recovering(&self, recovery: Recovery, out: &mut impl ActionSink) {
        match recovery.placed {
            None => out.add_provinces(self.recovery_places(recovery.clan)),
            Some(army) => {
                out.add(Action::Done);
                out.add_all(self.pick_ups(recovery.clan, army, recovery.picked));
            }
        }
    }

    pub(crate) fn play_recovering(
        &mut self,
        mut recovery: Recovery,
        action: Action,
        context: &mut impl Context,
    ) {
        match (action, recovery.placed) {
            (Action::Province(province), None) => {
                // A position from outside may name no army: then play goes on without one.
                let Some(army) = (0..DAIMYO).find(|&army| recovery.armies[army]) else { return };
                recovery.armies[army] = false;
                (recovery.placed, recovery.picked) = (Some(army as u8), false);
                let back = self.army_mut(recovery.clan, army as u8);
                *back = Army { province: Some(province), ..Army::default() };
                back.units[Unit::Daimyo] = 1;
                let (clan, key) = (recovery.clan, self.map.key(province.0));
                context.log(|| Event::Recovered { clan, army: army as u8 + 1, province: key });
                self.recovery = Some(recovery);
            }
            (Action::FromProvince(unit), Some(army)) => {
                self.pick_up(recovery.clan, army, unit, context);
                recovery.picked = true;
                self.recovery = Some(recovery);
            }
            (Action::Done, Some(_)) => {
                recovery.placed = None;
                self.recovery = Some(recovery);
                self.check_ronin(recovery.clan, context);
            }
            (action, placed) => unreachable!("{action:?} while army {placed:?} returns"),
        }
    }
}
