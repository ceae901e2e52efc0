use super::*;
use crate::spec::{ActionKind, Layout};

fn spec() -> Spec {
    let places = || ["north", "south", "west"];
    let mut layout = Layout::default();
    layout.put_all([
        Field::byte("seats", 2, 4, "How many play."),
        Field::byte("seat", 0, 3, "Who looks.").category().or_none(),
        Field::word("round", 0, 65_535, "Which round it is.").in_units_of(10),
        Field::one_of("target", places().into_iter().chain(["sea", "sky"]), "Where it is.").or_none(),
        Field::new(4, "pace", 0, 9, "How fast.").or_none(),
        Field::new(1, "late", 0, 1, "Whether it is late."),
        Field::new(3, "mood", 0, 0, "How it is.").named(["good", "bad", "odd"]),
    ]);
    layout.put_records("players", &Axis::new("player", 2), |player| {
        player.put(Field::byte("units", 0, 9, "Units.").along(Axis::named("unit", ["bow", "gun"])));
        player.put(Field::one_of("home", places(), "Home.").or_none().along(Axis::new("number", 2).from(1)));
    });
    layout.put(Field::byte("honor", 0, 5, "Honor.").along(Axis::new("player", 2)));
    layout.put_records("provinces", &Axis::named("province", places()), |province| {
        province.put(Field::byte("owner", 0, 1, "Who has it.").or_none());
        province.put(Field::byte("code", 0, 20, "A number.").category().or_none());
        province.put(Field::padding(8));
    });
    let kinds = vec![
        ActionKind::new("pass", "Nothing."),
        ActionKind::new("go", "Go.").of(Axis::named("to", places())).of(Axis::new("armies", 20).from(1)),
        ActionKind::new("price", "Pay.").of(Axis::new("price", 3).from(4).falling()),
    ];
    let mut actions = kinds;
    let mut first = 0;
    for kind in &mut actions {
        kind.first = first;
        let mut stride = 1;
        for axis in kind.axes.iter_mut().rev() {
            axis.stride = stride;
            stride *= axis.size;
        }
        first += stride;
    }
    let size: u32 = layout
        .fields
        .iter()
        .map(|field| field.bits * field.axes.iter().map(|axis| axis.size).product::<u32>())
        .sum();
    Spec {
        game: "none",
        rules_version: 1,
        min_seats: 2,
        max_seats: 4,
        observation_size: size / 8,
        action_count: first,
        max_legal_actions: 1,
        fields: layout.fields,
        actions,
    }
}

fn board() -> Board {
    Board { name: "standard", axis: "province", kinds: vec!["land"], ..Board::default() }
        .joined(3, |a, b| (a + b != 2).then_some(0))
        .with_amount("rice", &[2, 4, 0])
        .with_category("island", &["one".into(), "two".into(), "one".into()])
}

fn features() -> Features {
    let spec = spec();
    assert_eq!(spec.check(), Ok(()));
    Features::new(&spec, vec![board()])
}

#[test]
fn fields_become_channels() {
    let features = features();
    let names: Vec<_> = features.blocks.iter().map(|block| (block.name, block.size)).collect();
    assert_eq!(names, [("common", 1), ("player", 2), ("province", 3)]);
    let channels = |number: usize| features.blocks[number].channels.join(" ");
    assert_eq!(
        channels(0),
        "seats seat=0 seat=1 seat=2 seat=3 round target=sea target=sky pace.known pace late mood=good mood=bad mood=odd"
    );
    assert_eq!(channels(1), "players.units[bow] players.units[gun] honor");
    assert_eq!(
        channels(2),
        "target players.home[0,1] players.home[0,2] players.home[1,1] players.home[1,2] provinces.owner=0 \
         provinces.owner=1 provinces.code.known provinces.code.bit0 provinces.code.bit1 provinces.code.bit2 \
         provinces.code.bit3 provinces.code.bit4"
    );
    assert_eq!(features.width, 14 + 2 * 3 + 3 * 13);
}

