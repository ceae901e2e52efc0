// What runs and tournaments have in common: their state and their progress.

import { count, duration } from "../charts/format";

const WORDS: Record<string, readonly [string, string]> = {
  QUEUED: ["waiting", "soft"],
  RUNNING: ["running", "busy"],
  STALLED: ["stalled", "bad"],
  SUCCEEDED: ["done", "good"],
  FAILED: ["failed", "bad"],
  CANCELLED: ["cancelled", "soft"],
};

/** The last word of a state of the server, e.g. RUNNING. */
export function stateOf(state: string | undefined): string {
  return state?.split("_").at(-1) ?? "";
}

/** Whether a job in this state goes on. */
export function goesOn(state: string): boolean {
  return state === "QUEUED" || state === "RUNNING" || state === "STALLED";
}

export function State({ state, place }: { state: string; place?: number }) {
  const [word, look] = WORDS[state] ?? [state.toLowerCase(), "soft"];
  return (
    <span class={`state ${look}`}>
      {word}
      {state === "QUEUED" && place !== undefined && `, place ${place + 1}`}
    </span>
  );
}

interface ProgressProps {
  done: number;
  due: number;
  rate?: number;
  left?: number;
  what?: string;
}

/** A bar with the numbers of what is done. */
export function Progress({ done, due, rate, left, what = "matches" }: ProgressProps) {
  const share = due > 0 ? Math.min(1, done / due) : 0;
  return (
    <div class="progress">
      <progress max={Math.max(due, 1)} value={Math.min(done, due)} aria-label={`${what} done`} />
      <span class="remark">
        {count(done)} of {count(due)} {what} ({Math.floor(100 * share)} %)
        {rate ? `, ${rate >= 10 ? count(rate) : rate.toFixed(1)} a second` : ""}
        {left !== undefined && `, ${duration(left)} left`}
      </span>
    </div>
  );
}

/** The short name of a job: the first characters of what follows the slash. */
export function shortName(name: string | undefined): string {
  return (name ?? "").split("/").at(-1)?.slice(0, 8) ?? "";
}
