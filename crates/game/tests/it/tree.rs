//! Operations on move trees, one by one and in any order.

use game::{Glyph, Move, NodeId, Position, Record, TreeError};
use proptest::prelude::*;
use std::collections::{HashMap, HashSet};

const ROOT: NodeId = Record::ROOT;

fn line(record: &mut Record, from: NodeId, text: &str) -> NodeId {
    text.split(' ')
        .fold(from, |at, name| record.add_text(at, name).unwrap())
}

fn text(record: &Record) -> String {
    record.main_moves().map(|m| m.to_string()).collect()
}

#[test]
fn a_known_move_is_not_added_twice() {
    let mut record = Record::new(Position::OTHELLO_START);
    let end = line(&mut record, ROOT, "f5 d6 c3");
    let n_nodes = record.n_nodes();
    assert_eq!(line(&mut record, ROOT, "f5 d6 c3"), end);
    assert_eq!(record.n_nodes(), n_nodes);
    assert_eq!(record.find(&record.moves_to(end)), Some(end));
}

#[test]
fn variations_are_promoted_one_by_one_or_to_the_main_line() {
    let mut record = Record::new(Position::OTHELLO_START);
    let f5 = line(&mut record, ROOT, "f5");
    let children: Vec<NodeId> = ["d6", "f4", "f6"]
        .into_iter()
        .map(|name| line(&mut record, f5, name))
        .collect();
    record.promote(children[2]).unwrap();
    assert_eq!(record.children(f5), [children[0], children[2], children[1]]);
    record.promote(children[0]).unwrap();
    assert_eq!(record.children(f5)[0], children[0]);
    record.demote(children[0]).unwrap();
    assert_eq!(text(&record), "f5f6");
    let deep = line(&mut record, children[1], "c3 c4");
    record.promote_to_main(deep).unwrap();
    assert_eq!(text(&record), "f5f4c3c4");
    assert!(record.is_main(deep) && !record.is_main(children[0]));
}

#[test]
fn deleting_takes_all_that_follows_and_no_id_is_used_again() {
    let mut record = Record::new(Position::OTHELLO_START);
    let f5 = line(&mut record, ROOT, "f5");
    let d6 = line(&mut record, f5, "d6");
    let c3 = line(&mut record, d6, "c3");
    assert_eq!(record.delete(d6), Ok(f5));
    assert_eq!(record.node(c3), None);
    assert_eq!(record.delete(c3), Err(TreeError::NoSuchNode(c3)));
    assert_eq!(record.delete(record.root()), Err(TreeError::Root));
    let again = line(&mut record, f5, "d6");
    assert_ne!(again, d6);
    assert_eq!(record.path(again), [record.root(), f5, again]);
    assert!(record.path(d6).is_empty());
}

#[test]
fn illegal_moves_leave_the_record_as_it_was() {
    let mut record = Record::new(Position::OTHELLO_START);
    let before = record.clone();
    let error = record.add_text(record.root(), "a1").unwrap_err();
    assert_eq!(
        error.to_string(),
        "a1 is not legal here: a1 flips no disc; legal: d3 c4 f5 e6"
    );
    assert!(record.add_text(record.root(), "zz").is_err());
    assert_eq!(record, before);
}

#[test]
fn glyphs_have_their_symbols() {
    assert_eq!(Glyph::BLUNDER.to_string(), "??");
    assert_eq!(Glyph(42).to_string(), "$42");
}

/// An edit, with numbers that choose among what is there.
#[derive(Debug, Clone)]
enum Edit {
    Add(usize, usize),
    Promote(usize),
    Demote(usize),
    ToMain(usize),
    Delete(usize),
    Comment(usize, String),
    KeepMain,
}

