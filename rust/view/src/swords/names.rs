//! Display names of provinces and clans: the same in action texts, titles, legends and tooltips.

use sengoku_swords::data::ClanId;
use sengoku_swords::map::{Map, Province};
use sengoku_swords::state::State;

/// The name of a province; where several share it, with the island, the circuit or the key that tells them apart.
pub(super) fn province_name(map: &Map, province: u8) -> String {
    let it = &map.provinces()[usize::from(province)];
    let same: Vec<&Province> =
        map.provinces().iter().filter(|other| other.name == it.name && other.key != it.key).collect();
    if same.is_empty() {
        return it.name.clone();
    }
    let differs = |part: fn(&Province) -> &String| same.iter().all(|other| part(other) != part(it));
    let part = if differs(|province| &province.island) {
        &it.island
    } else if differs(|province| &province.circuit) {
        &it.circuit
    } else {
        &it.key
    };
    format!("{} ({})", it.name, capitalised(part))
}

/// A clan and the seat that plays it.
pub(super) fn clan_name(state: &State, clan: ClanId) -> String {
    format!("clan {} (seat {})", clan.0, state.player(clan).0)
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn provinces_that_share_a_name_are_told_apart() {
        let map = Map::standard();
        let name = |key: &str| province_name(map, map.find(key).unwrap());
        assert_eq!(name("mikawa"), "Mikawa");
        assert_eq!(
            (name("awa_honshu"), name("awa_shikoku")),
            ("Awa (Honshu)".into(), "Awa (Shikoku)".into())
        );
        let mut names: Vec<String> = (0..68).map(|province| province_name(map, province)).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 68);
        let text = include_str!("../../../swords/data/map.toml");
        let both = Map::parse(&text.replacen("island = \"shikoku\"", "island = \"honshu\"", 4)).unwrap();
        assert_eq!(province_name(both, both.find("awa_shikoku").unwrap()), "Awa (Nankaido)");
    }
}
