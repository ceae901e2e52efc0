//! Before the first round: cards, spearmen, swords, first reinforcements, army markers (SW-SETUP, SW-TWO-03).

use arrayvec::ArrayVec;

use crate::action::{Action, ActionSink};
use crate::data::{ByClan, ByProvince, ByUnit, ClanId, DAIMYO, PROVINCES, ProvinceId, Provinces, Unit};
use crate::draws;
use crate::event::{Context, Event};
use crate::map::Map;
use crate::play::Next;
use crate::state::{Options, Phase, Point, Province, State};
use crate::stock::{Pool, Tray};

/// Cards that a player of two clans gives to the first of them (SW-TWO-03).
pub(crate) const HALF_HAND: u8 = 17;
/// Provinces each clan reinforces (SW-SETUP-07).
const REINFORCEMENTS: u8 = 6;

impl State {
    /// A match at its first decision: cards are dealt, trays filled.
    pub(crate) fn deal(map: &'static Map, options: Options, context: &mut impl Context) -> Self {
        let mut state = Self {
            map,
            options,
            round: 0,
            point: Point::Reinforce(0),
            decider: ClanId(0),
            window: None,
            revenge: None,
            recovery: None,
            active: ClanId(0),
            turn: 0,
            phase: Phase::None,
            must_move: None,
            declared_armies: [None; DAIMYO],
            declared_forces: ByProvince([None; PROVINCES]),
            series: None,
            fight: None,
            march: None,
            pool: Pool::default(),
            ninja: None,
            ninja_fresh: false,
            spied: None,
            draws: 0,
            clans: ByClan::default(),
            provinces: ByProvince([Province::default(); PROVINCES]),
            owned: ByClan::default(),
        };
        for clan in 0..state.clan_count() {
            let clan = &mut state.clans.0[clan];
            clan.colours = 1;
            clan.tray = Tray::FULL;
            for army in &mut clan.armies {
                // SW-SETUP-02
                army.units = ByUnit([1, 2, 1, 1, 0, 0]);
                for unit in [Unit::Bow, Unit::Gun, Unit::Sword] {
                    clan.tray.take(unit, army.units[unit]);
                }
            }
        }
        let name = |card: u8| map.provinces()[usize::from(card)].key.clone();
        let hands = draws::deal(options.seats, &mut state.draws, context, name);
        for (province, &hand) in ProvinceId::all().zip(&hands) {
            // A hand of two clans lies with the second of them until it is divided.
            let owner = hand.map(|hand| ClanId(if options.seats == 2 { 2 * hand + 1 } else { hand }));
            state.set_owner(province, owner);
        }
        if options.seats == 2 {
            state.point = Point::Divide(HALF_HAND);
        } else {
            state.claim(context);
        }
        state.run(context);
        state
    }

    /// A spearman in each province (SW-SETUP-04), swords (SW-SETUP-05) and koku (SW-SETUP-06).
    fn claim(&mut self, context: &mut impl Context) {
        let clans = self.clan_count() as u8;
        for clan in (0..clans).map(ClanId) {
            let cards = self.province_count(clan);
            for province in Provinces(self.owned(clan)) {
                self.provinces[province].units[Unit::Spear] = self.clans[clan].tray.take(Unit::Spear, 1);
            }
            self.clans[clan].koku = cards / crate::data::INCOME_DIVISOR;
            let (map, owned) = (self.map, self.owned(clan));
            context.log(|| Event::Claimed {
                clan,
                provinces: Provinces(owned).map(|province| map.key(province.0)).collect(),
            });
        }
        let mut swords: ArrayVec<u8, { crate::data::MAX_CLANS }> = (1..=clans).collect();
        let drawn = draws::draw_swords(usize::from(clans), &mut swords, &mut self.draws, context);
        for (clan, sword) in (0..clans).map(ClanId).zip(drawn) {
            self.clans[clan].sword = sword;
            context.log(|| Event::Sword { clan, sword, drawn: true });
        }
        self.point = Point::Reinforce(0);
    }

    pub(crate) fn advance_setting_up(&mut self, context: &mut impl Context) -> Next {
        let clans = self.clan_count() as u8;
        let turn = |state: &Self, done: u8| state.in_sword_order().nth(usize::from(done % clans));
        match self.point {
            Point::Divide(_) => {
                if let Some(clan) = self.next_to_answer(|_, clan| clan.0.is_multiple_of(2)) {
                    self.decider = clan;
                    return Next::Ask;
                }
                self.forget_answers();
                self.claim(context);
                Next::Go
            }
            Point::Reinforce(done) if done == REINFORCEMENTS * clans => {
                self.point = Point::PlaceArmies(0);
                Next::Go
            }
            Point::PlaceArmies(done) if done == DAIMYO as u8 * clans => {
                self.start_round(context);
                Next::Go
            }
            Point::Reinforce(done) | Point::PlaceArmies(done) => {
                self.decider = turn(self, done).unwrap_or(self.decider);
                Next::Ask
            }
            point => unreachable!("{point:?} is not a part of the setup"),
        }
    }

    pub(crate) fn legal_setting_up(&self, out: &mut impl ActionSink) {
        let clan = self.decider;
        let places = match self.point {
            Point::Divide(_) => self.owned(ClanId(clan.0 + 1)),
            Point::Reinforce(_) => Provinces(self.owned(clan))
                .filter(|&province| self.provinces[province].units[Unit::Spear] == 1)
                .fold(0, |set, province| set | province.bit()),
            _ => self.owned(clan) & !self.army_provinces(clan),
        };
        out.add_provinces(places);
    }

    pub(crate) fn play_setting_up(&mut self, action: Action, context: &mut impl Context) {
        let Action::Province(province) = action else { unreachable!("{action:?} places nothing") };
        let (clan, map) = (self.decider, self.map);
        match self.point {
            Point::Divide(left) => {
                self.set_owner(province, Some(clan));
                self.point = Point::Divide(if left == 1 { HALF_HAND } else { left - 1 });
                self.clans[clan].answered = left == 1;
            }
            Point::Reinforce(done) => {
                let taken = self.clans[clan].tray.take(Unit::Spear, 2);
                self.provinces[province].units[Unit::Spear] += taken;
                self.point = Point::Reinforce(done + 1);
                context.log(|| Event::Reinforced { clan, province: map.key(province.0) });
            }
            Point::PlaceArmies(done) => {
                let army = done / self.clan_count() as u8; // numbered in the order of placing (SW-R-13)
                self.army_mut(clan, army).province = Some(province);
                self.point = Point::PlaceArmies(done + 1);
                context.log(|| Event::ArmyPlaced { clan, army: army + 1, province: map.key(province.0) });
            }
            point => unreachable!("{point:?} is not a part of the setup"),
        }
    }
}
