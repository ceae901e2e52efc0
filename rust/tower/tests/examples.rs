//! The worked examples of the ledger, section 30, and the places where rules meet.

mod test_match;

use serde_json::{Value, json};
use test_match::{TestMatch, acting, armies, events, order, planning, tray};

#[test]
fn tax_in_settsu() {
    // TW-EX-01: 7, at most 5, and 1 more; afterwards there is one marker
    let mut position = acting(4, false, "tax", 7);
    position["players"][0]["plan"]["tax"] = json!("settsu");
    let playing = TestMatch::at(&position, &[]);
    assert_eq!(playing.logged("collected")[0]["amount"], 6);
    assert_eq!(playing.shown()["players"][0]["chests"], 15 + 6);
    assert_eq!(playing.province("settsu")["unrest"], 1);
    assert_eq!(playing.state.phase(), 3); // the next planning
}

#[test]
fn the_fill_with_three() {
    // TW-EX-02, TW-FILL-01, TW-FILL-02, TW-COMP-02
    for (seats, cubes) in [(3, 31), (4, 38), (5, 45)] {
        let playing = TestMatch::new(seats, &json!({}), &[]);
        let thrown = &playing.logged("tower_filled")[0]["thrown"];
        assert_eq!(thrown.as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum::<u64>(), cubes);
        assert_eq!(playing.shown()["tray"], json!([0, 0, 0, 0, 0, 0]));
    }
}

#[test]
fn a_temple_in_aki() {
    // TW-EX-03: two sites; a second temple cannot follow, a castle can
    let mut position = acting(4, false, "temple", 7);
    position["players"][3]["plan"]["temple"] = json!("aki");
    let mut position = TestMatch::at(&position, &[]).shown();
    assert_eq!(
        (&position["provinces"]["aki"]["temple"], &position["players"][3]["chests"]),
        (&json!(true), &json!(13))
    );
    for (action, built) in [("temple", false), ("castle", true)] {
        let mut again = acting(4, false, action, 7);
        again["provinces"]["aki"]["temple"] = json!(true);
        again["players"][3]["plan"][action] = json!("aki");
        let playing = TestMatch::at(&again, &[]);
        assert_eq!(playing.logged("built").len(), usize::from(built));
        position = playing.shown();
    }
    assert_eq!(position["tiles"], json!({ "castle": 27, "temple": 25, "no": 26 }));
}

/// The winter of year 1 at its beginning, with one event left.
fn winter(event: u8) -> Value {
    let mut position = acting(4, false, "tax", 7);
    events(&mut position, None, 1);
    let others: Vec<u8> = (1..=12).filter(|&card| card != event).collect();
    position["open_events"] = json!([event]);
    position["event_deck"] = json!(&others[..8]);
    for field in ["action_order", "special_on_slot"] {
        position[field] = json!([]);
    }
    position["action_revealed"] = json!(0);
    for seat in 0..4 {
        position["players"][seat]["special"] = Value::Null;
        position["players"][seat]["rice"] = json!(20);
    }
    position["round"] = json!("winter");
    position["point"] = json!("winter");
    position
}

#[test]
fn a_winter_revolt_in_kai() {
    // TW-EX-04, TW-WINTER-05, TW-WINTER-06, TW-RNG-09: of eight cards the third is drawn
    let mut position = winter(7);
    position["players"][3]["rice"] = json!(6);
    position["provinces"]["kai"]["unrest"] = json!(1);
    tray(&mut position, 0, 2);
    let playing = TestMatch::at(&position, &[7, 6, 5, 4, 3, 0, 1]);
    assert!(playing.dice.is_exhausted());
    let drawn = playing.logged("revolts_drawn")[0];
    assert_eq!((&drawn["seat"], &drawn["by"], &drawn["provinces"]), (&json!(3), &json!(0), &json!(["kai"])));
    assert_eq!(playing.logged("revolt")[0]["farmers"], 3);
    assert_eq!(playing.logged("thrown")[0]["cubes"], json!([2, 0, 0, 5, 0, 3]));
    assert_eq!(playing.province("kai")["armies"], 2); // 5 to 3, and no marker is left at year end
    assert_eq!(playing.shown()["year"], 2);
}

