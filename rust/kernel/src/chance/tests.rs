use proptest::prelude::*;

use super::*;

#[test]
fn a_draw_is_a_function_of_its_number() {
    let mut forward = Stream::new(7, Purpose::Game, 3);
    let in_order: Vec<u32> = (0..64).map(|draw| forward.below(draw, 12)).collect();
    let mut backward = Stream::new(7, Purpose::Game, 3);
    let mut reversed: Vec<u32> = (0..64).rev().map(|draw| backward.below(draw, 12)).collect();
    reversed.reverse();
    assert_eq!(in_order, reversed);
}

#[test]
fn purposes_seeds_and_matches_have_their_own_numbers() {
    let words = |seed, purpose, index| -> Vec<u32> {
        let mut stream = Stream::new(seed, purpose, index);
        (0..8).map(|draw| stream.below(draw, 1 << 31)).collect()
    };
    let base = words(7, Purpose::Game, 0);
    assert_ne!(base, words(7, Purpose::Tower, 0));
    assert_ne!(base, words(7, Purpose::Bots, 0));
    assert_ne!(base, words(7, Purpose::Odds, 0));
    assert_ne!(base, words(7, Purpose::Search, 0));
    assert_ne!(base, words(8, Purpose::Game, 0));
    assert_ne!(base, words(7 | 1 << 32, Purpose::Game, 0));
    assert_ne!(base, words(7, Purpose::Game, 1));
    assert_ne!(base, words(7, Purpose::Game, 1 << 32));
}

#[test]
fn the_tower_of_a_match_has_a_stream_of_its_own() {
    // TW-RNG-00, TW-TOWER-08: whatever the game has drawn, throws and bumps are those of the tower's stream
    let parameters = Parameters::default();
    let mut game = Stream::new(7, Purpose::Game, 3);
    let mut plain = Stream::new(7, Purpose::Tower, 3);
    let (mut one, mut other) = (CubeTower::EMPTY, CubeTower::EMPTY);
    let (mut draws, mut drawn) = (0, 0);
    for throw in 0..200_u32 {
        game.below(throw, 6);
        let cubes: Vec<Colour> = (0..=throw % 30).map(|cube| Colour(cube as u8 % 6)).collect();
        let (mut tray, mut out) = (Cubes::new(), Cubes::new());
        game.throw(&mut one, &parameters, &mut cubes.clone(), &mut draws, &mut tray);
        other.throw(&parameters, &mut cubes.clone(), &mut drawn, &mut plain, &mut out);
        assert_eq!((&one, draws, &tray), (&other, drawn, &out));
        let fallen = game.bump(&mut one, 30_000, &mut draws);
        assert_eq!((fallen, draws), (other.bump(30_000, &mut drawn, &mut plain), drawn));
    }
    // A script serves for both.
    let mut script = Scripted::new(&[65_535, 65_535]);
    let mut tray = Cubes::new();
    script.throw(&mut CubeTower::default(), &parameters, &mut [Colour(1)], &mut 0, &mut tray);
    assert!(script.is_exhausted());
    assert_eq!(tray[..], [Colour(1)]);
}

/// A die of 3 * 2^30 sides rejects a quarter of all words; without rejection every third value would be twice as
/// likely. Counts in three equal bands must agree with 1/3 each (chi-square with 2 degrees, p = 1e-6 is 27.6).
#[test]
fn below_is_unbiased_where_words_do_not_divide_evenly() {
    let sides = 3 << 30;
    let mut stream = Stream::new(11, Purpose::Game, 0);
    let mut bands = [0_u32; 3];
    let count = 60_000;
    for draw in 0..count {
        bands[(stream.below(draw, sides) % 3) as usize] += 1;
    }
    let expected = f64::from(count) / 3.0;
    let chi_square: f64 = bands.iter().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum();
    assert!(chi_square < 27.6, "{bands:?}");
}

#[test]
fn twelve_sides_are_equally_likely() {
    let mut stream = Stream::new(1, Purpose::Game, 0);
    let mut faces = [0_u32; 12];
    for draw in 0..120_000 {
        faces[stream.below(draw, 12) as usize] += 1;
    }
    let chi_square: f64 = faces.iter().map(|&n| (f64::from(n) - 1e4).powi(2) / 1e4).sum();
    assert!(chi_square < 50.0, "{faces:?}"); // 11 degrees of freedom, p = 6e-7
}

#[test]
fn halves_of_words() {
    // TW-RNG-00: two r16 in a row are one word
    let mut stream = Stream::new(7, Purpose::Tower, 3);
    let words: Vec<u32> = (0..4).flat_map(|block| stream.block(block)).collect();
    for (number, &word) in words.iter().enumerate() {
        let halves = [0, 1].map(|half| u32::from(stream.r16(2 * number as u32 + half)));
        assert_eq!(halves[0] | halves[1] << 16, word);
    }
    assert_eq!(Scripted::new(&[65_535]).r16(9), u16::MAX);
}

#[test]
fn scripted_draws_are_used_up() {
    let mut dice = Scripted::new(&[3, 0]);
    assert_eq!((dice.below(0, 12), dice.below(1, 2)), (3, 0));
    assert!(dice.is_exhausted());
}

#[test]
#[should_panic(expected = "no roll left for draw 1")]
fn scripted_draws_run_out_loudly() {
    let mut dice = Scripted::new(&[3]);
    dice.below(0, 12);
    dice.below(1, 12);
}

#[test]
fn a_script_counts_what_it_could_not_give() {
    let mut dice = Script::new(&[3]);
    dice.below(0, 12);
    assert_eq!((dice.requested(), dice.missing()), (1, 0));
    dice.below(1, 12);
    assert_eq!((dice.requested(), dice.missing()), (2, 1));
}

#[test]
fn shuffle_swaps_from_the_back() {
    // the procedure of SW-RND-01
    let mut cards = [0, 1, 2, 3];
    let mut draws = 0;
    shuffle(&mut cards, &mut draws, &mut Scripted::new(&[1, 0, 1]));
    assert_eq!((cards, draws), ([2, 3, 0, 1], 3));
}

#[test]
fn the_last_item_is_taken_without_a_draw() {
    // the procedure of SW-RND-02 and SW-RND-04
    let mut swords: arrayvec::ArrayVec<u8, 5> = [1, 2, 3].into_iter().collect();
    let mut draws = 0;
    let mut chance = Scripted::new(&[1, 1]);
    let taken = [(); 3].map(|()| take_one(&mut swords, &mut draws, &mut chance));
    assert_eq!(taken, [Some(2), Some(3), Some(1)]);
    assert!(chance.is_exhausted());
    assert_eq!(take_one(&mut swords, &mut draws, &mut chance), None);
}

proptest! {
    #[test]
    fn below_stays_below(seed: u64, index: u64, draw: u32, sides in 1..=u32::MAX) {
        prop_assert!(Stream::new(seed, Purpose::Bots, index).below(draw, sides) < sides);
    }

    #[test]
    fn a_shuffle_loses_nothing(seed: u64, size in 0_usize..80) {
        let mut cards: Vec<usize> = (0..size).collect();
        let mut draws = 0;
        shuffle(&mut cards, &mut draws, &mut Stream::new(seed, Purpose::Game, 0));
        prop_assert_eq!(draws as usize, size.saturating_sub(1));
        cards.sort_unstable();
        prop_assert!(cards.into_iter().eq(0..size));
    }
}
