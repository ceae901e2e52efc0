use std::collections::BTreeMap;

use sengoku_kernel::conformance::{self, Visibility};
use serde_json::json;

use super::*;

/// Counts, over some matches, the visible and hidden changes of every variable.
fn visibility() -> BTreeMap<String, Visibility> {
    let rebuild = |table| {
        let mut state: State = serde_json::from_value(table).ok()?;
        state.index_owners();
        Some(state)
    };
    let mut visibility: BTreeMap<String, Visibility> = BTreeMap::new();
    for (seats, setup, decisions) in
        [(2, json!({ "max_rounds": 6 }), (1_500, 9)), (4, json!({ "max_rounds": 6 }), (2_000, 13))]
    {
        for (name, one) in conformance::check_visibility(
            seats,
            &setup,
            decisions,
            &["provinces", "declared_forces"],
            rebuild,
        ) {
            let sum = visibility.entry(name).or_default();
            (sum.hidden, sum.shown) = (sum.hidden + one.hidden, sum.shown + one.shown);
            sum.missing += one.missing;
        }
    }
    visibility
}

#[test]
fn an_observation_has_what_the_seat_may_see_and_nothing_else() {
    let visibility = visibility();
    // Read when it runs: the list has a reason for each name, for people.
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hidden.txt");
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let listed = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let listed: Vec<&str> = listed.filter(|line| !line.is_empty()).collect();
    assert_eq!(conformance::hidden_and_missing(&visibility), listed);
    assert!(visibility.values().filter(|visibility| visibility.shown > 0).count() > 40, "{visibility:?}");
}
