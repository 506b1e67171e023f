use learn::fit::*;
use othello::*;
use std::io::Write;
// crude WTHOR
pub struct G {
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
    let mut train = vec![];
    let mut test = vec![];
    for g in &games {
        let mut game = Game::new();
        for &m in &g.moves {
            if game.place(sq(m)).is_err() {
                break;
            }
            let p = game.position();
            if p.board.empties().len() == 24 {
                // theo is black's
                let v = if p.side == Side::Black {
                    g.theo
                } else {
                    -g.theo
                };
                let s = Sample {
                    board: p.board,
                    value: v as f32,
                    weight: 1.0,
                };
                if g.year >= 2018 {
                    test.push(s)
                } else {
                    train.push(s)
                }
            }
        }
    }
    println!("{} {}", train.len(), test.len());
    let d = Design::new(&train, &share);
    let t = Design::new(&test, &share);
    for ridge in [6.0, 10.0, 16.0] {
        let w = fit(
            &d,
            &vec![0.0; share.len()],
            Settings {
                ridge,
                max_iterations: 30,
            },
            |i, w| {
                if i % 5 == 4 {
                    print!(
                        "{} {:.3}/{:.3}  ",
                        i,
                        d.mean_absolute_error(w),
                        t.mean_absolute_error(w)
                    );
                    std::io::stdout().flush().unwrap();
                }
                true
            },
        );
        println!(
            "ridge {ridge}: train {:.3} test {:.3}",
            d.mean_absolute_error(&w),
            t.mean_absolute_error(&w)
        );
    }
}
