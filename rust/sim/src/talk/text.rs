//! Which texts a message may have: one line that looks the same wherever it is shown.

use crate::TalkError;

/// Most characters of a message.
pub const MAX_MESSAGE_LENGTH: usize = 500;
/// Most combining marks on one letter: more of them reach into the lines above and below.
const MAX_MARKS: usize = 3;

/// Why a character cannot be part of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextFault {
    /// A control character, a line break or the beginning of an escape sequence.
    Control,
    /// It changes the direction of the text around it.
    Direction,
    /// It is invisible, or means something to one program only.
    Invisible,
    /// One of many combining marks in a row.
    Marks,
}

impl std::fmt::Display for TextFault {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Control => "a control character",
            Self::Direction => "it changes the direction of text",
            Self::Invisible => "an invisible character",
            Self::Marks => "too many marks on one letter",
        })
    }
}

const fn fault(sign: char) -> Option<TextFault> {
    match sign {
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' => Some(TextFault::Control),
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            Some(TextFault::Direction)
        }
        // Format characters and fillers, private use, and code points that are no characters. Joiners (U+200C, U+200D) and
        // variation selectors (U+FE00 to U+FE0F) belong to words and signs.
        '\u{ad}'
        | '\u{34f}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'
        | '\u{2060}'..='\u{206f}'
        | '\u{2800}'
        | '\u{3164}'
        | '\u{e000}'..='\u{f8ff}'
        | '\u{fdd0}'..='\u{fdef}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{ffff}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{10ffff}' => Some(TextFault::Invisible),
        _ => None,
    }
}

const fn is_mark(sign: char) -> bool {
    matches!(
        sign,
        '\u{300}'..='\u{36f}'
            | '\u{483}'..='\u{489}'
            | '\u{1ab0}'..='\u{1aff}'
            | '\u{1dc0}'..='\u{1dff}'
            | '\u{20d0}'..='\u{20ff}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{fe20}'..='\u{fe2f}'
    )
}

/// Refuses a text that could disturb what is around it, or is too long.
pub(super) fn check(text: &str) -> Result<(), TalkError> {
    let length = text.chars().count();
    if length > MAX_MESSAGE_LENGTH {
        return Err(TalkError::TooLong { length, limit: MAX_MESSAGE_LENGTH });
    }
    if text.trim() != text {
        return Err(TalkError::Unclear { field: "text", reason: "spaces at the beginning or the end" });
    }
    let mut marks = 0;
    for (place, sign) in text.chars().enumerate() {
        marks = if is_mark(sign) { marks + 1 } else { 0 };
        let found = if marks > MAX_MARKS { Some(TextFault::Marks) } else { fault(sign) };
        if let Some(fault) = found {
            return Err(TalkError::Character { place, sign, fault });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_lines_are_messages() {
        for text in [
            "",
            "hello",
            "平和を",
            "<b>&amp;\"'[red]",
            "naïve e\u{301}",
            "👨\u{200d}👩\u{200d}👧 ❤\u{fe0f}",
            "שלום",
        ] {
            assert_eq!(check(text), Ok(()), "{text}");
        }
        for (text, place, fault) in [
            ("a\nb", 1, TextFault::Control),
            ("\u{1b}[31mred", 0, TextFault::Control),
            ("é\u{9b}31m", 1, TextFault::Control),
            ("a\u{2028}b", 1, TextFault::Control),
            ("abc\u{202e}def", 3, TextFault::Direction),
            ("a\u{2066}b", 1, TextFault::Direction),
            ("a\u{200b}b", 1, TextFault::Invisible),
            ("a\u{e0041}", 1, TextFault::Invisible),
            ("e\u{301}\u{301}\u{301}\u{301}", 4, TextFault::Marks),
        ] {
            let sign = text.chars().nth(place).unwrap();
            assert_eq!(check(text), Err(TalkError::Character { place, sign, fault }), "{text:?}");
        }
        assert!(check(&"a".repeat(500)).is_ok());
        assert_eq!(check(&"ä".repeat(501)), Err(TalkError::TooLong { length: 501, limit: 500 }));
        assert!(matches!(check(" a"), Err(TalkError::Unclear { field: "text", .. })));
    }
}
