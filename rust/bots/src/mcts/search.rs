//! The search itself: worlds, ways through the tree, rollouts, and who is tried how often at the root.

use sengoku_kernel::{Chance, Game, MAX_SEATS, Outcome, Purpose, Seat, Stream};

use super::options::Options;
use super::tree::{Chosen, EdgeId, Exploration, NodeId, Tree, Values};
use crate::{Bot, HasBots, Seen};

/// What is known about one action of the decision searched for.
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
}

impl Candidate {
    fn note(&mut self, values: &Values) {
        self.visits += 1;
        for (sum, value) in self.sums.iter_mut().zip(values) {
            *sum += value;
        }
    }

    /// Adds what another tree found.
    pub(crate) fn add(&mut self, other: &Self) {
        self.visits += other.visits;
        self.pairs += other.pairs;
        self.lead.0 += other.lead.0;
        self.lead.1 += other.lead.1;
        for (sum, more) in self.sums.iter_mut().zip(&other.sums) {
            *sum += more;
        }
    }

    /// The mean lead over the first choice, and its standard error.
    pub(crate) fn lead(&self) -> (f64, f64) {
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
    /// The own seat's values of each candidate, by world.
    worlds: Vec<f32>,
    alive: Vec<usize>,
    greedy: H,
}

impl<G: HasBots> Bench<G, G::Greedy> {
    pub(crate) fn new(greedy: G::Greedy) -> Self {
        Self {
            tree: Tree::default(),
            path: Vec::new(),
            legal: Vec::new(),
            candidates: Vec::new(),
            worlds: Vec::new(),
            alive: Vec::new(),
            greedy,
        }
    }

    pub(crate) fn into_greedy(self) -> G::Greedy {
        self.greedy
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
pub(super) struct Draws {
    stream: Stream,
    draw: u32,
}

impl Draws {
    pub(super) const fn new(stream: Stream) -> Self {
        Self { stream, draw: 0 }
    }

    pub(super) fn below(&mut self, sides: u32) -> u32 {
        self.draw += 1;
        self.stream.below(self.draw - 1, sides)
    }
}

/// Iterations between two looks at whether to end.
const LOOK: u32 = 16;
/// Most decisions of a rollout.
const LONGEST: u32 = 400;

impl<G: HasBots> Search<'_, G> {
    /// Tries the legal actions until the budget is spent or the choice is clear. The favourite is the one that others
    /// are compared with; it is tried as often as any.
    pub(crate) fn run(&self, favourite: usize, bench: &mut Bench<G, G::Greedy>) -> Vec<Candidate> {
        let budget = self.options.share(self.tree);
        let count = self.legal.len();
        bench.tree.clear(budget as usize + count);
        let roots: Vec<NodeId> = (0..count).map(|_| bench.tree.add_node(u32::MAX)).collect();
        bench.candidates.clear();
        bench.candidates.resize(count, Candidate::default());
        // The favourite first, the others in table order.
        bench.alive.clear();
        bench.alive.push(favourite);
        bench.alive.extend((0..count).filter(|&place| place != favourite));
        let most = (budget as usize).min(bench.alive.len());
        bench.alive.truncate(most.max(1));
        let room = budget as usize;
        bench.worlds.clear();
        bench.worlds.resize(count * room.min(4096), f32::NAN);
        let stride = room.min(4096);

        let mut spent = 0;
        let mut target = (budget / (2 * bench.alive.len() as u32)).clamp(1, 8);
        'search: loop {
            let mut visit = bench.candidates[favourite].visits;
            while visit < target {
                for turn in 0..bench.alive.len() {
                    if spent >= budget || spent % LOOK == 0 && (self.stop)() {
                        break 'search;
                    }
                    let place = bench.alive[turn];
                    let values = self.iterate(place, roots[place], visit, bench);
                    let own = self.seen.seat().index();
                    bench.candidates[place].note(&values);
                    let world = visit as usize % stride;
                    bench.worlds[place * stride + world] = values[own];
                    if place != favourite {
                        let lead = f64::from(values[own] - bench.worlds[favourite * stride + world]);
                        let it = &mut bench.candidates[place];
                        it.lead.0 += lead;
                        it.lead.1 += lead * lead;
                        it.pairs += 1;
                    }
                    spent += 1;
                }
                visit += 1;
            }
            self.thin_out(favourite, bench);
            if bench.alive.len() == 1 {
                break;
            }
            target *= 2;
        }
        bench.candidates.clone()
    }

    /// Takes out who is behind by more than noise, and the worse half of the others; the favourite always stays.
    fn thin_out(&self, favourite: usize, bench: &mut Bench<G, G::Greedy>) {
        let candidates = &bench.candidates;
        let patience = f64::from(self.options.patience);
        let hope = |place: usize| {
            let (mean, error) = candidates[place].lead();
            if place == favourite { 0.0 } else { mean + patience * error }
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

        bench.path.clear();
        let mut node = Some(root);
        let mut steps = 0;
        let horizon = self.options.horizon;
        loop {
            let Some(seat) = world.to_act() else { break };
            if steps >= LONGEST || world.stretch().wrapping_sub(begun) >= horizon {
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
                    bench.greedy.decide(&seen, &bench.legal, &mut |sides| draws.below(sides))
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
        let exploration =
            Exploration { curiosity: self.options.curiosity, trust: self.options.trust };
        let (edge, choice) = match tree.select(
            at,
            seat.index(),
            legal.iter().map(|&action| G::index_of(action)),
            &exploration,
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

/// What a state is worth to each seat: the victory or a share of it once the match is over, a judgement before.
fn value<G: HasBots>(state: &G) -> Values {
    if let Some(outcome) = state.outcome() {
        return outcome_values(&outcome);
    }
    let mut values = [0.0; MAX_SEATS];
    state.judge(&mut values[..state.seats()]);
    values
}

/// The victory, shared by all who are first.
pub(super) fn outcome_values(outcome: &Outcome) -> Values {
    let mut values = [0.0; MAX_SEATS];
    let first = outcome.ranks.iter().filter(|&&rank| rank == 1).count() as f32;
    for (value, &rank) in values.iter_mut().zip(&outcome.ranks) {
        *value = f32::from(u8::from(rank == 1)) / first;
    }
    values
}
