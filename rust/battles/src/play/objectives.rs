//! Banners of scenarios, at the instants at which they are won and lost (SCEN-05..07, SCEN-12..19).

use crate::board::HexSet;
use crate::data::{Section, Side, Terrain};
use crate::event::{Context, Event, Removal, Why};
use crate::pieces::{LeaderId, Unit, UnitId, UnitSet};
use crate::scenario::Victory;
use crate::state::{Decided, End, State};

impl State {
    /// Banners that a side has only as long as a condition holds (BT-SCEN-06, BT-SCEN-17, BT-SCEN-19).
    pub fn temporary_banners(&self, side: Side) -> u8 {
        let marked = (self.trackers.marked & self.units_of(side)).len() as u8;
        let hills = self.trackers.hill_majority == Some(side);
        if marked == 0 && !hills {
            return 0;
        }
        let (mut each, mut majority) = (0, 0);
        for victory in &self.scenario.victory {
            match *victory {
                Victory::UnitsAcross { side: gains, banners_per_unit, .. }
                | Victory::GorgeRim { side: gains, banners_per_unit, .. }
                    if gains == side =>
                {
                    each = banners_per_unit;
                }
                Victory::HillMajority { banners } => majority = banners,
                _ => {}
            }
        }
        marked * each + if hills { majority } else { 0 }
    }

    /// Banners for a leader that is eliminated (BT-LEADERS-09).
    pub fn leader_value(&self, leader: LeaderId) -> u8 {
        let (leader, victory) = (self.leader(leader), &self.scenario.victory);
        let named = |victory: &Victory| match *victory {
            Victory::NamedLeaderValue { leader_side, name, banners } => {
                (leader.side == leader_side && leader.name == Some(name)).then_some(banners)
            }
            _ => None,
        };
        let any = |victory: &Victory| match *victory {
            Victory::LeaderValue { banners } => Some(banners),
            _ => None,
        };
        victory.iter().find_map(named).or_else(|| victory.iter().find_map(any)).unwrap_or(1)
    }

    /// Whether a side wins by entering the enemy's tent (BT-SCEN-12).
    pub fn decides_by_tent(&self, side: Side) -> bool {
        self.scenario
            .victory
            .iter()
            .any(|victory| matches!(*victory, Victory::EnterTent { side: wins } if wins == side))
    }

    /// Banners that are awarded or checked at the start of a turn (BT-TURN-02 b).
    pub(crate) fn start_banners(&mut self, side: Side, context: &mut impl Context) {
        let scenario = self.scenario;
        for victory in &scenario.victory {
            if self.decided.is_some() {
                return; // BT-VICTORY-01
            }
            match *victory {
                Victory::UnitsAcross { side: gains, bank, .. } if gains == side => {
                    self.mark(self.units_on(side, scenario.banks[bank]), Why::Across, context);
                }
                Victory::GorgeRim { side: gains, bank, .. } if gains == side => {
                    let rim = scenario.banks[bank] & scenario.hexes_of(Terrain::Gorge).neighbours();
                    self.mark(self.units_on(side, rim), Why::Across, context);
                }
                Victory::EmptySection { side: gains, banners } if gains == side => {
                    let enemies = self.unit_hexes(side.other());
                    let empty = |section: Section| !section.hexes_shared_to_middle().meets(enemies);
                    if Section::ALL.into_iter().any(empty) {
                        self.award_banners(side, banners, Why::EmptySection, context);
                    }
                }
                Victory::NoEnemyOnBank { side: gains, bank, banners, from_turn } if gains == side => {
                    let enemies = self.units_on(side.other(), scenario.banks[bank]);
                    if enemies.is_empty() && self.trackers.turns[side] >= from_turn {
                        self.award_banners(side, banners, Why::Bank, context);
                    }
                }
                Victory::UnitsOnBank { side: gains, bank, at_least, banners }
                    if gains == side
                        && self.units_on(side, scenario.banks[bank]).len() >= usize::from(at_least) =>
                {
                    self.award_banners(side, banners, Why::Bank, context);
                }
                Victory::HillMajority { .. } => self.award_hills(context),
                _ => {}
            }
        }
    }

    /// The units of a side in some hexes.
    pub(crate) fn units_on(&self, side: Side, hexes: HexSet) -> UnitSet {
        (self.unit_hexes(side) & hexes).into_iter().filter_map(|hex| self.unit_at(hex)).collect()
    }

