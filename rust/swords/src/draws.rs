//! Every random draw of the game, one function each (SW-RND-01..07).

use arrayvec::ArrayVec;
use sengoku_kernel::{Chance, Top, shuffle_cards, take_one};

use crate::data::{DIE, MAX_CLANS, NINJA_MAX, PROVINCES, REVENGE_MIN};

/// Rolls the die: 1 to 12 (SW-RND-05).
pub fn die(draws: &mut u32, chance: &mut impl Chance) -> u8 {
    let roll = 1 + chance.roll(*draws, DIE);
    *draws += 1;
    roll as u8
}

/// Deals the province cards, one at a time in turn, and says who got which; what is left over stays open (SW-RND-01).
pub fn deal(
    hands: u8,
    draws: &mut u32,
    chance: &mut impl Chance,
    name: impl Fn(u8) -> String,
) -> [Option<u8>; PROVINCES] {
    let mut cards: [u8; PROVINCES] = std::array::from_fn(|card| card as u8);
    shuffle_cards(&mut cards, Top::First, draws, chance, name);
    let dealt = PROVINCES - PROVINCES % hands as usize;
    let mut owners = [None; PROVINCES];
    for (place, &card) in cards[..dealt].iter().enumerate() {
        owners[card as usize] = Some((place % hands as usize) as u8);
    }
    owners
}

/// Clans without a bid draw the remaining swords blindly in clan order (SW-RND-02, SW-RND-04).
///
/// `swords` are the remaining ones in ascending order, exactly as many as there are `clans` to draw.
pub fn draw_swords(
    clans: usize,
    swords: &mut ArrayVec<u8, MAX_CLANS>,
    draws: &mut u32,
    chance: &mut impl Chance,
) -> ArrayVec<u8, MAX_CLANS> {
    (0..clans).filter_map(|_| take_one(swords, draws, chance)).collect()
}

/// Which of the clans that claim the same sword gets it (SW-RND-03).
pub fn settle_claim<T: Copy>(claimants: &[T], draws: &mut u32, chance: &mut impl Chance) -> T {
    let winner = claimants[chance.lot(*draws, claimants.len() as u32) as usize];
    *draws += 1;
    winner
}

/// Whether an assassination succeeds (SW-RND-06).
pub fn assassination_succeeds(draws: &mut u32, chance: &mut impl Chance) -> bool {
    u32::from(die(draws, chance)) <= NINJA_MAX
}

/// Whether the revenge for a failed assassination succeeds (SW-RND-07).
pub fn revenge_succeeds(draws: &mut u32, chance: &mut impl Chance) -> bool {
    u32::from(die(draws, chance)) >= REVENGE_MIN
}

#[cfg(test)]
mod tests {
    use sengoku_kernel::{Purpose, Scripted, Stream};

    use super::*;

    #[test]
    fn the_deal() {
        // SW-RND-01: swapping each card with itself leaves them in order, so card n goes to clan n mod 3
        let unmoved: Vec<u32> = (1..68).rev().collect();
        let mut chance = Scripted::new(&unmoved);
        let mut draws = 0;
        let owners = deal(3, &mut draws, &mut chance, |_| String::new());
        assert!(chance.is_exhausted());
        assert_eq!(draws, 67);
        assert_eq!(owners[..4], [Some(0), Some(1), Some(2), Some(0)]);
        assert_eq!(owners[65..], [Some(2), None, None]);
    }

    #[test]
    fn everybody_gets_the_same_number() {
        // SW-RND-01 with the hands of SW-SETUP-03
        for (hands, each) in [(2, 34), (3, 22), (4, 17), (5, 13)] {
            let owners = deal(hands, &mut 0, &mut Stream::new(5, Purpose::Game, 0), |_| String::new());
            for clan in 0..hands {
                assert_eq!(owners.iter().filter(|&&owner| owner == Some(clan)).count(), each);
            }
        }
    }

    #[test]
    fn swords_are_drawn_in_clan_order() {
        // SW-COMP-06, SW-RND-02, SW-RND-04: the last clan takes what is left without a draw
        let mut swords: ArrayVec<u8, 5> = [1, 2, 3, 4, 5].into_iter().collect();
        let mut chance = Scripted::new(&[4, 0, 1, 1]);
        let drawn = draw_swords(5, &mut swords, &mut 0, &mut chance);
        assert_eq!(drawn[..], [5, 1, 3, 4, 2]);
        assert!(chance.is_exhausted());
    }

    #[test]
    fn a_contested_sword() {
        // SW-RND-03
        let mut draws = 7;
        assert_eq!(settle_claim(&['b', 'd', 'e'], &mut draws, &mut Scripted::new(&[1])), 'd');
        assert_eq!(draws, 8);
    }

    #[test]
    fn dice_of_the_ninja() {
        // SW-RND-05, SW-RND-06, SW-RND-07: scripted draws count from 0, the die from 1
        let mut draws = 0;
        assert_eq!(die(&mut draws, &mut Scripted::new(&[11])), 12);
        assert!(assassination_succeeds(&mut draws, &mut Scripted::new(&[7])));
        assert!(!assassination_succeeds(&mut draws, &mut Scripted::new(&[8])));
        assert!(revenge_succeeds(&mut draws, &mut Scripted::new(&[8])));
        assert!(!revenge_succeeds(&mut draws, &mut Scripted::new(&[7])));
        assert_eq!(draws, 5);
    }
}
