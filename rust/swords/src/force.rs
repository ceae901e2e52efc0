//! Forces, their limits, and how they lose units (SW-COMP-03, SW-RONIN-04, SW-CASUALTY).

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::data::{ARMY_ASHIGARU, ARMY_SAMURAI, ByUnit, Fort, PROV_MAX, Unit};

/// An army or a provincial force (SW-GEN-06).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Force {
    /// Number of each kind of unit.
    pub units: ByUnit<u8>,
    /// An army whose daimyo was assassinated this round: it defends without him (SW-NINJA-06).
    pub disrupted: bool,
}

/// Why a force cannot be what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ForceError {
    /// More daimyo than one.
    #[error("daimyo is {0}, an army has one and a provincial force none")]
    Daimyo(u8),
    /// A disrupted army with a living daimyo.
    #[error("daimyo is {0}, a disrupted army has none")]
    DisruptedDaimyo(u8),
    /// More bowmen and swordsmen than boxes.
    #[error("bow + sword is {0}, an army has at most {ARMY_SAMURAI}")]
    Samurai(u8),
    /// More gunners and spearmen than boxes.
    #[error("gun + spear is {0}, an army has at most {ARMY_ASHIGARU}")]
    Ashigaru(u8),
    /// More regular units than a provincial force holds.
    #[error("bow + gun + sword + spear is {0}, a force without a daimyo has at most {PROV_MAX}")]
    Provincial(u8),
    /// Nobody but mercenaries, or nobody at all.
    #[error("regular units are 0, a force has at least one")]
    Empty,
    /// More ronin than the force can lead.
    #[error("ronin is {ronin}, this force leads at most {limit}")]
    Ronin {
        /// Ronin of the force.
        ronin: u8,
        /// One less than its regular units.
        limit: u8,
    },
}

impl Force {
    /// A force of units, in the order of [`Unit::ALL`].
    pub const fn of(units: [u8; 6]) -> Self {
        Self { units: ByUnit(units), disrupted: false }
    }

    /// Whether the force is an army: led by a daimyo, or by his staff after his death.
    pub fn is_army(&self) -> bool {
        self.units[Unit::Daimyo] > 0 || self.disrupted
    }

    /// Whether nobody is left.
    pub fn is_empty(&self) -> bool {
        self.units.total() == 0
    }

    /// Most ronin the force may have (SW-RONIN-04).
    pub fn ronin_limit(&self) -> u8 {
        self.units.regulars().saturating_sub(1)
    }

    /// Whether the ronin are within the limit; a force without ronin always is (SW-CASUALTY-06).
    pub fn is_within_ronin_limit(&self) -> bool {
        self.units[Unit::Ronin] == 0 || self.units[Unit::Ronin] <= self.ronin_limit()
    }

    /// Checks the limits of SW-COMP-03 and SW-RONIN-04.
    ///
    /// # Errors
    /// [`ForceError`] with the offending number.
    pub fn validate(&self) -> Result<(), ForceError> {
        let units = &self.units;
        let samurai = units[Unit::Bow].saturating_add(units[Unit::Sword]);
        let ashigaru = units[Unit::Gun].saturating_add(units[Unit::Spear]);
        if units[Unit::Daimyo] > 1 {
            return Err(ForceError::Daimyo(units[Unit::Daimyo]));
        }
        if self.disrupted && units[Unit::Daimyo] > 0 {
            return Err(ForceError::DisruptedDaimyo(units[Unit::Daimyo]));
        }
        if self.is_army() {
            if samurai > ARMY_SAMURAI {
                return Err(ForceError::Samurai(samurai));
            }
            if ashigaru > ARMY_ASHIGARU {
                return Err(ForceError::Ashigaru(ashigaru));
            }
        } else if samurai.saturating_add(ashigaru) > PROV_MAX {
            return Err(ForceError::Provincial(samurai.saturating_add(ashigaru)));
        }
        if units.regulars() == 0 {
            return Err(ForceError::Empty);
        }
        // A disrupted army keeps the ronin that its daimyo helped to lead (SW-R-39).
        let limit = if self.disrupted { units.regulars() } else { self.ronin_limit() };
        if units[Unit::Ronin] > limit {
            return Err(ForceError::Ronin { ronin: units[Unit::Ronin], limit });
        }
        Ok(())
    }

    /// Whether an army that leaves a province may leave these units behind (SW-WAR-A-05, SW-WAR-C-15).
    ///
    /// Where nobody else remains a garrison of 1 to 5 regular units must stay, never the daimyo; where somebody does,
    /// none may. Ronin are no garrison.
    pub fn may_leave(&self, garrison: &ByUnit<u8>, others_remain: bool) -> bool {
        let count = garrison.total();
        let there = Unit::ALL.into_iter().all(|unit| garrison[unit] <= self.units[unit]);
        let regulars = garrison[Unit::Daimyo] == 0 && garrison[Unit::Ronin] == 0;
        if others_remain { count == 0 } else { there && regulars && (1..=PROV_MAX).contains(&count) }
    }

