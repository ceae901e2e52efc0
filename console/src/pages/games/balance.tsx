import type { Scenario, ScenarioBalance } from "../../api/sengoku";
import { shareError } from "../../charts/errors";
import { count, decimal } from "../../charts/format";
import { type Share, Shares } from "../../charts/shares";

/** Wins by seat as shares with their errors. */
export function sharesOf(balance: ScenarioBalance, seats: readonly string[]): Share[] {
  const matches = Number(balance.matchCount ?? 0);
  const wins = (balance.wins ?? []).map(Number);
  return wins.map((won, seat) => ({
    label: seats[seat] ?? `Seat ${seat}`,
    value: won / matches,
    error: shareError(won, matches),
    colour: `var(--seat-${seat})`,
    fair: 1 / wins.length,
  }));
}

/** Win rates by seat of a scenario, one group for each number of seats, and how they were counted. */
export function Balance({ scenario }: { scenario: Scenario }) {
  const rows = scenario.balance ?? [];
  if (rows.length === 0) return <p class="remark">Nobody has counted matches of this one.</p>;
  return (
    <div class="stack">
      <div class="pair">
        {rows.map((row) => (
          <div class="stack" key={row.wins?.length}>
            {rows.length > 1 && <h3>{row.wins?.length} players</h3>}
            <Shares label="Wins by seat" shares={sharesOf(row, scenario.seats ?? [])} digits={1} />
            <p class="remark">
              {count(row.matchCount)} matches with {[...new Set(row.bots)].join(", ")} in every seat, seed{" "}
              {row.seed ?? 0}, rules version {row.rulesVersion}, {row.date};{" "}
              {decimal(Number(row.roundsSum ?? 0) / Number(row.matchCount), 1)} rounds on average
              {Number(row.draws ?? 0) > 0 && `, ${count(row.draws)} with a shared first place`}.
            </p>
          </div>
        ))}
      </div>
      <p class="remark">
        Lines are 95 % intervals, marks the fair share. It says how the bot plays them; people may find
        another balance.
      </p>
    </div>
  );
}
