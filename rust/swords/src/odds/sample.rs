//! Sampled odds: many battles at once, hit counts drawn from tables, one block of random words per combat round.
//!
//! Battle `index` under a seed is a pure function: the four words of block `round` of its stream (purpose
//! [`Purpose::Odds`]) are the hits of the attacker and of the defender in the missile half and in the melee half; word 0
//! of block 0 is the first strike. [`Battles::one`] says it plainly; `play_chunk` does the same for many battles side
//! by side and is tested to agree battle by battle.

use std::ops::Range;

use sengoku_kernel::odds::{self, Plays};
use sengoku_kernel::{InstructionSet, Purpose, Stream, philox_lanes};

use crate::battle::Battle;
use crate::play::combat::{Half, Role};

use super::hits::HitTable;
use super::{Odds, Roster, Weights};

/// A battle, played many times.
#[derive(Clone, Debug)]
pub struct Battles {
    battle: Battle,
    seed: u64,
    instruction_set: InstructionSet,
    tables: Tables,
}

/// Tables in two sizes: most battles fit the small one, which stays in the nearest cache.
#[derive(Clone, Debug)]
enum Tables {
    /// Up to 15 units a side.
    Small(Box<Rules<4, 16, 16>>),
    /// Up to 63 units a side.
    Large(Box<Rules<6, 64, 64>>),
}

/// A battle as numbers: `2^BITS` cells a row, `ROWS` rows a table, `COLUMNS` columns of outcomes.
#[derive(Clone, Debug)]
struct Rules<const BITS: u32, const ROWS: usize, const COLUMNS: usize> {
    units: [u32; 2],
    naval: bool,
    break_off_below: u32,
    break_off_after: u32,
    strike: HitTable<BITS>,
    missile: [HitTable<BITS>; 2],
    melee: [HitTable<BITS>; 2],
}

/// Outcome counts of the battles played so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// By losses of the attacker and losses of the defender, row by row, as many as the battle has.
    counts: Vec<u64>,
    rounds: u64,
}

impl odds::Tally for Tally {
    fn merge(self, other: Self) -> Self {
        Self { counts: self.counts.merge(other.counts), rounds: self.rounds + other.rounds }
    }
}

impl Battles {
    /// The battles under a seed.
    pub fn new(battle: &Battle, seed: u64) -> Self {
        let most = battle.attacker().total().max(battle.defender().total());
        let tables = if most < 16 {
            Tables::Small(Box::new(Rules::new(battle)))
        } else {
            Tables::Large(Box::new(Rules::new(battle)))
        };
        Self { battle: *battle, seed, instruction_set: InstructionSet::best(), tables }
    }

    /// The same battles, bound to an instruction set instead of the best one.
    #[must_use]
    pub const fn with_instruction_set(mut self, instruction_set: InstructionSet) -> Self {
        self.instruction_set = instruction_set;
        self
    }

    /// One battle, plainly: units lost by the attacker, units lost by the defender, combat rounds begun.
    pub fn one(&self, index: u64) -> (u32, u32, u32) {
        let stream = Stream::new(self.seed, Purpose::Odds, index);
        match &self.tables {
            Tables::Small(rules) => rules.one(&stream),
            Tables::Large(rules) => rules.one(&stream),
        }
    }
}

impl Plays for Battles {
    type Tally = Tally;
    type Odds = Odds;
    const CHUNK: u64 = 1 << 15;
    const SLICE: u64 = 32;

    fn chunk(&self, indices: Range<u64>) -> Tally {
        self.instruction_set.run(
            #[inline(always)]
            || match &self.tables {
                Tables::Small(rules) => rules.play_chunk(self.seed, indices),
                Tables::Large(rules) => rules.play_chunk(self.seed, indices),
            },
        )
    }

    fn odds(&self, Tally { counts, rounds }: Tally, samples: u64) -> Odds {
        Odds::new(&self.battle, Roster::both(&self.battle), Weights::Sampled { counts, samples, rounds })
    }
}

/// Battles side by side in one loop: two vectors of the widest set hide each other's waiting times.
const LANES: usize = 32;
/// Copies of the counts, so that neighbouring lanes do not wait for each other's additions.
const COPIES: usize = 4;

impl<const BITS: u32, const ROWS: usize, const COLUMNS: usize> Rules<BITS, ROWS, COLUMNS> {
    fn new(battle: &Battle) -> Self {
        let rosters = Roster::both(battle);
        let table = |half, role: Role| HitTable::new(half, role, &rosters[role as usize], ROWS);
        Self {
            units: [rosters[0].units() as u32, rosters[1].units() as u32],
            naval: battle.naval(),
            break_off_below: battle.break_off().below.into(),
            break_off_after: match battle.break_off().after {
                0 => u32::MAX,
                after => after,
            },
            strike: table(Half::FirstStrike, Role::Defender),
            missile: Role::BOTH.map(|role| table(Half::Missile, role)),
            melee: Role::BOTH.map(|role| table(Half::Melee, role)),
        }
    }

