use proptest::prelude::*;

use super::*;

fn clash(kind: Kind, farmers_defend: bool) -> Clash {
    let farmers = Party { colour: FARMER, cubes: 1 };
    let (attacker, defender) = match kind {
        Kind::Attack => (Party { colour: 1, cubes: 4 }, Party { colour: 2, cubes: 3 }),
        Kind::Neutral => (Party { colour: 1, cubes: 4 }, farmers),
        Kind::Revolt => (farmers, Party { colour: 2, cubes: 3 }),
    };
    let setup =
        ClashSetup { kind, attacker, defender: Some(defender), farmers_defend, ..ClashSetup::default() };
    Clash::new(&setup).unwrap()
}

#[test]
fn battles_of_the_ledger() {
    // TW-EX-20, cases a to i: attacker, defender, farmers, others -> winner, into province, to supplies, left in tray
    use Kind::{Attack, Neutral};
    use Winner::{Attacker, Defender, Nobody};
    let rows = [
        // TW-BATTLE-10
        (Attack, true, [5, 2, 2, 3], Attacker, 1, [4, 2, 2], [3, 0]),
        // TW-BATTLE-07, TW-BATTLE-12
        (Attack, false, [2, 2, 3, 1], Nobody, 0, [2, 2, 0], [1, 3]),
        // TW-BATTLE-11, TW-R-24
        (Attack, true, [2, 3, 1, 0], Defender, 2, [2, 1, 1], [0, 0]),
        (Attack, true, [1, 2, 4, 0], Defender, 2, [1, 0, 4], [0, 0]),
        // TW-R-25: farmers alone
        (Attack, true, [1, 0, 3, 2], Nobody, 0, [1, 0, 3], [2, 0]),
        (Attack, false, [4, 1, 5, 0], Attacker, 3, [1, 1, 0], [0, 5]),
        // TW-BATTLE-08
        (Neutral, true, [3, 0, 1, 2], Attacker, 2, [1, 0, 1], [2, 0]),
        (Neutral, true, [1, 0, 3, 0], Nobody, 0, [1, 0, 3], [0, 0]),
        // TW-R-26: 0 to 0
        (Neutral, true, [0, 0, 0, 1], Nobody, 0, [0, 0, 0], [1, 0]),
    ];
    for (case, (kind, farmers_defend, tray, winner, armies, supply, left)) in rows.into_iter().enumerate() {
        let [a, d, f, o] = tray;
        let settled = clash(kind, farmers_defend).settle(&Cubes([o, a, d, 0, 0, f]));
        assert_eq!((settled.winner, settled.armies_left), (winner, armies), "case {case}");
        assert_eq!(settled.to_supply, Cubes([0, supply[0], supply[1], 0, 0, supply[2]]), "case {case}");
        assert_eq!(settled.tray, Cubes([left[0], 0, 0, 0, 0, left[1]]), "case {case}");
        assert_eq!(settled.neutral, winner == Nobody, "case {case}");
    }
}

#[test]
fn revolts_of_the_ledger() {
    // TW-EX-21, TW-BATTLE-09, TW-BATTLE-14, TW-BATTLE-15, TW-R-27; TW-R-26: 0 to 0 is lost
    for (own, farmers, left) in [(5, 3, Some(2)), (2, 2, None), (0, 0, None), (1, 0, Some(1))] {
        let settled = clash(Kind::Revolt, true).settle(&Cubes([4, 0, own, 0, 0, farmers]));
        assert_eq!(settled.winner, if left.is_some() { Winner::Defender } else { Winner::Attacker });
        assert_eq!((settled.armies_left, settled.neutral), (left.unwrap_or(0), left.is_none()));
        let lost = own - left.unwrap_or(0);
        assert_eq!(settled.to_supply, Cubes([0, 0, lost, 0, 0, farmers]));
        assert_eq!(settled.tray, Cubes([4, 0, 0, 0, 0, 0]));
    }
}

#[test]
fn what_is_thrown() {
    // TW-BATTLE-03, TW-BATTLE-04, TW-BATTLE-05, TW-TUSE-01: both sides and the whole tray
    let tray = Cubes([2, 1, 0, 0, 0, 1]);
    let with = |kind| {
        let setup = ClashSetup { tray, ..clash(kind, true).setup().clone() };
        Clash::new(&setup).unwrap().thrown()
    };
    assert_eq!(with(Kind::Attack), Cubes([2, 5, 3, 0, 0, 1]));
    assert_eq!(with(Kind::Neutral), Cubes([2, 5, 0, 0, 0, 2]));
    assert_eq!(with(Kind::Revolt), Cubes([2, 1, 3, 0, 0, 2]));
    let alone = ClashSetup { defender: None, ..clash(Kind::Neutral, true).setup().clone() };
    assert_eq!(Clash::new(&alone).unwrap().thrown(), Cubes([0, 4, 0, 0, 0, 1]));
}

