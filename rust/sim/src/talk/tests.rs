use serde_json::json;

use super::*;
use crate::MatchKey;
use crate::test_game::{Move, Race};

fn table(seats: usize) -> Match<Race> {
    let key = MatchKey { seats, setup: json!({"goal": 30}), seed: 5, match_index: 0 };
    Match::create(key, None).unwrap()
}

fn said(value: Value) -> Said {
    serde_json::from_value(value).unwrap()
}

fn say(playing: &mut Match<Race>, value: Value) -> usize {
    playing.say(said(value)).unwrap()
}

fn texts(playing: &Match<Race>, audience: Audience) -> Vec<String> {
    playing.messages(audience, 0).iter().map(|row| row["text"].as_str().unwrap().to_owned()).collect()
}

/// A match in which everybody has said something.
fn talkative() -> Match<Race> {
    let mut playing = table(4);
    say(&mut playing, json!({"seat": 1, "to": [2], "text": "secret"}));
    say(&mut playing, json!({"seat": 0, "text": "hello"}));
    playing.play(Move::Step).unwrap();
    let truce = json!({"kind": "truce", "rounds": 2});
    assert_eq!(say(&mut playing, json!({"seat": 2, "to": [0, 3], "proposal": truce})), 3);
    assert_eq!(say(&mut playing, json!({"seat": 3, "answers": 2, "accepts": true, "text": "yes"})), 3);
    playing.play(Move::Roll).unwrap();
    say(&mut playing, json!({"seat": 3, "to": [0], "text": "last"}));
    playing
}

#[test]
fn seats_read_what_is_for_them_and_number_it_for_themselves() {
    let playing = talkative();
    assert_eq!(texts(&playing, Audience::Everything), ["secret", "hello", "", "yes", "last"]);
    assert_eq!(texts(&playing, Audience::Seat(Seat::SPECTATOR)), ["hello"]);
    for (seat, expected) in [
        (0, &["hello", "", "yes", "last"][..]),
        (1, &["secret", "hello"]),
        (2, &["secret", "hello", "", "yes"]),
        (3, &["hello", "", "yes", "last"]),
    ] {
        let audience = Audience::Seat(Seat(seat));
        assert_eq!(texts(&playing, audience), expected);
        let rows = playing.messages(audience, 0);
        let numbers: Vec<u64> = rows.iter().map(|row| row["number"].as_u64().unwrap()).collect();
        assert_eq!(numbers, (1..=expected.len() as u64).collect::<Vec<_>>());
        assert_eq!(playing.messages(audience, 1), rows[1..]);
        let answers = rows.iter().find_map(|row| row["answers"].as_u64());
        assert_eq!(answers, [Some(2), None, Some(3), Some(2)][usize::from(seat)]);
        assert_eq!(playing.describe(Some(Seat(seat)))["messages"], Value::from(rows));
    }
    assert_eq!(playing.describe(None).get("messages"), None);
    assert_eq!(playing.messages_said(Seat(3)), (2, 1));
}

#[test]
fn talk_is_no_part_of_the_state() {
    let mut silent = table(4);
    silent.play(Move::Step).unwrap();
    silent.play(Move::Roll).unwrap();
    let talking = talkative();
    assert_eq!(silent.digest(), talking.digest());
    assert_eq!(silent.describe(None), talking.describe(None));
    assert_eq!(silent.legal_actions(), talking.legal_actions());
    assert_eq!(silent.history(), talking.history());
}

#[test]
fn talk_is_saved_and_replayed() {
    let playing = talkative();
    let text = playing.replay();
    assert!(text.contains("\nsay {\"seat\":1,\"to\":[2],\"text\":\"secret\"}\n"), "{text}");
    let again = Match::<Race>::from_replay(&text).unwrap();
    assert_eq!(again.talk(), playing.talk());
    assert_eq!(again.replay(), text);
    let loaded = Match::<Race>::load(&playing.save()).unwrap();
    assert_eq!(loaded.talk(), playing.talk());
    assert_eq!(loaded.save(), playing.save());
    assert_eq!(table(2).save()[4], 1, "a match without messages is saved as ever");
    for (from, to) in [
        ("\"to\":[2]", "\"to\":[9]"),
        ("\"text\":\"hello\"", "\"text\":\"\""),
        ("\"answers\":3", "\"answers\":1"),
        ("\"kind\":\"truce\"", "\"kind\":\"war\""),
        ("\"text\":\"yes\"", "\"text\":\"\\u001b[31m\""),
        ("say {\"seat\":3", "say {\"seat\":4"),
    ] {
        let broken = text.replacen(from, to, 1);
        assert_ne!(broken, text);
        assert!(Match::<Race>::from_replay(&broken).is_err(), "{broken}");
    }
}

