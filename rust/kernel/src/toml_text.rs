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
    let value = toml::from_str(text).map_err(|error| {
        let before = &text[..error.span().map_or(0, |span| span.start.min(text.len()))];
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&sign| sign != '\n').count() + 1;
        SetupError::new("", format!("not valid TOML: line {line}, column {column}: {}", error.message()))
    })?;
    match not_finite(&value) {
        Some(field) => Err(SetupError::new(field.trim_start_matches('.'), "must be a finite number")),
        None => Ok(value),
    }
}

/// The path of a number that JSON cannot hold; it has become a null, which TOML does not have.
fn not_finite(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some(String::new()),
        Value::Array(values) => {
            let mut found = values.iter().enumerate();
            found.find_map(|(place, value)| Some(format!("[{place}]{}", not_finite(value)?)))
        }
        Value::Object(table) => {
            table.iter().find_map(|(name, value)| Some(format!(".{name}{}", not_finite(value)?)))
        }
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
            ("a = [{b = nan}]".to_owned(), "a[0].b: must be a finite number"),
            ("a.b = -inf".to_owned(), "a.b: must be a finite number"),
            ("b =".to_owned(), "not valid TOML: line 1, column 4: "),
        ] {
            let error = read_toml(&text, "map").unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
