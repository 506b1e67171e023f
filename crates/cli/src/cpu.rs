//! Whether this processor can run this build, and with which kernels, asked before anything else.
//!
//! An x86-64-v3 build on an older processor would die with an illegal instruction and no word.
//! `is_x86_feature_detected!` cannot help: in a build that targets a feature it is the constant
//! `true`. So this module reads CPUID itself.

use anyhow::Context as _;
use othello::tier::Tier;

/// Why this build cannot run here and which one can, if so.
pub(crate) fn complaint() -> Option<&'static str> {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    if !x86_64_v3::Cpuid::read().has_all_features() {
        return Some(
            "this processor lacks AVX2, BMI2 or another x86-64-v3 feature; take the x86-64-v2 \
             build (from source: RUSTFLAGS=\"-C target-cpu=x86-64-v2\" cargo build --release)",
        );
    }
    None
}

/// Which kernels the solver uses in place of the fastest that the processor can run.
const KERNELS: &str = "KIBITZ_KERNELS";

/// Has the solver use the kernels that the environment names, if it does: for comparing them.
pub(crate) fn choose_kernels() -> anyhow::Result<()> {
    let Some(name) = std::env::var_os(KERNELS) else {
        return Ok(());
    };
    let tier: Tier = name.to_string_lossy().parse().context(KERNELS)?;
    tier.choose();
    Ok(())
}

#[cfg(all(target_arch = "x86_64", any(target_feature = "avx2", test)))]
mod x86_64_v3 {
    use std::arch::x86_64::{__cpuid, __cpuid_count};

    /// The answers of the processor that tell its level (Intel SDM volume 2A, CPUID).
    #[derive(Debug, Clone, Copy, Default)]
    pub(super) struct Cpuid {
        leaf_1_ecx: u32,
        leaf_7_ebx: u32,
        extended_1_ecx: u32,
        /// Bytes that saving the enabled register state takes.
        save_area: u32,
    }

    /// FMA, MOVBE, POPCNT, OSXSAVE, AVX, F16C.
    const LEAF_1_ECX: u32 = 1 << 12 | 1 << 22 | 1 << 23 | 1 << 27 | 1 << 28 | 1 << 29;
    /// BMI1, AVX2, BMI2.
    const LEAF_7_EBX: u32 = 1 << 3 | 1 << 5 | 1 << 8;
    /// LZCNT.
    const EXTENDED_1_ECX: u32 = 1 << 5;
    /// 512 bytes of legacy state, 64 of header, 256 for the upper halves of the AVX registers: it
    /// is smaller when the operating system has not switched AVX on.
    const SAVE_AREA_WITH_AVX: u32 = 512 + 64 + 256;

    impl Cpuid {
        pub(super) fn read() -> Self {
            let basic = |leaf| (__cpuid(0).eax >= leaf).then(|| __cpuid_count(leaf, 0));
            let extended = (__cpuid(0x8000_0000).eax > 0x8000_0000).then(|| __cpuid(0x8000_0001));
            Self {
                leaf_1_ecx: basic(1).map_or(0, |leaf| leaf.ecx),
                leaf_7_ebx: basic(7).map_or(0, |leaf| leaf.ebx),
                extended_1_ecx: extended.map_or(0, |leaf| leaf.ecx),
                save_area: basic(13).map_or(0, |leaf| leaf.ebx),
            }
        }

        pub(super) const fn has_all_features(self) -> bool {
            self.leaf_1_ecx & LEAF_1_ECX == LEAF_1_ECX
                && self.leaf_7_ebx & LEAF_7_EBX == LEAF_7_EBX
                && self.extended_1_ecx & EXTENDED_1_ECX == EXTENDED_1_ECX
                && self.save_area >= SAVE_AREA_WITH_AVX
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        const HASWELL: Cpuid = Cpuid {
            leaf_1_ecx: 0x7ffa_fbff,
            leaf_7_ebx: 0x0000_27ab,
            extended_1_ecx: 0x0000_0021,
            save_area: 0x340,
        };

        #[test]
        fn every_single_feature_is_asked_for() {
            assert!(HASWELL.has_all_features());
            assert!(!Cpuid::default().has_all_features());
            for bit in 0..32 {
                let without = |word: u32| word & !(1 << bit);
                let needed = |mask: u32| mask >> bit & 1 == 1;
                let mut cpu = HASWELL;
                cpu.leaf_1_ecx = without(cpu.leaf_1_ecx);
                assert_eq!(cpu.has_all_features(), !needed(LEAF_1_ECX));
                let mut cpu = HASWELL;
                cpu.leaf_7_ebx = without(cpu.leaf_7_ebx);
                assert_eq!(cpu.has_all_features(), !needed(LEAF_7_EBX));
                let mut cpu = HASWELL;
                cpu.extended_1_ecx = without(cpu.extended_1_ecx);
                assert_eq!(cpu.has_all_features(), !needed(EXTENDED_1_ECX));
            }
        }

        #[test]
        fn avx_that_the_operating_system_keeps_off_does_not_count() {
            let cpu = Cpuid {
                save_area: 576,
                ..HASWELL
            };
            assert!(!cpu.has_all_features());
        }

        /// Where both can answer, ours and the standard library's agree.
        #[test]
        fn the_standard_library_agrees() {
            let detected = std::is_x86_feature_detected!("avx2")
                && std::is_x86_feature_detected!("bmi1")
                && std::is_x86_feature_detected!("bmi2")
                && std::is_x86_feature_detected!("fma")
                && std::is_x86_feature_detected!("lzcnt")
                && std::is_x86_feature_detected!("movbe")
                && std::is_x86_feature_detected!("f16c")
                && std::is_x86_feature_detected!("popcnt");
            assert_eq!(Cpuid::read().has_all_features(), detected);
        }
    }
}