#[test]
fn rice_loss_and_supplying() {
    // TW-EX-07: loss 3; TW-EX-25 with 8 provinces: rice 7, loss 4, so 3 left, shortage 5, two revolts with 3 more
    let mut position = winter(3);
    position["players"][1]["rice"] = json!(2);
    let playing = TestMatch::at(&position, &[]);
    assert_eq!(playing.logged("rice_lost")[0]["rice"], json!([17, 0, 17, 17]));
    let mut position = winter(9);
    position["players"][2]["rice"] = json!(7);
    let playing = TestMatch::at(&position, &[]);
    assert_eq!(playing.logged("supplied")[2]["shortage"], 5);
    assert_eq!(playing.logged("revolts_drawn")[0]["provinces"].as_array().unwrap().len(), 2);
    assert_eq!(playing.logged("revolts_drawn")[0]["extra_farmers"], 3);
    assert_eq!(playing.to_act().unwrap().0, 2); // TW-D-10
}

#[test]
fn a_planned_card_is_used_up() {
    // TW-EX-05, TW-PLAN-02, TW-D-14
    let mut playing = TestMatch::new(4, &json!({}), &[]);
    playing.play("treasure", &json!({ "value": 0, "space": "bid" }));
    for space in ["castle", "temple", "no", "rice"] {
        let provinces = playing.legal().iter().filter(|(name, _)| name == "province").count();
        assert!(provinces > 0);
        let value = ["castle", "temple", "no", "rice"].iter().position(|&known| known == space).unwrap() + 1;
        playing.play("treasure", &json!({ "value": value, "space": space }));
    }
    playing.play("province", &json!({ "province": "settsu", "space": "tax" }));
    assert!(playing.legal().iter().all(|(_, args)| args["province"] != "settsu"));
    // 8 provinces and 5 treasure cards for 11 spaces: nothing may stay empty
    assert!(playing.legal().iter().all(|(name, _)| name != "empty"));
}

#[test]
fn bids_and_slots() {
    // TW-EX-22, TW-EX-06, TW-BID-01, TW-RNG-06, TW-RNG-07
    let mut position = planning(5, &json!({}));
    events(&mut position, None, 4);
    let bids = ["treasure_3", "echizen", "treasure_0", "treasure_3", "empty"];
    for (seat, bid) in bids.into_iter().enumerate() {
        let plan = position["players"][seat]["plan"].as_object_mut().unwrap();
        plan.insert("bid".into(), json!(bid));
    }
    // The last player has fewer cards than spaces: 5 provinces less.
    for province in ["ise", "kii", "noto", "omi", "shima"] {
        let armies = position["provinces"][province]["armies"].as_u64().unwrap();
        position["supply"][4] = json!(position["supply"][4].as_u64().unwrap() + armies);
        position["provinces"][province] = json!({});
    }
    let spaces =
        ["castle", "temple", "no", "rice", "tax", "deploy5", "deploy3", "deploy1", "battle_a", "battle_b"];
    for seat in 0..5 {
        let mut cards: Vec<String> = position["provinces"]
            .as_object()
            .unwrap()
            .iter()
            .filter(|(_, province)| province["owner"] == json!(seat))
            .map(|(key, _)| key.clone())
            .chain((0..5).map(|value| format!("treasure_{value}")))
            .filter(|card| card != bids[seat])
            .collect();
        for space in spaces {
            if let Some(card) = cards.pop() {
                position["players"][seat]["plan"][space] = json!(card);
            }
        }
    }
    position["point"] = json!("event");
    // 3 dice for the event (identity), 1 for the tie of seats 0 and 3: they change places
    let mut playing = TestMatch::at(&position, &[3, 2, 1, 0]);
    assert!(playing.dice.is_exhausted());
    let paid: Vec<&Value> = playing.logged("bid").into_iter().map(|bid| &bid["paid"]).collect();
    assert_eq!(paid, [3, 0, 0, 3, 0]);
    assert_eq!(playing.logged("lots").len(), 1);
    assert_eq!(playing.shown()["bid_order"], json!([3, 0, 1, 2, 4]));
    playing.play("slot", &json!({ "slot": 5 })).play("slot", &json!({ "slot": 2 }));
    playing.play("slot", &json!({ "slot": 1 })).play("slot", &json!({ "slot": 4 }));
    // the last slot is taken by the engine (TW-D-00), and the order is that of the slots
    assert_eq!(playing.logged("slot_taken").len(), 5);
    assert_eq!(playing.logged("turn_order")[0]["order"], json!([1, 0, 4, 2, 3]));
}

