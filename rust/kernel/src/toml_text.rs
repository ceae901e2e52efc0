//! TOML from users: one bounded parser for everything that is read from a text.

use serde_json::Value;

use crate::SetupError;

/// Longest text of a user's file, in bytes.
pub const MAX_TEXT: usize = 1_000_000;
/// Most keys, and most tables, of a user's file.
pub const MAX_KEYS: usize = 50_000;

/// Parse the text of a `what`. Its size and the number of its keys are checked before it is parsed, and the
/// parser itself refuses deep nesting, so the time grows with the length of the text and is bounded.
///
/// # Errors
/// [`SetupError`] without a field when the text is not TOML or exceeds a bound.
pub fn read_toml(text: &str, what: &str) -> Result<Value, SetupError> {
    let refuse = |reason: String| Err(SetupError::new("", reason));
    if text.len() > MAX_TEXT {
        return refuse(format!(
            "{} bytes are too long for a {what}, at most {MAX_TEXT} are read",
            text.len()
        ));
    }
    for (sign, name) in [(b'=', "keys"), (b'[', "tables and arrays"), (b'{', "inline tables")] {
        // Signs in texts and remarks count too: files that people write have far fewer of either.
        let count = text.bytes().filter(|&byte| byte == sign).count();
        if count > MAX_KEYS {
            return refuse(format!("{count} {name} are too many for a {what}, at most {MAX_KEYS} are read"));
        }
    }
    let table: toml::Table = toml::from_str(text).map_err(|error| {
        let before = &text[..error.span().map_or(0, |span| span.start.min(text.len()))];
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&sign| sign != '\n').count() + 1;
        SetupError::new("", format!("not valid TOML: line {line}, column {column}: {}", error.message()))
    })?;
    if let Some(number) = table.values().find_map(not_finite) {
        return refuse(format!("numbers must be finite, found {number}"));
    }
    serde_json::to_value(table).map_err(|error| SetupError::new("", error.to_string()))
}

/// A number of a value that JSON cannot hold.
fn not_finite(value: &toml::Value) -> Option<f64> {
    match value {
        toml::Value::Float(number) => (!number.is_finite()).then_some(*number),
        toml::Value::Array(values) => values.iter().find_map(not_finite),
        toml::Value::Table(table) => table.values().find_map(not_finite),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read() {
        let read = read_toml("name = \"Kai\"\n[a.b]\nc = [1, 2.5]", "map").unwrap();
        assert_eq!(read, serde_json::json!({"name": "Kai", "a": {"b": {"c": [1, 2.5]}}}));
    }

    #[test]
    fn hostile_texts_are_refused() {
        for (text, reason) in [
            ("#".repeat(MAX_TEXT + 1), "1000001 bytes are too long for a map, at most 1000000 are read"),
            ("k=1\n".repeat(60_000), "60000 keys are too many for a map, at most 50000 are read"),
            ("[[a]]\n".repeat(30_000), "60000 tables and arrays are too many for a map, at most 50000"),
            ("{".repeat(60_000), "60000 inline tables are too many for a map"),
            ("a.".repeat(100_000) + "a=1", "recursion limit"),
            (format!("a={}", "[".repeat(40_000)), "recursion depth"),
            (format!("a={}", "{a=".repeat(40_000)), "recursion depth"),
            ("a=1\na=2".to_owned(), "not valid TOML: line 2, column 1: duplicate key"),
            ("ä = =".to_owned(), "not valid TOML: line 1, column 5: "),
            ("a = [{b = nan}]".to_owned(), "numbers must be finite, found NaN"),
            ("a.b = -inf".to_owned(), "numbers must be finite, found -inf"),
            ("b =".to_owned(), "not valid TOML: line 1, column 4: "),
        ] {
            let error = read_toml(&text, "map").unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