    fn one(&self, stream: &Stream) -> (u32, u32, u32) {
        let [attackers, defenders] = self.units;
        let hits = |table: &HitTable<BITS>, lost, word| {
            HitTable::<BITS>::hits(table.cells()[HitTable::<BITS>::place(lost, word)], word)
        };
        let (mut attacker, mut defender) = (0, 0);
        if self.naval {
            attacker = hits(&self.strike, 0, stream.block(0)[0]).min(attackers);
        }
        let mut round = 0;
        while attacker < attackers && defender < defenders {
            if round > 0 && (attackers - attacker < self.break_off_below || round >= self.break_off_after) {
                break;
            }
            round += 1;
            let words = stream.block(round);
            for (half, words) in [(&self.missile, &words[..2]), (&self.melee, &words[2..])] {
                if attacker < attackers && defender < defenders {
                    let strikes = hits(&half[0], attacker, words[0]);
                    let struck = hits(&half[1], defender, words[1]);
                    attacker = (attacker + struck).min(attackers);
                    defender = (defender + strikes).min(defenders);
                }
            }
        }
        (attacker, defender, round)
    }

    /// Plays the battles of one chunk and counts their ends.
    ///
    /// Each lane plays battles one after the other: in every turn of the loop all lanes go one round further, and a lane
    /// whose battle is over begins its next one. Nothing branches on a battle; what a lane does not need is computed and
    /// thrown away.
    #[inline(always)]
    fn play_chunk(&self, seed: u64, indices: Range<u64>) -> Tally {
        let key = [seed as u32, (seed >> 32) as u32];
        let base = indices.start as u32;
        let length = (indices.end - indices.start) as u32;
        let (high, purpose) = ([(indices.start >> 32) as u32; LANES], [Purpose::Odds as u32; LANES]);
        let [attackers, defenders] = self.units;
        // A cell of the counts is `attacker * COLUMNS + defender`; the upper half collects battles still under way.
        let under_way = (ROWS * COLUMNS) as u32;
        let mut counts = vec![[0_u32; COPIES]; 2 * ROWS * COLUMNS];
        let counts = &mut counts[..2 * ROWS * COLUMNS];
        // Slices of a known length and masked places: the compiler sees that no look-up can miss.
        let strike: &[u32] = &self.strike.cells()[..ROWS << BITS];
        let missile = [&self.missile[0].cells()[..ROWS << BITS], &self.missile[1].cells()[..ROWS << BITS]];
        let melee = [&self.melee[0].cells()[..ROWS << BITS], &self.melee[1].cells()[..ROWS << BITS]];
        let mask = (ROWS << BITS) - 1;

        let first_round = u32::from(!self.naval);
        let mut index = [0_u32; LANES];
        for lane in 0..LANES {
            index[lane] = lane as u32;
        }
        let mut round = [first_round; LANES];
        let (mut attacker, mut defender) = ([0_u32; LANES], [0_u32; LANES]);
        let mut rounds = 0_u64;
        loop {
            let mut low = [0_u32; LANES];
            for lane in 0..LANES {
                low[lane] = base.wrapping_add(index[lane]);
            }
            let words = philox_lanes(&[round, purpose, low, high], key);

            let (mut attacker_mid, mut defender_mid) = ([0_u32; LANES], [0_u32; LANES]);
            for lane in 0..LANES {
                let at = HitTable::<BITS>::place(attacker[lane], words[0][lane]) & mask;
                let strikes = HitTable::<BITS>::hits(missile[0][at], words[0][lane]);
                defender_mid[lane] = (defender[lane] + strikes).min(defenders);
            }
            for lane in 0..LANES {
                let at = HitTable::<BITS>::place(defender[lane], words[1][lane]) & mask;
                let struck = HitTable::<BITS>::hits(missile[1][at], words[1][lane]);
                attacker_mid[lane] = (attacker[lane] + struck).min(attackers);
            }
            let (mut attacker_end, mut defender_end) = ([0_u32; LANES], [0_u32; LANES]);
            for lane in 0..LANES {
                let at = HitTable::<BITS>::place(attacker_mid[lane], words[2][lane]) & mask;
                let strikes = HitTable::<BITS>::hits(melee[0][at], words[2][lane]);
                defender_end[lane] = (defender_mid[lane] + strikes).min(defenders);
            }
            for lane in 0..LANES {
                let at = HitTable::<BITS>::place(defender_mid[lane], words[3][lane]) & mask;
                let struck = HitTable::<BITS>::hits(melee[1][at], words[3][lane]);
                attacker_end[lane] = (attacker_mid[lane] + struck).min(attackers);
            }
            if self.naval {
                for lane in 0..LANES {
                    let at = HitTable::<BITS>::place(0, words[0][lane]) & mask;
                    let struck = HitTable::<BITS>::hits(strike[at], words[0][lane]).min(attackers);
                    if round[lane] == 0 {
                        attacker_mid[lane] = struck;
                        attacker_end[lane] = struck;
                        defender_mid[lane] = 0;
                        defender_end[lane] = 0;
                    }
                }
            }

            let mut cell = [0_u32; LANES];
            let (mut busy, mut rolled) = (0_u32, 0_u32);
            for lane in 0..LANES {
                let over_mid = (attacker_mid[lane] == attackers) | (defender_mid[lane] == defenders);
                let a = if over_mid { attacker_mid[lane] } else { attacker_end[lane] };
                let d = if over_mid { defender_mid[lane] } else { defender_end[lane] };
                let calls_off = (round[lane] > 0)
                    & ((attackers - a < self.break_off_below) | (round[lane] >= self.break_off_after));
                let over = (a == attackers) | (d == defenders) | calls_off;
                let counts_here = index[lane] < length;
                cell[lane] = a * COLUMNS as u32 + d + if over & counts_here { 0 } else { under_way };
                rolled += u32::from(counts_here & (round[lane] > 0));
                attacker[lane] = if over { 0 } else { a };
                defender[lane] = if over { 0 } else { d };
                round[lane] = if over { first_round } else { round[lane] + 1 };
                index[lane] = if over { index[lane] + LANES as u32 } else { index[lane] };
                busy |= u32::from(index[lane] < length);
            }
            for lane in 0..LANES {
                counts[cell[lane] as usize & (2 * ROWS * COLUMNS - 1)][lane % COPIES] += 1;
            }
            rounds += u64::from(rolled);
            if busy == 0 {
                break;
            }
        }

        let rows =
            (0..=attackers as usize).flat_map(|a| (0..=defenders as usize).map(move |d| a * COLUMNS + d));
        let counts = rows.map(|cell| counts[cell].iter().map(|&count| u64::from(count)).sum()).collect();
        Tally { counts, rounds }
    }
}

