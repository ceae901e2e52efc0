//! The best assignment of cards to spaces, by the Hungarian method.

/// Most spaces of a plan.
pub(super) const ROWS: usize = 14;
/// Most cards of a player, and room for spaces that stay empty.
pub(super) const COLUMNS: usize = 56;

/// Value of each card on each space.
pub(super) type Worths = [[f64; COLUMNS]; ROWS];

/// The card for each space such that the sum is highest; there are at least as many cards as spaces.
///
/// # Panics
/// When there are fewer.
pub(super) fn assign(worths: &Worths, rows: usize, columns: usize) -> [usize; ROWS] {
    assert!(rows <= columns && rows <= ROWS && columns <= COLUMNS, "{columns} cards for {rows} spaces");
    // Rows and columns count from 1 inside; 0 stands for none.
    let mut row_price = [0.0; ROWS + 1];
    let mut column_price = [0.0; COLUMNS + 1];
    let mut row_of = [0_usize; COLUMNS + 1];
    let mut before = [0_usize; COLUMNS + 1];
    for new in 1..=rows {
        row_of[0] = new;
        let mut slack = [f64::INFINITY; COLUMNS + 1];
        let mut is_used = [false; COLUMNS + 1];
        let mut column = 0;
        while row_of[column] != 0 {
            is_used[column] = true;
            let row = row_of[column];
            let (mut least, mut next) = (f64::INFINITY, 0);
            let price = row_price[row];
            let costs = worths[row - 1].iter().zip(&column_price[1..]);
            let found = slack[1..].iter_mut().zip(&mut before[1..]).zip(&is_used[1..]);
            for (other, ((worth, column_price), ((slack, before), is_used))) in
                (1..=columns).zip(costs.zip(found))
            {
                if *is_used {
                    continue;
                }
                let cost = -worth - price - column_price;
                if cost < *slack {
                    (*slack, *before) = (cost, column);
                }
                if *slack < least {
                    (least, next) = (*slack, other);
                }
            }
            let used = is_used.iter().zip(&row_of).zip(column_price.iter_mut().zip(&mut slack));
            for ((is_used, row), (column_price, slack)) in used.take(columns + 1) {
                if *is_used {
                    row_price[*row] += least;
                    *column_price -= least;
                } else {
                    *slack -= least;
                }
            }
            column = next;
        }
        while column != 0 {
            let previous = before[column];
            row_of[column] = row_of[previous];
            column = previous;
        }
    }
    let mut card_of = [0; ROWS];
    for column in 1..=columns {
        if row_of[column] != 0 {
            card_of[row_of[column] - 1] = column - 1;
        }
    }
    card_of
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tries everything.
    fn best_sum(worths: &Worths, row: usize, rows: usize, columns: usize, used: u64) -> f64 {
        if row == rows {
            return 0.0;
        }
        let free = (0..columns).filter(|column| used >> column & 1 == 0);
        let sums = free
            .map(|column| worths[row][column] + best_sum(worths, row + 1, rows, columns, used | 1 << column));
        sums.fold(f64::NEG_INFINITY, f64::max)
    }

    #[test]
    fn nothing_is_better() {
        let mut word = 1_u32;
        for case in 0..200 {
            let (rows, columns) = (1 + case % 5, 5 + case % 3);
            let mut worths = [[0.0; COLUMNS]; ROWS];
            for row in &mut worths[..rows] {
                for worth in &mut row[..columns] {
                    word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    *worth = f64::from(word >> 28) - 5.0; // few values, so that there are ties
                }
            }
            let cards = assign(&worths, rows, columns);
            let mut used = 0_u64;
            let mut sum = 0.0;
            for row in 0..rows {
                assert_eq!(used >> cards[row] & 1, 0, "a card lies once");
                used |= 1 << cards[row];
                sum += worths[row][cards[row]];
            }
            let best = best_sum(&worths, 0, rows, columns, 0);
            assert!((sum - best).abs() < 1e-9, "{sum} and {best}");
        }
    }
}
