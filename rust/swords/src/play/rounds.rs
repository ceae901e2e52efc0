//! War turns in sword order, and the end of a round (SW-GEN-03, SW-ROUND).

use crate::data::{ByProvince, DAIMYO, PROVINCES, Unit, WIN, WIN_TWO, income};
use crate::event::{Context, Event};
use crate::play::Next;
use crate::state::{End, Phase, Point, State};

impl State {
    /// Begins a round (SW-GEN-02).
    pub(crate) fn start_round(&mut self, context: &mut impl Context) {
        self.round += 1;
        self.ninja_fresh = false;
        let round = self.round;
        context.log(|| Event::Round { round });
        for clan in &mut self.clans.0 {
            clan.sword = 0;
        }
        self.start_planning();
    }

    /// The next clan in sword order begins its war turn, or the round ends.
    pub(crate) fn advance_war_turn(&mut self, context: &mut impl Context) -> Next {
        let next = self.in_sword_order().find(|&clan| self.clans[clan].sword > self.turn);
        let Some(clan) = next else {
            self.phase = Phase::None;
            self.point = Point::EndRound;
            self.open_window(13);
            return Next::Go;
        };
        (self.active, self.turn) = (clan, self.clans[clan].sword);
        context.log(|| Event::WarTurn { clan });
        self.start_moving(Phase::A);
        self.open_window(2);
        Next::Go
    }

    /// The war turn is over: bonus units, declarations and marks are cleared (SW-FORT-03, SW-WAR-D-09).
    pub(crate) fn end_war_turn(&mut self) {
        self.forget_moves();
        for province in &mut self.provinces.0 {
            province.bonus_lost = 0;
        }
        self.declared_armies = [None; DAIMYO];
        self.declared_forces = ByProvince([None; PROVINCES]);
        (self.series, self.fight, self.march, self.must_move) = (None, None, None, None);
        self.phase = Phase::None;
        self.point = Point::WarTurn;
    }

    /// Actions 8 and 9, then victory, then successors (SW-ROUND-01..03).
    pub(crate) fn end_round(&mut self, context: &mut impl Context) -> Next {
        for province in &mut self.provinces.0 {
            self.pool.ronin +=
                std::mem::take(&mut province.hidden) + std::mem::take(&mut province.units[Unit::Ronin]);
        }
        for clan in self.in_play() {
            for army in &mut self.clans[clan].armies {
                self.pool.ronin += std::mem::take(&mut army.units[Unit::Ronin]);
            }
            let provinces = self.province_count(clan);
            let koku = income(provinces);
            self.clans[clan].koku = koku;
            context.log(|| Event::Income { clan, provinces, koku });
        }
        if let Some(end) = self.winner_at_end_of_round() {
            self.finish(end, context);
            return Next::Go;
        }
        for clan in self.in_play() {
            for number in 0..DAIMYO as u8 {
                let army = self.army_mut(clan, number);
                if army.disrupted {
                    // SW-NINJA-08, SW-EXP-06; an army without units was lost at once (SW-NINJA-09)
                    (army.disrupted, army.hole, army.units[Unit::Daimyo]) = (false, 0, 1);
                    context.log(|| Event::Successor { clan, army: number + 1 });
                }
            }
        }
        if self.round >= self.options.max_rounds {
            self.finish(End::RoundLimit, context);
        } else {
            self.start_round(context);
        }
        Next::Go
    }

    /// Victory that is looked at only here: two players (SW-TWO-06) and the long game (SW-LONG-01).
    fn winner_at_end_of_round(&self) -> Option<End> {
        let provinces = |seat: u8| -> u8 {
            self.in_play()
                .filter(|&clan| self.player(clan).0 == seat)
                .map(|clan| self.province_count(clan))
                .sum()
        };
        let wanted = if self.options.seats == 2 { WIN_TWO } else { WIN };
        let looked_at = self.options.seats == 2 || self.options.long_game;
        (0..self.options.seats).find(|&seat| looked_at && provinces(seat) >= wanted).map(End::Provinces)
    }
}
