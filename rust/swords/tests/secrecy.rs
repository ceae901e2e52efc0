//! Hidden information changes nothing that a seat sees: not its view, not its observation, not the seat to act
//! (SW-GEN-14, SW-R-88, SW-R-89).

use sengoku_kernel::{Seat, conformance};
use sengoku_swords::State;
use sengoku_swords::data::{ByUnit, ClanId, ProvinceId, Unit};
use sengoku_swords::state::{Levied, Plan, Point};
use sengoku_view::View;
use serde_json::json;

/// The state with everything changed that a seat may not know, as far as there is something.
fn with_other_secrets(state: &State, seat: Seat, choice: &mut dyn FnMut(u32) -> u32) -> State {
    let mut other = *state;
    let foreign = |clan: ClanId| state.player(clan) != seat;
    let strangers: Vec<ClanId> = state.in_play().filter(|&clan| foreign(clan)).collect();
    for &clan in &strangers {
        // The same stacks lie elsewhere; while they are being laid even their sizes are unknown.
        let owned: Vec<ProvinceId> =
            ProvinceId::all().filter(|&province| state.provinces[province].owner == Some(clan)).collect();
        for place in (1..owned.len()).rev() {
            let (one, two) = (owned[place], owned[choice(place as u32 + 1) as usize]);
            let moved = other.provinces[one].hidden;
            other.provinces[one].hidden = other.provinces[two].hidden;
            other.provinces[two].hidden = moved;
        }
        let secrets = &mut other.clans[clan];
        match state.point {
            Point::Plan(_) | Point::Spy if state.spied != Some(clan) => {
                let koku = secrets.koku;
                secrets.plan = Plan { swords: choice(u32::from(koku) + 1) as u8, ..Plan::default() };
            }
            Point::Swords => secrets.wish = choice(3) as u8,
            Point::Build => secrets.site = owned.first().copied(),
            Point::Buy(_) => secrets.bought = ByUnit([choice(2) as u8, choice(3) as u8, 0, 0, 0, 1]),
            Point::Levy(_) => {
                let unit = [Unit::Bow, Unit::Spear][choice(2) as usize];
                for &province in &owned {
                    let into_army = choice(2) == 1;
                    other.provinces[province].levy = (choice(2) == 1).then_some(Levied { unit, into_army });
                }
            }
            Point::Ronin(_) => {
                for &province in &owned {
                    other.provinces[province].hidden = choice(3) as u8;
                }
            }
            Point::Casualties(_) => {
                let fight = other.fight.as_mut().expect("a battle is under way");
                for (role, side) in [(0, state.active), (1, fight.defender)] {
                    if side == clan {
                        fight.losses[role].army[Unit::Gun] = choice(3) as u8;
                        fight.losses[role].provincial[Unit::Spear] = choice(3) as u8;
                    }
                }
            }
            _ => {}
        }
    }
    other
}

#[test]
fn another_seats_secret_changes_nothing_that_is_seen() {
    let setup = json!({ "max_rounds": 8 });
    let differed: u32 = (2..=5)
        .map(|seats| conformance::keep_secrets(seats, &setup, with_other_secrets, View::picture))
        .sum();
    assert!(differed > 1_000, "secrets differed {differed} times");
}
