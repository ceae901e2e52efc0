//! Points of a winter, the end of a year and of the match (TW-SCORE, TW-YEAR, TW-END).

use crate::data::{Building, MAX_PLAYERS, Provinces, REGIONS, SeatId, YEARS};
use crate::event::{Context, Event};
use crate::state::{End, Majorities, Point, State, Tally};

/// Points of each player for one kind of building in one region (TW-SCORE-02, TW-R-37).
fn majority(building: Building, counts: [u8; MAX_PLAYERS]) -> [u8; MAX_PLAYERS] {
    let most = counts.iter().copied().max().unwrap_or(0);
    let tied: u8 = counts.iter().map(|&count| u8::from(count == most)).sum();
    let points = building.majority() - u8::from(tied > 1);
    counts.map(|count| if most > 0 && count == most { points } else { 0 })
}

impl State {
    /// Scores a winter; year end or the end follows.
    pub(crate) fn score_winter(&mut self, context: &mut impl Context) {
        let year = usize::from(self.year) - 1;
        let mut majorities = [Majorities::default(); MAX_PLAYERS];
        for building in Building::ALL {
            let built =
                Provinces(self.all_owned()).filter(|&province| self.provinces[province].has(building));
            let built = built.fold(0, |set, province| set | province.bit());
            for region in 0..REGIONS {
                let here = built & self.map().region(region) & self.in_play();
                let counts = self.owned.0.map(|owned| (owned & here).count_ones() as u8);
                for (majorities, points) in majorities.iter_mut().zip(majority(building, counts)) {
                    majorities.set(building, region, points);
                }
            }
        }
        for seat in self.everyone() {
            let provinces = self.province_count(seat);
            let buildings = Provinces(self.owned[seat]).map(|p| self.provinces[p].buildings()).sum();
            let player = &mut self.players[seat];
            let favours = player.tally[year].favours;
            let tally = Tally { provinces, buildings, majorities: majorities[seat.index()], favours };
            player.tally[year] = tally;
            // Points of favours were counted when they were gained (TW-SCORE-03).
            player.score += tally.total() - u16::from(favours);
            let score = player.score;
            context.log(|| Event::Scored { seat, tally, score });
        }
        if usize::from(self.year) == YEARS {
            self.finish(End::SecondWinter, context); // TW-END-01, TW-R-36
        } else if self.is_capped() {
            self.finish(End::RoundLimit, context);
        } else {
            self.end_year(context);
        }
    }

    /// New events, no rice, no unrest; everything else stays (TW-YEAR-01).
    fn end_year(&mut self, context: &mut impl Context) {
        let year = self.year;
        context.log(|| Event::YearOver { year });
        self.year += 1;
        for player in &mut self.players.0 {
            (player.rice, player.slot, player.shortage) = (0, 0, 0);
        }
        for province in &mut self.provinces.0 {
            province.unrest = 0;
        }
        self.turn_order.clear();
        self.turn = 0;
        self.decider = SeatId(0);
        self.open_year(context);
        self.point = Point::Season;
    }

    /// The key that players are ranked by: points, then chests (TW-END-02, TW-R-38).
    pub(crate) fn standing(&self, seat: SeatId) -> (u16, u16) {
        (self.players[seat].score, self.players[seat].chests)
    }

    pub(crate) fn finish(&mut self, end: End, context: &mut impl Context) {
        self.point = Point::Over(end);
        let best = self.everyone().map(|seat| self.standing(seat)).max();
        let winners =
            self.everyone().filter(|&seat| end == End::SecondWinter && Some(self.standing(seat)) == best);
        context.log(|| Event::Over { reason: end.reason(), winners: winners.collect() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn majorities_of_one_region() {
        // TW-EX-23, TW-SCORE-02, TW-R-37, TW-COMP-06
        assert_eq!(majority(Building::Castle, [2, 2, 1, 0, 0]), [2, 2, 0, 0, 0]);
        assert_eq!(majority(Building::Temple, [1, 0, 0, 0, 0]), [2, 0, 0, 0, 0]);
        assert_eq!(majority(Building::No, [1, 1, 1, 0, 0]), [0; 5]);
        assert_eq!(majority(Building::Castle, [0, 3, 0, 0, 0]), [0, 3, 0, 0, 0]);
        assert_eq!(majority(Building::Temple, [2, 2, 2, 2, 0]), [1, 1, 1, 1, 0]);
        assert_eq!(majority(Building::Castle, [0; 5]), [0; 5]);
    }
}
