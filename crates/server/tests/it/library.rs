//! The user's collection through the door: files in, games found, explored, changed, files out.

#![expect(
    clippy::disallowed_methods,
    reason = "imports take real time, and the list of them is asked until they are over"
)]

use crate::client::{Answer, Site};
use serde_json::{Value, json};
use std::{fs, time::Duration};

const PGN: &str = "[White \"Ann\"]\n[Black \"Bob\"]\n[Date \"2024.05.17\"]\n\n1. e4 e5 2. Nf3 1-0\n\n\
                   [White \"Cem\"]\n[Black \"Dan\"]\n\n1. e4 Qxx9 *\n\n[White \"Eva\"]\n\n1. d4 d5 *\n";

/// Hands a file over and waits until its games are in.
fn import(site: &Site, name: &str, bytes: &[u8]) -> Value {
    let line = format!("POST /api/library/imports?name={name}");
    let received = site.raw(&line, &site.honest(), bytes).ok();
    let job = received["job"]["id"].clone();
    assert!(job.is_u64(), "{received}");
    loop {
        let imports = site.get("/api/library/imports").ok();
        let imports = imports.as_array().unwrap();
        let ours = imports.iter().find(|it| it["job"]["id"] == job).unwrap();
        let state = ours["job"]["state"].as_str().unwrap();
        if matches!(state, "finished" | "failed" | "cancelled") {
            return ours.clone();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn found(site: &Site, query: &str) -> Value {
    site.get(&format!("/api/library/games?q={query}")).ok()
}

fn put(site: &Site, path: &str, body: &Value) -> Answer {
    let headers = format!("{}Content-Type: application/json\r\n", site.honest());
    site.raw(
        &format!("PUT {path}"),
        &headers,
        body.to_string().as_bytes(),
    )
}

#[test]
fn a_file_is_imported_with_its_problems_told() {
    let site = Site::new();
    let done = import(&site, "a.pgn", PGN.as_bytes());
    assert_eq!(done["job"]["state"], "finished", "{done}");
    assert_eq!(
        (&done["read"], &done["new"], &done["nProblems"]),
        (&json!(3), &json!(2), &json!(1)),
        "{done}"
    );
    let problem = &done["problems"][0];
    assert_eq!(
        (&problem["file"], &problem["record"]),
        (&json!("a.pgn"), &json!(2))
    );
    assert_eq!(problem["line"], 10, "{problem}");
    assert!(
        problem["message"].as_str().unwrap().contains("Qxx9"),
        "{problem}"
    );
    // The copy of the file is gone, and the same games are not stored twice.
    assert_eq!(
        fs::read_dir(site.home().join("imports")).unwrap().count(),
        0
    );
    let again = import(&site, "b.pgn", PGN.as_bytes());
    assert_eq!((&again["new"], &again["known"]), (&json!(0), &json!(2)));
    assert_eq!(site.get("/api/library").ok()["games"], 2);
}

#[test]
fn games_are_found_sorted_and_paged() {
    let site = Site::new();
    import(&site, "a.pgn", PGN.as_bytes());
    import(&site, "b.txt", b"f5d6c3d3c4\nf5f6e6f4\nf5d6c4d3c3\n");
    assert_eq!(found(&site, "")["total"], 5);
    assert_eq!(found(&site, "ann")["total"], 1);
    assert_eq!(found(&site, "game:othello")["total"], 3);
    assert_eq!(found(&site, "opening:tiger")["total"], 2);
    // The same position by another order of moves, and whichever way the board is turned.
    assert_eq!(found(&site, "position:f5d6c3d3c4")["total"], 2);
    assert_eq!(found(&site, "position:d3c5f6f5e6")["total"], 2);
    let page = site
        .get("/api/library/games?order=added&skip=1&most=2")
        .ok();
    let ids: Vec<u64> = page["games"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["id"].as_u64().unwrap())
        .collect();
    assert_eq!((&page["total"], ids), (&json!(5), vec![2, 3]));
    let wrong = site.get("/api/library/games?q=colour:black");
    assert!(wrong.refused(422, "invalid").contains("colour"));
    site.get("/api/library/games?most=x")
        .refused(400, "malformed");
}

#[test]
fn a_position_is_explored() {
    let site = Site::new();
    import(&site, "b.txt", b"f5d6c3d3c4\nf5f6e6f4\nf5d6c4d3c3\n");
    let told = site.get("/api/library/explore?moves=f5").ok();
    assert_eq!(
        (&told["games"], &told["side"]),
        (&json!(3), &json!("white"))
    );
    assert_eq!(told["moves"][0]["move"], "d6");
    assert_eq!(told["moves"][0]["games"], 2);
    assert_eq!(told["legal"].as_array().unwrap().len(), 3);
    assert_eq!(told["newest"].as_array().unwrap().len(), 3);
    // Nobody went on from here; two moves back somebody did.
    let lost = site.get("/api/library/explore?moves=f5d6c3g5").ok();
    assert_eq!(
        (&lost["games"], &lost["back"]),
        (&json!(0), &json!({"moves": 1, "games": 1}))
    );
    let wrong = site.get("/api/library/explore?moves=a1");
    assert!(wrong.refused(422, "invalid").contains("a1"));
}

#[test]
fn notes_follow_the_position_whatever_the_order_of_moves() {
    let site = Site::new();
    let tiger = site.get("/api/library/explore?moves=f5d6c3d3c4").ok();
    let text = "Prefer **f6**.";
    let wish = json!({ "position": tiger["text"], "text": text });
    assert_eq!(put(&site, "/api/library/note", &wish).status, 204);
    let other = site.get("/api/library/explore?moves=f5d6c4d3c3").ok();
    assert_eq!(other["note"], text);
    let notes = site.get("/api/library/notes?q=prefer").ok();
    assert_eq!(notes[0]["text"], text);
    let wish = json!({ "position": tiger["text"], "text": "" });
    put(&site, "/api/library/note", &wish);
    assert_eq!(
        site.get("/api/library/explore?moves=f5d6c4d3c3").ok()["note"],
        ""
    );
    let wrong = json!({ "position": "nothing", "text": "x" });
    put(&site, "/api/library/note", &wrong).refused(422, "invalid");
    let long = json!({ "position": tiger["text"], "text": "x".repeat(20_001) });
    put(&site, "/api/library/note", &long).refused(422, "invalid");
}

#[test]
fn games_are_tagged_noted_and_deleted_and_searches_saved() {
    let site = Site::new();
    import(&site, "a.pgn", PGN.as_bytes());
    let tag = json!({ "games": [1, 2], "tag": "study", "isSet": true });
    assert_eq!(site.post("/api/library/tag", &tag).status, 204);
    assert_eq!(found(&site, "tag:study")["total"], 2);
    put(
        &site,
        "/api/library/games/1/note",
        &json!({ "text": "a fine opening" }),
    );
    assert_eq!(found(&site, "text:fine")["games"][0]["hasNote"], true);
    put(&site, "/api/library/games/99/note", &json!({ "text": "x" })).refused(404, "no_such_game");
    put(
        &site,
        "/api/library/searches/to%20do",
        &json!({ "query": "tag:study" }),
    );
    let state = site.get("/api/library").ok();
    assert_eq!(
        state["searches"],
        json!([{ "name": "to do", "query": "tag:study" }])
    );
    put(
        &site,
        "/api/library/searches/bad",
        &json!({ "query": "colour:x" }),
    )
    .refused(422, "invalid");
    let deleted = site
        .post("/api/library/delete", &json!({ "games": [1, 99] }))
        .ok();
    assert_eq!(deleted["deleted"], 1);
    assert_eq!(found(&site, "")["total"], 1);
    let many: Vec<u32> = (0..5_001).collect();
    site.post("/api/library/delete", &json!({ "games": many }))
        .refused(422, "invalid");
    put(&site, "/api/library/me", &json!({ "names": ["Eva", " "] }));
    assert_eq!(found(&site, "own:yes")["total"], 1);
}

#[test]
fn a_game_of_either_kind_is_opened_in_review() {
    let site = Site::new();
    import(&site, "b.ggf", b"(;GM[Othello]PB[Ann]PW[Bob]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6];)");
    import(&site, "a.pgn", PGN.as_bytes());
    let opened = site.post("/api/library/games/1/open", &json!({}));
    assert_eq!(opened.status, 201, "{opened:?}");
    let view = opened.json();
    assert_eq!(
        (&view["mode"], &view["title"]),
        (&json!("analyse"), &json!("Ann – Bob"))
    );
    assert_eq!(view["tree"].as_array().unwrap().len(), 3);
    // The same game again is the same session.
    let again = site.post("/api/library/games/1/open", &json!({})).json();
    assert_eq!(again["id"], view["id"]);
    let chess = site.post("/api/library/games/2/open", &json!({})).ok();
    assert_eq!(chess["position"]["kind"], "chess");
    let chess = site.get("/api/library/games/2").ok();
    assert_eq!(chess["moves"], json!(["e4", "e5", "Nf3"]));
    site.get("/api/library/games/9")
        .refused(404, "no_such_game");
}

#[test]
fn a_selection_is_written_in_every_format() {
    let site = Site::new();
    import(&site, "a.pgn", PGN.as_bytes());
    import(&site, "b.txt", b"f5d6c3d3c4\n");
    let pgn = site.get("/api/library/export?format=pgn&q=ann");
    assert_eq!(pgn.status, 200);
    assert!(pgn.body.contains("1. e4 e5 2. Nf3 1-0"), "{pgn:?}");
    let named = pgn.header("content-disposition").unwrap();
    assert!(named.contains("kibitz-games.pgn"), "{named}");
    let text = site.get("/api/library/export?format=transcript&games=3");
    assert_eq!(text.body, "f5d6c3d3c4\n");
    let html = site.get("/api/library/export?format=html").body;
    assert!(
        html.contains("<article>") && html.contains("Ann") && html.contains("<svg"),
        "{html}"
    );
    site.get("/api/library/export?format=pgn&games=x")
        .refused(422, "invalid");
}

#[test]
fn a_file_of_names_is_kept_for_games_to_come() {
    let site = Site::new();
    let mut names = vec![20, 26, 11, 15, 0, 0, 0, 0, 2, 0, 0xea, 0x07, 0, 0, 0, 0];
    for name in ["Ann", "Bob"] {
        let mut field = [0u8; 20];
        field[..name.len()].copy_from_slice(name.as_bytes());
        names.extend(field);
    }
    let line = "POST /api/library/imports?name=WTH.JOU";
    let received = site.raw(line, &site.honest(), &names).ok();
    assert_eq!(received["job"], Value::Null);
    assert!(received["note"].as_str().unwrap().contains("WTH.JOU"));
    let mut games = vec![20, 26, 11, 15, 1, 0, 0, 0, 0, 0, 0xea, 0x07, 8, 0, 24, 0];
    games.extend([0, 0, 0, 0, 1, 0, 32, 32]);
    let mut moves = [0u8; 60];
    moves[..2].copy_from_slice(&[56, 64]);
    games.extend(moves);
    import(&site, "WTH_2026.wtb", &games);
    let game = &found(&site, "")["games"][0];
    assert_eq!(
        (&game["black"], &game["white"]),
        (&json!("Ann"), &json!("Bob")),
        "{game}"
    );
}

#[test]
fn a_file_that_arrives_in_part_leaves_nothing() {
    let site = Site::new();
    // The client says ten bytes and sends five.
    let headers = site.honest();
    let text = format!(
        "POST /api/library/imports?name=a.pgn HTTP/1.1\r\n{headers}Content-Length: 10\r\n\r\n1. e4"
    );
    {
        use std::io::Write as _;
        let mut stream = std::net::TcpStream::connect(site.address()).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(200));
    }
    let folder = site.home().join("imports");
    for _ in 0..500 {
        if fs::read_dir(&folder).is_ok_and(|it| it.count() == 0) {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    assert_eq!(site.get("/api/library").ok()["games"], 0);
    assert_eq!(site.get("/api/library/imports").ok(), json!([]));
}

#[test]
fn an_import_that_the_end_of_the_program_cut_off_goes_on() {
    let mut site = Site::new();
    site.stop();
    // As a program leaves it that was ended in the middle: a file that is whole, and one that is not.
    let folder = site.home().join("imports");
    fs::create_dir_all(folder.join("f1")).unwrap();
    fs::create_dir_all(folder.join("f2")).unwrap();
    fs::write(folder.join("f1/a.pgn"), PGN).unwrap();
    fs::write(folder.join("f2/b.pgn.77-1.new"), "1. e4").unwrap();
    site.start();
    for _ in 0..1_000 {
        if fs::read_dir(&folder).unwrap().count() == 0 {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    assert_eq!(found(&site, "")["total"], 2);
}

#[test]
fn a_database_that_cannot_be_used_is_told_and_nothing_else_fails() {
    let mut site = Site::new();
    site.stop();
    fs::write(site.home().join("kibitz.db"), vec![7; 40_000]).unwrap();
    site.start();
    let state = site.get("/api/library").ok();
    assert!(
        state["problem"].as_str().unwrap().contains("kibitz.db"),
        "{state}"
    );
    site.get("/api/library/games").refused(503, "no_library");
    let line = "POST /api/library/imports?name=a.pgn";
    site.raw(line, &site.honest(), b"1. e4 *")
        .refused(503, "no_library");
    site.get("/api/sessions/current").ok();
    // The file is not touched.
    assert_eq!(
        fs::read(site.home().join("kibitz.db")).unwrap(),
        vec![7; 40_000]
    );
}
