//! The ten actions: whose turn it is, building and placing armies (TW-ROUND-06, TW-ROUND-07, TW-ACT).

use crate::action::Action;
use crate::data::{ACTIONS, Building, Card, Effect, ProvinceId, Reveal, Round, SeatId, Space, Special};
use crate::event::{Context, Event};
use crate::play::seasons::FACE_UP;
use crate::state::{Point, State};

impl State {
    /// The next player in the action, or the next action, or clean-up.
    pub(crate) fn advance_turn(&mut self, context: &mut impl Context) {
        if self.place == 0 {
            self.begin_action(1, context);
        } else if usize::from(self.turn) < self.turn_order.len() {
            self.begin_turn();
        } else if usize::from(self.place) < ACTIONS {
            self.begin_action(self.place + 1, context);
        } else {
            self.point = Point::CleanUp;
        }
    }

    /// An action card begins; the one before it is set aside and another is turned up (TW-ROUND-07).
    fn begin_action(&mut self, place: u8, context: &mut impl Context) {
        (self.place, self.turn) = (place, 0);
        let revealed = (FACE_UP + place - 1).min(ACTIONS as u8);
        if revealed > self.action_revealed {
            self.action_revealed = revealed;
            let action = self.action_order[usize::from(revealed) - 1];
            context.log(|| Event::ActionRevealed { place: revealed, action });
        }
        let action = self.action_order[usize::from(place) - 1];
        context.log(|| Event::ActionBegun { place, action });
        if self.options.reveal == Reveal::PerAction {
            let order = self.turn_order;
            for &seat in order.iter() {
                self.turn_up(seat, action, context);
            }
        }
    }

    /// A player's turn begins with his kept favour, before his plan card is turned up (CT-R-12).
    fn begin_turn(&mut self) {
        let Some(seat) = self.on_turn() else { return };
        let kept = self.kept_calm(seat).is_some() && self.unquiet(seat) != 0;
        self.ask(seat, if kept { Point::Kept } else { Point::Act });
    }

    fn end_turn(&mut self) {
        self.turn += 1;
        self.point = Point::Turn;
    }

    /// The province planned for the action under way, if it is still there (TW-ACT-01, TW-R-20).
    pub fn planned_province(&self) -> Option<ProvinceId> {
        match self.players[self.on_turn()?].plan.card(self.action()?) {
            Card::Province(province) => Some(province),
            _ => None,
        }
    }

    /// Turns up the planned card and carries it out if possible; otherwise the player passes (TW-ACT-02, TW-ACT-03).
    pub(crate) fn act(&mut self, context: &mut impl Context) {
        let (Some(seat), Some(action)) = (self.on_turn(), self.action()) else { return };
        let Card::Province(province) = self.turn_up(seat, action, context) else {
            self.end_turn();
            return;
        };
        let done = match action {
            Space::Castle => self.build(seat, province, Building::Castle, true, context),
            Space::Temple => self.build(seat, province, Building::Temple, true, context),
            Space::No => self.build(seat, province, Building::No, true, context),
            Space::Rice => {
                self.collect_rice(seat, province, context);
                Ok(())
            }
            Space::Tax => {
                self.collect_tax(seat, province, context);
                Ok(())
            }
            Space::Deploy5 => self.deploy(seat, province, self.recruits(seat, 5), 3, context),
            Space::Deploy3 => self.deploy(seat, province, self.recruits(seat, 3), 2, context),
            Space::Deploy1 => {
                let placed = self.deploy(seat, province, 1, 1, context);
                if placed.is_ok() {
                    self.point = Point::DeployMove; // TW-ACT-10
                    return;
                }
                placed
            }
            Space::BattleA | Space::BattleB => {
                let possible = self.can_battle(seat, province, action);
                if possible.is_ok() {
                    self.point = Point::Battle;
                    return;
                }
                possible
            }
            Space::Bid | Space::Convert1 | Space::Convert2 | Space::Convert3 => Ok(()),
        };
        if let Err(reason) = done {
            let key = self.board.key(province);
            context.log(|| Event::Passed { seat, action, province: key, reason });
        }
        self.end_turn();
    }