#[test]
fn armies_cross_the_sea() {
    // TW-EX-08, TW-BOARD-03, TW-MOVE-02
    let mut position = acting(5, false, "battle_a", 7);
    position["players"][0]["plan"]["battle_a"] = json!("izu");
    let playing = TestMatch::at(&position, &[]);
    let to: Vec<&str> = playing
        .state
        .board
        .side(sengoku_tower::data::Side::Sun)
        .province(playing.state.board.find("izu").unwrap())
        .sea
        .iter()
        .map(String::as_str)
        .collect();
    assert_eq!(to, ["awa-boso", "shima"]);
    assert!(playing.legal().iter().any(|(_, args)| args["to"] == "shima" && args["armies"] == 2));
    assert!(playing.legal().iter().all(|(_, args)| args["armies"] != 3)); // one must stay
}

#[test]
fn the_vectors_of_battles() {
    // TW-EX-20 a, c, d through the whole rule: Omi (seat 0, 3 armies) attacks Ise (seat 1)
    for (thrown, defenders, farmers, left, winner) in
        [(5, 2, 2, 1, "attacker"), (2, 3, 1, 2, "defender"), (1, 2, 4, 2, "defender"), (2, 2, 0, 0, "none")]
    {
        let mut position = acting(4, false, "battle_b", 7);
        order(
            &mut position,
            ["chest_plus_1", "rice_plus_1", "six_armies", "attack_plus_1", "defence_plus_1"],
        );
        armies(&mut position, "omi", thrown + 1);
        armies(&mut position, "ise", defenders);
        position["players"][0]["plan"]["battle_b"] = json!("omi");
        position["players"][1]["plan"]["castle"] = json!("ise");
        position["provinces"]["ise"]["castle"] = json!(true);
        tray(&mut position, 5, farmers);
        tray(&mut position, 2, 3);
        let mut playing = TestMatch::at(&position, &[]);
        playing.play("move", &json!({ "to": "ise", "armies": thrown }));
        let settled = playing.logged("settled")[0];
        assert_eq!((&settled["winner"], &settled["armies"]), (&json!(winner), &json!(left)));
        assert_eq!(settled["tray"], json!([0, 0, 3, 0, 0, 0])); // TW-BATTLE-16
        let ise = playing.province("ise");
        assert_eq!(ise["castle"], winner != "none"); // TW-R-29, TW-BATTLE-12
        // TW-BATTLE-13, TW-R-30: the card leaves the plan space with the province
        let lost = playing.logged("card_lost");
        assert_eq!(lost.len(), usize::from(winner != "defender"));
        assert!(lost.iter().all(|entry| entry["space"] == "castle"));
    }
}