#[test]
fn rows_are_as_described() {
    let features = features();
    let encoder = Encoder::new(&features);
    let observation = [
        3,
        255,
        15,
        0,
        1,
        0x1f | 2 << 5, //
        9,
        0,
        2,
        255,
        3,
        6,
        0,
        1, // players
        5,
        1, // honor
        0,
        255,
        0,
        255,
        20,
        0,
        1,
        0,
        0,
    ];
    let mut row = vec![9.0; features.width as usize];
    encoder.encode(&observation, &mut row);
    assert_eq!(row[..14], [0.5, 0.0, 0.0, 0.0, 0.0, 1.5, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    assert_eq!(row[14..20], [1.0, 0.0, 1.0, 3.0 / 9.0, 6.0 / 9.0, 0.2]);
    assert_eq!(row[20..33], [0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(row[33..46], [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0]);
    assert_eq!(features.decode(&row), observation);
}

#[test]
fn updates_are_as_new_rows() {
    let features = features();
    let encoder = Encoder::new(&features);
    let size = encoder.observation_size();
    let mut chance = crate::Stream::new(7, crate::Purpose::Game, 0);
    let mut draw = 0;
    let mut below = |sides: u32| {
        draw += 1;
        crate::Chance::below(&mut chance, draw, sides)
    };
    let mut observation = vec![0; size];
    observation[0] = 2; // all other fields may be 0
    let mut row = vec![0.0; encoder.width()];
    let mut wanted = row.clone();
    encoder.encode(&observation, &mut row);
    for _ in 0..2000 {
        let before = observation.clone();
        for _ in 0..below(4) {
            // Any value of any field, and none.
            let field = &features.fields[below(features.fields.len() as u32) as usize];
            let places = field.places();
            let place = places[below(places.len() as u32) as usize];
            let value = match field.none {
                Some(none) if below(3) == 0 => none,
                _ => field.low + below(field.high - field.low + 1),
            };
            for bit in 0..field.bits {
                let (byte, at) = (((place + bit) / 8) as usize, (place + bit) % 8);
                observation[byte] = observation[byte] & !(1 << at) | ((value >> bit & 1) as u8) << at;
            }
        }
        encoder.update(&before, &observation, &mut row);
        encoder.encode(&observation, &mut wanted);
        assert_eq!(row, wanted);
        assert_eq!(features.decode(&row), observation);
    }
}

#[test]
fn bytes_that_mean_nothing_are_harmless() {
    let features = features();
    let encoder = Encoder::new(&features);
    let mut row = vec![0.0; encoder.width()];
    encoder.encode(&vec![255; encoder.observation_size()], &mut row);
    encoder.update(&vec![255; encoder.observation_size()], &vec![0; encoder.observation_size()], &mut row);
    let mut wanted = vec![0.0; encoder.width()];
    encoder.encode(&vec![0; encoder.observation_size()], &mut wanted);
    assert_eq!(row, wanted);
}

#[test]
fn boards_are_graphs() {
    let board = board();
    assert_eq!(board.edges, [[0, 1, 0], [1, 2, 0]]);
    assert_eq!(board.facts, ["rice", "island=one", "island=two"]);
    assert_eq!(board.values, [0.5, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0]);
}

#[test]
fn actions_have_features() {
    let actions = features().actions(&spec());
    assert_eq!(
        actions.names,
        [
            "kind=pass",
            "kind=go",
            "kind=price",
            "place=north",
            "place=south",
            "place=west",
            "armies",
            "price",
            "price=4",
            "price=3",
            "price=2"
        ]
    );
    let row = |index: usize| &actions.values[index * 11..][..11];
    assert_eq!(row(0), [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(row(1 + 20 + 4), [0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.25, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(row(61 + 1), [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.75, 0.0, 1.0, 0.0]);
    assert_eq!((actions.places[0], actions.places[25], actions.places[62]), (-1, 1, -1));
}
