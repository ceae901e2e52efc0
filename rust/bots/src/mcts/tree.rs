//! A tree of decisions: what was tried after what, how often, and what came of it.

use sengoku_kernel::MAX_SEATS;

/// A value for each seat.
pub type Values = [f32; MAX_SEATS];

/// No node, or no edge.
const NONE: u32 = u32::MAX;

/// A decision of the tree. It belongs to the seat that was asked when it was added.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The first of its edges.
    first: u32,
    /// How often it was decided.
    visits: u32,
    /// The action that is tried first.
    favourite: u32,
}

/// An action that was tried in a node.
#[derive(Clone, Copy, Debug)]
struct Edge {
    /// Place in the action table.
    action: u32,
    /// The next edge of the same node.
    next: u32,
    /// The decision that follows.
    child: u32,
    /// How often it was chosen.
    visits: u32,
    /// How often it could have been chosen: not in every world is every action legal.
    available: u32,
    /// Sum of what came of it.
    sums: Values,
}

/// Number of a node.
pub(crate) type NodeId = u32;
/// Number of an edge.
pub(crate) type EdgeId = u32;

/// Nodes and edges in two lists, which are as long as the search may become before it begins.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// Most nodes.
    limit: usize,
}

/// Result of a selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chosen {
    /// An action that was tried before: its place in the list of legal actions.
    Known(EdgeId, usize),
    /// Another action is to be tried.
    New,
}

/// How a node is explored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exploration {
    /// Weight of curiosity against value.
    pub(crate) curiosity: f32,
    /// Share of the favourite in what is expected before anything is tried.
    pub(crate) trust: f32,
}

impl Tree {
    /// Clears the tree and reserves room for a number of nodes, with two edges each: an iteration adds no more.
    pub(crate) fn clear(&mut self, nodes: usize) {
        self.nodes.clear();
        self.edges.clear();
        self.nodes.reserve(nodes);
        self.edges.reserve(2 * nodes);
        self.limit = nodes;
    }

    /// A new node whose favourite is an action.
    pub(crate) fn add_node(&mut self, favourite: u32) -> NodeId {
        self.nodes.push(Node { first: NONE, visits: 0, favourite });
        (self.nodes.len() - 1) as NodeId
    }

    /// Whether there is room for another node.
    pub(crate) fn has_room(&self) -> bool {
        self.nodes.len() < self.limit && self.edges.len() + 2 <= 2 * self.limit
    }

    /// The favourite of a node.
    pub(crate) fn favourite(&self, node: NodeId) -> u32 {
        self.nodes[node as usize].favourite
    }

    /// Notes the favourite of a node.
    pub(crate) fn set_favourite(&mut self, node: NodeId, action: u32) {
        self.nodes[node as usize].favourite = action;
    }

    /// Adds an action to a node.
    pub(crate) fn add_edge(&mut self, node: NodeId, action: u32) -> EdgeId {
        let number = self.edges.len() as EdgeId;
        let next = std::mem::replace(&mut self.nodes[node as usize].first, number);
        self.edges.push(Edge { action, next, child: NONE, visits: 0, available: 1, sums: [0.0; MAX_SEATS] });
        number
    }

    /// The decision after an action, if there is one yet.
    pub(crate) fn child(&self, edge: EdgeId) -> Option<NodeId> {
        let child = self.edges[edge as usize].child;
        (child != NONE).then_some(child)
    }

    /// Notes the decision after an action.
    pub(crate) fn set_child(&mut self, edge: EdgeId, child: NodeId) {
        self.edges[edge as usize].child = child;
    }