    /// Whether one unit of a kind may go next. Going unit by unit reaches every choice the rules allow: give up the
    /// ronin of the choice first, and no step on the way breaks the limit.
    pub fn may_lose_one(&self, unit: Unit) -> bool {
        let mut lost = ByUnit::default();
        lost[unit] = 1;
        self.units[unit] > 0 && self.may_lose(&lost)
    }

    /// Whether the force may end with these losses (SW-CASUALTY-06, SW-R-58).
    fn may_lose(&self, lost: &ByUnit<u8>) -> bool {
        let mut left = *self;
        for unit in Unit::ALL {
            match left.units[unit].checked_sub(lost[unit]) {
                Some(count) => left.units[unit] = count,
                None => return false,
            }
        }
        // Only an army over the limit from the start may stay over it, and then it gives up nothing but ronin.
        left.is_within_ronin_limit() || (!self.is_within_ronin_limit() && lost.regulars() == 0)
    }
}

/// One side of a battle: a single force, or an army and a provincial force that defend together, and bonus units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Side {
    /// The provincial force, if there is one.
    pub provincial: Force,
    /// The army, if there is one.
    pub army: Force,
    /// The building whose bonus units fight.
    pub fort: Fort,
    /// Bonus units still there.
    pub bonus: u8,
}

/// The units that a side gives up in one casualty step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Losses {
    /// Bonus units.
    pub bonus: u8,
    /// Units of the provincial force.
    pub provincial: ByUnit<u8>,
    /// Units of the army.
    pub army: ByUnit<u8>,
}

impl Losses {
    /// Number of units given up.
    pub fn total(&self) -> u8 {
        self.bonus.saturating_add(self.provincial.total()).saturating_add(self.army.total())
    }

    /// Units of a kind given up by both forces, bonus units not counted.
    pub fn of(&self, unit: Unit) -> u8 {
        self.provincial[unit].saturating_add(self.army[unit])
    }
}

impl Side {
    /// A side that is one force without bonus units.
    pub fn single(force: Force) -> Self {
        let mut side = Self::default();
        *(if force.is_army() { &mut side.army } else { &mut side.provincial }) = force;
        side
    }

    /// Number of units in the battle, the daimyo (SW-COMP-04) and bonus units included.
    pub fn total(&self) -> u8 {
        self.standing().saturating_add(self.bonus)
    }

    /// Number of units that are really there, bonus units not counted.
    pub fn standing(&self) -> u8 {
        self.provincial.units.total().saturating_add(self.army.units.total())
    }

    /// Units of a kind, bonus units among those they fight as.
    pub fn fighting(&self, unit: Unit) -> u8 {
        let bonus = if self.fort.bonus_unit() == unit { self.bonus } else { 0 };
        self.provincial.units[unit].saturating_add(self.army.units[unit]).saturating_add(bonus)
    }

    /// Whether a regular unit stands on this side.
    pub fn has_regulars(&self) -> bool {
        self.provincial.units.regulars() > 0 || self.army.units.regulars() > 0
    }

    /// The next unit to go, if the rules leave no choice between kinds and forces; bonus units and the daimyo aside.
    pub fn only_loss(&self) -> Option<Losses> {
        let mut only = None;
        for (force, of_army) in [(&self.provincial, false), (&self.army, true)] {
            for unit in Unit::ALL.into_iter().filter(|&unit| unit != Unit::Daimyo && force.may_lose_one(unit))
            {
                let mut one = Losses::default();
                (if of_army { &mut one.army } else { &mut one.provincial })[unit] = 1;
                if only.replace(one).is_some() {
                    return None;
                }
            }
        }
        only
    }

    /// Most ronin both forces may have together (SW-RONIN-04).
    pub fn ronin_limit(&self) -> u8 {
        self.provincial.ronin_limit() + self.army.ronin_limit()
    }

    /// The units of both forces together, as a sum to look at: no force that the rules would allow.
    pub fn combined(&self) -> Force {
        let mut sum = self.army;
        for unit in Unit::ALL {
            sum.units[unit] += self.provincial.units[unit];
        }
        sum.disrupted &= !self.army.is_empty(); // nobody is nobody
        sum
    }

    /// Whether these are `count` casualties the side may choose (SW-CASUALTY-01..06, SW-R-58).
    pub fn may_lose(&self, losses: &Losses, count: u8) -> bool {
        let other_lost = losses.total() - losses.bonus;
        losses.total() == count
            && losses.bonus <= self.bonus
            && (other_lost == 0 || losses.bonus == self.bonus) // SW-CASUALTY-04
            && (losses.of(Unit::Daimyo) == 0 || count == self.total()) // SW-CASUALTY-05
            && self.provincial.may_lose(&losses.provincial)
            && self.army.may_lose(&losses.army)
    }