#[test]
fn farmers_take_no_part_where_there_is_unrest() {
    // TW-EX-20 b, f, TW-BATTLE-07
    let mut position = acting(4, false, "battle_a", 7);
    armies(&mut position, "omi", 5);
    armies(&mut position, "ise", 1);
    position["provinces"]["ise"]["unrest"] = json!(2);
    position["players"][0]["plan"]["battle_a"] = json!("omi");
    tray(&mut position, 5, 5);
    let mut playing = TestMatch::at(&position, &[]);
    playing.play("move", &json!({ "to": "ise", "armies": 4 }));
    assert_eq!(playing.logged("settled")[0]["tray"], json!([0, 0, 0, 0, 0, 5]));
    let ise = playing.province("ise");
    assert_eq!((&ise["owner"], &ise["armies"], &ise["unrest"]), (&json!(0), &json!(3), &json!(2)));
}

#[test]
fn additional_cubes() {
    // TW-SPECIAL-01, TW-SPECIAL-02, TW-R-22, TW-R-23: attack_plus_1, defence_plus_1 and a castle under event 4
    let mut position = acting(4, false, "battle_a", 4);
    order(&mut position, ["attack_plus_1", "defence_plus_1", "six_armies", "rice_plus_1", "chest_plus_1"]);
    armies(&mut position, "omi", 4);
    position["provinces"]["ise"]["castle"] = json!(true);
    position["players"][0]["plan"]["battle_a"] = json!("omi");
    let mut playing = TestMatch::at(&position, &[]);
    playing.play("move", &json!({ "to": "ise", "armies": 3 }));
    let attack = playing.logged("attack")[0];
    assert_eq!((&attack["attacker_more"], &attack["defender_more"]), (&json!(1), &json!(2)));
    assert_eq!(playing.logged("thrown")[0]["cubes"], json!([4, 6, 0, 0, 0, 0]));
    // an empty supply gives none; the 37 armies go where they count as his
    position["provinces"]["noto"]["armies"] = json!(2 + position["supply"][0].as_u64().unwrap());
    position["supply"][0] = json!(0);
    let mut playing = TestMatch::at(&position, &[]);
    playing.play("move", &json!({ "to": "ise", "armies": 3 }));
    assert_eq!(playing.logged("attack")[0]["attacker_more"], 0);
}

#[test]
fn recruits() {
    // TW-ACT-06, TW-R-15, TW-R-18: event 12 and six_armies
    for (event, special, action, placed) in [
        (12, "chest_plus_1", "deploy5", 3),
        (12, "six_armies", "deploy5", 6),
        (7, "six_armies", "deploy5", 6),
        (7, "six_armies", "deploy3", 3),
        (12, "six_armies", "deploy3", 2),
    ] {
        let mut position = acting(4, false, action, event);
        let rest = ["chest_plus_1", "rice_plus_1", "six_armies", "attack_plus_1", "defence_plus_1"];
        let mut cards: Vec<&str> = rest.into_iter().filter(|&other| other != special).collect();
        cards.insert(0, special);
        order(&mut position, cards.try_into().unwrap());
        position["players"][0]["plan"][action] = json!("kii");
        let playing = TestMatch::at(&position, &[]);
        assert_eq!(playing.province("kii")["armies"], 2 + placed, "{event} {special} {action}");
    }
    let mut position = acting(4, false, "deploy5", 7);
    order(&mut position, ["six_armies", "rice_plus_1", "chest_plus_1", "attack_plus_1", "defence_plus_1"]);
    let supply = position["supply"][0].as_u64().unwrap();
    armies(&mut position, "noto", 2 + supply - 5);
    position["players"][0]["plan"]["deploy5"] = json!("kii");
    let playing = TestMatch::at(&position, &[]);
    assert_eq!(playing.logged("passed")[0]["reason"], "supply");
}

