//! How good a position is: facts of each seat, turned into shares of the victory.

use sengoku_kernel::MAX_SEATS;

/// Turns a score of each seat into shares that sum to one. Only basic operations are used, so that every machine
/// gives the same result.
fn to_shares(scores: &[f32], out: &mut [f32]) {
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

/// Neurons of a network.
const HIDDEN: usize = 32;

/// An evaluation network: the facts of a seat and the mean of everybody else's go through one layer of neurons and become a score.
/// Sums are made in the order of the facts, so that every machine gives the same result.
#[derive(Debug)]
pub(crate) struct Network<const FACTS: usize> {
    own: [[f32; HIDDEN]; FACTS],
    others: [[f32; HIDDEN]; FACTS],
    start: [f32; HIDDEN],
    out: [f32; HIDDEN],
    direct: [f32; FACTS],
}

impl<const FACTS: usize> Network<FACTS> {
    /// Reads the numbers that `tests/bench/fit_evaluation.py` writes.
    ///
    /// # Panics
    /// Where there are more or fewer numbers than the network has: the files are part of the crate.
    pub(crate) fn read(text: &str) -> Self {
        let mut numbers = text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .flat_map(str::split_ascii_whitespace)
            .map(|number| number.parse::<f32>().expect("weights are numbers"));
        let mut next = || numbers.next().expect("there is a weight for every fact and neuron");
        let mut row = || std::array::from_fn(|_| next());
        let network = Self {
            own: std::array::from_fn(|_| row()),
            others: std::array::from_fn(|_| row()),
            start: row(),
            out: row(),
            direct: std::array::from_fn(|_| next()),
        };
        assert!(numbers.next().is_none(), "there is a fact or a neuron for every weight");
        network
    }

    /// The share of the victory that each seat may hope for; those without facts are out.
    pub(crate) fn evaluate(&self, facts: &[Option<[f32; FACTS]>], shares: &mut [f32]) {
        let mut sums = [0.0; FACTS];
        for facts in facts.iter().flatten() {
            for (sum, fact) in sums.iter_mut().zip(facts) {
                *sum += fact;
            }
        }
        let part = 1.0 / (facts.len() - 1) as f32;
        let mut scores = [OUT; MAX_SEATS];
        for (score, facts) in scores.iter_mut().zip(facts) {
            if let Some(facts) = facts {
                let others = std::array::from_fn(|fact| (sums[fact] - facts[fact]) * part);
                *score = self.score(facts, &others);
            }
        }
        to_shares(&scores[..facts.len()], shares);
    }

    fn score(&self, own: &[f32; FACTS], others: &[f32; FACTS]) -> f32 {
        let mut neurons = self.start;
        for (facts, weights) in [(own, &self.own), (others, &self.others)] {
            for (fact, weights) in facts.iter().zip(weights) {
                for (neuron, weight) in neurons.iter_mut().zip(weights) {
                    *neuron += fact * weight;
                }
            }
        }
        let mut score = 0.0;
        for (fact, weight) in own.iter().zip(&self.direct) {
            score += fact * weight;
        }
        for (neuron, weight) in neurons.iter().zip(&self.out) {
            score += neuron.max(0.0) * weight;
        }
        score
    }
}

/// Score of an eliminated seat.
const OUT: f32 = -30.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_sum_to_one_and_follow_the_scores() {
        let mut out = [0.0; 3];
        to_shares(&[1.0, 1.0, 1.0], &mut out);
        assert!(out.iter().all(|share| (share - 1.0 / 3.0).abs() < 1e-6));
        to_shares(&[0.0, 2.0, -40.0], &mut out);
        assert!((out.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!(out[1] > 0.87 && out[1] < 0.89 && out[2] < 1e-5);
    }

    #[test]
    fn a_network_is_what_its_weights_say() {
        // A neuron sees the first fact of the seat, another the second fact of the others; one fact counts directly.
        let mut numbers = vec![0.0; 4 * HIDDEN + 2 * HIDDEN + 2];
        numbers[0] = 2.0;
        numbers[3 * HIDDEN + 1] = -1.0;
        numbers[4 * HIDDEN + 1] = 1.5;
        (numbers[5 * HIDDEN], numbers[5 * HIDDEN + 1]) = (0.5, 3.0);
        numbers[6 * HIDDEN + 1] = 0.25;
        let text: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        let network = Network::<2>::read(&format!("# a comment\n{}", text.join("\n")));
        let scored = |own, others, score: f32| (network.score(own, others) - score).abs() < 1e-6;
        assert!(scored(&[3.0, 4.0], &[7.0, 0.5], 0.5 * 6.0 + 3.0 * 1.0 + 0.25 * 4.0));
        assert!(scored(&[-3.0, 4.0], &[7.0, 2.0], 0.25 * 4.0));
        let mut out = [0.0; 3];
        network.evaluate(&[Some([1.0, 1.0]), None, Some([1.0, 1.0])], &mut out);
        assert!((out[0] - 0.5).abs() < 1e-6 && (out[2] - 0.5).abs() < 1e-6 && out[1] < 1e-6);
    }

    #[test]
    fn the_series_is_the_exponential() {
        for step in 0..=120 {
            let power = -f32::from(step as u8) / 8.0;
            assert!((exponential(power) / power.exp() - 1.0).abs() < 1e-2, "{power}");
        }
    }
}
