//! T2: which pieces get orders (ORDERS, CMD-30..60).
//!
//! Pieces are ordered one after the other; a piece is offered as long as all pieces ordered so far and it could be ordered
//! together. A hex stands for the unit there with its leader, or for a lone leader; to detach a leader it is ordered by
//! itself first, and its unit may follow with an order of its own (BT-ORDERS-10).

use crate::action::{Action, ActionSink};
use crate::board::HexSet;
use crate::cards::Effective;
use crate::data::{CommandCard, Face, Flank, HexId, Section, Symbol, UnitKind};
use crate::event::{Context, Event, Roll, Why};
use crate::pieces::{LeaderId, UnitId, UnitSet};
use crate::play::Step;
use crate::scenario::Special;
use crate::state::State;

/// Units that Cavalry Charge, Hold and Shoot and Infantry Assault can order (BT-CMD-01).
const TACTIC_UNITS: usize = 4;
/// Hexes that Leadership can order besides the leader's (BT-CMD-40).
const LEADERSHIP_HEXES: u32 = 4;

/// The pieces that could get an order next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Offer {
    /// Hexes of units, with their leaders, and of lone leaders.
    hexes: HexSet,
    /// Hexes of leaders that would leave their unit.
    leaders: HexSet,
}

/// Pieces by the section they stand in: west, shared, middle, shared, east.
#[derive(Clone, Copy, Debug, Default)]
struct Standing([u8; 5]);

impl Standing {
    fn add(&mut self, hex: HexId) {
        let x = hex.x(); // shared hexes are at 7 and 15 (BT-BOARD-08)
        self.0[usize::from(x >= 7) + usize::from(x > 7) + usize::from(x >= 15) + usize::from(x > 15)] += 1;
    }

    /// Pieces more than the orders of the sections can reach, however they are matched (BT-ORDERS-03): for every set of
    /// sections those pieces that stand in no other one count against its orders.
    fn surplus(self, orders: [u8; 3]) -> u8 {
        let [west, west_middle, middle, middle_east, east] = self.0;
        let [in_west, in_middle, in_east] = orders;
        let more = |pieces: u8, orders: u8| pieces.saturating_sub(orders);
        let singles = more(west, in_west) + more(east, in_east);
        [
            singles + more(middle, in_middle),
            more(west + west_middle + middle, in_west.saturating_add(in_middle)) + more(east, in_east),
            more(east + middle_east + middle, in_east.saturating_add(in_middle)) + more(west, in_west),
            more(self.0.iter().sum(), in_west.saturating_add(in_middle).saturating_add(in_east)),
        ]
        .into_iter()
        .max()
        .unwrap_or(0)
    }
}

impl State {
    /// Logs the card that the command card counts as and, for Shogun, rolls its dice (BT-CMD-60).
    pub(crate) fn begin_orders(&mut self, context: &mut impl Context) {
        let side = self.active;
        let (effective, command) = (self.turn.effective, self.command_of(side));
        context.log(|| {
            let orders = |flank| effective.map_or(0, |effective| effective.slots.orders(flank, command));
            let [left, center, right] = Flank::ALL.map(orders);
            Event::CommandCounts {
                side,
                card: effective.map(|effective| effective.card),
                left,
                center,
                right,
            }
        });
        let Some(Effective { card, .. }) = effective else { return };
        if card == CommandCard::Shogun {
            let faces = self.roll(side, command, Roll::Shogun, context);
            self.turn.shogun =
                [Face::Circle, Face::Triangle, Face::Square, Face::Flag].map(|face| faces[face]);
            self.gain_honor(side, faces[Face::Honor], Why::Faces, context);
        }
        self.turn.effects.fallback = self.falls_back(card);
    }

    /// Whether a card orders one unit of choice because there is no unit of its kind on the board (BT-R-22).
    pub fn falls_back(&self, card: CommandCard) -> bool {
        card_kind(card).is_some_and(|kind| !self.has_unit(self.active, kind))
    }

    pub(crate) fn legal_orders(&self, out: &mut impl ActionSink) {
        let offer = self.offer();
        out.add(Action::Pass); // fewer orders or none (BT-ORDERS-07)
        out.add_hexes(offer.hexes);
        out.add_leaders(offer.leaders);
    }

