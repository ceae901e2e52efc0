//! Orders of losses: which units a side gives up when nobody is asked (SW-CASUALTY).

use crate::data::Unit;
use crate::force::{Losses, Side};

/// The order in which a side gives up its units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LossOrder([Unit; 5]);

impl LossOrder {
    /// The units that are cheapest to replace go first.
    pub const CHEAPEST: Self = Self([Unit::Spear, Unit::Gun, Unit::Sword, Unit::Ronin, Unit::Bow]);
    /// Ronin, who leave after the round anyway, go first.
    pub const HIRED_FIRST: Self = Self([Unit::Ronin, Unit::Spear, Unit::Gun, Unit::Sword, Unit::Bow]);

    /// An order of the five kinds a side may choose from; `None` unless each of them is named once.
    pub fn new(units: &[Unit]) -> Option<Self> {
        let order: [Unit; 5] = units.try_into().ok()?;
        let mut kinds = Unit::ALL.into_iter().filter(|&unit| unit != Unit::Daimyo);
        kinds.all(|unit| order.contains(&unit)).then_some(Self(order))
    }

    /// The kinds, first to go first.
    pub const fn units(&self) -> &[Unit; 5] {
        &self.0
    }

    /// The name of the order, if it has one.
    pub fn name(&self) -> Option<&'static str> {
        match *self {
            Self::CHEAPEST => Some("cheapest"),
            Self::HIRED_FIRST => Some("hired_first"),
            _ => None,
        }
    }
}

impl Default for LossOrder {
    fn default() -> Self {
        Self::CHEAPEST
    }
}

impl Side {
    /// The casualties that an order of losses gives up: unit by unit, each the first that may go.
    ///
    /// Bonus units go first and a daimyo last, as the rules demand; a regular unit whose loss would leave its force with
    /// too many ronin stays, and the next in order goes. Of two forces the provincial force gives up its units of a kind
    /// before the army does. Because it goes unit by unit, losing two and then one is the same as losing three.
    pub fn choose(&self, order: &LossOrder, count: u8) -> Losses {
        let mut left = *self;
        let mut losses = Losses::default();
        for _ in 0..count.min(self.total()) {
            let one = left.first_to_go(order);
            left.remove(&one);
            losses.bonus += one.bonus;
            for unit in Unit::ALL {
                losses.provincial[unit] += one.provincial[unit];
                losses.army[unit] += one.army[unit];
            }
        }
        losses
    }

