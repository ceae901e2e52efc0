//! The search itself: sampled worlds, paths through the tree, rollouts, and the allocation of iterations at the root.

use sengoku_kernel::{Chance, Game, MAX_SEATS, Outcome, Purpose, Seat, Stream};

use super::options::Options;
use super::tree::{Chosen, EdgeId, Exploration, NodeId, Tree, Values};
use crate::{Bot, HasBots, Seen};

/// Statistics of one action at the root.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Candidate {
    /// How often it was tried.
    pub visits: u32,
    /// Sum of what came of it, for each seat.
    pub sums: Values,
    /// Sums of how much better it was than the first choice in the same worlds, and of the squares.
    pub(crate) lead: (f64, f64),
    /// How often both were tried in the same world.
    pub(crate) pairs: u32,
    /// How often the match was won with it, at once.
    pub(crate) won: u32,
}

impl Candidate {
    fn note(&mut self, values: &Values) {
        self.visits += 1;
        for (sum, value) in self.sums.iter_mut().zip(values) {
            *sum += value;
        }
    }

    fn compare(&mut self, lead: f64) {
        self.lead.0 += lead;
        self.lead.1 += lead * lead;
        self.pairs += 1;
    }

    /// Adds what another tree found.
    pub(crate) fn add(&mut self, other: &Self) {
        self.visits += other.visits;
        self.pairs += other.pairs;
        self.won += other.won;
        self.lead.0 += other.lead.0;
        self.lead.1 += other.lead.1;
        for (sum, more) in self.sums.iter_mut().zip(&other.sums) {
            *sum += more;
        }
    }

    /// Whether the match was won with it, at once, whenever it was tried.
    pub(crate) const fn wins(&self) -> bool {
        self.visits > 0 && self.won == self.visits
    }

    /// How far it is surely ahead of the first choice; less than nothing where that is not sure.
    pub(crate) fn sure_lead(&self) -> f64 {
        let (mean, error) = self.lead();
        mean - CAUTION * error
    }

    /// The mean lead over the first choice, and its standard error.
    fn lead(&self) -> (f64, f64) {
        let count = f64::from(self.pairs);
        if self.pairs < 2 {
            return (0.0, f64::INFINITY);
        }
        let mean = self.lead.0 / count;
        let variance = (self.lead.1 / count - mean * mean).max(0.0) * count / (count - 1.0);
        (mean, (variance / count).sqrt())
    }
}

/// Everything that a search uses again and again.
#[derive(Clone, Debug)]
pub(crate) struct Bench<G: Game, H> {
    tree: Tree,
    path: Vec<(NodeId, EdgeId)>,
    legal: Vec<G::Action>,
    candidates: Vec<Candidate>,
    alive: Vec<usize>,
    /// A player for each seat, the searching one's first: what a player remembers is of its own seat, and makes it faster.
    greedy: Vec<H>,
}

impl<G: HasBots> Bench<G, G::Greedy> {
    pub(crate) fn new(greedy: G::Greedy) -> Self {
        Self {
            tree: Tree::default(),
            path: Vec::new(),
            legal: Vec::new(),
            candidates: Vec::new(),
            alive: Vec::new(),
            greedy: vec![greedy],
        }
    }

    pub(crate) fn into_greedy(mut self) -> G::Greedy {
        self.greedy.swap_remove(0)
    }

    /// The player of a seat, counted from the seat that searches.
    fn greedy_of(greedy: &mut Vec<G::Greedy>, seat: Seat, searching: Seat) -> &mut G::Greedy {
        let number = (seat.index() + MAX_SEATS - searching.index()) % MAX_SEATS;
        if greedy.len() <= number {
            greedy.resize_with(number + 1, G::Greedy::default);
        }
        &mut greedy[number]
    }
}

/// One search for one decision.
pub(crate) struct Search<'a, G: HasBots> {
    pub(crate) seen: &'a Seen<'a, G>,
    pub(crate) legal: &'a [G::Action],
    pub(crate) options: &'a Options,
    pub(crate) seed: u64,
    /// Which of the trees this is.
    pub(crate) tree: u32,
    /// Asked now and then whether to end.
    pub(crate) stop: &'a dyn Fn() -> bool,
}

/// Numbers from a stream, one after the other.
#[derive(Debug)]
pub struct Draws {
    stream: Stream,
    draw: u32,
}