#[test]
fn worlds_have_what_the_seat_has_read() {
    let playing = talkative();
    let world = playing.resample(Seat(2), 1).unwrap();
    assert_eq!(texts(&world, Audience::Seat(Seat(2))), texts(&playing, Audience::Seat(Seat(2))));
    assert_eq!(world.messages(Audience::Everything, 0).len(), 4);
    assert_eq!(Match::<Race>::from_replay(&world.replay()).unwrap().talk(), world.talk());
}

#[test]
fn what_cannot_be_said_is_refused_and_changes_nothing() {
    let mut playing = table(3);
    say(&mut playing, json!({"seat": 0, "to": [1], "proposal": {"kind": "support"}}));
    say(&mut playing, json!({"seat": 0, "text": "hello"}));
    let before = playing.save();
    for (wrong, field) in [
        (json!({"seat": 3, "text": "x"}), "seat is 3"),
        (json!({"seat": 0, "to": [3], "text": "x"}), "to is 3"),
        (json!({"seat": 0, "to": [], "text": "x"}), "to:"),
        (json!({"seat": 0, "to": [0], "text": "x"}), "to:"),
        (json!({"seat": 0}), "text is empty"),
        (json!({"seat": 0, "text": "a\u{202e}"}), "text has U+202E at place 1"),
        (json!({"seat": 0, "text": "x".repeat(501)}), "text has 501 characters"),
        (json!({"seat": 0, "proposal": {"kind": "no_attack"}}), "place:"),
        (json!({"seat": 0, "proposal": {"kind": "no_attack", "place": "moon"}}), "place is \"moon\""),
        (json!({"seat": 0, "proposal": {"kind": "truce", "rounds": 0}}), "rounds is 0"),
        (json!({"seat": 1, "answers": 1}), "accepts:"),
        (json!({"seat": 1, "accepts": true, "text": "x"}), "accepts:"),
        (json!({"seat": 1, "answers": 2, "accepts": true}), "answers: that message"),
        (json!({"seat": 1, "answers": 3, "accepts": true}), "answers is 3"),
        (json!({"seat": 0, "answers": 1, "accepts": true}), "answers: a seat"),
        // Seat 2 reads only "hello", as its number 1.
        (json!({"seat": 2, "answers": 2, "accepts": true}), "answers is 2"),
        (json!({"seat": 1, "to": [2], "answers": 1, "accepts": true}), "to: an answer"),
    ] {
        let refused = playing.say(said(wrong.clone())).expect_err(&wrong.to_string()).to_string();
        assert!(refused.starts_with(field), "{wrong}: {refused}");
        assert_eq!(playing.save(), before);
    }
}

#[test]
fn how_much_a_seat_says_is_limited() {
    let mut playing = table(2);
    let mut talked = 0;
    while talked < MAX_MESSAGES {
        for _ in 0..MAX_MESSAGES_BETWEEN {
            say(&mut playing, json!({"seat": 0, "text": "x"}));
            talked += 1;
        }
        let more = playing.say(said(json!({"seat": 0, "text": "x"}))).unwrap_err();
        assert_eq!(more, TalkError::TooMany { field: "messages_between", limit: MAX_MESSAGES_BETWEEN });
        say(&mut playing, json!({"seat": 1, "text": "x"}));
        playing.play(Move::Step).unwrap();
    }
    let more = playing.say(said(json!({"seat": 0, "text": "x"}))).unwrap_err();
    assert_eq!(more, TalkError::TooMany { field: "messages", limit: MAX_MESSAGES });
    while !playing.over() {
        playing.play(Move::Step).unwrap();
    }
    assert_eq!(playing.say(said(json!({"seat": 1, "text": "x"}))), Err(TalkError::MatchOver));
}
