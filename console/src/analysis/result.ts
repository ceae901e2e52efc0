// The result of an analysis, as the server writes it: win probabilities by decision and seat, and what draws changed.

/** What one decision was worth. */
export interface Move {
  decision: number;
  seat: number;
  text: string;
  /** Win probabilities by seat, before the decision and after what was drawn in it. */
  before: number[];
  before_error: number[];
  /** With the action played, before anything was drawn. */
  expected: number[];
  after: number[];
  after_error: number[];
  best_text: string;
  /** How much better the best action is, and the standard error of that. */
  loss: number;
  loss_error: number;
}

/** What the draws of one decision changed. */
export interface Draw {
  decision: number;
  change: number[];
}

export interface Result {
  decisions: number;
  analysed: number;
  seats: number;
  moves: Move[];
  draws: Draw[];
}

/** A decision at which the match turned. */
export interface Turn {
  decision: number;
  text: string;
  /** The largest change of a win probability, and whose it was. */
  swing: number;
  seat: number;
  cause: "draw" | "mistake" | "hidden" | "play";
  best: string;
}

/** A change below this is not a turning point, and one within so many standard errors is not sure. */
const SWING = 0.1;
const SURE = 2;

/** The decisions with the largest changes, in order. */
export function turningPoints(result: Result, most = 8): Turn[] {
  const drawn = new Map(result.draws.map((draw) => [draw.decision, draw.change]));
  const found: Turn[] = [];
  for (const move of result.moves) {
    const changes = move.before.map((before, seat) => (move.after[seat] ?? 0) - before);
    const seat = changes.reduce(
      (best, change, at) => (Math.abs(change) > Math.abs(changes[best] ?? 0) ? at : best),
      0,
    );
    const swing = changes[seat] ?? 0;
    const size = Math.abs(swing);
    const error = Math.hypot(move.before_error[seat] ?? 0, move.after_error[seat] ?? 0);
    if (size < SWING || size <= SURE * error) continue;
    const cause = causeOf(move, drawn.get(move.decision) ?? [], seat, size);
    found.push({ decision: move.decision, text: move.text, swing, seat, cause, best: move.best_text });
  }
  found.sort((a, b) => Math.abs(b.swing) - Math.abs(a.swing));
  return found.slice(0, most).sort((a, b) => a.decision - b.decision);
}

/** What made most of a change of a seat's win probability. */
function causeOf(move: Move, change: readonly number[], seat: number, size: number): Turn["cause"] {
  const luck = change[seat] ?? 0;
  if (Math.max(0, ...change.map(Math.abs)) >= size / 2) return "draw";
  if (move.loss >= size / 2) return "mistake";
  const rest = (move.after[seat] ?? 0) - (move.expected[seat] ?? 0) - luck;
  return Math.abs(rest) >= size / 2 ? "hidden" : "play";
}

/** A loss below this is no mistake, and one within so many standard errors is not sure. */
const MISTAKE = 0.05;

/** The moves that lost most, the worst first. */
export function mistakes(result: Result, most = 8): Move[] {
  const found = result.moves.filter(({ loss, loss_error }) => loss >= MISTAKE && loss > SURE * loss_error);
  return found.sort((one, other) => other.loss - one.loss).slice(0, most);
}

/** A curve: the value after each decision that has one. */
export type Curve = { decision: number; value: number }[];

/** The win probability of each seat over the match. */
export function winCurves(result: Result): Curve[] {
  return Array.from({ length: result.seats }, (_, seat) => {
    const first = result.moves[0];
    const start = first ? [{ decision: first.decision - 1, value: first.before[seat] ?? 0 }] : [];
    return [
      ...start,
      ...result.moves.map((move) => ({ decision: move.decision, value: move.after[seat] ?? 0 })),
    ];
  });
}

/** The sum of what draws changed for each seat. */
export function luckCurves(result: Result): Curve[] {
  return Array.from({ length: result.seats }, (_, seat) => {
    let sum = 0;
    return result.draws.map((draw) => {
      sum += draw.change[seat] ?? 0;
      return { decision: draw.decision, value: sum };
    });
  });
}
