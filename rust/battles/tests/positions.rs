//! A position of any kind is refused with its field, or can be played on.

use sengoku_battles::State;
use sengoku_kernel::{Chance, Game, Purpose, Stored, Stream};
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

#[test]
fn forty_units_across_a_river_are_many_banners() {
    // BT-SCEN-06, BT-VICTORY-01: 19 banners and three for each of forty units are more than an i8 holds
    let army = |rows: [u32; 2]| {
        let kinds = [("ASp", 8), ("SSp", 5), ("AB", 4), ("SB", 3)];
        let kinds = kinds.into_iter().flat_map(|(kind, count)| std::iter::repeat_n(kind, count));
        let hexes = rows.into_iter().flat_map(|row| (0..11).map(move |column| format!("{row},{column}")));
        kinds.zip(hexes).map(|(kind, hex)| format!("\"{kind}@{hex}\"")).collect::<Vec<_>>().join(", ")
    };
    let rows: Vec<_> = (0..11)
        .map(|row| {
            let tile = if row == 5 { "r" } else { "." };
            format!("\"{}\"", tile.repeat(12 - row % 2))
        })
        .collect();
    let text = format!(
        "name = \"Crossing\"\nflags_to_win = 20\nfirst_player = \"bottom\"\n\
         top = {{ name = \"North\", command_cards = 5, dragon_cards = 2, honor = 5 }}\n\
         bottom = {{ name = \"South\", command_cards = 5, dragon_cards = 2, honor = 5 }}\n\
         victory = [{{ kind = \"units_across_river\", side = \"bottom\", bank = \"top\", flags_per_unit = 3 }}]\n\
         [deployment]\nbasis = \"test\"\nnarrative = \"Test.\"\nterrain = [{}]\ntop = [{}]\nbottom = [{}]\n",
        rows.join(", "),
        army([0, 1]),
        army([10, 9]),
    );
    let hexes = (0..5).flat_map(|row| (0..11).map(move |column| format!("{row},{column}")));
    let units: Vec<_> =
        hexes.take(40).map(|hex| json!({ "unit": "LI", "side": "bottom", "hex": hex })).collect();
    let position = json!({ "units": units, "banners": { "bottom": 19 } });
    let mut chance = Stream::new(5, Purpose::Game, 0);
    let state = State::create(2, &json!({ "scenario_text": text, "position": position }), &mut chance)
        .expect("a valid setup");
    assert_eq!((state.temporary_banners(sengoku_battles::data::Side::Bottom), state.to_act()), (120, None));
}
