//! Provinces on a grid of text cells: a map for a terminal.

use crate::Sketch;
use crate::picture::Point;

/// Columns of cells of a map.
const COLUMNS: usize = 7;
/// Rows of cells, before empty ones are left out.
const ROWS: usize = 22;
/// Characters of a cell, and of the gap behind it.
pub(crate) const CELL: usize = 16;

/// Writes a map: each text, at most [`CELL`] characters, in the free cell that is nearest to its place.
pub(crate) fn put_map(sketch: &mut Sketch, places: &[Point], cells: &[(String, String)]) {
    let mut grid = vec![[None; COLUMNS]; ROWS];
    let range = |of: fn(&Point) -> f64| {
        let values = || places.iter().map(of);
        (values().fold(f64::MAX, f64::min), values().fold(f64::MIN, f64::max))
    };
    let (across, down) = (range(|place| place.x), range(|place| place.y));
    let on = |value: f64, (least, most): (f64, f64), cells: usize| {
        (value - least) / (most - least).max(1.0) * (cells - 1) as f64
    };
    for (number, place) in places.iter().enumerate().take(cells.len()) {
        let wanted = Point::new(on(place.x, across, COLUMNS), on(place.y, down, ROWS));
        // A step across is worth two down: cells are wide.
        let distance = |row: usize, column: usize| {
            let x = 2.0 * (column as f64 - wanted.x);
            let y = row as f64 - wanted.y;
            x * x + y * y
        };
        let free = (0..ROWS)
            .flat_map(|row| (0..COLUMNS).map(move |column| (row, column)))
            .filter(|&(row, column)| grid[row][column].is_none())
            .min_by(|&a, &b| distance(a.0, a.1).total_cmp(&distance(b.0, b.1)));
        if let Some((row, column)) = free {
            grid[row][column] = Some(number);
        }
    }
    for row in grid.iter().filter(|row| row.iter().any(Option::is_some)) {
        sketch.line();
        for cell in row {
            match cell.map(|number| &cells[number]) {
                Some((text, style)) => sketch.put(format!("{text:<CELL$.CELL$}"), style.clone()),
                None => sketch.put(" ".repeat(CELL), ""),
            }
            sketch.put(" ", "");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_has_a_cell_of_its_own() {
        let places: Vec<Point> = (0..68).map(|at| Point::new(f64::from(at % 7), f64::from(at % 3))).collect();
        let cells: Vec<(String, String)> = (0..68).map(|at| (format!("<{at}>"), String::new())).collect();
        let mut sketch = Sketch::default();
        put_map(&mut sketch, &places, &cells);
        let text = sketch.plain();
        assert!(cells.iter().all(|(cell, _)| text.contains(cell)), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= COLUMNS * (CELL + 1)));
    }
}