    pub(crate) fn play_order(&mut self, action: Action, context: &mut impl Context) {
        let side = self.active;
        match action {
            Action::Hex(hex) => {
                if let Some(unit) = self.unit_at(hex) {
                    if self.effective_is(CommandCard::Leadership) && self.ordered_hexes().is_empty() {
                        // Without a leader in the hex it is the one unit of choice (BT-CMD-40).
                        self.turn.effects.fallback = self.leader_of(unit).is_none();
                    }
                    self.turn.ordered.insert(unit);
                    let leader = self.goes_along(unit).is_some();
                    let kind = self.unit(unit).kind;
                    context.log(|| Event::Ordered { side, hex, unit: Some(kind), leader });
                } else if let Some(leader) = self.leader_at(hex) {
                    self.turn.ordered_leaders.insert(leader);
                    context.log(|| Event::Ordered { side, hex, unit: None, leader: true });
                }
                self.push(Step::Order);
            }
            Action::Leader(hex) => {
                if let Some(leader) = self.leader_at(hex) {
                    self.turn.ordered_leaders.insert(leader);
                    context.log(|| Event::Ordered { side, hex, unit: None, leader: true });
                }
                self.push(Step::Order);
            }
            _ => self.finish_orders(context),
        }
    }

    /// Held units that got their first order are released (BT-SCEN-16); missile units of Infantry Assault may not battle
    /// (BT-CMD-30).
    fn finish_orders(&mut self, context: &mut impl Context) {
        for held in &mut self.trackers.held {
            *held = *held - self.turn.ordered;
        }
        if self.effective_card() == Some(CommandCard::InfantryAssault) {
            let missiles = self.turn.ordered.filter(|&unit| self.unit(unit).kind.is_missile());
            self.turn.barred = self.turn.barred | missiles.collect();
        }
        let side = self.active;
        context.log(|| Event::OrdersGiven { side });
    }

    /// The effective card where its bonuses and restrictions hold: not for a unit of choice (BT-R-65).
    pub fn effective_card(&self) -> Option<CommandCard> {
        self.turn.effective.filter(|_| !self.turn.effects.fallback).map(|effective| effective.card)
    }

    /// The leader that moves with a unit: not one with an order of its own (BT-R-24).
    pub fn goes_along(&self, unit: UnitId) -> Option<LeaderId> {
        self.leader_of(unit).filter(|&leader| !self.turn.ordered_leaders.contains(leader))
    }

    /// Hexes of the pieces that have orders.
    fn ordered_hexes(&self) -> HexSet {
        let units = self.turn.ordered.map(|unit| self.unit(unit).hex);
        units.chain(self.turn.ordered_leaders.map(|leader| self.leader(leader).hex)).collect()
    }

    /// Units that wait for a card of their own (BT-SCEN-16).
    pub(crate) fn held_units(&self) -> UnitSet {
        self.trackers.held.into_iter().fold(UnitSet::EMPTY, |all, held| all | held)
    }

    /// Held units that the card of this turn may order: Order One by the flank of its slot.
    fn released_now(&self, effective: &Effective) -> UnitSet {
        let mut released = UnitSet::EMPTY;
        let rules = self.scenario.special.iter().filter_map(|special| match *special {
            Special::Held { card, .. } => Some(card),
            _ => None,
        });
        for (card, &held) in rules.zip(&self.trackers.held) {
            let same_flank =
                |flank: Flank| effective.slots.0[flank.index()] > 0 && card.slots().0[flank.index()] > 0;
            if effective.card.is_order_one() && Flank::ALL.into_iter().any(same_flank) {
                released = released | held;
            }
        }
        released
    }

