//! A search that is guided from outside: a policy and values of leaves come from a function over batches of positions.
//!
//! Leaves are gathered in batches. A path that waits for its value counts as lost for the seat that chose it (virtual
//! loss), so that the next one of the same batch goes elsewhere. What comes of it depends on seed, iterations and batch size alone.

use sengoku_kernel::{Game, MAX_SEATS, Purpose, Seat, Stream};

use super::search::{Draws, outcome_values};
use super::tree::Values;
use crate::Seen;

/// No node.
const NONE: u32 = u32::MAX;
/// Most actions in a tree; when they are used up, leaves are still evaluated but no longer added.
const MAX_EDGES: usize = 1 << 24;
/// Weight of curiosity against value.
const CURIOSITY: f32 = 1.25;
/// Value of an untried action: a little less than the value of its node.
const UNTRIED: f32 = 0.1;

/// A decision of the tree; it belongs to the seat that was asked when it was added.
#[derive(Clone, Copy, Debug)]
struct Node {
    first: u32,
    count: u32,
    visits: u32,
    sums: Values,
}

/// An action of a node.
#[derive(Clone, Copy, Debug)]
struct Edge {
    action: u32,
    child: u32,
    visits: u32,
    prior: f32,
    sums: Values,
}

/// A leaf that waits for its value.
#[derive(Clone, Debug)]
struct Leaf {
    /// Where in the list of steps its way begins and ends.
    steps: (usize, usize),
    /// The node that gets actions.
    node: u32,
    /// Indices of the legal actions: where in the list of actions they begin and end.
    legal: (usize, usize),
}

/// A search under way.
#[derive(Debug)]
pub struct Guided<G: Game> {
    state: G,
    seat: Seat,
    seed: u64,
    iterations: u32,
    begun: u32,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    leaves: Vec<Leaf>,
    /// Ways to the leaves: node, edge, and seat that decided.
    steps: Vec<(u32, u32, u8)>,
    actions: Vec<u32>,
    legal: Vec<G::Action>,
}

/// Where leaves are written: a row for each, as long as the batch.
#[derive(Debug)]
pub struct Rows<'a> {
    /// Observations of the seats that are asked.
    pub observations: &'a mut [u8],
    /// Whether each action of the table is legal.
    pub legal: &'a mut [bool],
    /// The seats that are asked.
    pub seats: &'a mut [i8],
}

impl<G: Game> Guided<G> {
    /// A search for a decision of the seat that looks.
    pub fn new(seen: &Seen<'_, G>, iterations: u32, seed: u64) -> Self {
        let mut search = Self {
            // Only ever looked at through `resample` for this seat.
            state: seen.state.clone(),
            seat: seen.seat(),
            seed,
            iterations,
            begun: 0,
            nodes: Vec::new(),
            edges: Vec::new(),
            leaves: Vec::new(),
            steps: Vec::new(),
            actions: Vec::new(),
            legal: Vec::new(),
        };
        search.nodes.push(Node::NEW);
        search
    }

    /// Goes on until `rows` are full or the iterations are over, and says how many leaves wait for their values. Matches
    /// that end on the way need none.
    pub fn gather(&mut self, rows: &mut Rows<'_>) -> usize {
        self.leaves.clear();
        self.steps.clear();
        self.actions.clear();
        let most = rows.seats.len();
        if most > 0 && self.nodes[0].count == 0 && self.begun < self.iterations {
            // Of the decision itself nothing is known yet: it is evaluated by itself, which does not count as an iteration.
            self.walk(self.iterations, rows);
            return self.leaves.len();
        }
        while self.leaves.len() < most && self.begun < self.iterations {
            let iteration = self.begun;
            self.begun += 1;
            self.walk(iteration, rows);
        }
        self.leaves.len()
    }

    /// Whether all iterations are done.
    pub fn is_done(&self) -> bool {
        self.begun >= self.iterations && self.leaves.is_empty()
    }

    fn walk(&mut self, iteration: u32, rows: &mut Rows<'_>) {
        let number = u64::from(iteration) << 1;
        let mut draws = Draws::new(Stream::new(self.seed, Purpose::Search, number));
        let mut dice = Stream::new(self.seed, Purpose::Search, number | 1);
        let mut world = self.state.resample(self.seat, &mut |sides| draws.below(sides));
        let begun = self.steps.len();
        let mut node = 0;
        loop {
            let Some(seat) = world.to_act() else {
                let outcome = world.outcome().expect("a match that is over has an outcome");
                let values = outcome_values(&outcome);
                self.back_up(begun, self.steps.len(), &values);
                self.steps.truncate(begun);
                return;
            };
            world.legal_actions(&mut self.legal);
            // A choice of one is none, but for the decision that is searched for.
            if self.legal.len() == 1 && node != 0 {
                world.play_unchecked(self.legal[0], &mut dice);
                continue;
            }
            if self.nodes[node as usize].count == 0 {
                self.wait(node, begun, seat, &world, rows);
                return;
            }
            let (edge, place) = self.select(node, seat);
            self.steps.push((node, edge, seat.0));
            // The way counts as lost until its value is known.
            self.nodes[node as usize].visits += 1;
            self.edges[edge as usize].visits += 1;
            world.play_unchecked(self.legal[place], &mut dice);
            let mut child = self.edges[edge as usize].child;
            if child == NONE {
                self.nodes.push(Node::NEW);
                child = (self.nodes.len() - 1) as u32;
                self.edges[edge as usize].child = child;
            }
            node = child;
        }
    }

