// How long the matches of a run are, from its rows, which are read when somebody wants to see it.

import { useState } from "preact/hooks";
import { SimulationService } from "../../api/sengoku";
import { Distribution } from "../../charts/distribution";
import { counted } from "../../charts/format";
import { CallFailure } from "../../parts/failure";
import { Loading } from "../../parts/loading";
import { elements } from "../../parts/tensor";
import { useCall } from "../../parts/use-call";
import type { Run } from "./run-data";

/** Rows that are read at most: the first ones of the run. */
const MOST_ROWS = 20_000;
const ROUND = ["round", "rounds"] as const;

/** Shares of matches by their number of rounds, and how many matches were read. */
async function lengths(run: Run, signal: AbortSignal): Promise<{ shares: number[]; rows: number }> {
  const counts: number[] = [];
  let rows = 0;
  const request = { name: run.name, matchCount: `${Math.min(run.done, MOST_ROWS)}` };
  for await (const { packed } of SimulationService.readRun(request, { signal })) {
    for (const rounds of elements(packed?.rows?.rounds)) {
      counts[Number(rounds)] = (counts[Number(rounds)] ?? 0) + 1;
      rows += 1;
    }
  }
  return { shares: Array.from(counts, (number) => (number ?? 0) / Math.max(rows, 1)), rows };
}

export function Lengths({ run }: { run: Run }) {
  const [open, setOpen] = useState(false);
  return (
    <section class="card">
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <h2>How long matches take</h2>
        </summary>
        {open && <Chart run={run} />}
      </details>
    </section>
  );
}

function Chart({ run }: { run: Run }) {
  // While a run goes on, the chart stays as it was when it was opened.
  const [shown] = useState(run);
  const found = useCall((signal) => lengths(shown, signal), [shown.name]);
  if (found.error !== undefined) return <CallFailure error={found.error} retry={found.again} />;
  if (found.data === undefined) return <Loading what="the rows" />;
  const { shares, rows } = found.data;
  return (
    <div class="lengths">
      <Distribution title="Rounds of a match" values={shares} colour="var(--accent)" nouns={ROUND} />
      <p class="remark">Of the first {counted(rows, "match", "matches")}.</p>
    </div>
  );
}
