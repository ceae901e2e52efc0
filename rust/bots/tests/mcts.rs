//! The searching player: it answers everywhere, looks at nothing it may not see, is the same every time, and wins.

use sengoku_bots::mcts::{Analysis, Options, merge};
use sengoku_bots::{Bot, BotError, HasBots, Policy, Seen};
use sengoku_kernel::{Chance, Game, Purpose, Seat, Stream};
use serde_json::{Value, json};

/// The bot of a name.
fn named<G: HasBots>(name: &str) -> Policy<G::Greedy> {
    G::bot(name).expect("the bot is known")
}

/// Calls `look` at the decisions of a match of `greedy` players that are worth a search.
fn along<G: HasBots>(
    seats: usize,
    setup: &Value,
    match_index: u64,
    mut look: impl FnMut(&G, Seat, &[G::Action]),
) {
    let mut dice = Stream::new(5, Purpose::Game, match_index);
    let mut state = G::create(seats, setup, &mut dice).expect("the setup is valid");
    let mut greedy = G::Greedy::default();
    let mut legal = Vec::new();
    while let Some(seat) = state.to_act() {
        state.legal_actions(&mut legal);
        if legal.len() > 1 {
            look(&state, seat, &legal);
        }
        let choice = greedy.decide(&Seen::new(&state, seat), &legal, &mut |_| 0);
        state.play_unchecked(legal[choice], &mut dice);
    }
}

/// What a bot decides with the same numbers every time.
fn ask<G: HasBots>(name: &str, state: &G, seat: Seat, legal: &[G::Action]) -> usize {
    let mut stream = Stream::new(1, Purpose::Bots, 0);
    let mut draw = 0;
    let mut below = |sides| {
        draw += 1;
        stream.below(draw, sides)
    };
    named::<G>(name).decide(&Seen::new(state, seat), legal, &mut below)
}

fn is_blind_to_secrets<G: HasBots>(seats: usize, setup: &Value) {
    let mut decisions = 0_u32;
    let mut differed = 0;
    along::<G>(seats, setup, 3, |state, seat, legal| {
        decisions += 1;
        if !decisions.is_multiple_of(41) {
            return;
        }
        let mut stream = Stream::new(9, Purpose::Search, decisions.into());
        let mut draw = 0;
        let other = state.resample(seat, &mut |sides| {
            draw += 1;
            stream.below(draw, sides)
        });
        differed += u32::from(other != *state);
        let bot = "mcts:iterations=24,trees=2";
        let choice = ask(bot, state, seat, legal);
        assert!(choice < legal.len());
        assert_eq!(choice, ask(bot, state, seat, legal), "the same question, another answer");
        assert_eq!(choice, ask(bot, &other, seat, legal), "something hidden made a difference");
    });
    assert!(differed > 0, "nothing was hidden in {decisions} decisions");
}

#[test]
fn decides_alike_whatever_is_hidden() {
    is_blind_to_secrets::<sengoku_swords::State>(3, &json!({ "max_rounds": 2 }));
    is_blind_to_secrets::<sengoku_tower::State>(3, &json!({ "court": true }));
    is_blind_to_secrets::<sengoku_battles::State>(2, &json!({ "scenario": 8, "max_rounds": 8 }));
}

/// Decisions in which some actions win at once, whatever the dice and whatever is hidden, and others do not.
fn takes_the_victory<G: HasBots>(seats: usize, setup: &Value, matches: u64) -> u32 {
    let mut found = 0;
    for match_index in 0..matches {
        along::<G>(seats, setup, match_index, |state, seat, legal| {
            let wins = |action: G::Action| {
                (0..8).all(|number| {
                    let (mut stream, mut draw) = (Stream::new(number, Purpose::Search, 1), 0);
                    let mut then = state.resample(seat, &mut |sides| {
                        draw += 1;
                        stream.below(draw, sides)
                    });
                    then.play_unchecked(action, &mut Stream::new(number, Purpose::Search, 0));
                    then.outcome().and_then(|outcome| outcome.winner()) == Some(seat)
                })
            };
            let winning: Vec<bool> = legal.iter().map(|&action| wins(action)).collect();
            if winning.contains(&true) && winning.contains(&false) && Seen::new(state, seat).is_searched() {
                found += 1;
                assert!(winning[ask("mcts:iterations=200", state, seat, legal)], "match {match_index}");
            }
        });
    }
    found
}