impl Draws {
    /// The numbers of a stream from the first one on.
    pub const fn new(stream: Stream) -> Self {
        Self { stream, draw: 0 }
    }

    /// The next number, uniform below `sides`.
    pub fn below(&mut self, sides: u32) -> u32 {
        self.draw += 1;
        self.stream.below(self.draw - 1, sides)
    }
}

/// Most nodes of a tree; a longer search goes on without new ones.
const MAX_NODES: usize = 1 << 20;
/// Iterations between two looks at whether to end.
const LOOK: u32 = 16;
/// How a decision of the tree is explored. Values of actions differ by a few hundredths of a victory.
const EXPLORATION: Exploration = Exploration { curiosity: 0.2, trust: 0.7 };
/// Standard errors by which an action may be behind the favourite and still be tried on.
const PATIENCE: f64 = 2.0;
/// Standard errors by which another action has to be better than the favourite.
const CAUTION: f64 = 3.0;
/// Visits of every action before the first drop out.
const FIRST_LOOK: u32 = 8;
/// Most decisions of a rollout.
const LONGEST: u32 = 2000;

impl<G: HasBots> Search<'_, G> {
    /// Tries the legal actions until the budget is spent or the choice is clear. The favourite is the one that others
    /// are compared with; it is tried as often as any.
    pub(crate) fn run(&self, favourite: usize, bench: &mut Bench<G, G::Greedy>) -> Vec<Candidate> {
        let budget = self.options.share(self.tree);
        let count = self.legal.len();
        bench.tree.clear((budget as usize).min(MAX_NODES) + count);
        let roots: Vec<NodeId> = (0..count).map(|_| bench.tree.add_node(u32::MAX)).collect();
        bench.candidates.clear();
        bench.candidates.resize(count, Candidate::default());
        // The favourite first, the others in table order.
        bench.alive.clear();
        bench.alive.push(favourite);
        bench.alive.extend((0..count).filter(|&place| place != favourite));
        let most = (budget as usize).min(bench.alive.len());
        bench.alive.truncate(most.max(1));
        let own = self.seen.seat().index();
        // Result of the favourite, always the first action, in the current world.
        let mut beside = 0.0;
        let mut spent = 0;
        let mut target = (budget / (2 * bench.alive.len() as u32)).clamp(1, FIRST_LOOK);
        'search: loop {
            let mut visit = bench.candidates[favourite].visits;
            while visit < target {
                for turn in 0..bench.alive.len() {
                    if spent >= budget || spent % LOOK == 0 && (self.stop)() {
                        break 'search;
                    }
                    let place = bench.alive[turn];
                    let values = self.iterate(place, roots[place], visit, bench);
                    let candidate = &mut bench.candidates[place];
                    candidate.note(&values);
                    if place == favourite {
                        beside = values[own];
                    } else {
                        candidate.compare(f64::from(values[own] - beside));
                    }
                    spent += 1;
                }
                visit += 1;
            }
            Self::thin_out(favourite, bench);
            if bench.alive.len() == 1 {
                break;
            }
            target *= 2;
        }
        bench.candidates.clone()
    }

    /// Drops actions that are behind by more than noise, and the worse half of the others; the favourite always stays.
    fn thin_out(favourite: usize, bench: &mut Bench<G, G::Greedy>) {
        let candidates = &bench.candidates;
        let hope = |place: usize| {
            let (mean, error) = candidates[place].lead();
            if place == favourite { 0.0 } else { mean + PATIENCE * error }
        };
        bench.alive.retain(|&place| place == favourite || hope(place) > 0.0);
        let mean = |place: usize| if place == favourite { f64::INFINITY } else { candidates[place].lead().0 };
        bench.alive.sort_by(|&one, &other| mean(other).total_cmp(&mean(one)).then(one.cmp(&other)));
        let half = bench.alive.len().div_ceil(2).max(2);
        bench.alive.truncate(half);
    }

    /// One iteration: a world, an action in it, a way through the tree, a rollout. World and dice of a visit are the
    /// same for every action.
    fn iterate(&self, place: usize, root: NodeId, visit: u32, bench: &mut Bench<G, G::Greedy>) -> Values {
        let number = u64::from(self.tree) << 40 | u64::from(visit) << 1;
        let mut draws = Draws::new(Stream::new(self.seed, Purpose::Search, number));
        let mut dice = Stream::new(self.seed, Purpose::Search, number | 1);
        let mut world = self.seen.resample(&mut |sides| draws.below(sides));
        let begun = world.stretch();
        world.play_unchecked(self.legal[place], &mut dice);
        let winner = world.outcome().and_then(|outcome| outcome.winner());
        bench.candidates[place].won += u32::from(winner == Some(self.seen.seat()));

        bench.path.clear();
        let mut node = Some(root);
        let mut steps = 0;
        while let Some(seat) = world.to_act() {
            if steps >= LONGEST || world.stretch().wrapping_sub(begun) >= G::HORIZON {
                break;
            }
            steps += 1;
            world.legal_actions(&mut bench.legal);
            if bench.legal.len() == 1 {
                world.play_unchecked(bench.legal[0], &mut dice);
                continue;
            }
            let choice = match node {
                None => {
                    let seen = Seen::new(&world, seat);
                    let greedy = Bench::<G, _>::greedy_of(&mut bench.greedy, seat, self.seen.seat());
                    greedy.decide(&seen, &bench.legal, &mut |sides| draws.below(sides))
                }
                Some(at) => self.descend(at, seat, &world, &mut node, &mut draws, bench),
            };
            world.play_unchecked(bench.legal[choice], &mut dice);
        }
        let values = value(&world);
        bench.tree.back_up(&bench.path, &values);
        values
    }

    /// One step down the tree. The step that leaves it is the favourite's.
    fn descend(
        &self,
        at: NodeId,
        seat: Seat,
        world: &G,
        node: &mut Option<NodeId>,
        draws: &mut Draws,
        bench: &mut Bench<G, G::Greedy>,
    ) -> usize {
        let Bench { tree, path, legal, greedy, .. } = bench;
        let greedy = Bench::<G, _>::greedy_of(greedy, seat, self.seen.seat());
        let mut ask = |legal: &[G::Action]| {
            greedy.decide(&Seen::new(world, seat), legal, &mut |sides| draws.below(sides))
        };
        if tree.favourite(at) == u32::MAX {
            // Nobody has been here: the node gets its favourite.
            let choice = ask(legal);
            tree.set_favourite(at, G::index_of(legal[choice]));
            let edge = tree.add_edge(at, G::index_of(legal[choice]));
            path.push((at, edge));
            *node = None;
            return choice;
        }
        let (edge, choice) = match tree.select(
            at,
            seat.index(),
            legal.iter().map(|&action| G::index_of(action)),
            &EXPLORATION,
        ) {
            Chosen::Known(edge, choice) => (edge, choice),
            Chosen::New => {
                let favourite = tree.favourite(at);
                let fresh = |place: &usize| !tree.has(at, G::index_of(legal[*place]));
                let wanted = legal.iter().position(|&action| G::index_of(action) == favourite);
                let choice = wanted.filter(fresh).unwrap_or_else(|| {
                    let count = (0..legal.len()).filter(fresh).count() as u32;
                    let lot = draws.below(count) as usize;
                    (0..legal.len()).filter(fresh).nth(lot).unwrap_or(0)
                });
                (tree.add_edge(at, G::index_of(legal[choice])), choice)
            }
        };
        path.push((at, edge));
        *node = match tree.child(edge) {
            Some(child) => Some(child),
            None if tree.has_room() => {
                let child = tree.add_node(u32::MAX);
                tree.set_child(edge, child);
                Some(child)
            }
            None => None,
        };
        choice
    }
}

/// Value of a state to each seat: the victory or a share of it once the match is over, an evaluation before.
pub fn value<G: HasBots>(state: &G) -> Values {
    if let Some(outcome) = state.outcome() {
        return outcome_values(&outcome);
    }
    let mut values = [0.0; MAX_SEATS];
    state.evaluate(&mut values[..state.seats()]);
    values
}

/// The victory, shared by all seats in first place.
pub(super) fn outcome_values(outcome: &Outcome) -> Values {
    let mut values = [0.0; MAX_SEATS];
    for (value, &rank) in values.iter_mut().zip(&outcome.ranks) {
        *value = f32::from(u8::from(rank == 1));
    }
    let first: f32 = values.iter().sum();
    values.map(|value| value / first)
}