#[test]
fn temples_and_protections() {
    // TW-EVENT-04, TW-MOVE-03, CT-CARD-02: a temple shields under event 6, favour 10 in BATTLE_A only
    let targets = |event: u8, temple: bool, kept: Option<u8>, action: &str| -> Vec<String> {
        let mut position = acting(4, true, action, event);
        armies(&mut position, "omi", 2);
        position["provinces"]["ise"]["temple"] = json!(temple);
        if let Some(card) = kept {
            position["players"][1]["kept"] = json!([card]);
            let deck = position["court"]["deck"].as_array_mut().unwrap();
            if let Some(place) = deck.iter().position(|known| *known == card) {
                deck[place] = (1..=21).find(|other| !deck.contains(&json!(other))).unwrap().into();
            }
        }
        position["players"][0]["plan"][action] = json!("omi");
        let playing = TestMatch::at(&position, &[]);
        playing.legal().iter().map(|(_, args)| args["to"].as_str().unwrap().to_owned()).collect()
    };
    let all = ["echizen", "ise", "mino", "settsu", "tamba", "wakasa", "yamato"];
    assert_eq!(targets(7, true, None, "battle_a"), all);
    assert_eq!(
        targets(6, true, None, "battle_a"),
        ["echizen", "mino", "settsu", "tamba", "wakasa", "yamato"]
    );
    assert_eq!(targets(7, false, Some(10), "battle_a"), ["mino", "settsu", "tamba", "wakasa", "yamato"]);
    assert_eq!(targets(7, false, Some(10), "battle_b"), all);
    assert_eq!(targets(7, false, Some(18), "battle_b"), ["mino", "settsu", "tamba", "wakasa", "yamato"]);
}

#[test]
fn a_revolt_of_collecting() {
    // TW-ACT-09, TW-R-16, TW-EX-21: the income stays, won or lost
    for (own, unrest, left) in [(5, 3, Some(2)), (2, 2, None)] {
        let mut position = acting(4, false, "tax", 3);
        armies(&mut position, "settsu", own);
        position["provinces"]["settsu"]["unrest"] = json!(unrest);
        position["players"][0]["plan"]["tax"] = json!("settsu");
        let playing = TestMatch::at(&position, &[]);
        assert_eq!(playing.shown()["players"][0]["chests"], 15 + 8);
        let settsu = playing.province("settsu");
        assert_eq!(settsu["armies"], left.unwrap_or(0));
        assert_eq!(settsu["unrest"], if left.is_some() { unrest + 1 } else { 0 });
        assert_eq!(settsu["owner"].is_null(), left.is_none());
    }
}

#[test]
fn favours_are_laid_by_number() {
    // CT-EX-01, CT-FAV-01
    let mut position = planning(4, &json!({ "court": true }));
    position["point"] = json!("season");
    position["round"] = json!("setup");
    position["action_order"] = json!([]);
    position["special_on_slot"] = json!([]);
    position["action_revealed"] = json!(0);
    position["court"]["laid"] = json!([null, null, null]);
    let rest = (1..=21).filter(|card| ![8, 2, 10].contains(card));
    position["court"]["deck"] = [8, 2, 10].into_iter().chain(rest).collect();
    let playing = TestMatch::at(&position, &[]);
    assert_eq!(playing.shown()["court"]["laid"], json!([10, 8, 2]));
}

/// A court in session: favours on the places, officers in the entrance.
fn court(laid: [u8; 3], entrance: [u8; 4]) -> Value {
    let mut position = acting(4, true, "tax", 7);
    position["point"] = json!("court");
    position["court"]["laid"] = json!(laid);
    position["court"]["deck"] = (1..=21).filter(|card| !laid.contains(card)).collect();
    let deck: Vec<u8> = (1..=21).filter(|card| !laid.contains(card)).collect();
    position["court"]["deck"] = json!(deck);
    for (seat, officers) in entrance.into_iter().enumerate() {
        position["players"][seat]["officers"] = json!({ "supply": 7 - officers, "entrance": officers });
    }
    position
}

