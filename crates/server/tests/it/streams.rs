//! Streams that are limited to one session, and streams that take patches.

use crate::client::Site;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A tree by the numbers of its nodes.
type Tree = BTreeMap<u64, Value>;

fn tree_of(view: &Value) -> Tree {
    let nodes = view["tree"].as_array().unwrap().iter();
    nodes
        .map(|node| (node["id"].as_u64().unwrap(), node.clone()))
        .collect()
}

/// Does with a tree what a patch says.
fn apply(tree: &mut Tree, patch: &Value) {
    for id in patch["removed"].as_array().unwrap() {
        assert!(tree.remove(&id.as_u64().unwrap()).is_some(), "{patch}");
    }
    for node in patch["changed"].as_array().unwrap() {
        tree.insert(node["id"].as_u64().unwrap(), node.clone());
    }
}

/// Small, fast, the same each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % n
    }
}

/// Some change of the current game.
fn change(site: &Site, view: &Value, chance: &mut Chance) {
    let nodes = view["tree"].as_array().unwrap();
    let any = &nodes[chance.below(nodes.len())]["id"];
    let at = format!("/api/sessions/current/nodes/{any}");
    let answer = match chance.below(10) {
        0 => site.delete(&at),
        1 => site.post(&format!("{at}/promote"), &json!({ "toMain": true })),
        2 => site.send("PUT", &format!("{at}/comment"), &json!({ "text": "hm" })),
        3 => site.send("PUT", &format!("{at}/glyphs"), &json!({ "glyphs": ["!"] })),
        4 | 5 => site.post("/api/sessions/current/goto", &json!({ "node": any })),
        _ => match view["legal"].as_array().unwrap() {
            legal if legal.is_empty() => {
                site.post("/api/sessions/current/goto", &json!({ "step": "first" }))
            }
            legal => {
                let one = &legal[chance.below(legal.len())]["move"];
                site.post("/api/sessions/current/moves", &json!({ "move": one }))
            }
        },
    };
    // The start cannot be deleted or promoted.
    assert!([200, 409].contains(&answer.status), "{answer:?}");
}

#[test]
fn patches_lead_to_the_same_tree_as_the_whole() {
    let site = Site::new();
    let wish = json!({ "mode": "analyse", "moves": "f5d6c3d3c4f4f6" });
    let begun = site.post("/api/sessions", &wish).ok();
    let mut events = site.listen_to("?patches=true");
    let first = events.of("session");
    assert_eq!(first["id"], begun["id"]);
    let mut tree = tree_of(&first);
    let mut revision = first["revision"].as_u64().unwrap();
    let mut chance = Chance(7);
    let (mut n_patches, mut n_nodes) = (0, 0);
    for _ in 0..200 {
        let before = site.view();
        change(&site, &before, &mut chance);
        let whole = site.view();
        while revision < whole["revision"].as_u64().unwrap() {
            let event = events.until(|it| it["type"] == "patch" || it["type"] == "session");
            let data = &event["data"];
            if event["type"] == "session" {
                tree = tree_of(data);
                revision = data["revision"].as_u64().unwrap();
                continue;
            }
            assert_eq!(
                data["base"].as_u64(),
                Some(revision),
                "no event is left out"
            );
            assert_eq!(data["view"]["tree"], json!([]));
            apply(&mut tree, data);
            revision = data["view"]["revision"].as_u64().unwrap();
            n_patches += 1;
            n_nodes += data["changed"].as_array().unwrap().len();
        }
        assert_eq!(tree, tree_of(&whole));
    }
    assert!(n_patches > 100, "only {n_patches} patches");
    // A change is a few nodes: the new one, its parent, what leaves or joins the main line.
    assert!(n_nodes < 20 * n_patches, "{n_nodes} nodes in {n_patches}");
}

#[test]
fn a_stream_can_be_limited_to_one_session() {
    let site = Site::new();
    let begin = || {
        let wish = json!({ "mode": "analyse", "moves": "f5" });
        site.post("/api/sessions", &wish).ok()["id"].clone()
    };
    let (one, other) = (begin(), begin());
    let name = one.as_str().unwrap();
    let mut events = site.listen_to(&format!("?session={name}"));
    // It begins with its session, although that is not the current one.
    assert_eq!(events.of("session")["id"], one);
    let path = |id: &Value, what: &str| format!("/api/sessions/{}/{what}", id.as_str().unwrap());
    site.post(&path(&other, "moves"), &json!({ "move": "d6" }))
        .ok();
    let wish = json!({ "depth": 2 });
    site.post(&path(&other, "analysis"), &wish).ok();
    let ui = json!({ "ui": { "reducedMotion": true } });
    site.send("PUT", "/api/settings", &ui).ok();
    site.post(&path(&one, "moves"), &json!({ "move": "d6" }))
        .ok();
    let mut heard = Vec::new();
    let last = events.until(|event| {
        heard.push(event.clone());
        event["type"] == "session"
    });
    assert_eq!(last["data"]["id"], one);
    // What concerns no session is heard, what concerns another one is not.
    assert!(heard.iter().any(|it| it["type"] == "settings"), "{heard:?}");
    let about = |event: &Value| match event["type"].as_str() {
        Some("session") => event["data"]["id"].clone(),
        Some("analysis" | "thinking" | "clock" | "review") => event["data"]["session"].clone(),
        _ => one.clone(),
    };
    assert!(heard.iter().all(|it| about(it) == one), "{heard:?}");
    site.get("/api/events?session=s999")
        .refused(404, "no_such_session");
    site.get("/api/events?sessions=s1")
        .refused(400, "malformed");
}

#[test]
fn a_board_says_of_which_game_it_is() {
    let site = Site::new();
    assert_eq!(site.view()["position"]["kind"], "othello");
    let wish = json!({ "moves": ["f5"] });
    let line = site
        .post("/api/sessions/current/nodes/0/preview", &wish)
        .ok();
    assert_eq!(line["steps"][0]["position"]["kind"], "othello");
}

#[test]
fn a_stream_of_a_session_begins_with_the_review_that_it_missed() {
    let site = Site::new();
    let wish = json!({ "mode": "analyse", "moves": "f5d6c3d3c4f4f6" });
    let id = site.post("/api/sessions", &wish).ok()["id"].clone();
    let id = id.as_str().unwrap();
    let review = format!("/api/sessions/{id}/review");
    let mut events = site.listen_to(&format!("?session={id}"));
    site.post(&review, &json!({ "depth": 2 })).ok();
    events.until(|it| it["type"] == "review" && it["data"]["isComplete"] == true);
    let mut late = site.listen_to(&format!("?session={id}"));
    assert_eq!(late.of("session")["id"], id);
    assert_eq!(late.of("review")["isComplete"], true);
}
