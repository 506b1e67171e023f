//! A change of a session without what has stayed the same.

use super::{Node, SessionView};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What has changed in a session since a revision: everything but the tree as it is now, and the
/// nodes that differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SessionPatch {
    /// The revision that it fits. With any other, ask for the whole session.
    pub base: u64,
    /// The session as it is now, with an empty tree.
    pub view: SessionView,
    /// Nodes that are new or different, in the order of their ids.
    pub changed: Vec<Node>,
    /// Nodes that are gone.
    pub removed: Vec<u32>,
}

impl SessionPatch {
    /// What leads from one tree (that of the revision `base`) to another. Both are in the order of
    /// ids.
    pub(crate) fn between(base: u64, before: &[Node], after: &[Node], view: SessionView) -> Self {
        let find = |nodes: &[Node], id: u32| nodes.binary_search_by_key(&id, |it| it.id).ok();
        let is_same = |node: &Node| find(before, node.id).is_some_and(|at| before[at] == *node);
        let changed = after.iter().filter(|node| !is_same(node)).cloned();
        let gone = before.iter().map(|node| node.id);
        Self {
            base,
            changed: changed.collect(),
            removed: gone.filter(|&id| find(after, id).is_none()).collect(),
            view,
        }
    }
}