    fn first_to_go(&self, order: &LossOrder) -> Losses {
        let mut one = Losses::default();
        if self.bonus > 0 {
            one.bonus = 1;
            return one;
        }
        for &unit in order.units() {
            for (force, of_army) in [(&self.provincial, false), (&self.army, true)] {
                if force.may_lose_one(unit) {
                    (if of_army { &mut one.army } else { &mut one.provincial })[unit] = 1;
                    return one;
                }
            }
        }
        one.army[Unit::Daimyo] = 1;
        one
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::data::{ByUnit, Fort};
    use crate::force::Force;
    use crate::force::tests::force;

    #[test]
    fn bonus_units_go_first() {
        // SW-CASUALTY-04
        let side =
            Side { provincial: force(0, 1, 0, 0, 0, 2), fort: Fort::Castle, bonus: 4, ..Side::default() };
        let losses = side.choose(&LossOrder::CHEAPEST, 5);
        assert_eq!((losses.bonus, losses.of(Unit::Spear)), (4, 1));
        let early = Losses { provincial: ByUnit([0, 0, 0, 0, 0, 1]), ..Losses::default() };
        assert!(!side.may_lose(&early, 1));
        assert!(side.may_lose(&Losses { bonus: 1, ..Losses::default() }, 1));
    }

    #[test]
    fn a_daimyo_is_last_of_his_side() {
        // SW-CASUALTY-05: also when he defends together with a provincial force
        let side =
            Side { provincial: force(0, 0, 0, 0, 0, 2), army: force(1, 1, 0, 0, 0, 0), ..Side::default() };
        let daimyo = Losses { army: ByUnit([0, 0, 1, 0, 0, 0]), ..Losses::default() };
        assert!(!side.may_lose(&daimyo, 1));
        assert_eq!(side.choose(&LossOrder::CHEAPEST, 3).of(Unit::Daimyo), 0);
        assert_eq!(side.choose(&LossOrder::CHEAPEST, 4).of(Unit::Daimyo), 1);
    }

    #[test]
    fn ronin_stay_within_the_limit() {
        // SW-CASUALTY-06: spearmen would go first, but each must outnumber the ronin by one
        let side = Side::single(force(0, 0, 0, 0, 2, 3));
        let one = side.choose(&LossOrder::CHEAPEST, 1);
        assert_eq!((one.of(Unit::Spear), one.of(Unit::Ronin)), (0, 1));
        let two = side.choose(&LossOrder::CHEAPEST, 2);
        assert_eq!((two.of(Unit::Spear), two.of(Unit::Ronin)), (1, 1));
        let spear = Losses { provincial: ByUnit([0, 0, 0, 0, 0, 1]), ..Losses::default() };
        assert!(!side.may_lose(&spear, 1));
    }

    #[test]
    fn an_army_over_the_limit_gives_up_ronin_only() {
        // SW-R-58, SW-R-39: without its daimyo the army leads one ronin less
        let army = Force { disrupted: true, ..force(0, 0, 0, 0, 2, 2) };
        assert_eq!(army.validate(), Ok(()));
        let side = Side::single(army);
        let spear = Losses { army: ByUnit([0, 0, 0, 0, 0, 1]), ..Losses::default() };
        let ronin = Losses { army: ByUnit([0, 0, 0, 0, 1, 0]), ..Losses::default() };
        assert!(
            !side.may_lose(&spear, 1) && side.may_lose(&ronin, 1) && side.may_lose(&Losses::default(), 0)
        );
        let three = side.choose(&LossOrder::CHEAPEST, 3);
        assert_eq!((three.of(Unit::Ronin), three.of(Unit::Spear)), (2, 1));
        // far over the limit one ronin is not enough, yet it is a legal casualty
        let far_over = Side::single(Force { disrupted: true, ..force(0, 0, 0, 0, 9, 2) });
        assert!(far_over.may_lose(&ronin, 1) && !far_over.may_lose(&spear, 1));
        assert!(!side.may_lose(&Losses { bonus: 255, ..spear }, 0)); // absurd numbers are no choice
        // a provincial force beside it may take the casualties instead
        let both = Side { provincial: force(0, 0, 0, 0, 0, 1), ..far_over };
        let garrison = Losses { provincial: ByUnit([0, 0, 0, 0, 0, 1]), ..Losses::default() };
        assert!(both.may_lose(&garrison, 1));
    }

    #[test]
    fn orders() {
        use Unit::{Bow, Daimyo, Gun, Ronin, Spear, Sword};
        assert_eq!(LossOrder::new(&[Spear, Gun, Sword, Ronin, Bow]), Some(LossOrder::CHEAPEST));
        assert_eq!(LossOrder::new(&[Ronin, Spear, Gun, Sword, Bow]).unwrap().name(), Some("hired_first"));
        assert_eq!(LossOrder::new(&[Spear, Gun, Sword, Ronin]), None);
        assert_eq!(LossOrder::new(&[Spear, Gun, Sword, Ronin, Ronin]), None);
        assert_eq!(LossOrder::new(&[Spear, Gun, Sword, Daimyo, Bow]), None);
        assert_eq!(LossOrder::new(&[Spear, Gun, Sword, Ronin, Bow, Bow]), None);
    }

    fn small_side() -> impl Strategy<Value = Side> {
        let counts = || [0_u8..3, 0..3, 0..3, 0..3, 0..4];
        (counts(), counts(), 0..5_u8, any::<bool>(), 0..5_u8).prop_filter_map(
            "a legal side",
            |([b, g, s, p, r], [ab, ag, as_, ap, ar], kind, disrupted, bonus)| {
                let provincial = force(0, b, g, s, r, p);
                let army = Force { disrupted, ..force(u8::from(!disrupted), ab, ag, as_, ar, ap) };
                let gone = Force::default();
                let (provincial, army) = match kind {
                    0 => (provincial, gone),
                    1 => (gone, army),
                    _ => (provincial, army),
                };
                let sound = [provincial, army].iter().all(|f| *f == gone || f.validate().is_ok());
                let fort = if bonus > 0 { Fort::Castle } else { Fort::None };
                sound.then_some(Side { provincial, army, fort, bonus: bonus.min(4) })
            },
        )
    }

    /// Every removal that the rules allow, by trying all of them.
    fn legal_removals(side: &Side, count: u8) -> Vec<Losses> {
        let mut removals = Vec::new();
        let mut stack = vec![(Losses::default(), 0)];
        while let Some((losses, slot)) = stack.pop() {
            if slot == 13 {
                if side.may_lose(&losses, count) {
                    removals.push(losses);
                }
                continue;
            }
            let most = match slot {
                0 => side.bonus,
                1..7 => side.provincial.units.0[slot - 1],
                _ => side.army.units.0[slot - 7],
            };
            for taken in 0..=most.min(count - losses.total()) {
                let mut next = losses;
                match slot {
                    0 => next.bonus = taken,
                    1..7 => next.provincial.0[slot - 1] = taken,
                    _ => next.army.0[slot - 7] = taken,
                }
                stack.push((next, slot + 1));
            }
        }
        removals
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        /// The units that an order gives up are always a legal removal. For a single force it is the removal that
        /// takes most of the first kind, then most of the second, and so on (SW-CASUALTY-01..06, SW-R-58).
        #[test]
        fn choosing_is_legal_and_follows_the_order(
            side in small_side(),
            order in Just([0_usize, 1, 2, 3, 4]).prop_shuffle(),
        ) {
            let kinds = [Unit::Bow, Unit::Gun, Unit::Sword, Unit::Ronin, Unit::Spear];
            let order = LossOrder::new(&order.map(|index| kinds[index])).unwrap();
            for count in 0..=side.total() {
                let chosen = side.choose(&order, count);
                let legal = legal_removals(&side, count);
                prop_assert!(legal.contains(&chosen));
                if side.provincial.is_empty() || side.army.is_empty() {
                    let key = |losses: &Losses| order.units().map(|unit| losses.of(unit));
                    prop_assert_eq!(Some(chosen), legal.into_iter().max_by_key(key));
                }
            }
        }

        #[test]
        fn losing_twice_is_losing_once(side in small_side(), first in 0..10_u8, second in 0..10_u8) {
            let mut step = side;
            step.remove(&side.choose(&LossOrder::CHEAPEST, first));
            let then = step.choose(&LossOrder::CHEAPEST, second);
            step.remove(&then);
            let mut at_once = side;
            at_once.remove(&side.choose(&LossOrder::CHEAPEST, first.saturating_add(second)));
            prop_assert_eq!(step, at_once);
        }
    }
}