    /// Removes casualties that [`Side::may_lose`] allows.
    pub fn remove(&mut self, losses: &Losses) {
        self.bonus -= losses.bonus;
        for unit in Unit::ALL {
            self.provincial.units[unit] -= losses.provincial[unit];
            self.army.units[unit] -= losses.army[unit];
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A force with these numbers of daimyo, bowmen, gunners, swordsmen, ronin and spearmen.
    pub(crate) fn force(daimyo: u8, bow: u8, gun: u8, sword: u8, ronin: u8, spear: u8) -> Force {
        Force::of([bow, gun, daimyo, sword, ronin, spear])
    }

    #[test]
    fn limits() {
        // SW-COMP-03, SW-COMP-04
        assert_eq!(force(1, 2, 5, 2, 14, 5).validate(), Ok(()));
        assert_eq!(force(0, 1, 1, 1, 4, 2).validate(), Ok(()));
        assert_eq!(force(2, 0, 0, 0, 0, 0).validate(), Err(ForceError::Daimyo(2)));
        assert_eq!(force(1, 3, 0, 2, 0, 0).validate(), Err(ForceError::Samurai(5)));
        assert_eq!(force(1, 0, 8, 0, 0, 3).validate(), Err(ForceError::Ashigaru(11)));
        assert_eq!(force(0, 2, 1, 1, 0, 2).validate(), Err(ForceError::Provincial(6)));
        assert_eq!(force(0, 0, 0, 0, 0, 0).validate(), Err(ForceError::Empty));
        assert_eq!(force(0, 0, 0, 0, 1, 1).validate(), Err(ForceError::Ronin { ronin: 1, limit: 0 }));
        assert_eq!(force(1, 0, 0, 0, 15, 14).validate(), Err(ForceError::Ashigaru(14)));
        assert_eq!(force(0, 255, 255, 255, 255, 255).validate(), Err(ForceError::Provincial(255)));
        assert_eq!(force(0, 0, 0, 0, 255, 1).validate(), Err(ForceError::Ronin { ronin: 255, limit: 0 }));
        assert_eq!(force(1, 0, 5, 0, 250, 5).validate(), Err(ForceError::Ronin { ronin: 250, limit: 10 }));
        let disrupted = |ronin| Force { disrupted: true, ..force(0, 0, 0, 0, ronin, 3) };
        assert_eq!(disrupted(3).validate(), Ok(()));
        assert_eq!(disrupted(4).validate(), Err(ForceError::Ronin { ronin: 4, limit: 3 }));
    }

    #[test]
    fn ronin_limits() {
        // SW-X-02: regular units of an army (daimyo included, SW-COMP-04) and of a provincial force, most ronin
        for (army, provincial, most) in
            [(10_u8, 0, 9), (0, 5, 4), (11, 3, 12), (0, 1, 0), (1, 1, 0), (15, 5, 18)]
        {
            let samurai = army.saturating_sub(11);
            let army = match army {
                0 => Force::default(),
                _ => force(1, samurai, 0, 0, 0, army - 1 - samurai),
            };
            let side = Side { army, provincial: force(0, 0, 0, 0, 0, provincial), ..Side::default() };
            assert_eq!(side.ronin_limit(), most);
        }
        let split = [force(1, 0, 0, 0, 0, 10).ronin_limit(), force(0, 0, 0, 0, 0, 3).ronin_limit()];
        assert_eq!(split, [10, 2]);
    }

    #[test]
    fn a_conquest_move_leaves_a_garrison() {
        // SW-WAR-C-15: by the rule of SW-WAR-A-05
        let army = force(1, 2, 0, 0, 1, 4);
        let garrison = |bow, spear, daimyo, ronin| ByUnit([bow, 0, daimyo, 0, ronin, spear]);
        assert!(army.may_leave(&garrison(0, 1, 0, 0), false));
        assert!(army.may_leave(&garrison(1, 4, 0, 0), false));
        assert!(!army.may_leave(&garrison(0, 0, 0, 0), false)); // somebody must stay
        assert!(!army.may_leave(&garrison(2, 4, 0, 0), false)); // more than a provincial force holds
        assert!(!army.may_leave(&garrison(0, 5, 0, 0), false)); // more than there are
        assert!(!army.may_leave(&garrison(0, 1, 1, 0), false)); // never the daimyo
        assert!(!army.may_leave(&garrison(0, 1, 0, 1), false)); // never ronin
        assert!(army.may_leave(&garrison(0, 0, 0, 0), true)); // a provincial force remains: nobody may stay
        assert!(!army.may_leave(&garrison(0, 1, 0, 0), true));
        assert!(!force(1, 0, 0, 0, 0, 0).may_leave(&garrison(0, 0, 0, 0), false)); // a daimyo alone cannot leave
    }
}
