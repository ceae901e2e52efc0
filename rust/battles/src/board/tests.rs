use sengoku_kernel::{Reader, Writer};

use super::*;

fn hex(row: u8, column: u8) -> HexId {
    HexId::at(row, column).unwrap()
}

#[test]
fn rows_of_twelve_and_eleven() {
    // BT-BOARD-01, BT-BOARD-02, BT-BOARD-03, BT-R-04
    let places: Vec<(u8, u8)> =
        (0..ROWS).flat_map(|row| (0..width(row)).map(move |column| (row, column))).collect();
    assert_eq!(places.len(), 127);
    for (index, &(row, column)) in places.iter().enumerate() {
        let here = hex(row, column);
        assert_eq!(here.index(), index);
        assert_eq!(usize::from(23 * (row / 2) + if row % 2 == 1 { 12 } else { 0 } + column), index);
        assert_eq!((here.row(), here.column(), here.x()), (row, column, 2 * column + row % 2));
        assert!(here.x() <= 22);
        assert_eq!(HexId::at_x(row.cast_signed(), here.x().cast_signed()), Some(here));
    }
    // BT-BOARD-04: the half hexes at the ends of odd rows are not hexes
    assert_eq!((HexId::at_x(1, -1), HexId::at_x(1, 23)), (None, None));
    assert_eq!((HexId::at(1, 11), HexId::at(11, 0), HexId::at(0, 12)), (None, None, None));
}

#[test]
fn neighbours_are_one_step_away() {
    // BT-BOARD-05, BT-BOARD-06
    for from in HexId::all() {
        for to in HexId::all() {
            let rows = from.row().abs_diff(to.row());
            let columns = from.x().abs_diff(to.x());
            assert_eq!(from.distance(to), rows.max(u8::midpoint(columns, rows)));
            assert_eq!(from.is_next_to(to), from.distance(to) == 1);
            if from.distance(to) <= 4 {
                assert!(from.ring(from.distance(to)).contains(to));
            }
        }
        assert_eq!((from.ring(0), from.ring(1)), (from.set(), from.neighbours()));
        assert_eq!(from.set().neighbours(), from.neighbours(), "{from}");
    }
    assert_eq!(hex(0, 0).neighbours().into_iter().collect::<Vec<_>>(), [hex(0, 1), hex(1, 0)]);
    assert_eq!(hex(5, 5).neighbours().len(), 6);
    assert_eq!(hex(0, 0).distance(hex(10, 11)), 16);
}

#[test]
fn behind_is_toward_the_own_baseline() {
    // BT-BOARD-07, BT-RETREAT-02
    for side in [Side::Top, Side::Bottom] {
        for from in HexId::all() {
            let rear = if side == Side::Top { from.row().checked_sub(1) } else { Some(from.row() + 1) };
            let expected: HexSet =
                from.neighbours().into_iter().filter(|next| Some(next.row()) == rear).collect();
            assert_eq!(from.behind(side), expected);
            assert_eq!(from.behind(side).is_empty(), side.baseline().contains(from));
        }
        assert_eq!(side.baseline().len(), 12);
    }
    assert_eq!(hex(10, 0).behind(Side::Top).only(), Some(hex(9, 0)));
}

#[test]
fn sections_share_their_border_hexes() {
    // BT-BOARD-08, BT-BOARD-09, BT-R-05
    let [west, middle, east] = [Section::West, Section::Middle, Section::East].map(Section::hexes);
    assert_eq!(west | middle | east, HexSet::ALL);
    assert!((west & east).is_empty());
    for here in HexId::all() {
        assert_eq!((west & middle).contains(here), here.row() % 2 == 1 && here.column() == 3);
        assert_eq!((middle & east).contains(here), here.row() % 2 == 1 && here.column() == 7);
    }
    let whole = Section::ALL.map(Section::hexes_shared_to_middle);
    assert_eq!(whole.map(HexSet::len).iter().sum::<u32>(), 127);
    assert_eq!(whole[1], middle);
}

#[test]
fn sets_of_hexes() {
    let set: HexSet = [hex(3, 4), hex(0, 0), hex(10, 11)].into_iter().collect();
    assert_eq!(set.into_iter().collect::<Vec<_>>(), [hex(0, 0), hex(3, 4), hex(10, 11)]);
    assert_eq!((set.len(), set.first(), (!set).len()), (3, Some(hex(0, 0)), 124));
    assert_eq!((set - hex(0, 0).set()).iter().len(), 2);
    assert!(!set.is_connected());
    assert!(HexSet::ALL.is_connected() && HexSet::EMPTY.is_connected() && hex(1, 1).set().is_connected());
    let row: HexSet = (0..12).map(|column| hex(4, column)).collect();
    assert!(row.is_connected());
    assert_eq!((!row).connected(hex(0, 0).set()).len(), 46);
}

#[test]
fn hexes_are_written_as_row_and_place() {
    assert_eq!(HexId::parse("3,10"), Ok(hex(3, 10)));
    assert_eq!(hex(3, 10).to_string(), "3,10");
    for wrong in ["", "3", "3,11", "11,0", "3,x", "+3,1", "3, 1", "3,1,1", "300,1"] {
        assert!(HexId::parse(wrong).is_err(), "{wrong}");
    }
    let json = serde_json::to_string(&HexSet::from_iter([hex(0, 1), hex(9, 9)])).unwrap();
    assert_eq!(json, r#"["0,1","9,9"]"#);
    assert_eq!(serde_json::from_str::<HexSet>(&json).unwrap().len(), 2);
    let mut bytes = Writer::default();
    bytes.value(&hex(0, 5));
    assert_eq!(bytes.finish(), [5]);
    assert!(Reader::new(&[127]).value::<HexId>("hex").is_err());
}