    fn offer(&self) -> Offer {
        let Some(effective) = &self.turn.effective else { return Offer::default() };
        let ordered = self.turn.ordered.len() + self.turn.ordered_leaders.len();
        if self.turn.effects.white_fox && ordered > usize::from(self.turn.effects.extra_orders) {
            return Offer::default(); // BT-DRAGON-46
        }
        let side = self.active;
        let held = self.held_units() - self.released_now(effective);
        let units: HexSet =
            (self.units_of(side) - self.turn.ordered - held).map(|unit| self.unit(unit).hex).collect();
        if self.turn.effects.fallback {
            let hexes = if ordered == 0 { units } else { HexSet::EMPTY };
            return Offer { hexes, leaders: HexSet::EMPTY };
        }
        if let Some(kind) = card_kind(effective.card) {
            return self.offer_units(effective.card, units, kind);
        }
        let free_leaders =
            (self.leaders_of(side) - self.turn.ordered_leaders).map(|leader| self.leader(leader).hex);
        let free_leaders: HexSet = free_leaders.collect();
        let lone = free_leaders & self.lone_hexes(side);
        match effective.card {
            CommandCard::Leadership => self.offer_leadership(units | lone),
            CommandCard::SnakeCommand => Offer { hexes: self.linked(units | lone), leaders: HexSet::EMPTY },
            CommandCard::FirstStrike | CommandCard::Counterattack => Offer::default(),
            card => {
                // A leader may be detached from a unit that is neither ordered, held, nor the bodyguard (BT-ORDERS-11,
                // BT-SCEN-16).
                let with_unit = (free_leaders & units) - self.hexes(self.held_units());
                let detachable: HexSet =
                    with_unit.into_iter().filter(|&hex| !self.is_bodyguard_at(hex)).collect();
                let offered = Offer { hexes: units | lone, leaders: detachable };
                if card == CommandCard::Shogun {
                    self.offer_shogun(offered)
                } else {
                    self.offer_sections(effective, offered)
                }
            }
        }
    }

    fn is_bodyguard_at(&self, hex: HexId) -> bool {
        self.unit_at(hex).is_some_and(|unit| self.unit(unit).kind.is_bodyguard())
    }

    /// The hexes of a set that touch an ordered one; all of them for the first order.
    fn linked(&self, hexes: HexSet) -> HexSet {
        let ordered = self.ordered_hexes();
        if ordered.is_empty() { hexes } else { hexes & ordered.neighbours() }
    }

    /// Cards that order units of a kind (BT-ORDERS-13, BT-R-64).
    fn offer_units(&self, card: CommandCard, units: HexSet, kind: fn(UnitKind) -> bool) -> Offer {
        let most = match card {
            CommandCard::CircleUnits | CommandCard::TriangleUnits | CommandCard::SquareUnits => {
                usize::from(self.command_of(self.active))
            }
            _ => TACTIC_UNITS,
        };
        if self.turn.ordered.len() >= most {
            return Offer::default();
        }
        let of_kind = |hex: &HexId| self.unit_at(*hex).is_some_and(|unit| kind(self.unit(unit).kind));
        let mut hexes: HexSet = units.into_iter().filter(of_kind).collect();
        match card {
            CommandCard::HoldAndShoot => hexes -= self.hexes_of(self.active.other()).neighbours(),
            CommandCard::InfantryAssault => hexes = self.linked(hexes), // one connected group (BT-CMD-30)
            _ => {}
        }
        Offer { hexes, leaders: HexSet::EMPTY }
    }

    /// A leader's hex first, then hexes that are connected with it; or one unit without a leader (BT-CMD-40, BT-R-62).
    fn offer_leadership(&self, pieces: HexSet) -> Offer {
        let hexes =
            if self.ordered_hexes().len() > LEADERSHIP_HEXES { HexSet::EMPTY } else { self.linked(pieces) };
        Offer { hexes, leaders: HexSet::EMPTY }
    }

    /// Slots for symbols, and for anything; BG and leaders by themselves need one of the latter (BT-CMD-60).
    fn offer_shogun(&self, offered: Offer) -> Offer {
        let [circle, triangle, square, any] = self.turn.shogun;
        let mut left = [circle, triangle, square].map(u8::cast_signed);
        let mut used = self.turn.ordered_leaders.len() as u8;
        for unit in self.turn.ordered {
            match self.unit(unit).kind.symbol() {
                Symbol::Swords => used += 1,
                symbol => left[symbol.index()] -= 1,
            }
        }
        used += left.iter().map(|&left| (-left).max(0).cast_unsigned()).sum::<u8>();
        let any_left = used < any;
        let fits = |hex: &HexId| {
            let unit = self.unit_at(*hex).map(|unit| self.unit(unit).kind.symbol());
            any_left || unit.is_some_and(|symbol| symbol != Symbol::Swords && left[symbol.index()] > 0)
        };
        Offer {
            hexes: offered.hexes.into_iter().filter(fits).collect(),
            leaders: if any_left { offered.leaders } else { HexSet::EMPTY },
        }
    }

