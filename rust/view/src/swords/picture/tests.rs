use super::*;
use crate::picture::fault;

/// A board with something of everything on it.
fn busy(map: &Map) -> Look<'_> {
    let army = ArmyLook { number: 3, units: 15, level: 4, disrupted: true };
    let mut look = Look::empty(map);
    for (at, province) in look.provinces.iter_mut().enumerate() {
        *province = ProvinceLook {
            owner: [None, Some(0), Some(1), Some(2), Some(3), Some(4)][at % 6],
            regulars: (at % 6) as u8,
            ronin: (at % 4) as u8,
            hidden: (at % 13) as u8,
            fort: [Fort::None, Fort::Castle, Fort::Fortress][at % 3],
            army: (at % 5 == 0).then_some(army),
        };
    }
    look.clans = (0..5)
        .map(|clan| ClanLook {
            name: format!("Clan <{clan}> & \"house\""),
            provinces: 11,
            koku: 3,
            sword: (clan > 0).then_some(clan),
            out: clan == 4,
        })
        .collect();
    look.title = "Kai > Shinano\u{7} & so on".into();
    look.highlight = Some((13, 23));
    look
}

#[test]
fn pictures_are_well_formed_and_complete() {
    let map = Map::standard();
    for look in [Look::empty(map), busy(map)] {
        let svg = draw(&look);
        assert_eq!(fault(&svg), None);
        for province in map.provinces() {
            assert!(svg.contains(&format!(">{}</text>", province.name)), "{}", province.name);
        }
        assert_eq!(svg.matches(">Awa</text>").count(), 2); // SW-MAP-02
        assert!(!svg.contains("NaN") && !svg.contains("inf") && !svg.contains('\u{7}'));
        assert!(!svg.contains("-0\"") && !svg.contains("-0,"));
    }
    assert!(draw(&busy(map)).contains("Kai &gt; Shinano  &amp; so on"));
}

#[test]
fn equal_looks_give_equal_bytes() {
    let map = Map::standard();
    let svg = draw(&busy(map));
    assert_eq!(svg, draw(&busy(map)));
    // The same map read anew is laid out anew.
    let again =
        Map::parse(&include_str!("../../../../swords/data/map.toml").replacen("35.01", "35.02", 1)).unwrap();
    assert!(!std::ptr::eq(map, again));
    assert_eq!(fault(&draw(&busy(again))), None);
    assert_eq!(draw(&busy(again)).lines().count(), svg.lines().count());
}

#[test]
fn maps_of_any_shape_can_be_drawn() {
    // All on one spot, and far across the world: nothing overlaps list or key, nothing divides by zero.
    let text = include_str!("../../../../swords/data/map.toml");
    let all_geo = |geo: &dyn Fn(u8) -> String| -> String {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        for (line, at) in lines.iter_mut().filter(|line| line.starts_with("geo")).zip(0..) {
            *line = format!("geo = [{}]", geo(at));
        }
        lines.join("\n")
    };
    for text in [
        all_geo(&|_| "35.0, 135.0".into()),
        all_geo(&|at| format!("{}.0, {}.0", 80 - at, 170 - 5 * i32::from(at))),
    ] {
        let svg = draw(&busy(Map::parse(&text).unwrap()));
        assert_eq!(fault(&svg), None);
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }
}

#[test]
fn only_what_is_given_is_shown() {
    let map = Map::standard();
    let mut look = Look::empty(map);
    let before = draw(&look);
    look.provinces[40] = ProvinceLook { owner: Some(1), regulars: 4, ..ProvinceLook::default() };
    let open = draw(&look);
    assert!(open.contains("<title>Izumo, clan 1, 4 regular</title>") && !before.contains("clan 1"));
    look.provinces[40].hidden = 3;
    assert!(draw(&look).contains("3 hidden ronin") && !open.contains("3 hidden"));
    look.highlight = Some((40, 42));
    assert_eq!(draw(&look).matches("stroke=\"#c1121f\" stroke-width=\"3\"").count(), 1);
    // Long texts are cut, unknown clans drawn like nobody's.
    look.title = "x".repeat(200);
    look.provinces[40].owner = Some(255);
    assert!(draw(&look).contains(&format!("{}…", "x".repeat(63))));
}

#[test]
fn cells_touch_where_provinces_are_adjacent() {
    // SW-MAP-03: a border is seen as a border, and what is not adjacent is seen apart
    let map = Map::standard();
    let layout = layout_of(&ground(map));
    assert_eq!(layout.fault(&ground(map)), None);
    assert!(layout.links.len() <= 3, "{:?}", layout.links);
}