#[cfg(test)]
mod tests {
    use sengoku_kernel::Cancel;
    use sengoku_kernel::odds::{Question, Sampler};

    use super::*;
    use crate::battle::{BattleSetup, BreakOff};
    use crate::data::Fort;
    use crate::force::Force;

    fn battles() -> Vec<Battle> {
        let army = Force::of([2, 2, 1, 2, 0, 3]);
        let garrison = Force::of([1, 0, 0, 1, 2, 2]);
        let full = Force::of([2, 5, 1, 2, 11, 5]);
        let setup = BattleSetup { attacker: army, defenders: vec![army], ..BattleSetup::default() };
        let castle = BattleSetup { fort: Fort::Castle, naval: true, ..setup.clone() };
        let setups = [
            setup.clone(),
            castle.clone(),
            BattleSetup { fort: Fort::Fortress, fort_lost: 2, ..setup.clone() },
            BattleSetup { break_off: BreakOff { below: 4, after: 0 }, ..castle.clone() },
            BattleSetup { break_off: BreakOff { below: 0, after: 2 }, ..setup },
            BattleSetup { attacker: full, defenders: vec![full, garrison], ..castle },
            BattleSetup {
                attacker: Force::of([0, 0, 0, 0, 0, 1]),
                defenders: vec![Force::of([0, 0, 0, 0, 0, 1])],
                naval: true,
                ..BattleSetup::default()
            },
        ];
        setups.iter().map(|setup| Battle::new(setup).unwrap()).collect()
    }

    fn played(battle: &Battle, set: InstructionSet, parts: &[u64]) -> Tally {
        let mut sampler = Sampler::new(battle.plays(7, set));
        for &part in parts {
            sampler.play(part, &Cancel::default()).unwrap();
        }
        sampler.tally().clone()
    }

    #[test]
    fn every_instruction_set_plays_the_plain_battles() {
        const COUNT: u64 = 5_000;
        for battle in battles() {
            let battles = Battles::new(&battle, 7);
            let columns = usize::from(battle.defender().total()) + 1;
            let mut plain = battles.chunk(0..0);
            for index in 0..COUNT {
                let (attacker, defender, rounds) = battles.one(index);
                plain.counts[attacker as usize * columns + defender as usize] += 1;
                plain.rounds += u64::from(rounds);
            }
            for set in InstructionSet::available() {
                assert_eq!(played(&battle, set, &[COUNT]), plain, "{set}: {battle:?}");
            }
        }
    }

    #[test]
    fn parts_and_threads_change_nothing() {
        let battle = battles()[1];
        let best = InstructionSet::best();
        let whole = played(&battle, best, &[200_001]);
        assert_eq!(whole, played(&battle, best, &[1, 65_535, 1, 70_000, 64_464]));
        for threads in [1, 2, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert_eq!(whole, pool.install(|| played(&battle, best, &[200_001])));
        }
    }

    #[test]
    fn high_indices_have_battles_of_their_own() {
        let battles = Battles::new(&battles()[0], 7);
        let low: Vec<_> = (0..40).map(|index| battles.one(index)).collect();
        let high: Vec<_> = (0..40).map(|index| battles.one(index | 1 << 32)).collect();
        assert_ne!(low, high);
        let chunk = battles.chunk(1 << 32..(1 << 32) + 40);
        assert_eq!(chunk.rounds, high.iter().map(|&(_, _, rounds)| u64::from(rounds)).sum::<u64>());
    }
}
