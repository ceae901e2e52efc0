//! Trays and the pool: where units and pieces come from and where they return (SW-GEN-04).

use serde::{Deserialize, Serialize};

use crate::data::{BASES, ByUnit, CASTLES, Fort, OTHERS, RONIN, SPEARMEN, Unit};
use crate::force::Losses;

/// A clan's own stock of unused units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tray(ByUnit<u8>);

impl Tray {
    /// All units of one colour (SW-SETUP-01); daimyo are never in a tray.
    pub const FULL: Self = Self(ByUnit([OTHERS, OTHERS, 0, OTHERS, 0, SPEARMEN]));

    /// Units of a kind in the tray.
    pub fn count(&self, unit: Unit) -> u8 {
        self.0[unit]
    }

    /// Takes up to `wanted` units and returns how many there were (SW-COMP-05).
    pub fn take(&mut self, unit: Unit, wanted: u8) -> u8 {
        let taken = wanted.min(self.0[unit]);
        self.0[unit] -= taken;
        taken
    }

    /// Puts units back that were bought and not placed (SW-R-23).
    pub fn put(&mut self, units: &ByUnit<u8>) {
        for (count, more) in self.0.0.iter_mut().zip(units.0) {
            *count += more;
        }
    }

    /// Takes over the tray of an eliminated clan (SW-ELIM-03).
    pub fn take_over(&mut self, other: &Self) {
        self.put(&other.0);
    }

    /// Puts the lost regular units back, the daimyo aside (SW-CASUALTY-07, SW-ELIM-01).
    pub fn take_back(&mut self, losses: &Losses) {
        for unit in [Unit::Bow, Unit::Gun, Unit::Sword, Unit::Spear] {
            self.0[unit] += losses.of(unit);
        }
    }
}

/// The common stock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pool {
    /// Castles not built yet.
    pub castles: u8,
    /// Fortification bases not built yet.
    pub bases: u8,
    /// Ronin nobody has hired.
    pub ronin: u8,
}

impl Default for Pool {
    fn default() -> Self {
        Self { castles: CASTLES, bases: BASES, ronin: RONIN }
    }
}

impl Pool {
    /// Puts lost ronin back (SW-CASUALTY-07); bonus units come from no stock and return to none (SW-R-04).
    pub fn take_back(&mut self, losses: &Losses) {
        self.ronin += losses.of(Unit::Ronin);
    }

    /// Builds one step up: a castle, or a base under it. `None` when the piece has run out (SW-COMP-07).
    pub fn build(&mut self, fort: Fort) -> Option<Fort> {
        let (piece, built) = match fort {
            Fort::None => (&mut self.castles, Fort::Castle),
            Fort::Castle => (&mut self.bases, Fort::Fortress),
            Fort::Fortress => return None,
        };
        *piece = piece.checked_sub(1)?;
        Some(built)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tray_gives_what_it_has() {
        // SW-COMP-05
        let mut tray = Tray::FULL;
        assert_eq!((tray.take(Unit::Bow, 7), tray.take(Unit::Bow, 7), tray.take(Unit::Bow, 1)), (7, 2, 0));
        tray.take_back(&Losses { army: ByUnit([1, 0, 1, 0, 3, 0]), ..Losses::default() });
        assert_eq!(tray.count(Unit::Bow), 1);
        assert_eq!((tray.count(Unit::Daimyo), tray.count(Unit::Ronin)), (0, 0));
    }

    #[test]
    fn losses_return_to_where_they_came_from() {
        // SW-CASUALTY-07, SW-R-04: two ronin to the pool, the spearman to the tray, the bonus units to nowhere
        let losses = Losses { bonus: 4, provincial: ByUnit([0, 0, 0, 0, 2, 1]), army: ByUnit::default() };
        let (mut tray, mut pool) = (Tray::FULL, Pool::default());
        tray.take(Unit::Spear, 10);
        pool.ronin -= 6;
        tray.take_back(&losses);
        pool.take_back(&losses);
        assert_eq!((tray.count(Unit::Spear), pool.ronin), (27, 21));
    }

    #[test]
    fn a_fortress_is_a_castle_on_a_base() {
        // SW-COMP-07
        let mut pool = Pool::default();
        let castle = pool.build(Fort::None).unwrap();
        let fortress = pool.build(castle).unwrap();
        assert_eq!((castle, fortress), (Fort::Castle, Fort::Fortress));
        assert_eq!((pool.castles, pool.bases), (9, 4));
        assert_eq!(pool.build(fortress), None);
        pool.bases = 0;
        assert_eq!(pool.build(Fort::Castle), None);
        assert_eq!((pool.castles, pool.bases), (9, 0));
    }
}