fn edit() -> impl Strategy<Value = Edit> {
    let any = any::<usize>;
    prop_oneof![
        8 => (any(), any()).prop_map(|(a, b)| Edit::Add(a, b)),
        1 => any().prop_map(Edit::Promote),
        1 => any().prop_map(Edit::Demote),
        1 => any().prop_map(Edit::ToMain),
        1 => any().prop_map(Edit::Delete),
        1 => (any(), "[a-z]{0,4}").prop_map(|(a, b)| Edit::Comment(a, b)),
        1 => Just(Edit::KeepMain),
    ]
}

fn ids(record: &Record) -> Vec<NodeId> {
    let root = record.root();
    std::iter::once(root)
        .chain(record.descendants(root))
        .collect()
}

/// What must be true of every record.
fn check(record: &Record) {
    let ids = ids(record);
    let distinct: HashSet<NodeId> = ids.iter().copied().collect();
    assert_eq!(distinct.len(), ids.len(), "a tree has no second way");
    assert_eq!(ids.len(), record.n_nodes(), "nothing is out of reach");
    for &id in &ids {
        let node = record.node(id).unwrap();
        let moves: Vec<Move> = node
            .children()
            .iter()
            .map(|&child| record.node(child).unwrap().action().unwrap())
            .collect();
        let unique: HashSet<Move> = moves.iter().copied().collect();
        assert_eq!(unique.len(), moves.len(), "a move is tried once");
        for (&child, action) in node.children().iter().zip(moves) {
            let child = record.node(child).unwrap();
            assert_eq!(child.parent(), Some(id));
            assert_eq!(node.position().play(action), Ok(child.position().clone()));
        }
        assert_eq!(record.find(&record.moves_to(id)), Some(id));
        assert_eq!(record.path(id).len(), record.moves_to(id).len() + 1);
    }
    assert!(record.is_main(record.main_end()));
}

/// Does an edit and checks what it promises.
fn apply(record: &mut Record, edit: &Edit) {
    let ids = ids(record);
    let pick = |n: usize| ids[n % ids.len()];
    match edit {
        Edit::Add(at, which) => {
            let at = pick(*at);
            let legal = record.position(at).unwrap().legal_moves();
            if !legal.is_empty() {
                let action = legal[which % legal.len()];
                let known = record.child(at, action);
                let id = record.add(at, action).unwrap();
                assert!(known.is_none_or(|known| known == id));
            }
        }
        Edit::Promote(at) => assert_eq!(record.promote(pick(*at)).is_err(), pick(*at) == ids[0]),
        Edit::Demote(at) => assert_eq!(record.demote(pick(*at)).is_err(), pick(*at) == ids[0]),
        Edit::ToMain(at) => {
            record.promote_to_main(pick(*at)).unwrap();
            assert!(record.is_main(pick(*at)));
        }
        Edit::Delete(at) => {
            let at = pick(*at);
            let n_below = record.descendants(at).count();
            let n_before = record.n_nodes();
            match record.delete(at) {
                Ok(_) => assert_eq!(record.n_nodes(), n_before - n_below - 1),
                Err(error) => assert_eq!((error, at), (TreeError::Root, ids[0])),
            }
        }
        Edit::Comment(at, text) => {
            record.note_mut(pick(*at)).unwrap().comment = Some(text.clone());
        }
        Edit::KeepMain => {
            let main: Vec<NodeId> = record.main_line().collect();
            record.delete_variations().unwrap();
            assert_eq!(record.main_line().collect::<Vec<_>>(), main);
            assert_eq!(record.n_nodes(), main.len() + 1);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_edits_leave_a_sound_tree_and_stable_ids(edits in prop::collection::vec(edit(), 0..80)) {
        let mut record = Record::new(Position::OTHELLO_START);
        let mut seen: HashMap<NodeId, (Position, Vec<Move>)> = HashMap::new();
        for edit in &edits {
            apply(&mut record, edit);
            check(&record);
            for id in ids(&record) {
                let now = (record.position(id).unwrap().clone(), record.moves_to(id));
                let before = seen.entry(id).or_insert_with(|| now.clone());
                prop_assert_eq!(&now, before, "an id changed its meaning");
            }
        }
    }
}
