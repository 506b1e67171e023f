//! Laws of the formats that this room reads.

mod laws;

use learn::td::{Settings, Trainer};
use othello::sample::SplitMix64;

/// Real checkpoints with random damage, before and behind the checksum's back.
#[test]
fn damaged_checkpoints_are_errors() {
    let fresh = Trainer::new(Settings::default()).expect("there is memory");
    let whole = fresh.to_checkpoint().expect("memory can be written to");
    // Behind the header begins what the checksum is of.
    laws::checkpoint(&whole);
    let body = &whole[44..];
    let mut random = SplitMix64::new(3);
    for round in 0..60 {
        let mut damaged = if round % 2 == 0 { &whole } else { body }.to_vec();
        for _ in 0..=random.below(3) {
            let at = random.below(damaged.len() as u32) as usize;
            damaged[at] = random.next_u64() as u8;
        }
        if round % 5 == 0 {
            damaged.truncate(random.below(damaged.len() as u32) as usize);
        }
        laws::checkpoint(&damaged);
    }
}
