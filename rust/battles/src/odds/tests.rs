use sengoku_kernel::Cancel;
use sengoku_kernel::odds::Sampler;

use super::*;
use crate::data::{LeaderKind, Terrain, UnitKind};

fn melee(attacker: UnitKind, defender: UnitKind) -> StrikeSetup {
    StrikeSetup::melee(Piece::unit(attacker), Piece::unit(defender))
}

fn led(kind: UnitKind) -> Piece {
    Piece { leader: Some(LeaderKind::Mounted), inspire: true, ..Piece::unit(kind) }
}

fn strikes() -> Vec<Strike> {
    use UnitKind::{AshigaruArquebus, AshigaruSpear, Bodyguard, Levy, SamuraiBow, SpearCavalry};
    let spears = melee(AshigaruSpear, SamuraiBow);
    let poor = ByRole([Some(1), Some(2)]);
    let cards = |attacker, defender| ByRole([CardSet::from_iter(attacker), CardSet::from_iter(defender)]);
    let (terror, vengeance) = (vec![Card::TerrorStrike], vec![Card::Vengeance]);
    let setups = [
        spears.clone(),
        StrikeSetup {
            attackers: vec![led(SpearCavalry)],
            defender: led(AshigaruSpear),
            honor: poor,
            ..spears.clone()
        },
        StrikeSetup {
            attackers: vec![led(Levy); 3],
            pool: Some(1),
            against: 1,
            cards: cards(terror, vengeance),
            ..spears.clone()
        },
        StrikeSetup { cards: cards(vec![], vec![Card::Ambush]), ..melee(Levy, Bodyguard) },
        StrikeSetup { defender: Piece { room: 1, ..Piece::unit(Levy) }, ..melee(Bodyguard, Levy) },
        StrikeSetup {
            shot: Some(Shot { distance: 2, moved: false }),
            cards: cards(vec![Card::VolleyByRanks], vec![]),
            ..melee(AshigaruArquebus, SpearCavalry)
        },
        StrikeSetup { defender: Piece::new(PieceKind::Leader(LeaderKind::Foot)), honor: poor, ..spears },
    ];
    setups.iter().map(|setup| Strike::new(setup).unwrap()).collect()
}

fn exact(strike: &Strike) -> Odds {
    strike.exact(EXACT_STATE_LIMIT, &Cancel::default()).unwrap()
}

fn sampled(strike: &Strike, parts: &[u64]) -> Odds {
    let mut sampler = Sampler::new(strike.plays(3, InstructionSet::best()));
    for &part in parts {
        sampler.play(part, &Cancel::default()).unwrap();
    }
    sampler.odds().unwrap()
}

#[test]
fn samples_show_what_the_exact_odds_say() {
    const COUNT: u64 = 100_000;
    for strike in strikes() {
        let (exact, sampled) = (exact(&strike), sampled(&strike, &[COUNT]));
        for event in Event::ALL {
            let (p, found) = (exact.probability(event), sampled.probability(event));
            let error = (p * (1.0 - p) / COUNT as f64).sqrt();
            assert!((p - found).abs() <= 4.5 * error, "{event:?} of {strike:?}: {p} {found}");
        }
        let known: Vec<Outcome> = exact.outcomes().into_iter().map(|(outcome, _)| outcome).collect();
        assert!(sampled.outcomes().iter().all(|(outcome, _)| known.binary_search(outcome).is_ok()));
        let sum: f64 = exact.outcomes().iter().map(|(_, chance)| chance).sum();
        assert!((sum - 1.0).abs() < 1e-12);
    }
}

#[test]
fn parts_and_threads_change_nothing() {
    let strike = &strikes()[1];
    let whole = sampled(strike, &[50_001]);
    assert_eq!(whole, sampled(strike, &[1, 16_383, 1, 33_616]));
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(whole, pool.install(|| sampled(strike, &[50_001])));
    }
}

