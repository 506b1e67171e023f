use othello::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let w: Vec<i16> = std::fs::read(&a[1])
        .unwrap()
        .chunks(2)
        .map(|c| i16::from_le_bytes([c[0], c[1]]))
        .collect();
    let e = engine::eval::pattern::Pattern::from_weights(w).unwrap();
    let (from, to): (usize, usize) = (a[3].parse().unwrap(), a[4].parse().unwrap());
    let threads = a.get(5).map_or(1, |s| s.parse().unwrap());
    let verbose = a.len() > 6;
    let mut tot = 0;
    let mut tt = 0.0;
    let mut wrong = 0;
    let mut engine = engine::Engine::new(e, 256, threads).unwrap();
    for (i, l) in std::fs::read_to_string(&a[2]).unwrap().lines().enumerate() {
        if i < from || i >= to {
            continue;
        }
        let mut f = l.split(';');
        let p: Position = f.next().unwrap().parse().unwrap();
        let best = f.next().unwrap().trim();
        let want: i32 = best.split(':').nth(1).unwrap().parse().unwrap();
        let t = std::time::Instant::now();
        engine.clear();
        let r = engine.search(
            p.board,
            &engine::Limits::default(),
            engine::Control {
                now_ms: &|| 0,
                stop: &std::sync::atomic::AtomicBool::new(false),
                observe: &mut |r| {
                    if verbose {
                        eprintln!(
                            "{} {} {} {} {}",
                            r.depth,
                            r.selectivity.percent(),
                            r.score,
                            r.nodes,
                            r.lines[0]
                                .moves
                                .iter()
                                .map(|m| m.to_string())
                                .collect::<String>()
                        )
                    }
                },
            },
        );
        let dt = t.elapsed().as_secs_f64();
        tot += r.nodes;
        tt += dt;
        let s = r.score / 100;
        if s != want {
            wrong += 1;
        }
        if to - from < 60 {
            println!(
                "{i} empties {} score {s} want {want} {} nodes {} {dt:.3}s {:.1}M/s {:?}",
                p.board.empties().len(),
                if s == want { "ok" } else { "WRONG" },
                r.nodes,
                r.nodes as f64 / dt / 1e6,
                r.table
            );
        }
    }
    println!(
        "total {tot} nodes {tt:.2}s {:.2} Mnps wrong {wrong}",
        tot as f64 / tt / 1e6
    );
}
