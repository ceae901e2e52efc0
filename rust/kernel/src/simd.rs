//! Hand-written SIMD kernels, one per instruction set.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{__m256i, __m512i};

use pulp::bytemuck::cast;
#[cfg(target_arch = "x86_64")]
use pulp::x86::{V3, V4};

use crate::philox::{KEY_STEP, MULTIPLIER, ROUNDS};
use crate::{InstructionSet, philox_lanes};

/// Blocks of the generator computed at a time: this many vectors hide each other's latency.
pub(crate) const LANES: usize = 32;
/// A block of the generator as halves of its words, the low half first.
pub(crate) type Block = [u16; 8];

/// Operations on whole vectors. Every set gives the same results.
pub(crate) trait Simd: Copy {
    /// The blocks of this counter and those that follow in its first word.
    fn blocks(self, counter: [u32; 4], key: [u32; 2], made: &mut [Block; LANES]);

    /// Which of the numbers are below the threshold, a bit for each.
    fn below(self, numbers: &[u16; 32], threshold: u16) -> u32;
}

/// Work that is compiled for each set.
pub(crate) trait Work {
    type Output;
    /// Runs the kernel. It must be `#[inline(always)]`, as everything it calls.
    fn run(self, simd: impl Simd) -> Self::Output;
}

impl InstructionSet {
    /// Runs work compiled for this set, or for the baseline where the machine does not have it.
    #[inline(always)]
    pub(crate) fn run_with<W: Work>(self, work: W) -> W::Output {
        #[cfg(target_arch = "x86_64")]
        match self {
            Self::Avx512 => {
                if let Some(set) = V4::try_new() {
                    return set.vectorize(
                        #[inline(always)]
                        || work.run(set),
                    );
                }
            }
            Self::Avx2 => {
                if let Some(set) = V3::try_new() {
                    return set.vectorize(
                        #[inline(always)]
                        || work.run(set),
                    );
                }
            }
            Self::Baseline | Self::Neon => {}
        }
        self.run(
            #[inline(always)]
            || work.run(Plain),
        )
    }
}

/// Computes blocks with [`philox_lanes`], several at a time; the best number for each set was measured.
#[inline(always)]
fn in_groups<const GROUP: usize>(counter: [u32; 4], key: [u32; 2], made: &mut [Block; LANES]) {
    for (group, made) in made.chunks_exact_mut(GROUP).enumerate() {
        let mut counters = counter.map(|word| [word; GROUP]);
        for lane in 0..GROUP {
            counters[0][lane] = counter[0].wrapping_add((GROUP * group + lane) as u32);
        }
        let words = philox_lanes(&counters, key);
        for lane in 0..GROUP {
            for half in 0..8 {
                made[lane][half] = (words[half / 2][lane] >> (16 * (half % 2))) as u16;
            }
        }
    }
}

/// Whatever the compiler makes of it.
#[derive(Clone, Copy)]
struct Plain;

impl Simd for Plain {
    #[inline(always)]
    fn blocks(self, counter: [u32; 4], key: [u32; 2], made: &mut [Block; LANES]) {
        in_groups::<16>(counter, key, made);
    }

    #[inline(always)]
    fn below(self, numbers: &[u16; 32], threshold: u16) -> u32 {
        let mut bits = [0_u16; 2];
        for part in 0..2 {
            for place in 0..16 {
                bits[part] |= if numbers[16 * part + place] < threshold { 1 << place } else { 0 };
            }
        }
        u32::from(bits[0]) | u32::from(bits[1]) << 16
    }
}

#[cfg(target_arch = "x86_64")]
impl Simd for V3 {
    #[inline(always)]
    fn blocks(self, counter: [u32; 4], key: [u32; 2], made: &mut [Block; LANES]) {
        in_groups::<32>(counter, key, made);
    }

    #[inline(always)]
    fn below(self, numbers: &[u16; 32], threshold: u16) -> u32 {
        let threshold = self.avx._mm256_set1_epi16(threshold.cast_signed());
        // What is left of the threshold is 0 for those that are not below, also after the packing into bytes.
        let [low, high]: [__m256i; 2] = cast(*numbers);
        let low = self.avx2._mm256_subs_epu16(threshold, low);
        let high = self.avx2._mm256_subs_epu16(threshold, high);
        let packed = self.avx2._mm256_packs_epi16(low, high);
        let packed = self.avx2._mm256_permute4x64_epi64::<0b11_01_10_00>(packed);
        let above = self.avx2._mm256_cmpeq_epi8(packed, self.avx._mm256_setzero_si256());
        !self.avx2._mm256_movemask_epi8(above).cast_unsigned()
    }
}

