use std::fmt;

/// A set of vector instructions a hot loop can be compiled for. The choice changes speed, never a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionSet {
    /// Instructions that every machine of the target has.
    Baseline,
    /// 256-bit vectors (x86-64-v3).
    Avx2,
    /// 512-bit vectors (x86-64-v4).
    Avx512,
    /// 128-bit vectors of 64-bit ARM.
    Neon,
}

impl InstructionSet {
    const ALL: [Self; 4] = [Self::Baseline, Self::Neon, Self::Avx2, Self::Avx512];

    /// The sets this machine has, the fastest last. [`InstructionSet::Baseline`] is always among them.
    pub fn available() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|set| set.is_available())
    }

    /// The fastest set this machine has.
    pub fn best() -> Self {
        Self::available().last().unwrap_or(Self::Baseline)
    }

    /// Whether this machine has the set.
    pub fn is_available(self) -> bool {
        match self {
            Self::Baseline => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => pulp::x86::V3::is_available(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => pulp::x86::V4::is_available(),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => pulp::aarch64::Neon::is_available(),
            _ => false,
        }
    }

    /// Runs a loop compiled for this set, or for the baseline where the machine does not have it.
    ///
    /// Functions that `work` calls must be `#[inline(always)]` to be compiled for the set too.
    pub fn run<R>(self, work: impl FnOnce() -> R) -> R {
        #[cfg(target_arch = "x86_64")]
        match self {
            Self::Avx512 => {
                if let Some(token) = pulp::x86::V4::try_new() {
                    return token.vectorize(work);
                }
            }
            Self::Avx2 => {
                if let Some(token) = pulp::x86::V3::try_new() {
                    return token.vectorize(work);
                }
            }
            Self::Baseline | Self::Neon => {}
        }
        #[cfg(target_arch = "aarch64")]
        if self == Self::Neon
            && let Some(token) = pulp::aarch64::Neon::try_new()
        {
            return token.vectorize(work);
        }
        work()
    }
}

impl fmt::Display for InstructionSet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Baseline => "baseline",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Neon => "neon",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_computes_the_same() {
        let sum = || (0..1000_u32).fold(0_u32, |sum, x| sum.wrapping_mul(31).wrapping_add(x));
        for set in InstructionSet::ALL {
            assert_eq!(set.run(sum), sum(), "{set}");
        }
        assert!(InstructionSet::best().is_available());
    }
}