#[test]
fn one_die_of_an_arquebus_in_a_gorge() {
    // BT-RANGED-06, BT-RANGED-09: one die; the symbol or X hits, F drives back, H gives nothing
    let shooter = Piece { terrain: Terrain::Gorge, ..Piece::unit(UnitKind::AshigaruArquebus) };
    let setup = StrikeSetup {
        attackers: vec![shooter],
        shot: Some(Shot { distance: 3, moved: false }),
        ..melee(UnitKind::AshigaruArquebus, UnitKind::AshigaruSpear)
    };
    let odds = exact(&Strike::new(&setup).unwrap());
    let close = |found: &[f64], expected: &[f64]| {
        assert_eq!(found.len(), expected.len());
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{found:?}");
    };
    close(&odds.rolled(0), &[4.0 / 6.0, 2.0 / 6.0]);
    close(&odds.rolled(1), &[5.0 / 6.0, 1.0 / 6.0]);
    close(&odds.rolled(2), &[1.0, 0.0]);
    close(&odds.blocks_left(Role::Defender), &[0.0, 0.0, 0.0, 1.0 / 3.0, 2.0 / 3.0]);
    close(&[odds.probability(Event::DefenderRetreats)], &[1.0 / 6.0]);
    assert_eq!(odds.percentiles(Role::Defender, &[10.0, 50.0]), [3, 4]);
    assert_eq!(odds.honor(Role::Defender).len(), 2);
}

#[test]
fn tables_go_and_come_back() {
    for strike in strikes() {
        let (exact, sampled) = (exact(&strike), sampled(&strike, &[1000]));
        assert_eq!(Odds::from_probabilities(&strike, exact.rolls(), exact.outcomes()).as_ref(), Ok(&exact));
        let counts = sampled.outcome_counts().unwrap().to_vec();
        let rolls = sampled.roll_counts().unwrap().to_vec();
        assert_eq!(Odds::from_counts(&strike, rolls, counts, 1000).as_ref(), Ok(&sampled));
        for (outcome, _) in exact.outcomes() {
            assert_eq!(from_row(&to_row(&outcome)), Some(outcome));
        }
    }
    assert_eq!(from_row(&[0; 11]), None);
    assert_eq!(from_row(&[0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), None);
    assert_eq!(from_row(&[-1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), None);
}

#[test]
fn tables_that_cannot_be() {
    let strike = &strikes()[0];
    let odds = exact(strike);
    let outcomes = odds.outcomes();
    let wrong = |rolls: &[f64], outcomes: &[(Outcome, f64)]| {
        Odds::from_probabilities(strike, rolls.to_vec(), outcomes.to_vec()).unwrap_err()
    };
    assert!(matches!(wrong(&[1.0], &outcomes), TableError::Size { .. }));
    assert!(matches!(wrong(&odds.rolls(), &outcomes[1..]), TableError::Sum { .. }));
    assert!(matches!(wrong(&vec![1.0; odds.rolls().len()], &outcomes), TableError::Sum { .. }));
    let mut twice = outcomes.clone();
    twice[1] = twice[0];
    assert!(matches!(wrong(&odds.rolls(), &twice), TableError::Value { field: "outcome", .. }));
    let mut more = outcomes.clone();
    more.last_mut().unwrap().0[Role::Attacker].blocks = 5;
    assert!(matches!(wrong(&odds.rolls(), &more), TableError::Value { field: "outcome", .. }));
    let mut less = outcomes;
    less[0].1 = f64::NAN;
    assert!(matches!(wrong(&odds.rolls(), &less), TableError::Value { field: "probability", .. }));
    let counts = vec![(strike.start().outcome, 9)];
    let rolls = vec![0; odds.rolls().len()];
    assert!(matches!(
        Odds::from_counts(strike, rolls.clone(), counts.clone(), 8),
        Err(TableError::Sum { .. })
    ));
    assert!(matches!(Odds::from_counts(strike, rolls, counts, 0), Err(TableError::Value { .. })));
}
