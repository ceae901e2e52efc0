use super::*;
use crate::data::Provinces;

fn standard() -> &'static Board {
    Board::standard()
}

fn id(name: &str) -> ProvinceId {
    standard().find(name).unwrap()
}

#[test]
fn both_sides_are_complete() {
    // TW-BOARD-01, TW-BOARD-02, TW-FACT-01, TW-FACT-03, TW-FACT-04, TW-FACT-05, TW-GEN-08
    for side in [Side::Sun, Side::Moon] {
        let map = standard().side(side);
        assert_eq!(map.provinces().len(), 45);
        for region in 0..REGIONS {
            assert_eq!(map.region(region).count_ones(), 9);
        }
        let sum = |of: fn(&Map, ProvinceId) -> u8| -> u32 {
            ProvinceId::all().map(|province| u32::from(of(map, province))).sum()
        };
        assert_eq!((sum(Map::tax), sum(Map::rice), sum(Map::sites)), (220, 140, 87));
        assert_eq!(
            (map.in_play(3).count_ones(), map.in_play(4), map.in_play(5)),
            (37, ALL_PROVINCES, ALL_PROVINCES)
        );
        let edges: u32 = ProvinceId::all().map(|province| map.land(province).count_ones()).sum();
        let lines: u32 = ProvinceId::all().map(|province| map.sea(province).count_ones()).sum();
        assert_eq!((edges / 2, lines / 2), (91, 6)); // TW-FACT-06
    }
    let moved = ProvinceId::all().filter(|&p| {
        standard().side(Side::Sun).province(p).region != standard().side(Side::Moon).province(p).region
    });
    let moved: Vec<&str> = moved.map(|province| standard().key(province)).collect();
    // TW-COMP-03
    assert_eq!(moved, ["echizen", "hitachi", "kai", "mimasaka", "owari", "sanuki", "shinano", "wakasa"]);
}

#[test]
fn attested_facts() {
    // TW-FACT-02, TW-BOARD-03, TW-EX-08, TW-COMP-04
    let map = standard().side(Side::Sun);
    assert_eq!((map.tax(id("settsu")), map.sites(id("aki"))), (7, 2));
    assert!(map.neighbours(id("shima")) & id("izu").bit() != 0);
    assert!(map.neighbours(id("izu")) & id("shima").bit() != 0);
    assert!(map.land(id("shinano")) & id("kozuke").bit() != 0);
}

#[test]
fn provinces_left_out_with_three() {
    // TW-BOARD-04, TW-R-05, TW-SETUP-02
    let left_out = |side| -> Vec<&str> {
        Provinces(standard().side(side).left_out()).map(|province| standard().key(province)).collect()
    };
    assert_eq!(
        left_out(Side::Sun),
        ["awa-boso", "echigo", "iwami", "izumo", "kazusa", "mutsu", "sanuki", "tosa"]
    );
    assert_eq!(
        left_out(Side::Moon),
        ["aki", "hitachi", "iwami", "iyo", "mutsu", "shimosa", "shimotsuke", "tosa"]
    );
    // TW-R-06: the moon side has the borders of the sun side
    for province in ProvinceId::all() {
        let [sun, moon] = [Side::Sun, Side::Moon].map(|side| standard().side(side).neighbours(province));
        assert_eq!(sun, moon);
    }
    assert_eq!(standard().side(Side::Moon).borders_source, "reconstructed");
}

#[test]
fn numbers_by_players() {
    // TW-COMP-02, TW-SETUP-04, TW-SETUP-09
    for (players, groups, armies, neutral) in [(3, 9, 27, 10), (4, 8, 25, 13), (5, 7, 23, 10)] {
        let sizes = standard().groups(players);
        assert_eq!(sizes.len(), groups);
        assert_eq!(sizes.iter().sum::<u8>(), armies);
        let in_play = standard().side(Side::Sun).in_play(players).count_ones() as usize;
        assert_eq!(in_play - groups * usize::from(players), neutral);
        for seat in 0..players {
            let mut start: Vec<u8> =
                standard().start(players, seat).iter().map(|&(_, armies)| armies).collect();
            start.sort_unstable();
            start.reverse();
            assert_eq!(start, sizes);
        }
    }
}

#[test]
fn the_supply_table() {
    // TW-WINTER-04, TW-R-33
    let rows =
        [(0, 0, 0), (1, 1, 1), (2, 1, 2), (3, 2, 2), (4, 2, 2), (5, 2, 3), (6, 2, 3), (7, 3, 3), (45, 3, 3)];
    for (shortage, revolts, farmers) in rows {
        assert_eq!(standard().revolts(shortage), (revolts, farmers), "shortage {shortage}");
    }
}

#[test]
fn event_cards() {
    // TW-EVENT-02, TW-R-21
    let losses: Vec<u8> = standard().events().iter().map(|event| event.rice_loss).collect();
    assert_eq!(losses, [5, 7, 3, 2, 6, 3, 0, 2, 4, 3, 4, 4]);
    assert_eq!(standard().event(12).rice_loss_printed_card, Some(1));
    assert_eq!(standard().event(9).effect, Effect::TempleShield);
}

#[test]
fn favour_cards() {
    // CT-CARD-01, CT-R-06, CT-R-07
    let amounts = |kind| -> Vec<(u8, u8)> {
        let cards = standard().favours().iter().filter(|card| card.kind == kind);
        cards.map(|card| (card.number, card.amount)).collect()
    };
    assert_eq!(amounts(FavourKind::Chests), [(2, 2), (9, 4), (16, 6)]);
    assert_eq!(amounts(FavourKind::ArmiesToTray), [(3, 2), (8, 3), (14, 4)]);
    assert_eq!(amounts(FavourKind::Rice), [(5, 2), (15, 3), (20, 4)]);
    assert_eq!(amounts(FavourKind::Points), [(6, 1), (13, 2), (19, 3)]);
    assert_eq!(amounts(FavourKind::ArmiesToProvince), [(12, 3)]);
    assert_eq!(standard().favour(18).kind, FavourKind::ImmuneAb);
    assert_eq!(standard().favour(7).amount_source.as_deref(), Some("rulebook"));
    assert_eq!(standard().favour(2).amount_source.as_deref(), Some("reconstructed"));
}

#[test]
fn a_file_of_ones_own() {
    let text = include_str!("../../data/tower_boards.toml");
    assert!(std::ptr::eq(Board::parse(text).unwrap(), standard()));
    let other = Board::parse(&text.replacen("amount = 6", "amount = 7", 1)).unwrap();
    assert_eq!(other.favour(16).amount, 7);
    assert!(std::ptr::eq(Board::by_digest(other.digest()).unwrap(), other));
    let wrong = |from: &str, to: &str| Board::parse(&text.replacen(from, to, 1)).unwrap_err().to_string();
    assert!(
        wrong("land = [\"bingo\", \"iwami\"]", "land = [\"bingo\"]").starts_with("sun.province[0].land: ")
    );
    assert!(wrong("sites = 2", "sites = 4").starts_with("sun.province[0].sites: 4"));
    assert!(wrong("region = \"green\"", "region = \"blue\"").starts_with("sun.province[0].region: "));
    assert!(wrong("three = [5, 4", "three = [4, 5").starts_with("army_groups.three: "));
    assert!(wrong("effect = \"tax_max_5\"", "effect = \"tax\"").starts_with("event[6].effect: "));
    assert!(wrong("suruga = 5", "edo = 5").starts_with("start_setup[0].armies: "));
    assert!(wrong("schema_version = 1", "schema_version = 2").starts_with("schema_version: 2"));
}
