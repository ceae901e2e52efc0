//! The player between `random` and `greedy`: it is the one at one end, the other at the other end.

use sengoku_bots::{Bot, HasBots, Seen};
use sengoku_kernel::{Chance, Purpose, Stream};
use serde_json::{Value, json};

/// How many of the decisions of a match of `greedy` players a mix decides as they do, and how many there are.
fn agreed<G: HasBots>(seats: usize, setup: &Value, percent: u32) -> (u32, u32) {
    let mut dice = Stream::new(5, Purpose::Game, 1);
    let mut state = G::create(seats, setup, &mut dice).expect("the setup is valid");
    let mut mix = G::bot(&format!("mix:greedy={percent}")).expect("the bot is known");
    let mut greedy = G::Greedy::default();
    let mut choices = Stream::new(5, Purpose::Bots, 1);
    let mut draw = 0;
    let mut below = |sides| {
        draw += 1;
        choices.below(draw, sides)
    };
    let mut legal = Vec::new();
    let (mut alike, mut decisions) = (0, 0);
    while let Some(seat) = state.to_act() {
        state.legal_actions(&mut legal);
        let seen = Seen::new(&state, seat);
        let choice = greedy.decide(&seen, &legal, &mut |_| 0);
        if legal.len() > 1 {
            decisions += 1;
            alike += u32::from(mix.decide(&seen, &legal, &mut below) == choice);
        }
        state.play_unchecked(legal[choice], &mut dice);
    }
    (alike, decisions)
}

fn is_between<G: HasBots>(seats: usize, setup: &Value) {
    let (alike, decisions) = agreed::<G>(seats, setup, 100);
    assert_eq!(alike, decisions);
    // At random it agrees now and then; halfway between there are half of the other decisions more.
    let (none, _) = agreed::<G>(seats, setup, 0);
    let (half, _) = agreed::<G>(seats, setup, 50);
    assert!(none < decisions * 3 / 4, "{none} of {decisions}");
    let expected = u32::midpoint(none, decisions);
    assert!(half.abs_diff(expected) < decisions / 8, "{half} of {decisions}, not about {expected}");
}

#[test]
fn a_mix_is_as_much_of_greedy_as_it_says() {
    is_between::<sengoku_swords::State>(3, &json!({ "max_rounds": 3 }));
    is_between::<sengoku_tower::State>(4, &json!({}));
    is_between::<sengoku_battles::State>(2, &json!({ "scenario": 8 }));
}
