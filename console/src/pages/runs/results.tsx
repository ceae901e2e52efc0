// What a run has found so far: wins by seat, why matches ended, and how long they were.

import type { RunSummary } from "../../api/sengoku";
import { shareError } from "../../charts/errors";
import { count, decimal } from "../../charts/format";
import { Shares } from "../../charts/shares";

/** The mean and its standard error from integer sums. */
export function mean(sum: string | undefined, squares: string | undefined, many: number): [number, number] {
  const [total, square] = [Number(sum ?? 0), Number(squares ?? 0)];
  const middle = total / many;
  const variance = many > 1 ? Math.max(0, (square - many * middle * middle) / (many - 1)) : 0;
  return [middle, Math.sqrt(variance / many)];
}

export function Results({ summary }: { summary: RunSummary }) {
  const matches = Number(summary.matchCount ?? 0);
  if (matches === 0) return <p class="remark">No match is finished yet.</p>;
  const wins = (summary.wins ?? []).map(Number);
  const [draws, none] = [Number(summary.draws ?? 0), Number(summary.noResults ?? 0)];
  const winners = wins.map((won, seat) => ({
    label: `Seat ${seat}: ${summary.bots?.[seat] ?? ""}`,
    value: won / matches,
    error: shareError(won, matches),
    colour: `var(--seat-${seat})`,
    fair: 1 / wins.length,
  }));
  const others = [
    ["First place shared", draws],
    ["No result", none],
  ] as const;
  const reasons = (summary.reasons ?? []).map((reason, at) => ({
    label: reason.replaceAll("_", " "),
    value: Number(summary.reasonCounts?.[at] ?? 0) / matches,
    colour: "var(--other)",
  }));
  const long = mean(summary.roundsSum, summary.roundsSquareSum, matches);
  const decisions = mean(summary.decisionsSum, summary.decisionsSquareSum, matches);
  return (
    <div class="pair results">
      <section class="card stack">
        <h2>Who wins</h2>
        <Shares
          label="Wins by seat"
          shares={[
            ...winners,
            ...others
              .filter(([, number]) => number > 0)
              .map(([label, number]) => ({ label, value: number / matches, colour: "var(--other)" })),
          ]}
          digits={2}
        />
        <p class="remark">Of {count(matches)} matches. Lines are 95 % intervals, marks the fair share.</p>
      </section>
      <section class="card stack">
        <h2>Why matches end</h2>
        <Shares label="Reasons" shares={reasons} />
        <dl class="facts">
          <div>
            <dt>Rounds</dt>
            <dd>
              {decimal(long[0], 2)} ±{decimal(long[1], 2)}
            </dd>
          </div>
          <div>
            <dt>Decisions</dt>
            <dd>
              {decimal(decisions[0], 1)} ±{decimal(decisions[1], 1)}
            </dd>
          </div>
          <div>
            <dt>Sum of digests</dt>
            <dd>
              <code>
                {BigInt(summary.digestSum ?? 0)
                  .toString(16)
                  .padStart(16, "0")}
              </code>
            </dd>
          </div>
        </dl>
        <p class="remark">Means with their standard errors. Equal runs have equal sums of digests.</p>
      </section>
    </div>
  );
}
