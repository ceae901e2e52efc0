//! Battles and revolts, decided by one throw (TW-BATTLE).

use crate::clash::{Kind, Settlement, Winner, settle};
use crate::data::{ByColour, COLOURS, Card, Cubes, Effect, FARMER, ProvinceId, SeatId, Special};
use crate::event::{Context, Event};
use crate::state::{Province, State};

impl State {
    /// Takes one more cube of a player out of the supply, if there is one (TW-R-22, TW-R-23, TW-TOWER-10).
    fn one_more(&mut self, seat: SeatId, thrown: &mut ByColour) -> u8 {
        if self.supply.of(seat) == 0 {
            return 0;
        }
        *self.supply.of_mut(seat) -= 1;
        *thrown.of_mut(seat) += 1;
        1
    }

    /// Takes farmers out of the supply, as many as there are (TW-R-28).
    fn take_farmers(&mut self, wanted: u8, thrown: &mut ByColour) -> u8 {
        let farmers = wanted.min(self.supply.farmers());
        *self.supply.farmers_mut() -= farmers;
        *thrown.farmers_mut() += farmers;
        farmers
    }

    /// An attack on a neutral or foreign province (TW-BATTLE-17).
    pub(crate) fn attack(
        &mut self,
        seat: SeatId,
        from: ProvinceId,
        to: ProvinceId,
        armies: u8,
        context: &mut impl Context,
    ) {
        let mut thrown = ByColour::default();
        self.provinces[from].armies -= armies;
        *thrown.of_mut(seat) = armies;
        let (mut attacker_more, mut defender_more, mut farmers, mut wanted) = (0, 0, 0, 0);
        if self.players[seat].special == Some(Special::AttackPlus1) {
            attacker_more += self.one_more(seat, &mut thrown);
        }
        let defender = self.provinces[to].owner;
        let farmers_fight = match defender {
            None => {
                wanted = if self.effect() == Some(Effect::NeutralTwoFarmers) { 2 } else { 1 };
                farmers = self.take_farmers(wanted, &mut thrown);
                true
            }
            Some(owner) => {
                *thrown.of_mut(owner) = std::mem::take(&mut self.provinces[to].armies);
                if self.players[owner].special == Some(Special::DefencePlus1) {
                    defender_more += self.one_more(owner, &mut thrown);
                }
                if self.effect() == Some(Effect::CastleDefence) && self.provinces[to].castle {
                    defender_more += self.one_more(owner, &mut thrown);
                }
                self.provinces[to].unrest == 0 // TW-BATTLE-07
            }
        };
        let (start, target) = (self.board.key(from), self.board.key(to));
        context.log(|| Event::Attack {
            seat,
            from: start,
            to: target,
            armies,
            defender,
            attacker_more,
            defender_more,
            farmers,
            wanted,
        });
        let kind = if defender.is_some() { Kind::Attack } else { Kind::Neutral };
        let against = defender.map_or(FARMER, |owner| owner.0);
        let settled = self.throw_and_settle(&thrown, kind, seat.0, against, farmers_fight, to, context);
        match settled.winner {
            Winner::Attacker => self.conquer(seat, to, settled.armies_left as u8, context),
            Winner::Defender => self.provinces[to].armies = settled.armies_left as u8,
            Winner::Nobody => self.make_neutral(to, context),
        }
        self.bump(context);
    }

    /// Farmers against the owner of a province; whether he keeps it (TW-BATTLE-05, TW-BATTLE-17).
    pub(crate) fn revolt(&mut self, province: ProvinceId, wanted: u8, context: &mut impl Context) -> bool {
        let Some(seat) = self.provinces[province].owner else { return false };
        let mut thrown = ByColour::default();
        let farmers = self.take_farmers(wanted, &mut thrown);
        *thrown.of_mut(seat) = std::mem::take(&mut self.provinces[province].armies);
        let key = self.board.key(province);
        context.log(|| Event::Revolt { seat, province: key, farmers, wanted });
        let settled = self.throw_and_settle(&thrown, Kind::Revolt, FARMER, seat.0, true, province, context);
        let won = settled.winner == Winner::Defender;
        if won {
            self.provinces[province].armies = settled.armies_left as u8;
        } else {
            self.make_neutral(province, context);
        }
        self.bump(context);
        won
    }

    #[expect(clippy::too_many_arguments, reason = "a battle has this many facts")]
    fn throw_and_settle(
        &mut self,
        thrown: &ByColour,
        kind: Kind,
        attacker: u8,
        defender: u8,
        farmers_fight: bool,
        province: ProvinceId,
        context: &mut impl Context,
    ) -> Settlement {
        let mut cubes = *thrown;
        for colour in 0..COLOURS {
            cubes.0[colour] += self.tray.0[colour];
        }
        self.throw_cubes(thrown, context);
        let tray = self.tray;
        context.log(|| Event::Thrown { cubes, tray });
        let settled = settle(kind, attacker, defender, farmers_fight, &Cubes::from(tray));
        for colour in 0..COLOURS {
            self.supply.0[colour] += settled.to_supply.0[colour] as u8;
            self.tray.0[colour] = settled.tray.0[colour] as u8;
        }
        let (key, tray, armies) = (self.board.key(province), self.tray, settled.armies_left as u8);
        let winner = settled.winner.name();
        context.log(|| Event::Settled { province: key, winner, armies, tray });
        settled
    }

    /// The province changes hands with its card; buildings and markers stay (TW-BATTLE-10, TW-R-29).
    pub(crate) fn conquer(
        &mut self,
        seat: SeatId,
        province: ProvinceId,
        armies: u8,
        context: &mut impl Context,
    ) {
        let from = self.provinces[province].owner;
        self.give_up_card(province, context);
        self.set_owner(province, Some(seat));
        self.provinces[province].armies = armies;
        let key = self.board.key(province);
        context.log(|| Event::Conquered { seat, province: key, from });
    }

    /// Buildings and markers go; the card goes to the common stock (TW-BATTLE-12, TW-BATTLE-15).
    pub(crate) fn make_neutral(&mut self, province: ProvinceId, context: &mut impl Context) {
        if self.provinces[province].owner.is_none() {
            return; // a neutral province that is not conquered stays neutral
        }
        self.give_up_card(province, context);
        self.set_owner(province, None);
        self.provinces[province] = Province::default();
        let key = self.board.key(province);
        context.log(|| Event::Neutral { province: key });
    }

    /// A lost province's card leaves its owner at once, even from a plan space (TW-BATTLE-13, TW-R-30).
    fn give_up_card(&mut self, province: ProvinceId, context: &mut impl Context) {
        let Some(seat) = self.provinces[province].owner else { return };
        let player = &mut self.players[seat];
        let space = player.plan.space_of(province);
        if let Some(space) = space {
            player.plan.0[space.index()] = Card::Empty;
            player.revealed.0 &= !(1 << space as u16);
        }
        let key = self.board.key(province);
        context.log(|| Event::CardLost { seat, province: key, space });
    }
}
