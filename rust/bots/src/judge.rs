//! How good a position is: a linear judgement of each seat, turned into shares of the victory.

/// Turns a score of each seat into shares that sum to one. Only basic operations are used, so that every machine
/// judges alike.
pub(crate) fn shares(scores: &[f32], out: &mut [f32]) {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for (share, &score) in out.iter_mut().zip(scores) {
        *share = exponential(score - most);
        sum += *share;
    }
    for share in out {
        *share /= sum;
    }
}

/// `e` to a power that is not above zero: the product of sixteen equal factors, each a short series.
fn exponential(power: f32) -> f32 {
    let part = power.clamp(-16.0, 0.0) / 16.0;
    // On -1..=0 the series is exact to 5e-4 after the sixth power; its sixteenth power is to 8e-3, relatively.
    let rest = 1.0 / 24.0 + part * (1.0 / 120.0 + part / 720.0);
    let near = 1.0 + part * (1.0 + part * (0.5 + part * (1.0 / 6.0 + part * rest)));
    let squared = near * near;
    let fourth = squared * squared;
    let eighth = fourth * fourth;
    eighth * eighth
}

/// The sum of facts, each times its weight.
pub(crate) fn weigh<const N: usize>(facts: &[f32; N], weights: &[f32; N]) -> f32 {
    facts.iter().zip(weights).map(|(fact, weight)| fact * weight).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_sum_to_one_and_follow_the_scores() {
        let mut out = [0.0; 3];
        shares(&[1.0, 1.0, 1.0], &mut out);
        assert!(out.iter().all(|share| (share - 1.0 / 3.0).abs() < 1e-6));
        shares(&[0.0, 2.0, -40.0], &mut out);
        assert!((out.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!(out[1] > 0.87 && out[1] < 0.89 && out[2] < 1e-5);
    }

    #[test]
    fn the_series_is_the_exponential() {
        for step in 0..=120 {
            let power = -f32::from(step as u8) / 8.0;
            assert!((exponential(power) / power.exp() - 1.0).abs() < 1e-2, "{power}");
        }
    }
}