#[test]
fn conversions() {
    // CT-COURT-01, CT-COURT-02, CT-COURT-03, CT-COURT-04, CT-R-02, CT-R-05, CT-PLAN-05
    let mut position = court([10, 8, 2], [0, 0, 0, 0]);
    position["players"][0]["plan"]["convert3"] = json!("yamato"); // 5 armies: 2 stay
    position["players"][0]["plan"]["convert2"] = json!("kii"); // 2 armies: one must stay
    position["players"][0]["plan"]["convert1"] = json!("tower");
    position["players"][1]["plan"]["convert1"] = json!("treasure_4");
    tray(&mut position, 0, 1);
    let playing = TestMatch::at(&position, &[]);
    assert_eq!(playing.logged("converted").len(), 2);
    assert_eq!(playing.logged("not_converted")[0]["space"], "convert2");
    assert_eq!(playing.province("yamato")["armies"], 2);
    assert_eq!(playing.shown()["tray"][0], 0);
    assert_eq!(playing.logged("audience")[0]["officers"], 4);
    assert_eq!(playing.to_act().unwrap().0, 0); // 4 officers can pay for any card
}

#[test]
fn the_audience() {
    // CT-COURT-05..10, CT-R-03: most officers first, ties by turn order; the price goes back to the supply
    let mut playing = TestMatch::at(&court([16, 13, 5], [2, 3, 0, 3]), &[]);
    assert_eq!(playing.logged("court_order")[0]["order"], json!([1, 3, 0]));
    playing.play("favour", &json!({ "price": 3, "card": 13 }));
    assert_eq!(playing.shown()["players"][1]["score"], 2);
    assert_eq!(playing.to_act().unwrap().0, 3);
    playing.play("favour", &json!({ "price": 2 }));
    assert_eq!(playing.shown()["players"][3]["rice"], 2);
    // seat 0 has 2 officers and only the card for 4 is left: no choice, no question; then the season goes on
    assert_eq!(playing.logged("no_favour").len(), 1);
    assert_eq!(playing.logged("court_closed")[0]["left"], json!([16]));
    let shown = playing.shown();
    assert_eq!(shown["players"][1]["officers"], json!({ "supply": 7, "entrance": 0, "hall": 0 }));
    assert_eq!(shown["players"][3]["officers"], json!({ "supply": 6, "entrance": 1, "hall": 0 }));
    assert_eq!(shown["players"][0]["officers"], json!({ "supply": 5, "entrance": 2, "hall": 0 }));
    assert_eq!(shown["players"][1]["tally"][0]["favours"], 2);
}

#[test]
fn favours_with_a_choice() {
    // CT-D-02, CT-R-08: the event is removed
    let mut playing = TestMatch::at(&court([14, 3, 1], [0, 0, 2, 0]), &[]);
    playing.play("favour", &json!({ "price": 2 })).play("remove_event", &json!({}));
    assert_eq!(playing.logged("event_removed")[0]["removed"], true);
    // CT-D-05, CT-R-10: three armies take a neutral province with its card
    let mut playing = TestMatch::at(&court([12, 3, 2], [0, 0, 4, 0]), &[]);
    playing.play("favour", &json!({ "price": 4 })).play("province", &json!({ "province": "izu" }));
    assert_eq!(playing.province("izu")["owner"], 2);
    assert_eq!(playing.province("izu")["armies"], 3);
    // CT-D-06, CT-R-11: a castle free of charge
    let mut playing = TestMatch::at(&court([21, 3, 2], [0, 0, 4, 0]), &[]);
    playing.play("favour", &json!({ "price": 4 })).play("province", &json!({ "province": "hoki" }));
    assert_eq!(playing.province("hoki")["castle"], true);
    assert_eq!(playing.shown()["players"][2]["chests"], 15);
    // CT-R-09: too few armies for the tray
    let mut position = court([14, 3, 2], [0, 0, 4, 0]);
    let supply = position["supply"][2].as_u64().unwrap();
    armies(&mut position, "hoki", 2 + supply - 3);
    let mut playing = TestMatch::at(&position, &[]);
    playing.play("favour", &json!({ "price": 4 }));
    assert_eq!(playing.logged("favour_without_effect").len(), 1);
}

