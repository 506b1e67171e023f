//! The rays of a square, for kernels that ask for a line by its mask.

/// File and rank step of each line's upward direction: east, south-west, south, south-east.
const STEPS: [(i8, i8); 4] = [(1, 0), (-1, 1), (0, 1), (1, 1)];

/// The squares beyond a square on each line, towards higher indices.
pub(super) const fn up(square: usize) -> [u64; 4] {
    rays(square, 1)
}

/// The squares beyond a square on each line, towards lower indices.
#[cfg(target_arch = "x86_64")]
pub(super) const fn down(square: usize) -> [u64; 4] {
    rays(square, -1)
}

const fn rays(square: usize, sign: i8) -> [u64; 4] {
    let mut rays = [0; 4];
    let mut line = 0;
    while line < 4 {
        let (file_step, rank_step) = STEPS[line];
        rays[line] = ray(square, sign * file_step, sign * rank_step);
        line += 1;
    }
    rays
}

const fn ray(square: usize, file_step: i8, rank_step: i8) -> u64 {
    let (mut file, mut rank) = ((square % 8) as i8, (square / 8) as i8);
    let mut set = 0;
    loop {
        file += file_step;
        rank += rank_step;
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            return set;
        }
        set |= 1 << (rank * 8 + file);
    }
}
