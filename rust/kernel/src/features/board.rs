//! Boards as graphs: the places of a game and how they are joined.

use serde::Serialize;

/// A board: places that are joined, and what is true of them throughout a match.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Board {
    /// Its name among the boards of the game.
    pub name: &'static str,
    /// Name of the axis of the places in the specification.
    pub axis: &'static str,
    /// Kinds of joints.
    pub kinds: Vec<&'static str>,
    /// Two places that are joined, the smaller number first, and the kind of the joint.
    pub edges: Vec<[u16; 3]>,
    /// Row and column of each place, where the places are a grid.
    pub grid: Vec<[u16; 2]>,
    /// Names of what is known of each place.
    pub facts: Vec<String>,
    /// What is known of each place, from 0 to 1, place after place.
    pub values: Vec<f32>,
}

impl Board {
    /// The edges that lead from each place, by a function that says whether two places are joined, and how.
    #[must_use]
    pub fn joined(mut self, places: u16, kind: impl Fn(u16, u16) -> Option<u16>) -> Self {
        for a in 0..places {
            let joints = (a + 1..places).filter_map(|b| kind(a, b).map(|kind| [a, b, kind]));
            self.edges.extend(joints);
        }
        self
    }

    /// Adds a category of every place, one-hot.
    #[must_use]
    pub fn with_category(mut self, name: &str, values: &[String]) -> Self {
        let mut labels: Vec<&String> = values.iter().collect();
        labels.sort();
        labels.dedup();
        for label in labels {
            let column = values.iter().map(|value| f32::from(u8::from(value == label)));
            self = self.with_fact(format!("{name}={label}"), &column.collect::<Vec<f32>>());
        }
        self
    }

    /// Adds an amount of every place, as a share of the greatest one.
    #[must_use]
    pub fn with_amount(self, name: &str, values: &[u8]) -> Self {
        let most = f32::from(values.iter().copied().max().unwrap_or(0).max(1));
        let column: Vec<f32> = values.iter().map(|&value| f32::from(value) / most).collect();
        self.with_fact(name.into(), &column)
    }

    /// Adds a column behind the others.
    fn with_fact(mut self, name: String, column: &[f32]) -> Self {
        let known = self.facts.len();
        let row = |place: usize| &self.values[place * known..][..known];
        self.values = column
            .iter()
            .enumerate()
            .flat_map(|(place, &value)| row(place).iter().copied().chain([value]).collect::<Vec<f32>>())
            .collect();
        self.facts.push(name);
        self
    }
}
