use crate::picture::fault;
use sengoku_kernel::{Chance, Game, Purpose, Stream};
use serde_json::json;

use super::*;
use sengoku_battles::data::{DragonCard, LeaderKind};
use sengoku_battles::scenario::{Special, all};

#[test]
fn every_battle_can_be_drawn() {
    // BT-SCEN-01
    for battle in all() {
        let svg = draw_deployed(battle);
        assert_eq!(fault(&svg), None, "{battle:?}");
        assert!(svg.contains("; deployment reconstructed</text>"), "{battle:?}");
        for leader in battle.pieces.iter().filter_map(|piece| piece.name) {
            let name = &battle.leader_names[usize::from(leader)];
            let first = name.split(' ').next().unwrap();
            assert!(svg.contains(first), "{battle:?} {name}");
        }
        let lines = sketch_deployed(battle);
        let text = lines.plain();
        assert!(text.lines().all(|line| line.chars().count() <= 78), "{text}");
        assert_eq!(text.lines().filter(|line| line.starts_with(" 0 ")).count(), 1, "{text}");
        // BT-COMP-04: every piece is on the map.
        let pieces = text.matches('v').count() + text.matches('^').count();
        assert!(pieces >= battle.pieces.len(), "{text}");
        assert_eq!(svg.matches("M-3.5,-3v-3a").count() > 0, held(battle), "{battle:?}");
    }
}

fn held(battle: &Scenario) -> bool {
    battle.special.iter().any(|rule| matches!(rule, Special::Held { .. }))
}

#[test]
fn every_point_of_a_match_can_be_drawn() {
    let mut legal = Vec::new();
    for scenario in [8, 16, 34, 37, 39] {
        let mut chance = Stream::new(5, Purpose::Game, 0);
        let mut choice = Stream::new(5, Purpose::Bots, 0);
        let mut state = State::create(2, &json!({ "scenario": scenario }), &mut chance).unwrap();
        for decision in 0.. {
            if decision % 37 == 0 || state.to_act().is_none() {
                for seat in [None, Some(Seat(0)), Some(Seat(1))] {
                    assert_eq!(fault(&draw(&state, seat)), None, "{:?}", state.agenda.last());
                }
                assert!(sketch(&state).0.len() > 24);
            }
            let Some(seat) = state.to_act() else { break };
            assert!(!Words(&state).headline().is_empty());
            assert!(Side::of_seat(seat).is_some());
            state.legal_actions(&mut legal);
            let at = choice.below(decision, legal.len() as u32) as usize;
            state.play_unchecked(legal[at], &mut chance);
        }
        assert!(Words(&state).headline().contains(" has won ("), "{}", Words(&state).headline());
    }
}

#[test]
fn a_seat_sees_its_own_hand_only() {
    // BT-COMP-06
    let mut chance = Stream::new(5, Purpose::Game, 0);
    let state = State::create(2, &json!({ "scenario": 29 }), &mut chance).unwrap();
    for side in Side::ALL {
        let svg = draw(&state, Some(side.seat()));
        let shown = |card: DragonCard| svg.contains(&format!(">{} ({})<", card.name(), card.cost()));
        let (own, other) = (&state.dragon.hands[side], &state.dragon.hands[side.other()]);
        assert!(own.iter().all(|&card| shown(card)));
        assert!(!other.iter().any(|&card| shown(card) && !own.contains(&card)));
        assert_eq!(svg.matches(">hand hidden<").count(), 1);
    }
    assert_eq!(draw(&state, None).matches(">hand hidden<").count(), 0);
}

#[test]
fn custom_battles_can_be_drawn() {
    let format = include_str!("../../../../battles/data/deployments/FORMAT.md");
    let text = format.split("```toml\n").nth(2).unwrap().split("```").next().unwrap();
    let text = text.replace("\"North\"", "\"North <&> the very long name of an army\"");
    let battle = &Scenario::read(&text).unwrap();
    let svg = draw_deployed(battle);
    assert_eq!(fault(&svg), None);
    assert!(svg.contains("North &lt;&amp;&gt;"));
    assert!(svg.contains("deployment own"));
    assert!(sketch_deployed(battle).plain().contains("shallow ford"));
}

#[test]
fn leaders_have_their_letters() {
    // BT-LEADERS-01
    assert_eq!(LeaderKind::ALL.map(pieces::letter), ['F', 'M', 'C']);
}
