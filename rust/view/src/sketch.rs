//! Lines in colours, for a terminal.

use serde::Serialize;

/// Coloured text for a terminal, line by line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Sketch(pub Vec<Vec<Span>>);

/// A piece of a line. In JSON it is the pair of text and style.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Span(
    /// The text.
    pub String,
    /// How: `bold #fff8e6 on #b3362c`, or nothing. What must be read without colours is in the text.
    pub String,
);

impl Sketch {
    /// Begins a line.
    pub fn line(&mut self) {
        self.0.push(Vec::new());
    }

    /// Writes behind what the last line has.
    pub fn put(&mut self, text: impl Into<String>, style: impl Into<String>) {
        let (text, style) = (text.into(), style.into());
        let Some(line) = self.0.last_mut() else {
            self.0.push(vec![Span(text, style)]);
            return;
        };
        match line.last_mut() {
            Some(Span(before, same)) if *same == style => before.push_str(&text),
            _ => line.push(Span(text, style)),
        }
    }

    /// Lines of pairs of text and style, as JSON.
    ///
    /// # Panics
    /// Never: texts can be written.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("lines of texts can be written")
    }

    /// The lines without colours.
    pub fn plain(&self) -> String {
        let mut lines = String::new();
        for spans in &self.0 {
            let line: String = spans.iter().map(|Span(text, _)| text.as_str()).collect();
            lines.push_str(line.trim_end());
            lines.push('\n');
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_styles_are_one_span() {
        let mut sketch = Sketch::default();
        sketch.put("ab", "");
        sketch.put("c ", "");
        sketch.line();
        sketch.put("d", "bold");
        sketch.put("e ", "");
        assert_eq!(sketch.plain(), "abc\nde\n");
        let json = serde_json::to_value(&sketch).unwrap();
        assert_eq!(json, serde_json::json!([[["abc ", ""]], [["d", "bold"], ["e ", ""]]]));
    }
}