    /// Pieces that can be matched to the slots of a section card, with what Brave Messenger adds (BT-ORDERS-03, BT-DRAGON-22).
    fn offer_sections(&self, effective: &Effective, offered: Offer) -> Offer {
        let side = self.active;
        let command = self.command_of(side);
        let mut orders = [0; 3];
        for flank in Flank::ALL {
            orders[flank.section(side).index()] = effective.slots.orders(flank, command);
        }
        let extra = self.turn.effects.extra_orders;
        // Leaders by themselves and held units need an order of the card; other units can have an extra one.
        let (mut of_card, mut all) = (Standing::default(), Standing::default());
        let held = self.held_units();
        for unit in self.turn.ordered {
            let hex = self.unit(unit).hex;
            all.add(hex);
            if held.contains(unit) {
                of_card.add(hex);
            }
        }
        for leader in self.turn.ordered_leaders {
            let hex = self.leader(leader).hex;
            all.add(hex);
            of_card.add(hex);
        }
        let needs_card = self.lone_hexes(side) | self.hexes(held);
        let mut fitting = Offer::default();
        for (place, hexes) in zones().into_iter().enumerate() {
            let mut all = all;
            all.0[place] += 1;
            if all.surplus(orders) > extra {
                continue;
            }
            fitting.hexes |= (offered.hexes & hexes) - needs_card;
            let mut of_card = of_card;
            of_card.0[place] += 1;
            let only_one = !self.turn.effects.white_fox || of_card.0.iter().sum::<u8>() == 1;
            if only_one && of_card.surplus(orders) == 0 {
                fitting.hexes |= offered.hexes & hexes;
                fitting.leaders |= offered.leaders & hexes;
            }
        }
        fitting
    }
}

/// The parts of the board in the order of [`Standing`].
fn zones() -> [HexSet; 5] {
    let [west, middle, east] = Section::ALL.map(Section::hexes);
    [west - middle, west & middle, middle - west - east, middle & east, east - middle]
}

/// The units that a tactic card orders, where it names a kind.
fn card_kind(card: CommandCard) -> Option<fn(UnitKind) -> bool> {
    Some(match card {
        CommandCard::CircleUnits => |kind| kind.symbol() == Symbol::Circle,
        CommandCard::TriangleUnits => |kind| kind.symbol() == Symbol::Triangle,
        CommandCard::SquareUnits => |kind| kind.symbol() == Symbol::Square,
        CommandCard::CavalryCharge => UnitKind::is_cavalry,
        CommandCard::HoldAndShoot => UnitKind::is_missile,
        CommandCard::InfantryAssault => UnitKind::is_infantry,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Most pieces that orders can reach, tried one by one: a piece in a shared hex takes either section (BT-ORDERS-03).
    fn most(places: &[usize], orders: [u8; 3]) -> u8 {
        let Some((&first, rest)) = places.split_first() else { return 0 };
        let sections = [&[0][..], &[0, 1], &[1], &[1, 2], &[2]][first];
        let taken = sections.iter().filter(|&&section| orders[section] > 0).map(|&section| {
            let mut left = orders;
            left[section] -= 1;
            1 + most(rest, left)
        });
        taken.chain([most(rest, orders)]).max().unwrap_or(0)
    }

    proptest! {
        #[test]
        fn pieces_are_matched_to_slots(places in prop::collection::vec(0_usize..5, 0..7), orders: [u8; 3]) {
            // BT-ORDERS-03
            let orders = orders.map(|orders| orders % 4);
            let mut standing = Standing::default();
            for &place in &places {
                standing.0[place] += 1;
            }
            prop_assert_eq!(standing.surplus(orders), places.len() as u8 - most(&places, orders));
        }
    }

    #[test]
    fn sections_of_hexes() {
        // BT-BOARD-08
        let mut standing = Standing::default();
        for column in 0..11 {
            standing.add(HexId::at(1, column).unwrap());
        }
        assert_eq!(standing.0, [3, 1, 3, 1, 3]);
        for column in 0..12 {
            standing.add(HexId::at(0, column).unwrap());
        }
        assert_eq!(standing.0, [7, 1, 7, 1, 7]);
        for (place, hexes) in zones().into_iter().enumerate() {
            for hex in hexes {
                let mut alone = Standing::default();
                alone.add(hex);
                assert_eq!(alone.0[place], 1, "{hex}");
            }
        }
    }
}