#[test]
fn takes_a_victory_that_is_there() {
    // Such a choice is rare: greedy rarely leaves a victory that is certain and not the only thing to do.
    assert!(takes_the_victory::<sengoku_battles::State>(2, &json!({ "scenario": 12 }), 200) > 1);
}

#[test]
fn a_search_depends_on_its_seed_and_budget_alone() {
    type State = sengoku_battles::State;
    along::<State>(2, &json!({ "scenario": 3, "max_rounds": 1 }), 1, |state, seat, legal| {
        let seen = Seen::new(state, seat);
        let search = |seed, trees| {
            let options = Options::new(40, trees);
            let analysis = Analysis { seen: &seen, legal, options, seed };
            let favourite = analysis.favourite(&mut <State as HasBots>::Greedy::default());
            merge((0..trees).map(|tree| analysis.tree(tree, favourite, &|| false)))
        };
        for trees in [1, 3] {
            let found = search(7, trees);
            assert_eq!(found, search(7, trees));
            assert!(found.iter().map(|candidate| candidate.visits).sum::<u32>() <= 40);
            for candidate in found.iter().filter(|candidate| candidate.visits > 0) {
                let sum: f32 = candidate.sums.iter().sum();
                assert!((sum - candidate.visits as f32).abs() < 1e-2, "shares of a victory sum to one");
            }
        }
    });
}

#[test]
fn options_are_read_or_refused_by_name() {
    type State = sengoku_tower::State;
    let iterations = |name: &str| State::bot(name).expect("the bot is known").iterations();
    assert_eq!(iterations("mcts"), Some(1000));
    assert_eq!(iterations("mcts:iterations=7"), Some(7));
    assert_eq!(iterations("mcts:trees=3,iterations=50"), Some(50));
    assert_eq!(iterations("greedy"), None);
    let refused = |name: &str| match State::bot(name) {
        Err(BotError::Option(error)) => (error.option, error.reason),
        other => panic!("{name} is {other:?}"),
    };
    for value in ["0", "-1", "10000001", "many", ""] {
        let (option, reason) = refused(&format!("mcts:iterations={value}"));
        assert_eq!(option, "iterations");
        assert!(reason.contains(&format!("{value:?}")), "{reason}");
    }
    assert_eq!(refused("mcts:trees=65").0, "trees");
    assert_eq!(refused("mcts:depth=3").0, "depth");
    assert_eq!(refused("mcts:iterations").0, "iterations");
    assert_eq!(refused("mix:greedy=101"), ("greedy".into(), "\"101\" is not a number from 0 to 100".into()));
    assert_eq!(refused("mix:random=1"), ("random".into(), "there is no such option, only greedy".into()));
    for name in ["greedy:iterations=3", "random:", "MCTS", ""] {
        assert!(matches!(State::bot(name), Err(BotError::Unknown)), "{name}");
    }
}

/// What a few matches say about its strength; the README has the figures of more.
#[test]
#[ignore = "searches for some thousand decisions; run by make test-system"]
fn wins_more_than_its_share() {
    type State = sengoku_tower::State;
    let won = (0..12).filter(|&number| {
        let place = number as usize % 4;
        let mut dice = Stream::new(5, Purpose::Game, number);
        let mut state = State::create(4, &json!({}), &mut dice).expect("the setup is valid");
        let mut bots = vec![named::<State>("greedy"); 4];
        bots[place] = named::<State>("mcts:iterations=100");
        let mut choices = Stream::new(5, Purpose::Bots, number);
        let mut draw = 0;
        let mut legal = Vec::new();
        while let Some(seat) = state.to_act() {
            state.legal_actions(&mut legal);
            let mut below = |sides| {
                draw += 1;
                choices.below(draw, sides)
            };
            let choice = bots[seat.index()].decide(&Seen::new(&state, seat), &legal, &mut below);
            state.play_unchecked(legal[choice], &mut dice);
        }
        state.outcome().and_then(|outcome| outcome.winner()) == Some(Seat(place as u8))
    });
    // Fair are 3 of 12, with a standard error of 1.5; it wins about half of them.
    let won = won.count();
    assert!(won >= 4, "{won} of 12");
}