    /// Chooses among the legal actions, given in table order by their indices: one that was tried before, or a new one
    /// while few have been tried for so many visits.
    pub(crate) fn select(
        &mut self,
        node: NodeId,
        seat: usize,
        legal: impl ExactSizeIterator<Item = u32>,
        exploration: &Exploration,
    ) -> Chosen {
        let Node { first, visits, favourite } = self.nodes[node as usize];
        let count = legal.len();
        let mut best = (f32::NEG_INFINITY, NONE, 0);
        let mut tried = 0_usize;
        let doubt = (1.0 - exploration.trust) / (count.max(2) - 1) as f32;
        for (place, action) in legal.enumerate() {
            let mut edge = first;
            while edge != NONE && self.edges[edge as usize].action != action {
                edge = self.edges[edge as usize].next;
            }
            let Some(it) = self.edges.get_mut(edge as usize) else { continue };
            tried += 1;
            it.available += 1;
            let prior = if action == favourite { exploration.trust } else { doubt };
            let tries = it.visits as f32;
            let mean = if it.visits > 0 { it.sums[seat] / tries } else { f32::INFINITY };
            let score = mean + exploration.curiosity * prior * (it.available as f32).sqrt() / (1.0 + tries);
            if score > best.0 {
                best = (score, edge, place);
            }
        }
        // Room for one more action with the fourth, the sixteenth, ... visit.
        let room = 1 + (visits / 4).checked_ilog2().map_or(0, |steps| steps as usize + 1);
        if tried < room.min(count) { Chosen::New } else { Chosen::Known(best.1, best.2) }
    }

    /// Whether an action was tried in a node.
    pub(crate) fn has(&self, node: NodeId, action: u32) -> bool {
        let mut edge = self.nodes[node as usize].first;
        while edge != NONE {
            let it = &self.edges[edge as usize];
            if it.action == action {
                return true;
            }
            edge = it.next;
        }
        false
    }

    /// Notes what came of a way through the tree.
    pub(crate) fn back_up(&mut self, path: &[(NodeId, EdgeId)], values: &Values) {
        for &(node, edge) in path {
            self.nodes[node as usize].visits += 1;
            let edge = &mut self.edges[edge as usize];
            edge.visits += 1;
            for (sum, value) in edge.sums.iter_mut().zip(values) {
                *sum += value;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVEN: Exploration = Exploration { curiosity: 0.2, trust: 0.7 };

    fn values(first: f32) -> Values {
        let mut values = [0.0; MAX_SEATS];
        (values[0], values[1]) = (first, 1.0 - first);
        values
    }

    /// A node with two actions that were tried, worth 0.9 and 0.1 to seat 0.
    fn tree() -> (Tree, NodeId) {
        let mut tree = Tree::default();
        tree.clear(10);
        let node = tree.add_node(5);
        for (action, value) in [(5, 0.9), (8, 0.1)] {
            let edge = tree.add_edge(node, action);
            for _ in 0..2 {
                tree.back_up(&[(node, edge)], &values(value));
            }
        }
        (tree, node)
    }

    fn choose(tree: &mut Tree, node: NodeId, seat: usize, legal: &[u32]) -> Chosen {
        tree.select(node, seat, legal.iter().copied(), &EVEN)
    }

    #[test]
    fn every_seat_takes_what_is_best_for_it() {
        let (mut tree, node) = tree();
        assert_eq!(choose(&mut tree, node, 0, &[5, 8]), Chosen::Known(0, 0));
        assert_eq!(choose(&mut tree, node, 1, &[5, 8]), Chosen::Known(1, 1));
    }

    #[test]
    fn actions_are_added_as_visits_grow() {
        // Four visits have room for two actions, eight for three.
        let (mut tree, node) = tree();
        assert_eq!(choose(&mut tree, node, 0, &[3, 5, 8]), Chosen::Known(0, 1));
        for _ in 0..4 {
            tree.back_up(&[(node, 0)], &values(0.9));
        }
        assert_eq!(choose(&mut tree, node, 0, &[3, 5, 8]), Chosen::New);
        assert!(tree.has(node, 8) && !tree.has(node, 3));
    }

    #[test]
    fn only_what_is_legal_in_this_world_is_chosen() {
        let (mut tree, node) = tree();
        assert_eq!(choose(&mut tree, node, 0, &[8]), Chosen::Known(1, 0));
        // Nothing that was tried is legal here.
        assert_eq!(choose(&mut tree, node, 0, &[1, 2]), Chosen::New);
        assert_eq!(tree.edges[0].available, 1);
        assert_eq!(tree.edges[1].available, 2);
    }

    #[test]
    fn room_is_what_was_asked_for() {
        let mut tree = Tree::default();
        for nodes in [3, 2] {
            tree.clear(nodes);
            for _ in 0..nodes {
                assert!(tree.has_room());
                tree.add_node(0);
            }
            assert!(!tree.has_room());
        }
    }
}
