//! A position of any kind is refused with its field, or can be played on.

use sengoku_battles::State;
use sengoku_kernel::{Chance, Game, Purpose, Stream};
use serde_json::{Value, json};

/// The places of all plain values and empty lists of a table.
fn leaves<'a>(value: &'a mut Value, found: &mut Vec<&'a mut Value>) {
    let plain = match &*value {
        Value::Object(fields) => fields.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => true,
    };
    match value {
        _ if plain => found.push(value),
        Value::Object(fields) => fields.values_mut().for_each(|value| leaves(value, found)),
        Value::Array(items) => items.iter_mut().for_each(|value| leaves(value, found)),
        _ => {}
    }
}

/// Something else of the same kind, or of another.
fn change(value: &mut Value, choice: &mut dyn FnMut(usize) -> usize) {
    let words =
        ["top", "bottom", "0,5", "5,5", "10,3", "SSp", "LI", "AC", "BG", "LM", "C-ONE-L", "D-24", "castle"];
    *value = match value {
        Value::Bool(old) => json!(!*old),
        Value::Number(old) => {
            let old = old.as_u64().unwrap_or(0);
            json!([old + 1, old.saturating_sub(1), old + 5, old + 250, 0][choice(5)])
        }
        _ if choice(6) == 0 => [Value::Null, json!([]), json!(3), json!({}), json!("5,5")][choice(5)].clone(),
        Value::Array(_) => json!([words[choice(words.len())]]),
        _ => json!(words[choice(words.len())]),
    };
}

#[test]
fn changed_positions_are_refused_or_sound() {
    let mut choices = Stream::new(5, Purpose::Bots, 0);
    let mut draw = 0;
    let mut choice = |sides: usize| {
        draw += 1;
        choices.below(draw, sides as u32) as usize
    };
    let (mut legal, mut accepted, mut refused) = (Vec::new(), 0, 0);
    for number in 1..=40_u64 {
        let mut chance = Stream::new(5, Purpose::Game, number);
        let mut state = State::create(2, &json!({ "scenario": number }), &mut chance).expect("a valid setup");
        for _ in 0..choice(1500) {
            if state.to_act().is_some() {
                state.legal_actions(&mut legal);
                state.play_unchecked(legal[choice(legal.len())], &mut chance);
            }
        }
        for _ in 0..25 {
            let mut position = state.describe(None);
            for _ in 0..choice(3) {
                let mut found = Vec::new();
                leaves(&mut position, &mut found);
                let place = choice(found.len());
                change(found[place], &mut choice);
            }
            match State::create(2, &json!({ "position": position }), &mut chance.clone()) {
                Err(error) => {
                    refused += 1;
                    assert!(!error.field.is_empty(), "{error}");
                }
                Ok(mut playing) => {
                    accepted += 1;
                    for _ in 0..60 {
                        if playing.to_act().is_some() {
                            playing.legal_actions(&mut legal);
                            playing.play_unchecked(legal[choice(legal.len())], &mut chance.clone());
                        }
                    }
                }
            }
        }
    }
    assert!(accepted > 200 && refused > 200, "{accepted} accepted, {refused} refused");
}
