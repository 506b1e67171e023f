//! The one checksum of the project's files: 64-bit FNV-1a.
//!
//! It tells a damaged file from a whole one. It proves nothing about who wrote a file.

/// A checksum on its way through values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checksum(u64);

impl Default for Checksum {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Checksum {
    /// The checksum with one more value behind the others; a file's values are its bytes.
    #[must_use]
    pub const fn and(self, value: u64) -> Self {
        Self((self.0 ^ value).wrapping_mul(0x0000_0100_0000_01b3))
    }

    /// The number that files keep.
    pub const fn value(self) -> u64 {
        self.0
    }
}

/// The checksum of bytes.
pub fn checksum(bytes: &[u8]) -> u64 {
    let sum = bytes
        .iter()
        .fold(Checksum::default(), |sum, &byte| sum.and(byte.into()));
    sum.value()
}

#[cfg(test)]
mod tests {
    use super::checksum;

    /// Test vectors of the algorithm's authors.
    #[test]
    fn published_vectors() {
        assert_eq!(checksum(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(checksum(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(checksum(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