#[test]
fn a_kept_favour() {
    // CT-R-12, CT-D-03, CT-D-04: kept without a marker, asked before the card is turned up
    let mut playing = TestMatch::at(&court([14, 9, 4], [0, 2, 0, 0]), &[]);
    playing.play("favour", &json!({ "price": 2 }));
    assert_eq!(playing.logged("favour_kept").len(), 1);
    let mut position = acting(4, true, "tax", 3);
    position["players"][0]["kept"] = json!([4]);
    let deck: Vec<u8> = (1..=21).filter(|&card| card != 4).take(18).collect();
    position["court"]["deck"] = json!(deck);
    position["provinces"]["settsu"]["unrest"] = json!(1);
    position["players"][0]["plan"]["tax"] = json!("settsu");
    let mut playing = TestMatch::at(&position, &[]);
    assert_eq!(playing.state.point, sengoku_tower::state::Point::Kept);
    assert!(playing.logged("card_revealed").is_empty());
    playing.play("province", &json!({ "province": "settsu" }));
    assert!(playing.logged("revolt").is_empty()); // counted after the removal
    assert_eq!(playing.province("settsu")["unrest"], 1);
    assert_eq!(playing.shown()["players"][0]["kept"], json!([]));
}

#[test]
fn the_draft() {
    // TW-SETUP-05..08, TW-R-08, TW-R-09, TW-R-40, TW-D-02..04
    let mut playing = TestMatch::new(3, &json!({ "mode": "draft" }), &[]);
    let open = playing.shown()["draft"]["open"].clone();
    for seat in 0..3 {
        assert_eq!(playing.to_act().unwrap().0, seat);
        playing.play("deck", &json!({}));
        assert!(playing.shown()["draft"]["taken"].is_string());
        playing.play("group", &json!({ "armies": 5 }));
    }
    // the same two cards as on his own last turn
    assert_eq!(playing.legal()[0].0, "refresh");
    playing.play("refresh", &json!({}));
    let shown = playing.shown();
    let deck = shown["draft"]["deck"].as_array().unwrap();
    assert_eq!(json!(&deck[deck.len() - 2..]), open);
    assert!(playing.legal().iter().all(|(name, _)| name != "refresh"));
    playing.play("open", &json!({ "position": 0 }));
    assert!(playing.shown()["draft"]["open"][0].is_null()); // not replaced before the group is placed
    playing.play("group", &json!({ "armies": 2 }));
    assert!(playing.shown()["draft"]["open"][0].is_string());
    while playing.shown()["round"] == "setup" {
        let (name, args) = playing.legal().swap_remove(0);
        playing.play(&name, &args);
    }
    assert_eq!(playing.logged("group_placed").len(), 27);
    assert_eq!(playing.shown()["provinces"].as_object().unwrap().len(), 37); // TW-BOARD-04
}

#[test]
fn the_end() {
    // TW-END-01, TW-END-02, TW-R-38: points, then chests, then a shared victory
    let mut position = winter(7);
    position["year"] = json!(2);
    position["event_deck"] = json!([1, 2, 3, 4]);
    position["point"] = json!("score");
    for seat in 0..4 {
        position["players"][seat]["chests"] = json!([5, 9, 9, 1][seat]);
        position["players"][seat]["score"] = json!(10);
    }
    let playing = TestMatch::at(&position, &[]);
    let outcome = sengoku_kernel::Game::outcome(&playing.state).unwrap();
    assert_eq!(outcome.ranks[..], [3, 1, 1, 4]);
    assert_eq!((outcome.reason, outcome.rounds, outcome.by_rule), ("second_winter", 8, true));
    assert_eq!(outcome.scores[..], [18, 18, 18, 18]);
    assert_eq!(playing.logged("over")[0]["winners"], json!([1, 2]));
    let account = sengoku_kernel::Stored::account(&playing.state);
    assert_eq!(account[0]["years"][1]["provinces"], 8);
}