#[test]
fn the_fill_of_the_table() {
    // TW-FILL-01: the colours of the clash, and others until all seats are taken
    for (players, fill) in [(3, [7, 7, 7, 0, 0, 10]), (4, [7, 7, 7, 7, 0, 10]), (5, [7, 7, 7, 7, 7, 10])] {
        let setup = ClashSetup { players, ..clash(Kind::Attack, true).setup().clone() };
        assert_eq!(Clash::new(&setup).unwrap().fill(), Cubes(fill));
    }
    let last = Party { colour: 4, cubes: 1 };
    let setup = ClashSetup { attacker: last, players: 3, ..clash(Kind::Neutral, true).setup().clone() };
    assert_eq!(Clash::new(&setup).unwrap().fill(), Cubes([7, 7, 0, 0, 7, 10]));
}

#[test]
fn clashes_that_cannot_be() {
    let good = clash(Kind::Attack, true).setup().clone();
    let error = |setup: ClashSetup| Clash::new(&setup).unwrap_err().to_string();
    let party = |colour, cubes| Party { colour, cubes };
    let farmers = Some(party(FARMER, 1));
    assert!(error(ClashSetup { defender: None, ..good.clone() }).starts_with("defender: none"));
    assert!(error(ClashSetup { defender: farmers, ..good.clone() }).starts_with("defender: \"farmer\""));
    assert!(
        error(ClashSetup { attacker: party(FARMER, 2), ..good.clone() }).starts_with("attacker: \"farmer\"")
    );
    assert!(error(ClashSetup { kind: Kind::Revolt, ..good.clone() }).starts_with("attacker: \"blue\""));
    assert!(error(ClashSetup { kind: Kind::Neutral, ..good.clone() }).starts_with("defender: \"yellow\""));
    assert_eq!(
        error(ClashSetup { defender: Some(party(1, 3)), ..good.clone() }),
        "defender: \"blue\", which attacks"
    );
    // TW-TOWER-13: at least one army
    assert_eq!(
        error(ClashSetup { attacker: party(1, 0), ..good.clone() }),
        "attacker: 0 cubes, at least 1 is possible"
    );
    assert!(error(ClashSetup { attacker: party(6, 1), ..good.clone() }).starts_with("attacker: colour 6"));
    assert_eq!(error(ClashSetup { players: 6, ..good.clone() }), "players: 6, 3 to 5 are possible");
    // TW-TOWER-04, TW-TOWER-10: no more cubes than there are
    assert_eq!(
        error(ClashSetup { attacker: party(1, 63), ..good.clone() }),
        "attacker: 63 blue, 63 in all, but there are 62"
    );
    assert_eq!(
        error(ClashSetup { tray: Cubes([0, 59, 0, 0, 0, 0]), ..good.clone() }),
        "tray: 59 blue, 63 in all, but there are 62"
    );
    assert_eq!(
        error(ClashSetup { contents: Some(Cubes([0, 0, 0, 0, 0, 21])), ..good.clone() }),
        "contents: 21 farmer, 21 in all, but there are 20"
    );
    assert_eq!(
        error(ClashSetup {
            contents: Some(Cubes([25, 26, 0, 0, 0, 0])),
            parameters: Parameters::named("ledger").unwrap(),
            ..good.clone()
        }),
        "contents: 51 cubes, the tower holds 50"
    );
    // TW-R-28: a supply without farmers sends none
    assert!(
        Clash::new(&ClashSetup { kind: Kind::Neutral, defender: Some(party(FARMER, 0)), ..good }).is_ok()
    );
}

proptest! {
    #[test]
    fn no_cube_is_lost(tray in any::<[u8; COLOURS]>(), farmers_defend: bool) {
        // TW-TOWER-04, TW-TOWER-09, TW-BATTLE-06, TW-BATTLE-16: everything is somewhere, and cubes of others stay
        let tray = Cubes(tray.map(u16::from));
        for kind in [Kind::Attack, Kind::Neutral, Kind::Revolt] {
            let clash = clash(kind, farmers_defend);
            let settled = clash.settle(&tray);
            let mut found = settled.to_supply + settled.tray;
            match settled.winner {
                Winner::Attacker => found[clash.attacker().colour] += settled.armies_left,
                Winner::Defender => found[clash.defender().colour] += settled.armies_left,
                Winner::Nobody => prop_assert_eq!(settled.armies_left, 0),
            }
            prop_assert_eq!(found, tray);
            prop_assert_eq!(settled.neutral, settled.armies_left == 0);
            for colour in 0..FARMER {
                let involved = [clash.attacker().colour, clash.defender().colour].contains(&colour);
                prop_assert_eq!(settled.tray[colour], if involved { 0 } else { tray[colour] });
            }
            let stay = kind == Kind::Attack && !farmers_defend;
            prop_assert_eq!(settled.tray[FARMER], if stay { tray[FARMER] } else { 0 });
        }
    }
}
