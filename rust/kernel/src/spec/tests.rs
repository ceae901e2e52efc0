use super::*;

fn layout() -> Layout {
    let mut layout = Layout::default();
    layout.put_all([
        Field::byte("seats", 2, 4, "How many play."),
        Field::new(3, "kind", 0, 5, "What it is.").or_none(),
        Field::new(5, "place", 0, 30, "Where it is.").or_none(),
        Field::word("round", 0, 65_535, "Which round it is."),
    ]);
    layout.put_records("players", &Axis::new("player", 3), |player| {
        player.put(Field::byte("units", 0, 9, "Units.").along(Axis::named("unit", ["bow", "gun"])));
        player.put(Field::set("marks", "mark", ["ready", "out"], "Marks."));
        player.fill(4);
    });
    layout
}

fn spec() -> Spec {
    let layout = layout();
    Spec {
        game: "none",
        rules_version: 1,
        min_seats: 2,
        max_seats: 4,
        observation_size: layout.bits / 8,
        action_count: 1,
        max_legal_actions: 1,
        fields: layout.fields,
        actions: vec![ActionKind::new("pass", "Nothing.")],
    }
}

#[test]
fn fields_follow_each_other() {
    let spec = spec();
    assert_eq!(spec.check(), Ok(()));
    assert_eq!(spec.observation_size, 4 + 3 * 4);
    let field = |name: &str| spec.fields.iter().find(|field| field.name == name).unwrap();
    let mut observation = vec![0; spec.observation_size as usize];
    observation[1] = 5 | 17 << 3;
    (observation[2], observation[3]) = (0x34, 0x12);
    observation[4 + 2 * 4 + 1] = 7;
    observation[4 + 4 + 2] = 2;
    let read = |name: &str| -> Vec<u32> {
        field(name).places().into_iter().map(|place| field(name).read(&observation, place)).collect()
    };
    assert_eq!((read("kind"), read("place"), read("round")), (vec![5], vec![17], vec![0x1234]));
    assert_eq!(read("players.units"), [0, 0, 0, 0, 0, 7]);
    assert_eq!(read("players.marks"), [0, 0, 0, 1, 0, 0]);
    assert_eq!(field("place").none, Some(31));
}

#[test]
fn faults_are_named() {
    let fault = |change: fn(&mut Spec)| {
        let mut spec = spec();
        change(&mut spec);
        spec.check().unwrap_err()
    };
    assert_eq!(fault(|spec| spec.observation_size += 1), "no field covers bit 128, byte 16");
    assert_eq!(fault(|spec| spec.fields[1].bit = 1), "place covers bit 11 again");
    assert_eq!(fault(|spec| spec.fields[0].high = 256), "values of seats do not fit");
    assert_eq!(fault(|spec| spec.fields[0].labels.push("two".into())), "seats has 1 names for its values");
    assert_eq!(fault(|spec| spec.fields[1].name = "seats".into()), "2 fields are called seats");
    assert_eq!(fault(|spec| spec.action_count = 2), "the kinds have 1 entries of 2");
    assert_eq!(fault(|spec| spec.max_legal_actions = 2), "2 legal actions at once");
}

#[test]
fn entries_of_a_kind_go_row_by_row() {
    let mut kind = ActionKind::new("move", "Moves.").of(Axis::named("to", ["kai", "izu"]));
    kind = kind.of(Axis::new("armies", 3).from(4).falling());
    (kind.axes[0].stride, kind.axes[1].stride) = (3, 1);
    let args: Vec<String> =
        (0..6).map(|place| kind.args(place).map(|(_, value)| value).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(args, ["kai 4", "kai 3", "kai 2", "izu 4", "izu 3", "izu 2"]);
}
