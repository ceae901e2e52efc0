//! The story of a match: a sentence for every event, under headings.
//!
//! A story is made from public events alone, so it never tells what a seat may not know. The one exception are cards that
//! a seat drew face down: [`View::stories`](crate::View::stories) names them to that seat, and to those who see everything.

use std::ops::Range;

use serde::Serialize;

/// A line of a story.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StoryLine {
    /// Number of the event that the line begins with.
    pub event: usize,
    /// 1 and 2 for headings, 1 the higher one; 0 for a sentence.
    pub level: u8,
    /// A heading, or a sentence with its full stop.
    pub text: String,
}

/// What one event adds to a story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// A heading with its level.
    Heading(u8, String),
    /// A sentence without its full stop.
    Line(String),
    /// A sentence of the long form only.
    Detail(String),
    /// Part of a sentence: consecutive ones that start alike become one sentence with a list.
    Listed { start: String, item: String },
    /// The same, in the long form only.
    ListedDetail { start: String, item: String },
}

impl Told {
    /// Part of a sentence that lists what was done one by one.
    pub(crate) fn listed(start: impl Into<String>, item: impl Into<String>) -> Self {
        Self::Listed { start: start.into(), item: item.into() }
    }

    /// The same, in the long form only.
    pub(crate) fn listed_detail(start: impl Into<String>, item: impl Into<String>) -> Self {
        Self::ListedDetail { start: start.into(), item: item.into() }
    }
}

/// A list of things that is being collected into one sentence.
struct Open {
    event: usize,
    start: String,
    items: Vec<(String, usize)>,
}

impl Open {
    fn add(&mut self, item: String) {
        match self.items.iter_mut().find(|(same, _)| *same == item) {
            Some((_, times)) => *times += 1,
            None => self.items.push((item, 1)),
        }
    }

    fn line(self) -> StoryLine {
        let items: Vec<String> = self
            .items
            .into_iter()
            .map(|(item, times)| if times == 1 { item } else { format!("{item} ({times} times)") })
            .collect();
        sentence(self.event, &format!("{} {}", self.start, list(&items)))
    }
}

/// Lines for the events of some ranges, each a story of its own; they do not overlap and are in order. All events before
/// the last end are told in order, so that the teller knows the context.
pub(crate) fn lines<E>(
    events: &[E],
    ranges: &[Range<usize>],
    long: bool,
    mut tell: impl FnMut(&E) -> Told,
) -> Vec<Vec<StoryLine>> {
    let mut known = 0;
    let story = |range: &Range<usize>| {
        for event in &events[known..range.start.max(known)] {
            tell(event);
        }
        known = range.end.max(known);
        lines_of(events, range.clone(), long, &mut tell)
    };
    ranges.iter().map(story).collect()
}

/// Lines for the events of one range; those before it have been told.
fn lines_of<E>(
    events: &[E],
    range: Range<usize>,
    long: bool,
    tell: &mut impl FnMut(&E) -> Told,
) -> Vec<StoryLine> {
    let mut lines = Vec::new();
    let mut open: Option<Open> = None;
    for number in range {
        let told = match tell(&events[number]) {
            Told::Detail(_) | Told::ListedDetail { .. } if !long => continue,
            Told::ListedDetail { start, item } => Told::Listed { start, item },
            told => told,
        };
        if let Told::Listed { start, item } = told {
            match &mut open {
                Some(same) if same.start == start => same.add(item),
                _ => {
                    lines.extend(open.take().map(Open::line));
                    open = Some(Open { event: number, start, items: vec![(item, 1)] });
                }
            }
            continue;
        }
        lines.extend(open.take().map(Open::line));
        match told {
            Told::Heading(level, text) => {
                lines.push(StoryLine { event: number, level, text: capitalised(&text) });
            }
            Told::Line(text) | Told::Detail(text) => lines.push(sentence(number, &text)),
            Told::Listed { .. } | Told::ListedDetail { .. } => {}
        }
    }
    lines.extend(open.map(Open::line));
    lines
}

fn sentence(event: usize, text: &str) -> StoryLine {
    StoryLine { event, level: 0, text: capitalised(text) + "." }
}

/// A text with a capital letter at its beginning.
pub(crate) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// `a`, `a and b`, `a, b and c`; nothing is "nothing".
pub(crate) fn list<T: AsRef<str>>(items: &[T]) -> String {
    match items {
        [] => "nothing".into(),
        [one] => one.as_ref().into(),
        [rest @ .., last] => {
            let rest: Vec<&str> = rest.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", rest.join(", "), last.as_ref())
        }
    }
}

/// A number of things: `1 army`, `3 armies`.
pub(crate) fn count(number: impl Into<u64>, one: &str, many: &str) -> String {
    let number = number.into();
    format!("{number} {}", if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_done_one_by_one_is_one_sentence() {
        let told = |text: &&str| match text.split_once(' ') {
            Some(("#", heading)) => Told::Heading(1, heading.into()),
            Some(("-", detail)) => Told::Detail(detail.into()),
            Some(("+", item)) => Told::listed("red takes", item),
            _ => Told::Line((*text).into()),
        };
        let events = ["# round 1", "+ Kai", "+ Iga", "- a die", "+ Iga", "end"];
        let text = |range, long| -> Vec<(usize, u8, String)> {
            let lines = lines(&events, &[range], long, told);
            lines.into_iter().flatten().map(|line| (line.event, line.level, line.text)).collect()
        };
        let expected = |line: (usize, u8, &str)| (line.0, line.1, line.2.to_owned());
        let short = [(0, 1, "Round 1"), (1, 0, "Red takes Kai and Iga (2 times)."), (5, 0, "End.")];
        assert_eq!(text(0..6, false), short.map(expected));
        let long = [(1, 0, "Red takes Kai and Iga."), (3, 0, "A die."), (4, 0, "Red takes Iga.")];
        assert_eq!(text(1..5, true), long.map(expected));
        let parts = lines(&events, &[0..2, 2..5, 5..6], false, told);
        let parts: Vec<Vec<&str>> =
            parts.iter().map(|story| story.iter().map(|line| &*line.text).collect()).collect();
        assert_eq!(
            parts,
            [vec!["Round 1", "Red takes Kai."], vec!["Red takes Iga (2 times)."], vec!["End."]]
        );
        assert_eq!(list::<&str>(&[]), "nothing");
        assert_eq!(
            (count(1_u8, "army", "armies"), list(&["a", "b", "c"])),
            ("1 army".into(), "a, b and c".into())
        );
    }
}
