//! The content of a picture of a match.

use sengoku_kernel::{Game, Seat};
use sengoku_swords::State;
use sengoku_swords::data::{ClanId, ProvinceId, Unit};
use sengoku_swords::state::Phase;

use super::names::clan_name;
use super::picture::{ArmyLook, ClanLook, Look, ProvinceLook, draw};

/// Where the match stands.
pub(super) fn title(state: &State) -> String {
    match (state.round, state.phase) {
        (0, _) => "Setup".into(),
        (round, Phase::None) => format!("Round {round}"),
        (round, phase) => {
            format!("Round {round}, war turn of {}, phase {phase:?}", clan_name(state, state.active))
        }
    }
}

/// The board as a picture: everything, or what a seat may see.
pub(super) fn picture(state: &State, seat: Option<Seat>) -> String {
    let seen = seat.map_or(*state, |seat| state.seen_by(seat));
    let mut look = Look::empty(state.map);
    for province in ProvinceId::all() {
        let it = &seen.provinces[province];
        let army = seen.army_at(province).map(|(clan, number)| {
            let army = seen.army(clan, number);
            ArmyLook {
                number: number + 1,
                units: army.units.total(),
                level: army.level(),
                disrupted: army.disrupted,
            }
        });
        look.provinces[province.index()] = ProvinceLook {
            owner: it.owner.map(|owner| owner.0),
            regulars: it.units.regulars(),
            ronin: it.units[Unit::Ronin],
            hidden: it.hidden,
            fort: it.fort,
            army,
        };
    }
    look.clans = (0..state.clan_count() as u8)
        .map(ClanId)
        .map(|clan| ClanLook {
            name: clan_name(state, clan),
            provinces: seen.province_count(clan),
            koku: state.clans[clan].koku,
            sword: (state.clans[clan].sword > 0).then_some(state.clans[clan].sword),
            out: state.clans[clan].out > 0,
        })
        .collect();
    look.title = title(state);
    look.highlight = state.fight.and_then(|fight| Some((state.attack_from()?.0, fight.target.0)));
    draw(&look)
}
