//! The features of actions: their kinds, places, amounts and names as numbers.

use serde::Serialize;

use super::Features;
use crate::spec::{Axis, Spec};

/// Most values of a number that also are one-hot.
const MAX_VALUES: u32 = 16;

/// A row of numbers for each entry of the action table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ActionFeatures {
    /// Names of the columns.
    pub names: Vec<String>,
    /// Rows of [`ActionFeatures::names`], entry after entry.
    #[serde(skip)]
    pub values: Vec<f32>,
    /// Number of the board's place that an entry names, -1 for none.
    #[serde(skip)]
    pub places: Vec<i32>,
}

/// Columns of an argument.
struct Argument {
    name: &'static str,
    /// Names of the one-hot columns.
    labels: Vec<String>,
    /// Largest absolute value of a number; 0 for names.
    most: i32,
}

impl Argument {
    fn columns(&self) -> Vec<String> {
        let amount = (self.most > 0).then(|| self.name.to_owned());
        amount.into_iter().chain(self.labels.iter().map(|label| format!("{}={label}", self.name))).collect()
    }
}

impl Features {
    /// The features of the actions of a specification, which must be that of these features.
    pub fn actions(&self, spec: &Spec) -> ActionFeatures {
        let places = self.places();
        let mut kinds: Vec<&str> = Vec::new();
        let mut arguments: Vec<Argument> = Vec::new();
        for kind in &spec.actions {
            if !kinds.contains(&kind.name) {
                kinds.push(kind.name);
            }
            for axis in &kind.axes {
                note(&mut arguments, axis, &places);
            }
        }
        let mut names: Vec<String> = kinds.iter().map(|kind| format!("kind={kind}")).collect();
        let firsts: Vec<usize> = arguments
            .iter()
            .map(|argument| {
                names.extend(argument.columns());
                names.len() - argument.columns().len()
            })
            .collect();
        let width = names.len();
        let mut values = vec![0.0; width * spec.action_count as usize];
        let mut of_board = vec![-1; spec.action_count as usize];
        for (index, row) in values.chunks_exact_mut(width).enumerate() {
            let Some((kind, place)) = spec.action(index as u32) else { continue };
            row[kinds.iter().position(|&name| name == kind.name).unwrap_or(0)] = 1.0;
            for axis in &kind.axes {
                let at = place / axis.stride % axis.size;
                let name = name_of(axis, &places);
                let Some(number) = arguments.iter().position(|argument| argument.name == name) else {
                    continue;
                };
                let (argument, mut first) = (&arguments[number], firsts[number]);
                if argument.most > 0 {
                    row[first] = (axis.first + at.cast_signed() * axis.step) as f32 / argument.most as f32;
                    first += 1;
                }
                let value = axis.value(at);
                if let Some(label) = argument.labels.iter().position(|label| *label == value) {
                    row[first + label] = 1.0;
                }
                if name == PLACE {
                    of_board[index] = at.cast_signed();
                }
            }
        }
        ActionFeatures { names, values, places: of_board }
    }

    /// Names of the places of the board.
    fn places(&self) -> Vec<String> {
        let axis = self.boards.first().map(|board| board.axis);
        let axes = self.fields.iter().filter_map(|field| field.axes.first());
        let found = axes.filter(|found| Some(found.name) == axis).map(|found| found.labels.clone()).next();
        found.unwrap_or_default()
    }
}

/// Name of an argument that is a place of the board.
const PLACE: &str = "place";

fn name_of(axis: &Axis, places: &[String]) -> &'static str {
    if !places.is_empty() && axis.labels == places { PLACE } else { axis.name }
}

/// Adds the values along an axis to those of its argument.
fn note(arguments: &mut Vec<Argument>, axis: &Axis, places: &[String]) {
    let name = name_of(axis, places);
    let number = arguments.iter().position(|argument| argument.name == name).unwrap_or_else(|| {
        arguments.push(Argument { name, labels: Vec::new(), most: 0 });
        arguments.len() - 1
    });
    let argument = &mut arguments[number];
    if axis.labels.is_empty() {
        let last = axis.first + (axis.size.cast_signed() - 1) * axis.step;
        argument.most = argument.most.max(axis.first.abs()).max(last.abs());
        if axis.size > MAX_VALUES {
            return;
        }
    }
    for label in (0..axis.size).map(|at| axis.value(at)) {
        if !argument.labels.contains(&label) {
            argument.labels.push(label);
        }
    }
}
