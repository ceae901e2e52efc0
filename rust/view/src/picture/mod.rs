//! Common parts of the pictures of all games: points, SVG text, and the layout of a map.
//!
//! Equal arguments give equal bytes on every machine.

mod layout;

use std::fmt::Write;

pub use layout::{Ground, Layout, layout_of, on_globe};

/// A place in the picture, or a way from one place to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Down.
    pub y: f64,
}

impl Point {
    /// A place by its coordinates.
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// A way behind another.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }

    /// The way from `other` to here.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }

    /// The way scaled by a factor.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self::new(self.x * factor, self.y * factor)
    }

    /// Scalar product.
    pub fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y
    }

    /// Product whose sign says on which side `other` lies.
    pub fn cross(self, other: Self) -> f64 {
        self.x * other.y - self.y * other.x
    }

    /// Length of a way.
    pub fn length(self) -> f64 {
        self.dot(self).sqrt()
    }
}

/// An SVG document as far as it is written.
#[derive(Debug, Default)]
pub struct Svg(String);

impl Svg {
    /// Writes anything.
    ///
    /// # Panics
    /// Never: a string takes whatever is written.
    pub fn put(&mut self, text: std::fmt::Arguments) {
        self.0.write_fmt(text).expect("writing to a string cannot fail");
    }

    /// Writes a line of text; what comes from outside must be escaped.
    pub fn text(&mut self, at: Point, style: &str, text: impl std::fmt::Display) {
        let space = if style.is_empty() { "" } else { " " };
        self.put(format_args!(
            "<text x=\"{}\" y=\"{}\"{space}{style}>{text}</text>",
            rounded(at.x),
            rounded(at.y)
        ));
    }
    /// The text of the document.
    pub fn finish(self) -> String {
        self.0
    }
}

/// An area that nobody sees and programs find: what an action names, without a shape of its own in the picture.
pub fn place_of(svg: &mut Svg, name: impl std::fmt::Display, at: Point, size: Point) {
    svg.put(format_args!(
        "<rect data-place=\"{name}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\" fill=\"none\"/>",
        rounded(at.x),
        rounded(at.y),
        rounded(size.x),
        rounded(size.y)
    ));
}

/// A closed path.
pub fn outline(cell: &[Point]) -> String {
    let points: Vec<String> = cell.iter().map(|&point| xy(point)).collect();
    format!("M{}z", points.join(" "))
}

/// A place in the notation of a path.
pub fn xy(point: Point) -> String {
    format!("{},{}", rounded(point.x), rounded(point.y))
}

/// One decimal; what is added turns a negative zero into a plain one.
pub fn rounded(value: f64) -> f64 {
    (value * 10.0).round() / 10.0 + 0.0
}

/// The beginning of a text.
pub fn short(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.into();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

/// A text wrapped into lines of at most the given number of characters; a word that is longer has a line for itself.
pub fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines = Vec::<String>::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.into()),
        }
    }
    lines
}

/// A text as XML allows it.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // Control characters and the two last of the plane have no place in XML, not even escaped.
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// The first fault in the form of an SVG text, if any: tags must be closed in order, and texts hold no bare sign of the
/// notation. For tests of pictures.
pub fn fault(svg: &str) -> Option<String> {
    let mut open = Vec::new();
    for part in svg.split('<').skip(1) {
        let Some((tag, text)) = part.split_once('>') else { return Some(format!("{part:?} does not end")) };
        let known =
            |entity: &str| ["amp;", "lt;", "gt;", "quot;"].iter().any(|name| entity.starts_with(name));
        if text.contains('>') || !text.split('&').skip(1).all(known) || tag.matches('"').count() % 2 != 0 {
            return Some(format!("{part:?} has a bare sign"));
        }
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name) {
                return Some(format!("{name:?} is closed out of order"));
            }
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap_or_default());
        }
    }
    let number = ["NaN", "inf\"", "inf,", "\"-0\"", "-0,"].into_iter().find(|number| svg.contains(number));
    let left = open.pop().map(|name| format!("{name:?} is not closed"));
    left.or_else(|| number.map(|number| format!("{number:?} is no place")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped_and_cut() {
        assert_eq!(escaped("a < b & \"c\"\u{7}"), "a &lt; b &amp; &quot;c&quot; ");
        assert_eq!((short("abcd", 4), short("abcde", 4)), ("abcd".into(), "abc…".into()));
        assert_eq!(wrapped("one two  three four", 9), ["one two", "three", "four"]);
        assert_eq!(xy(Point::new(-0.04, 1.25)), "0,1.3");
    }

    #[test]
    fn faults_are_found() {
        for (svg, fine) in [
            ("<svg><g a=\"1\"/><text>a &amp; b</text></svg>", true),
            ("<svg><g></svg></g>", false),
            ("<svg>", false),
            ("<svg>a & b</svg>", false),
            ("<svg a=\"1></svg>", false),
            ("<svg a=\"NaN\"></svg>", false),
        ] {
            assert_eq!(fault(svg).is_none(), fine, "{svg}");
        }
    }
}
