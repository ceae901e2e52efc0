// A run as the server describes it: an operation whose metadata is a `RunMetadata`.

import { type Operation, Operations, type RunMetadata, type RunSummary } from "../../api/sengoku";
import { seconds } from "../../charts/format";
import { goesOn, stateOf } from "../../parts/job";

export interface Run {
  /** Name of the operation. */
  name: string;
  /** The last part of it, as in the address of its page. */
  id: string;
  state: string;
  going: boolean;
  done: number;
  due: number;
  metadata: RunMetadata;
  summary: RunSummary;
  timeLeft: number | undefined;
  /** Why it failed. */
  error: string;
}

export function runOf(operation: Operation | undefined): Run {
  const metadata = (operation?.metadata ?? {}) as unknown as RunMetadata;
  const state = stateOf(metadata.state);
  const name = operation?.name ?? "";
  return {
    name,
    id: name.split("/").at(-1) ?? "",
    state,
    going: goesOn(state),
    done: Number(metadata.matchesDone ?? 0),
    due: Number(metadata.run?.matchCount ?? 0),
    metadata,
    summary: metadata.summary ?? {},
    timeLeft: seconds(metadata.timeLeft),
    error: operation?.error?.message ?? "",
  };
}

/** A page of runs, the newest first. */
export async function listRuns(
  pageToken: string,
  signal: AbortSignal,
): Promise<{ runs: Run[]; next: string }> {
  const page = await Operations.listOperations({ name: "operations", pageSize: 25, pageToken }, { signal });
  return { runs: (page.operations ?? []).map(runOf), next: page.nextPageToken ?? "" };
}

/** What is played, in a few words: "battles 8: greedy against random". */
export function described(run: Run): string {
  const { game = "", bots = [], setupJson } = run.metadata.run ?? {};
  const names = run.summary.bots?.length ? run.summary.bots : bots;
  const { scenario, side } = JSON.parse(setupJson || "{}") as { scenario?: unknown; side?: unknown };
  const place = scenario ?? side;
  return `${game}${place === undefined ? "" : ` ${place}`}: ${[...new Set(names)].join(" against ")}`;
}
