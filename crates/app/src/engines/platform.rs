//! What kind of computer this is, as far as builds of engines differ.

use std::fmt;

/// Instructions that some builds need, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    Avx512,
    Bmi2,
    Avx2,
    Popcnt,
}

impl Feature {
    /// All, the best first: the order in which builds are tried.
    pub const ALL: [Self; 4] = [Self::Avx512, Self::Bmi2, Self::Avx2, Self::Popcnt];

    /// The name in the keys of builds.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Avx512 => "avx512",
            Self::Bmi2 => "bmi2",
            Self::Avx2 => "avx2",
            Self::Popcnt => "popcnt",
        }
    }
}

/// What decides which builds of an engine a computer can run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Platform {
    /// `linux`, `darwin` or `windows`.
    pub os: String,
    /// `amd64` or `arm64`.
    pub arch: String,
    pub features: Vec<Feature>,
    /// Whether an instruction of BMI2 that chess engines use much (PEXT) is slow, as on AMD's
    /// processors before Zen 3: then a build with AVX2 is faster.
    pub has_slow_pext: bool,
}

/// `linux-amd64 with bmi2, avx2, popcnt`.
impl fmt::Display for Platform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.os, self.arch)?;
        let names: Vec<&str> = self.features.iter().map(|it| it.name()).collect();
        if !names.is_empty() {
            write!(f, " with {}", names.join(", "))?;
        }
        Ok(())
    }
}

impl Platform {
    /// The computer that this program runs on.
    pub fn here() -> Self {
        let os = match std::env::consts::OS {
            "macos" => "darwin",
            other => other,
        };
        let arch = match std::env::consts::ARCH {
            "x86_64" => "amd64",
            "aarch64" => "arm64",
            other => other,
        };
        Self {
            os: os.to_owned(),
            arch: arch.to_owned(),
            features: features(),
            has_slow_pext: has_slow_pext(),
        }
    }

    /// The keys of builds that run here, the best first.
    pub fn keys(&self) -> Vec<String> {
        let base = format!("{}-{}", self.os, self.arch);
        let usable = |feature: &Feature| {
            self.features.contains(feature) && !(self.has_slow_pext && *feature == Feature::Bmi2)
        };
        let special = Feature::ALL.into_iter().filter(usable);
        let mut keys: Vec<String> = special
            .map(|feature| format!("{base}-{}", feature.name()))
            .collect();
        keys.push(base);
        keys
    }
}

#[cfg(target_arch = "x86_64")]
fn features() -> Vec<Feature> {
    let has = |feature| match feature {
        Feature::Avx512 => {
            std::arch::is_x86_feature_detected!("avx512f")
                && std::arch::is_x86_feature_detected!("avx512bw")
        }
        Feature::Bmi2 => {
            std::arch::is_x86_feature_detected!("bmi2")
                && std::arch::is_x86_feature_detected!("avx2")
        }
        Feature::Avx2 => std::arch::is_x86_feature_detected!("avx2"),
        Feature::Popcnt => std::arch::is_x86_feature_detected!("popcnt"),
    };
    Feature::ALL.into_iter().filter(|&it| has(it)).collect()
}

#[cfg(not(target_arch = "x86_64"))]
fn features() -> Vec<Feature> {
    Vec::new()
}

/// Zen 3 is family 19h.
#[cfg(target_arch = "x86_64")]
fn has_slow_pext() -> bool {
    let cpu = raw_cpuid::CpuId::new();
    let is_amd = cpu
        .get_vendor_info()
        .is_some_and(|vendor| matches!(vendor.as_str(), "AuthenticAMD" | "HygonGenuine"));
    is_amd
        && cpu
            .get_feature_info()
            .is_some_and(|it| it.family_id() < 0x19)
}

#[cfg(not(target_arch = "x86_64"))]
fn has_slow_pext() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_are_tried_best_first_and_slow_ones_are_left_out() {
        let mut platform = Platform {
            os: "linux".to_owned(),
            arch: "amd64".to_owned(),
            features: vec![Feature::Bmi2, Feature::Avx2, Feature::Popcnt],
            has_slow_pext: false,
        };
        assert_eq!(
            platform.keys(),
            [
                "linux-amd64-bmi2",
                "linux-amd64-avx2",
                "linux-amd64-popcnt",
                "linux-amd64"
            ]
        );
        platform.has_slow_pext = true;
        assert_eq!(
            platform.keys(),
            ["linux-amd64-avx2", "linux-amd64-popcnt", "linux-amd64"]
        );
        assert_eq!(platform.to_string(), "linux-amd64 with bmi2, avx2, popcnt");
    }
}
