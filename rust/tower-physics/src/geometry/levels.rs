//! What cubes lie on inside the shaft: plates and boards from the top.

use rapier3d::na::ComplexField;

use super::{Board, Geometry};

/// A plate or a board.
pub(crate) struct Level {
    name: String,
    /// Height at the middle of what it covers; of a plate the underside.
    height_mm: f64,
    /// What it covers, in the frame of the file: x and y from the middle of the shaft.
    x_mm: [f64; 2],
    y_mm: [f64; 2],
    /// How much it falls for each millimetre of x.
    down: f64,
}

impl Level {
    /// Whether a cube with its middle there, in the frame of the scene, lies on it.
    pub(crate) fn carries(&self, [forward, left, height]: [f64; 3], edge_mm: f64) -> bool {
        let (x, y) = (-left, forward);
        let near = |value: f64, [from, to]: [f64; 2]| (from - edge_mm..=to + edge_mm).contains(&value);
        let [from, to] = self.x_mm;
        let middle = f64::midpoint(from, to);
        near(x, self.x_mm)
            && near(y, self.y_mm)
            && height > self.height_mm - (x.clamp(from, to) - middle) * self.down
    }
}

impl Geometry {
    /// Plates and boards from the top.
    pub(crate) fn levels(&self) -> Vec<Level> {
        let half = self.shaft.inner_mm / 2.0;
        let plate = |name: &str, height_mm: f64, thickness_mm: f64| Level {
            name: name.into(),
            height_mm: height_mm - thickness_mm / 2.0,
            x_mm: [-half, half],
            y_mm: [-half, half],
            down: 0.0,
        };
        let upper =
            self.upper_plate.iter().map(|upper| plate("upper plate", upper.height_mm, upper.thickness_mm));
        let lower =
            self.lower_plate.iter().map(|lower| plate("lower plate", lower.height_mm, lower.thickness_mm));
        let mut boards: Vec<&Board> = self.boards.iter().collect();
        boards.sort_by(|one, other| other.height_mm.total_cmp(&one.height_mm));
        let boards = boards.into_iter().zip(1..).map(|(board, number)| Level {
            name: format!("board {number}"),
            height_mm: board.height_mm,
            x_mm: board.x_mm,
            y_mm: board.y_mm,
            down: ComplexField::tan(board.down_x_degrees.to_radians()),
        });
        let mut levels: Vec<Level> = upper.chain(lower).chain(boards).collect();
        levels.sort_by(|one, other| other.height_mm.total_cmp(&one.height_mm));
        levels
    }

    /// Names of the places inside that a cube can lie at, from the top: plates, boards (`board 1` is the highest) and the
    /// ramp.
    pub fn level_names(&self) -> Vec<String> {
        self.levels().into_iter().map(|level| level.name).chain(["ramp".into()]).collect()
    }
}

impl Board {
    /// Its lowest and its highest point.
    pub(crate) fn reach_mm(&self) -> [f64; 2] {
        let angle = self.down_x_degrees.to_radians();
        let across = (self.x_mm[1] - self.x_mm[0]) / 2.0 * ComplexField::tan(angle).abs();
        let up = across + self.thickness_mm / 2.0 * ComplexField::cos(angle);
        [self.height_mm - up, self.height_mm + up]
    }
}