    /// Writes a leaf into its row.
    fn wait(&mut self, node: u32, begun: usize, seat: Seat, world: &G, rows: &mut Rows<'_>) {
        let row = self.leaves.len();
        let (size, table) = (G::OBSERVATION_SIZE, G::ACTION_COUNT as usize);
        world.observe(seat, &mut rows.observations[row * size..(row + 1) * size]);
        let mask = &mut rows.legal[row * table..(row + 1) * table];
        mask.fill(false);
        let first = self.actions.len();
        for &action in &self.legal {
            let index = G::index_of(action);
            mask[index as usize] = true;
            self.actions.push(index);
        }
        rows.seats[row] = seat.0.cast_signed();
        self.leaves.push(Leaf { steps: (begun, self.steps.len()), node, legal: (first, self.actions.len()) });
    }

    /// The action with the best promise; one that was never legal here before is as likely as any.
    fn select(&mut self, node: u32, seat: Seat) -> (u32, usize) {
        let Node { first, count, visits, sums } = self.nodes[node as usize];
        let usual = 1.0 / self.legal.len() as f32;
        let mean = if visits > 0 { sums[seat.index()] / visits as f32 } else { 0.0 };
        let spread = CURIOSITY * (visits.max(1) as f32).sqrt();
        let mut best = (f32::NEG_INFINITY, NONE, 0);
        for (place, &action) in self.legal.iter().enumerate() {
            let index = G::index_of(action);
            let known = self.find(first, count, index);
            let (value, prior, tries) = match known.map(|edge| self.edges[edge as usize]) {
                Some(edge) if edge.visits > 0 => {
                    (edge.sums[seat.index()] / edge.visits as f32, edge.prior, edge.visits)
                }
                Some(edge) => (mean - UNTRIED, edge.prior, 0),
                None => (mean - UNTRIED, usual, 0),
            };
            let score = value + spread * prior / (1.0 + tries as f32);
            if score > best.0 {
                best = (score, known.unwrap_or(NONE), place);
            }
        }
        let (_, mut edge, place) = best;
        if edge == NONE {
            edge = self.add_late(node, G::index_of(self.legal[place]), usual);
        }
        (edge, place)
    }

    /// The edge of an action in a node.
    fn find(&self, first: u32, count: u32, action: u32) -> Option<u32> {
        let edges = &self.edges[first as usize..(first + count) as usize];
        edges.iter().position(|edge| edge.action == action).map(|place| first + place as u32)
    }

    /// Adds an action that was not legal in the world in which its node was evaluated: the actions move to where there is room.
    fn add_late(&mut self, node: u32, action: u32, prior: f32) -> u32 {
        let Node { first, count, .. } = self.nodes[node as usize];
        let at = self.edges.len() as u32;
        self.edges.extend_from_within(first as usize..(first + count) as usize);
        self.edges.push(Edge { action, child: NONE, visits: 0, prior, sums: [0.0; MAX_SEATS] });
        for (_, edge, _) in self.steps.iter_mut().filter(|step| step.0 == node) {
            *edge = at + (*edge - first);
        }
        self.nodes[node as usize].first = at;
        self.nodes[node as usize].count = count + 1;
        at + count
    }

    fn back_up(&mut self, begun: usize, ended: usize, values: &Values) {
        for step in begun..ended {
            let (node, edge, _) = self.steps[step];
            for (sum, value) in self.nodes[node as usize].sums.iter_mut().zip(values) {
                *sum += value;
            }
            for (sum, value) in self.edges[edge as usize].sums.iter_mut().zip(values) {
                *sum += value;
            }
        }
    }

    /// Takes the values of the leaves that were gathered last: a row of logits over the action table and a row of shares
    /// by seat for each.
    pub fn scatter(&mut self, policy: &[f32], values: &[f32]) {
        let table = G::ACTION_COUNT as usize;
        let seats = self.state.seats();
        for row in 0..self.leaves.len() {
            let Leaf { steps, node, legal } = self.leaves[row];
            let mut shares = [0.0; MAX_SEATS];
            shares[..seats].copy_from_slice(&values[row * seats..(row + 1) * seats]);
            self.back_up(steps.0, steps.1, &shares);
            let logits = &policy[row * table..(row + 1) * table];
            self.expand(node, legal, logits);
        }
        self.leaves.clear();
    }

    fn expand(&mut self, node: u32, legal: (usize, usize), logits: &[f32]) {
        let count = legal.1 - legal.0;
        if self.nodes[node as usize].count > 0 || self.edges.len() + count > MAX_EDGES {
            return; // another leaf of the batch was here first, or there is no room
        }
        let most = self.actions[legal.0..legal.1].iter().map(|&action| logits[action as usize]);
        let most = most.fold(f32::NEG_INFINITY, f32::max);
        let first = self.edges.len();
        let mut sum = 0.0;
        for &action in &self.actions[legal.0..legal.1] {
            let prior = (logits[action as usize] - most).exp();
            sum += prior;
            self.edges.push(Edge { action, child: NONE, visits: 0, prior, sums: [0.0; MAX_SEATS] });
        }
        for edge in &mut self.edges[first..] {
            edge.prior /= sum;
        }
        let node = &mut self.nodes[node as usize];
        (node.first, node.count) = (first as u32, count as u32);
    }

    /// How often each legal action of the decision was tried, and the sum of what came of it, in table order.
    pub fn tried(&self) -> Vec<(u32, u32, Values)> {
        let Node { first, count, .. } = self.nodes[0];
        let edges = &self.edges[first as usize..(first + count) as usize];
        edges.iter().map(|edge| (edge.action, edge.visits, edge.sums)).collect()
    }
}

impl Node {
    const NEW: Self = Self { first: 0, count: 0, visits: 0, sums: [0.0; MAX_SEATS] };
}
