use engine::Shallow;
use engine::eval::shapes::Geometry;
use learn::fit::*;
use othello::*;
use rayon::prelude::*;
use std::io::Write;
struct G {
    year: u32,
    moves: Vec<u8>,
    theo: i32,
}
fn load(dir: &str) -> Vec<G> {
    let mut v = vec![];
    let mut names: Vec<_> = std::fs::read_dir(dir)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().map_or(false, |e| e == "wtb"))
        .collect();
    names.sort();
    for p in names {
        let b = std::fs::read(&p).unwrap();
        let year = u16::from_le_bytes([b[10], b[11]]) as u32;
        for g in b[16..].chunks_exact(68) {
            v.push(G {
                year,
                theo: g[7] as i32 * 2 - 64,
                moves: g[8..68].iter().copied().take_while(|&m| m != 0).collect(),
            });
        }
    }
    v
}
fn sq(m: u8) -> Square {
    Square::at(m % 10 - 1, m / 10 - 1).unwrap()
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let games = load(&a[1]);
    let share = sharing();
    let t0 = std::time::Instant::now();
    // per game: list of (empties, board, value)
    let all: Vec<Vec<(u32, Sample, bool)>> = games
        .par_iter()
        .map_init(Shallow::new, |sh, g| {
            let mut out = vec![];
            let mut game = Game::new();
            let mut v12 = None;
            let mut pos = vec![game.position()];
            for &m in &g.moves {
                if game.place(sq(m)).is_err() {
                    break;
                }
                pos.push(game.position());
            }
            for p in &pos {
                if p.board.empties().len() == 12 {
                    let s = sh.solve(p.board, -64, 64);
                    v12 = Some(if p.side == Side::Black { s } else { -s });
                }
            }
            for p in &pos {
                let e = p.board.empties().len();
                let black = if e <= 11 {
                    let s = sh.solve(p.board, -64, 64);
                    if p.side == Side::Black { s } else { -s }
                } else if e >= 24 {
                    g.theo
                } else {
                    let Some(v) = v12 else { continue };
                    if v == g.theo {
                        v
                    } else if e <= 17 {
                        v
                    } else {
                        g.theo
                    }
                };
                let exact = e <= 12 || e == 24 || v12 == Some(g.theo);
                let v = if p.side == Side::Black { black } else { -black };
                out.push((
                    e,
                    Sample {
                        board: p.board,
                        value: v as f32,
                        weight: if exact || e > 24 { 1.0 } else { 0.25 },
                    },
                    g.year >= 2018,
                ));
            }
            out
        })
        .collect();
    println!("labelled {:?}", t0.elapsed());
    let n = Geometry::shipped().n_weights;
    let mut stages: Vec<Vec<f32>> = vec![vec![]; 30];
    let fit_stage = |s: usize, prior: &[f32]| -> Vec<f32> {
        let mut tr = vec![];
        let mut te = vec![];
        for x in all.iter().flatten() {
            let st = engine::eval::pattern::stage_of(x.0);
            if st == s {
                if x.2 { te.push(x.1) } else { tr.push(x.1) }
            } else if st.abs_diff(s) == 1 && !x.2 {
                let mut y = x.1;
                y.weight *= 0.3;
                tr.push(y);
            }
        }
        let d = Design::new(&tr, &share);
        let t = Design::new(&te, &share);
        let w = fit(
            &d,
            prior,
            Settings {
                ridge: 12.0,
                max_iterations: 18,
            },
            |_, _| true,
        );
        println!(
            "stage {s}: n {} train {:.3} test {:.3} {:?}",
            tr.len(),
            d.mean_absolute_error(&w),
            t.mean_absolute_error(&w),
            t0.elapsed()
        );
        std::io::stdout().flush().unwrap();
        w
    };
    let zero = vec![0.0; n];
    stages[12] = fit_stage(12, &zero);
    for s in (0..12).rev() {
        let p = stages[s + 1].clone();
        stages[s] = fit_stage(s, &p);
    }
    for s in 13..30 {
        let p = stages[s - 1].clone();
        stages[s] = fit_stage(s, &p);
    }
    let mut bytes = vec![];
    for w in &stages {
        for i in 0..n {
            let v = (w[share[i] as usize] * 256.0)
                .round()
                .clamp(-32768.0, 32767.0) as i16;
            bytes.extend(v.to_le_bytes());
        }
    }
    std::fs::write(&a[2], bytes).unwrap();
}
