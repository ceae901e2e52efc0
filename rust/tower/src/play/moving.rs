//! Armies on the move: after DEPLOY1, and in `BATTLE_A` and `BATTLE_B` (TW-MOVE).

use crate::action::{Action, ActionSink, MAX_MOVE};
use crate::data::{Effect, ProvinceId, Provinces, SeatId, Space};
use crate::event::{Context, Event};
use crate::state::State;

impl State {
    /// Where armies may go from a province in a battle action (TW-MOVE-03, TW-EVENT-04, CT-CARD-02).
    pub(crate) fn targets(&self, seat: SeatId, from: ProvinceId, action: Space) -> u64 {
        let mut targets = self.neighbours(from);
        let foreign = targets & self.all_owned() & !self.owned[seat];
        if foreign == 0 {
            return targets;
        }
        if self.effect() == Some(Effect::TempleShield) {
            let shielded = Provinces(foreign).filter(|&province| self.provinces[province].temple);
            targets &= !shielded.fold(0, |set, province| set | province.bit());
        }
        for other in self.everyone() {
            if other != seat && self.is_protected(other, action) {
                targets &= !self.owned[other];
            }
        }
        targets
    }

    /// Whether a battle action can be performed from a province (TW-ACT-05, TW-MOVE-04).
    pub(crate) fn can_battle(
        &self,
        seat: SeatId,
        from: ProvinceId,
        action: Space,
    ) -> Result<(), &'static str> {
        if self.provinces[from].armies < 2 {
            Err("armies")
        } else if self.targets(seat, from, action) == 0 {
            Err("targets")
        } else {
            Ok(())
        }
    }

    /// Every number of armies to every target; one must stay (TW-MOVE-01).
    fn legal_moves(&self, from: ProvinceId, targets: u64, out: &mut impl ActionSink) {
        let most = (self.provinces[from].armies - 1).min(MAX_MOVE);
        for to in Provinces(targets) {
            for armies in 1..=most {
                out.add(Action::Move { to, armies });
            }
        }
    }

    /// Not moving, or some armies to an adjacent own province (TW-ACT-10, TW-MOVE-05).
    pub(crate) fn legal_deploy_moves(&self, out: &mut impl ActionSink) {
        out.add(Action::Pass);
        if let Some(from) = self.planned_province() {
            self.legal_moves(from, self.neighbours(from) & self.owned[self.decider], out);
        }
    }

    pub(crate) fn play_deploy_move(&mut self, action: Action, context: &mut impl Context) {
        let Some(from) = self.planned_province() else { return };
        match action {
            Action::Move { to, armies } => self.move_armies(self.decider, from, to, armies, context),
            _ => self.stay(from, context),
        }
        self.end_action();
    }

    fn stay(&self, from: ProvinceId, context: &mut impl Context) {
        let (seat, key) = (self.decider, self.board.key(from));
        context.log(|| Event::Stayed { seat, province: key });
    }

    /// One target for all armies that move (TW-MOVE-02).
    pub(crate) fn legal_battles(&self, out: &mut impl ActionSink) {
        if self.options.allow_zero_move {
            out.add(Action::Pass); // TW-R-17
        }
        if let (Some(from), Some(action)) = (self.planned_province(), self.action()) {
            self.legal_moves(from, self.targets(self.decider, from, action), out);
        }
    }

    pub(crate) fn play_battle(&mut self, action: Action, context: &mut impl Context) {
        let seat = self.decider;
        let Some(from) = self.planned_province() else { return };
        if let Action::Move { to, armies } = action {
            if self.provinces[to].owner == Some(seat) {
                self.move_armies(seat, from, to, armies, context);
            } else {
                self.attack(seat, from, to, armies, context);
            }
        } else {
            self.stay(from, context);
        }
        self.end_action();
    }

    /// A pure move never uses the tower (TW-TUSE-05, TW-MOVE-06).
    fn move_armies(
        &mut self,
        seat: SeatId,
        from: ProvinceId,
        to: ProvinceId,
        armies: u8,
        context: &mut impl Context,
    ) {
        self.provinces[from].armies -= armies;
        self.provinces[to].armies += armies;
        let (from, to) = (self.board.key(from), self.board.key(to));
        context.log(|| Event::Moved { seat, from, to, armies });
    }
}
