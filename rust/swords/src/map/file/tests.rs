use super::*;

const TEXT: &str = include_str!("../../../data/map.toml");

/// The standard file with its first `from` replaced.
fn with(from: &str, to: &str) -> String {
    assert!(TEXT.contains(from), "{from}");
    TEXT.replacen(from, to, 1)
}

fn fault(text: &str) -> (String, String) {
    let error = Map::read(text).expect_err("the map is faulty");
    (error.field, error.reason)
}

#[test]
fn the_same_content_is_the_same_map() {
    let standard = Map::standard();
    assert!(std::ptr::eq(Map::parse(TEXT).unwrap(), standard));
    // remarks outside the tables and the order of the entries are not content
    assert!(std::ptr::eq(Map::parse(&format!("# mine\n{TEXT}")).unwrap(), standard));
    let first = "[[land]]\na = \"yamashiro\"\nb = \"yamato\"\nsource = \"geography\"\nborder_km = 52\n";
    let moved = with(first, "") + "\n" + first;
    assert!(std::ptr::eq(Map::parse(&moved).unwrap(), standard));

    let titled = with("schema = 1", "schema = 1\ntitle = \"My board\"");
    let other = Map::parse(&titled).unwrap();
    assert!(std::ptr::eq(Map::parse(&titled).unwrap(), other));
    assert_eq!(other.title(), "My board");
    assert_ne!(other, standard);
    assert!(std::ptr::eq(Map::by_digest(other.digest()).unwrap(), other));

    // a name, a key or a route makes another map, a position or a remark does not
    let digest = |text: &str| Map::read(text).unwrap().digest();
    assert_ne!(digest(&with("name = \"Kai\"", "name = \"Koshu\"")), standard.digest());
    assert_ne!(digest(&TEXT.replace("\"kai\"", "\"koshu\"")), standard.digest());
    let route = "[[sea]]\na = \"hoki\"\nb = \"oki\"\nsource = \"board\"\n";
    assert_ne!(digest(&format!("{TEXT}\n{route}")), standard.digest());
    assert_eq!(digest(&with("Naruto strait", "Naruto")), standard.digest());
    assert_eq!(digest(&with("geo = [35.01", "geo = [35.04")), standard.digest());
}

