use super::*;
use crate::cube_tower::ShelfParameters;
use crate::{Purpose, Scripted, Stream};

fn ledger() -> Parameters {
    Parameters::named("ledger").unwrap()
}

/// The ledger's shelves, lower dislodged more often, and jams strong enough to show.
fn jammed() -> Parameters {
    let jam = |shelf: ShelfParameters| ShelfParameters {
        stick_per_mille: 400,
        dislodge: 5 * shelf.dislodge,
        jam_per_mille: 600,
        ..shelf
    };
    let shelves: Vec<_> = ledger().shelves().iter().copied().map(jam).collect();
    Parameters::new(&shelves).unwrap()
}

#[test]
fn the_law_adds_up() {
    for parameters in [ledger(), jammed()] {
        for total in [0, 1, 2, 10, 37, 49, 50] {
            let law = laws(&parameters, total).swap_remove(total);
            assert!((law.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{total}");
            let possible = total.saturating_sub(24)..=total.min(26);
            assert!((0..=26).all(|upper| possible.contains(&upper) || law[upper] == 0.0), "{total}");
        }
    }
    assert!((laws(&ledger(), 50)[50][26] - 1.0).abs() < 1e-9);
}

#[test]
fn the_law_is_that_of_throws() {
    // the loading of TW-TOWER-34, really done, against its law: chi-square over the upper shelf
    const COUNT: u32 = 20_000;
    let cases = [5_u16, 20, 32].map(|total| (ledger(), total)).into_iter().chain([(jammed(), 20)]);
    for (parameters, total) in cases {
        let loader = Loader::new(&parameters, &[total]).unwrap();
        let mut seen = [0_u32; 27];
        for index in 0..COUNT {
            let mut chance = Stream::new(5, Purpose::Tower, index.into());
            seen[loader.load_by_throws(&mut 0, &mut chance).shelf(0).len()] += 1;
        }
        let law = laws(&parameters, total.into()).swap_remove(total.into());
        let (mut chi_square, mut cells) = (0.0, 0.0);
        let (mut rare_seen, mut rare) = (0.0, 0.0);
        for (count, probability) in seen.into_iter().zip(law) {
            let expected = f64::from(COUNT) * probability;
            if expected < 10.0 {
                rare_seen += f64::from(count);
                rare += expected;
            } else {
                chi_square += (f64::from(count) - expected).powi(2) / expected;
                cells += 1.0;
            }
        }
        chi_square += (rare_seen - rare).powi(2) / rare.max(1e-9);
        assert!(
            chi_square < cells + 5.0 * (2.0_f64 * cells).sqrt() + 5.0,
            "{total}: {chi_square} of {cells}"
        );
    }
}

#[test]
fn contents_are_as_asked() {
    let three = Parameters::new(&[ledger().shelves()[0]; 3]).unwrap();
    for parameters in [ledger(), three] {
        for contents in [[0; 6], [0, 3, 0, 0, 0, 1], [7, 7, 7, 7, 7, 10], [24, 26, 0, 0, 0, 0]] {
            let loader = Loader::new(&parameters, &contents).unwrap();
            for index in 0..20 {
                let mut draws = 0;
                let tower = loader.load(&mut draws, &mut Stream::new(5, Purpose::Tower, index));
                assert_eq!(tower.contents(), contents);
                assert!(tower.fits(&parameters));
                assert_eq!(draws == 0, tower.is_empty());
            }
        }
    }
    let error = Loader::new(&ledger(), &[50, 1]).unwrap_err();
    assert_eq!(error.to_string(), "contents: 51 cubes, the tower holds 50");
}

#[test]
fn the_order_of_the_draws() {
    // 0 is the fewest on the upper shelf; swaps that change nothing leave the cubes in order, oldest first
    let loader = Loader::new(&ledger(), &[1, 1, 1]).unwrap();
    let mut chance = Scripted::new(&[0, 0, 2, 1]);
    let mut draws = 1;
    let tower = loader.load(&mut draws, &mut chance);
    assert!(chance.is_exhausted());
    assert_eq!((tower.shelf(0).len(), draws), (0, 8)); // halves 1 and 2, then the words of 4 and 6
    assert_eq!(tower.shelf(1), [Colour(0), Colour(1), Colour(2)]);
}