    fn mark(&mut self, units: UnitSet, why: Why, context: &mut impl Context) {
        let new = units - self.trackers.marked;
        let Some(first) = new.first() else { return };
        let side = self.unit(first).side;
        let before = self.banner_count(side);
        self.trackers.marked = self.trackers.marked | new;
        self.log_banners(side, before, why, context);
        self.check_victory(side);
    }

    /// Awards a banner to the side that holds more hills (BT-SCEN-17).
    fn award_hills(&mut self, context: &mut impl Context) {
        self.review_temporary(context);
        if let (Some(side), None) = (self.most_hills(), self.trackers.hill_majority) {
            let before = self.banner_count(side);
            self.trackers.hill_majority = Some(side);
            self.log_banners(side, before, Why::Hills, context);
            self.check_victory(side);
        }
    }

    fn most_hills(&self) -> Option<Side> {
        let hills = self.scenario.hexes_of(Terrain::Hill);
        let [top, bottom] = Side::ALL.map(|side| (self.unit_hexes(side) & hills).len());
        match top.cmp(&bottom) {
            std::cmp::Ordering::Greater => Some(Side::Top),
            std::cmp::Ordering::Less => Some(Side::Bottom),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// The banner for hills is lost at the instant its side no longer has more (BT-SCEN-17).
    pub(crate) fn review_temporary(&mut self, context: &mut impl Context) {
        if let Some(side) = self.trackers.hill_majority
            && self.most_hills() != Some(side)
        {
            let before = self.banner_count(side);
            self.trackers.hill_majority = None;
            self.log_banners(side, before, Why::Hills, context);
        }
    }

    /// The mark of a unit is lost with what it was for (BT-SCEN-06, BT-SCEN-19).
    pub(crate) fn unmark(&mut self, unit: UnitId, context: &mut impl Context) {
        if self.trackers.marked.contains(unit) {
            let side = self.unit(unit).side;
            let before = self.banner_count(side);
            self.trackers.marked.remove(unit);
            self.log_banners(side, before, Why::Across, context);
        }
    }

    fn log_banners(&self, side: Side, before: u8, why: Why, context: &mut impl Context) {
        let now = self.banner_count(side);
        // A change is at most 120, of forty marked units, but the numbers themselves can be beyond 127.
        let change = now.cast_signed().wrapping_sub(before.cast_signed());
        context.log(|| Event::Banners { side, change, now, why });
    }

    /// Temporary banners for the place that a unit has left are lost at that instant, in a retreat before its honor is
    /// settled (BT-SCEN-06, BT-SCEN-17, BT-SCEN-19).
    pub(crate) fn left_its_place(&mut self, unit: UnitId, context: &mut impl Context) {
        self.review_temporary(context);
        let Unit { hex, side, .. } = *self.unit(unit);
        let scenario = self.scenario;
        let stays_across = |victory: &Victory| {
            matches!(*victory, Victory::UnitsAcross { side: gains, bank, .. }
                if gains == side && scenario.banks[bank].contains(hex))
        };
        if self.trackers.marked.contains(unit) && !scenario.victory.iter().any(stays_across) {
            self.unmark(unit, context);
        }
    }

    /// Applies the effects of the hex that a unit has reached by a move that was not cancelled, an advance, a retreat
    /// with its honor settled, or Turncoats (BT-SCEN-07).
    pub(crate) fn arrived(&mut self, unit: UnitId, context: &mut impl Context) {
        let scenario = self.scenario;
        self.left_its_place(unit, context);
        let Unit { hex, side, kind, .. } = *self.unit(unit);
        for (number, victory) in scenario.victory.iter().enumerate() {
            match *victory {
                Victory::Occupy { side: gains, hex: objective, banners, cards_lost }
                    if gains == side && objective == hex && self.trackers.captured >> number & 1 == 0 =>
                {
                    self.trackers.captured |= 1 << number;
                    self.award_banners(side, banners, Why::Objective, context);
                    for _ in 0..cards_lost {
                        if self.decided.is_none() {
                            self.lose_command_card(side.other(), context);
                        }
                    }
                }
                Victory::EnterTent { side: wins } if wins == side && self.tent(side.other()) == Some(hex) => {
                    self.decided.get_or_insert(Decided { winner: Some(side), end: End::Tent });
                }
                Victory::Exit { side: gains, kinds, bank, banners }
                    if gains == side
                        && kinds >> kind as u16 & 1 == 1
                        && scenario.banks[bank].contains(hex) =>
                {
                    self.remove_unit(unit, Removal::Exit, context);
                    self.award_banners(side, banners, Why::Exit, context);
                    return;
                }
                _ => {}
            }
        }
    }
}