#[test]
fn faults_are_named() {
    // field and reason of what a user can get wrong in a map file
    let cases = [
        (with("schema = 1", "schema = 2"), "schema", "2 is unknown, this build reads 1"),
        (with("game = \"swords\"", "game = \"tower\""), "game", "\"tower\" is not \"swords\""),
        (with("provinces = 68", "provinces = 67"), "provinces", "67 instead of 68"),
        (with("schema = 1", "schema = 1\ntitle = \" \""), "title", "is empty"),
        (with("schema = 1", "schema = 1\ncolour = 2"), "colour", "unknown field `colour`"),
        (format!("{TEXT}\n[[air]]\na = 1\n"), "air", "unknown field `air`"),
        (with("id = 3\n", "id = 4\n"), "province[3].id", "4 instead of 3"),
        (with("key = \"izumi\"\n", ""), "province[3]", "missing field `key`"),
        (with("key = \"izumi\"", "key = 7"), "province[3].key", "invalid type: integer `7`"),
        (with("key = \"izumi\"", "key = \"Ōmi\""), "province[3].key", "\"Ōmi\" is not a key"),
        (with("key = \"izumi\"", "key = \"\""), "province[3].key", "\"\" is not a key"),
        (with("key = \"izumi\"", "key = \"kawachi\""), "province[3].key", "is the key of province 2"),
        (with("name = \"Izumi\"", "name = \"a\\nb\""), "province[3].name", "control character"),
        (with("geo = [34.42, 135.4]", "geo = [134.42, 35.4]"), "province[3].geo", "not a latitude"),
        (with("geo = [34.42, 135.4]", "geo = [nan, 35.4]"), "province[3].geo[0]", "must be a finite number"),
        (with("geo = [34.42, 135.4]", "geo = [34.42]"), "province[3].geo", "invalid length 1"),
        (
            with("\"kawachi\", \"settsu\", \"kii\"]", "\"kawachi\", \"settsu\"]"),
            "province[3].land",
            "kii is missing",
        ),
        (
            with("\"kawachi\", \"settsu\", \"kii\"]", "\"kawachi\", \"settsu\", \"kii\", \"kai\"]"),
            "province[3].land[3]",
            "no [[land]] entry joins izumi and kai",
        ),
        (
            with("\"kawachi\", \"settsu\", \"kii\"]", "\"kawachi\", \"settsu\", \"settsu\"]"),
            "province[3].land[2]",
            "settsu is listed twice",
        ),
        (
            with("\"kawachi\", \"settsu\", \"kii\"]", "\"kawachi\", \"settsu\", \"kiy\"]"),
            "province[3].land[2]",
            "no province has the key \"kiy\"",
        ),
        (
            with("a = \"yamashiro\"\nb = \"settsu\"", "a = \"yamasiro\"\nb = \"settsu\""),
            "land[2].a",
            "no province has the key \"yamasiro\"",
        ),
        (
            with("a = \"yamashiro\"\nb = \"settsu\"", "a = \"settsu\"\nb = \"settsu\""),
            "land[2]",
            "joins settsu with itself",
        ),
        (
            with("a = \"yamashiro\"\nb = \"settsu\"", "a = \"kawachi\"\nb = \"yamashiro\""),
            "land[2]",
            "kawachi and yamashiro are already joined by land",
        ),
        (with("border_km = 52", "border_km = -1"), "land[0].border_km", "invalid value: integer `-1`"),
        (with("border_km = 52", "length = 52"), "land[0].length", "unknown field `length`"),
        (
            with("a = \"iki\"\nb = \"tsushima\"", "a = \"iki\"\nb = \"nagato\""),
            "sea[3]",
            "iki and nagato are already joined by sea",
        ),
        (
            with("a = \"iki\"\nb = \"tsushima\"", "a = \"kai\"\nb = \"shinano\""),
            "sea[3]",
            "kai and shinano are already joined by land",
        ),
        (
            with("a = \"iki\"\nb = \"tsushima\"", "a = \"iki\"\nb = \"buzen\""),
            "not_adjacent[1]",
            "buzen and iki are adjacent",
        ),
        (
            with("a = \"iki\"\nb = \"tsushima\"", "a = \"iki\"\nb = \"bungo\""),
            "province[67]",
            "tsushima cannot be reached from yamashiro",
        ),
        (
            with("[[not_adjacent]]\na = \"shimosa\"", "[[not_adjacent]]\na = \"x\""),
            "not_adjacent[0].a",
            "no province has the key \"x\"",
        ),
        (TEXT[..TEXT.find("[[sea]]\n").unwrap()].into(), "", "missing field `sea`"),
        (
            TEXT.replace("[[province]]\nid = 67", "[[sea_candidate]]\nid = 67"),
            "province",
            "67 entries instead of 68",
        ),
        ("a map".into(), "", "not valid TOML: line 1"),
        (String::new(), "", "missing field `schema`"),
        ("#".repeat(sengoku_kernel::MAX_TEXT + 1), "", "1000001 bytes are too long for a map"),
        (format!("x = {}", "[".repeat(40_000)), "", "not valid TOML"),
    ];
    for (text, field, reason) in cases {
        let found = fault(&text);
        assert_eq!(found.0, field, "{found:?}");
        assert!(found.1.contains(reason), "{found:?} instead of {reason}");
    }
}

#[test]
fn candidates_are_not_part_of_the_map() {
    // SW-R-07
    let map = Map::standard();
    assert!(!map.is_adjacent(map.find("hizen").unwrap(), map.find("tsushima").unwrap()));
    let without = &TEXT[..TEXT.find("[[sea_candidate]]\na").unwrap()];
    assert!(std::ptr::eq(Map::parse(without).unwrap(), map));
}