#[cfg(target_arch = "x86_64")]
impl Simd for V4 {
    /// The rounds of [`crate::philox`] in 64-bit lanes, the width of the products; the upper half of what is multiplied is
    /// ignored. A product's high half comes down by a shuffle: a shift would wait for the unit that multiplies.
    #[inline(always)]
    fn blocks(self, counter: [u32; 4], key: [u32; 2], made: &mut [Block; LANES]) {
        const GROUPS: usize = LANES / 8;
        const ORDER: [[u64; 8]; 2] = [[0, 8, 1, 9, 2, 10, 3, 11], [4, 12, 5, 13, 6, 14, 7, 15]];
        let set = self.avx512f;
        let multiplier = [all(self, MULTIPLIER[0]), all(self, MULTIPLIER[1])];
        let mut words = [[all(self, 0); 4]; GROUPS];
        for group in 0..GROUPS {
            let lanes: [u64; 8] = std::array::from_fn(|lane| (8 * group + lane) as u64);
            words[group][0] = set._mm512_add_epi64(all(self, counter[0]), cast(lanes));
            for word in 1..4 {
                words[group][word] = all(self, counter[word]);
            }
        }
        let mut key = key;
        for _ in 1..ROUNDS {
            let [k0, k1] = [all(self, key[0]), all(self, key[1])];
            for group in 0..GROUPS {
                let [a, b, c, d] = words[group];
                let left = set._mm512_mul_epu32(a, multiplier[0]);
                let right = set._mm512_mul_epu32(c, multiplier[1]);
                let [high_left, high_right] = [
                    set._mm512_shuffle_epi32::<0b11_11_01_01>(left),
                    set._mm512_shuffle_epi32::<0b11_11_01_01>(right),
                ];
                words[group] = [
                    set._mm512_ternarylogic_epi64::<0b1001_0110>(high_right, b, k0),
                    right,
                    set._mm512_ternarylogic_epi64::<0b1001_0110>(high_left, d, k1),
                    left,
                ];
            }
            key = [key[0].wrapping_add(KEY_STEP[0]), key[1].wrapping_add(KEY_STEP[1])];
        }
        for (group, made) in made.chunks_exact_mut(8).enumerate() {
            let [a, b, c, d] = words[group];
            let ab = last_round(self, set._mm512_mul_epu32(c, multiplier[1]), b, key[0]);
            let cd = last_round(self, set._mm512_mul_epu32(a, multiplier[0]), d, key[1]);
            for (made, order) in made.chunks_exact_mut(4).zip(ORDER) {
                made.copy_from_slice(&cast::<_, [Block; 4]>(set._mm512_permutex2var_epi64(
                    ab,
                    cast(order),
                    cd,
                )));
            }
        }
    }

    #[inline(always)]
    fn below(self, numbers: &[u16; 32], threshold: u16) -> u32 {
        let threshold = self.avx512f._mm512_set1_epi16(threshold.cast_signed());
        self.avx512bw._mm512_cmplt_epu16_mask(cast(*numbers), threshold)
    }
}

/// A word in all lanes.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn all(set: V4, word: u32) -> __m512i {
    set.avx512f._mm512_set1_epi64(word.into())
}

/// Two words side by side: the high half of the product, mixed, and its low half.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn last_round(set: V4, product: __m512i, other: __m512i, key: u32) -> __m512i {
    const LOW: u16 = 0x5555;
    let swapped = set.avx512f._mm512_shuffle_epi32::<0b10_11_00_01>(product);
    let mix = set.avx512f._mm512_xor_si512(other, all(set, key));
    set.avx512f._mm512_mask_xor_epi32(swapped, LOW, swapped, mix)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::philox;

    struct Both<'a>([u32; 4], [u32; 2], &'a [u16; 32], u16);

    impl Work for Both<'_> {
        type Output = (Vec<Block>, u32);

        #[inline(always)]
        fn run(self, simd: impl Simd) -> Self::Output {
            let mut made = [[0; 8]; LANES];
            simd.blocks(self.0, self.1, &mut made);
            (made.to_vec(), simd.below(self.2, self.3))
        }
    }

    proptest! {
        #[test]
        fn every_set_agrees_with_plain_code(
            counter: [u32; 4],
            key: [u32; 2],
            numbers: [u16; 32],
            place in 0_usize..32,
            near in -1_i32..=1,
            end in prop_oneof![Just(0_u32), Just(u32::MAX - 5), any::<u32>()],
        ) {
            // thresholds at and beside one of the numbers; counters that run over
            let threshold = (i32::from(numbers[place]) + near).clamp(0, 65_535) as u16;
            let counter = [end, counter[1], counter[2], counter[3]];
            let blocks: Vec<Block> = (0..LANES as u32)
                .map(|lane| {
                    let words = philox([counter[0].wrapping_add(lane), counter[1], counter[2], counter[3]], key);
                    std::array::from_fn(|half| (words[half / 2] >> (16 * (half % 2))) as u16)
                })
                .collect();
            let bits = (0..32).fold(0, |bits, place| bits | u32::from(numbers[place] < threshold) << place);
            for set in InstructionSet::available() {
                let found = set.run_with(Both(counter, key, &numbers, threshold));
                prop_assert_eq!(found, (blocks.clone(), bits), "{}", set);
            }
        }
    }
}
