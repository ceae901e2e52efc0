//! Philox4x32-10, the counter-based generator of Salmon, Moraes, Dror and Shaw (SC 2011).

pub(crate) const MULTIPLIER: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
pub(crate) const KEY_STEP: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];
pub(crate) const ROUNDS: u32 = 10;

/// Four random words as a function of a counter and a key.
pub const fn philox(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    let [mut a, mut b, mut c, mut d] = counter;
    let [mut k0, mut k1] = key;
    let mut round = 0;
    while round < ROUNDS {
        let left = MULTIPLIER[0] as u64 * a as u64;
        let right = MULTIPLIER[1] as u64 * c as u64;
        (a, b, c, d) =
            ((right >> 32) as u32 ^ b ^ k0, right as u32, (left >> 32) as u32 ^ d ^ k1, left as u32);
        k0 = k0.wrapping_add(KEY_STEP[0]);
        k1 = k1.wrapping_add(KEY_STEP[1]);
        round += 1;
    }
    [a, b, c, d]
}

/// [`philox`] for `LANES` counters side by side, laid out so that a compiler turns it into vector code.
///
/// Words are kept in 64-bit lanes, the width of the products, so that nothing is packed between rounds. It is inlined
/// into its caller so that it takes on the caller's instruction set.
#[inline(always)]
pub fn philox_lanes<const LANES: usize>(counter: &[[u32; LANES]; 4], key: [u32; 2]) -> [[u32; LANES]; 4] {
    const LOW: u64 = u32::MAX as u64;
    let mut words = [[0_u64; LANES]; 4];
    for word in 0..4 {
        for lane in 0..LANES {
            words[word][lane] = u64::from(counter[word][lane]);
        }
    }
    let [mut a, mut b, mut c, mut d] = words;
    let [mut k0, mut k1] = key;
    for _ in 0..ROUNDS {
        for lane in 0..LANES {
            let left = u64::from(MULTIPLIER[0]) * (a[lane] & LOW);
            let right = u64::from(MULTIPLIER[1]) * (c[lane] & LOW);
            a[lane] = (right >> 32) ^ b[lane] ^ u64::from(k0);
            b[lane] = right;
            c[lane] = (left >> 32) ^ d[lane] ^ u64::from(k1);
            d[lane] = left;
        }
        k0 = k0.wrapping_add(KEY_STEP[0]);
        k1 = k1.wrapping_add(KEY_STEP[1]);
    }
    let mut out = [[0; LANES]; 4];
    for lane in 0..LANES {
        out[0][lane] = a[lane] as u32;
        out[1][lane] = b[lane] as u32;
        out[2][lane] = c[lane] as u32;
        out[3][lane] = d[lane] as u32;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The vectors published with the generator (Random123, `kat_vectors`, philox4x32 with 10 rounds).
    #[test]
    fn known_answers() {
        let vectors: [([u32; 4], [u32; 2], [u32; 4]); 3] = [
            ([0; 4], [0; 2], [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]),
            ([u32::MAX; 4], [u32::MAX; 2], [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]),
            (
                [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
                [0xa409_3822, 0x299f_31d0],
                [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1],
            ),
        ];
        for (counter, key, expected) in vectors {
            assert_eq!(philox(counter, key), expected);
        }
    }

    #[test]
    fn lanes_agree_with_the_plain_function() {
        let counter =
            std::array::from_fn(|word| std::array::from_fn(|lane| (word * 1_000_003 + lane * 97) as u32));
        let key = [0xdead_beef, 7];
        let lanes = philox_lanes::<24>(&counter, key);
        for lane in 0..24 {
            let plain = philox(std::array::from_fn(|word| counter[word][lane]), key);
            assert_eq!(plain, std::array::from_fn(|word| lanes[word][lane]));
        }
    }
}