    /// Ends the turn of a player who has made the decision of his action.
    pub(crate) fn end_action(&mut self) {
        self.end_turn();
    }

    /// Why a building cannot be put up, costs apart (TW-ACT-05, TW-ACT-11, TW-R-03).
    pub(crate) fn can_build(&self, province: ProvinceId, building: Building) -> Result<(), &'static str> {
        let it = &self.provinces[province];
        if it.has(building) {
            Err("built")
        } else if it.buildings() >= self.map().sites(province) {
            Err("sites")
        } else if self.tiles(building) == 0 {
            Err("tiles")
        } else {
            Ok(())
        }
    }

    /// Puts up a building, paid or by favour; a Nô theatre may calm the province (TW-ACT-05, TW-EVENT-02, CT-R-11).
    pub(crate) fn build(
        &mut self,
        seat: SeatId,
        province: ProvinceId,
        building: Building,
        is_paid: bool,
        context: &mut impl Context,
    ) -> Result<(), &'static str> {
        let paid = if is_paid { building.price() } else { 0 };
        if self.players[seat].chests < paid {
            return Err("chests");
        }
        self.can_build(province, building)?;
        self.players[seat].chests -= paid;
        *self.provinces[province].building_mut(building) = true;
        let key = self.board.key(province);
        context.log(|| Event::Built { seat, province: key, building, paid });
        if building == Building::No
            && self.effect() == Some(Effect::NoRemovesUnrest)
            && self.provinces[province].unrest > 0
        {
            self.calm(province, context);
        }
        Ok(())
    }

    /// Removes an unrest marker.
    pub(crate) fn calm(&mut self, province: ProvinceId, context: &mut impl Context) {
        self.provinces[province].unrest -= 1;
        let (key, markers) = (self.board.key(province), self.provinces[province].unrest);
        context.log(|| Event::Unrest { province: key, markers });
    }

    /// Armies of DEPLOY5 or DEPLOY3 after event and special card (TW-ACT-06).
    fn recruits(&self, seat: SeatId, printed: u8) -> u8 {
        let mut armies = printed;
        if self.effect() == Some(Effect::FewRecruits) {
            armies = if printed == 5 { 3 } else { 2 };
        }
        if printed == 5 && self.players[seat].special == Some(Special::SixArmies) {
            armies = 6;
        }
        armies
    }

    /// Places armies from the supply, all or none (TW-ACT-05, TW-R-15, TW-R-18, TW-R-19).
    fn deploy(
        &mut self,
        seat: SeatId,
        province: ProvinceId,
        armies: u8,
        paid: u16,
        context: &mut impl Context,
    ) -> Result<(), &'static str> {
        if self.players[seat].chests < paid {
            return Err("chests");
        }
        if self.supply.of(seat) < armies {
            return Err("supply");
        }
        self.players[seat].chests -= paid;
        *self.supply.of_mut(seat) -= armies;
        self.provinces[province].armies += armies;
        let key = self.board.key(province);
        context.log(|| Event::Deployed { seat, province: key, armies, paid });
        Ok(())
    }

    /// The kept favour is used or not; what it waited for follows (CT-D-04).
    pub(crate) fn play_kept(&mut self, action: Action, context: &mut impl Context) {
        let seat = self.decider;
        let Some(card) = self.kept_calm(seat) else { return };
        if let Action::Province(province) = action {
            self.players[seat].kept.remove(card);
            let key = self.board.key(province);
            context.log(|| Event::FavourUsed { seat, card, province: key });
            self.calm(province, context);
        } else {
            context.log(|| Event::FavourKept { seat, card });
        }
        self.point = if self.round == Round::Winter { Point::Quell } else { Point::Act };
    }
}
