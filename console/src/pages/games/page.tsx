// The three games explained, and their scenarios.

import { useMemo } from "preact/hooks";
import { CatalogService, type Game, type Scenario } from "../../api/sengoku";
import { shareError } from "../../charts/errors";
import { percent } from "../../charts/format";
import { CallFailure } from "../../parts/failure";
import { useHashState } from "../../parts/hash-state";
import { Choice, Text } from "../../parts/inputs";
import { Loading } from "../../parts/loading";
import { Main } from "../../parts/main";
import { useCall } from "../../parts/use-call";
import { Link } from "../../router";
import { ABOUT } from "./about";
import { RULES } from "./rules-text";

export default function Games() {
  const games = useCall((signal) => CatalogService.listGames({}, { signal }), []);
  const scenarios = useCall((signal) => CatalogService.listScenarios({}, { signal }), []);
  const error = games.error ?? scenarios.error;
  const again = () => {
    games.again();
    scenarios.again();
  };
  return (
    <Main title="Games and scenarios">
      <div class="stack">
        <h1>Games and scenarios</h1>
        {error !== undefined && <CallFailure error={error} retry={again} />}
        {!(games.data && scenarios.data) && error === undefined && <Loading what="the games" />}
        <div class="trio">
          {games.data?.games?.map((game) => (
            <GameCard
              key={game.id}
              game={game}
              scenarios={(scenarios.data?.scenarios ?? []).filter((known) => known.game === game.id)}
            />
          ))}
        </div>
        {scenarios.data && (
          <Battles
            battles={(scenarios.data.scenarios ?? []).filter((known) => known.game === "battles")}
            remarks={games.data?.games?.find((game) => game.id === "battles")?.scenarioRemarks ?? []}
          />
        )}
      </div>
    </Main>
  );
}

function GameCard({ game, scenarios }: { game: Game; scenarios: Scenario[] }) {
  const id = game.id ?? "";
  const about = ABOUT[id];
  const seats = game.minSeats === game.maxSeats ? `${game.minSeats}` : `${game.minSeats} to ${game.maxSeats}`;
  return (
    <section class="card stack">
      <div>
        <h2>{about?.title ?? id}</h2>
        <p class="remark">{seats} players</p>
      </div>
      <p>{about?.what ?? game.summary}</p>
      {about && (
        <>
          <h3>A round</h3>
          <ol class="steps">
            {about.steps.map(([step, words]) => (
              <li key={step}>
                <strong>{step}</strong>: {words}
              </li>
            ))}
          </ol>
          <h3>Combat</h3>
          <p>
            {about.combat} <Link href={`/odds#game=${id}`}>Odds</Link>
          </p>
          <h3>The end</h3>
          <p>{about.end}</p>
        </>
      )}
      <div class="row">
        <Link class="button primary" href={`/play?game=${id}`}>
          Play
        </Link>
        {id in RULES && (
          <Link class="button" href={`/games/${id}/rules`}>
            Rules
          </Link>
        )}
        {id !== "battles" &&
          scenarios.map((scenario) => (
            <Link class="button" key={scenario.id} href={`/games/${id}/${scenario.id}`}>
              Map: {scenario.name}
            </Link>
          ))}
      </div>
    </section>
  );
}

const ORDERS = [
  ["number", "by number"],
  ["even", "the most even first"],
  ["banners", "the shortest first"],
] as const;
const DEFAULTS = { find: "", order: "number" };

function Battles({ battles, remarks }: { battles: Scenario[]; remarks: readonly string[] }) {
  const [{ find, order }, change] = useHashState(DEFAULTS);
  const shown = useMemo(() => {
    const words = find.toLowerCase().split(/\s+/).filter(Boolean);
    const found = battles.filter((battle) => {
      const text = [battle.id, battle.name, ...(battle.facts ?? []).map((fact) => fact.value)]
        .join(" ")
        .toLowerCase();
      return words.every((word) => text.includes(word));
    });
    const rank = (battle: Scenario) => {
      if (order === "even") return Math.abs(share(battle) - 0.5);
      return order === "banners" ? rounds(battle) : Number(battle.id);
    };
    return found.sort((one, other) => rank(one) - rank(other));
  }, [battles, find, order]);
  return (
    <section class="card stack" data-game="battles">
      <div class="row spread">
        <h2>Forty battles</h2>
        <div class="row filters">
          <Text label="Find" value={find} onChange={(text) => change({ find: text })} />
          <Choice
            label="Order"
            value={order}
            options={ORDERS}
            onChange={(chosen) => change({ order: chosen })}
          />
        </div>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: wide tables are scrolled with the keys */}
      <section class="wide" tabIndex={0} aria-label="Battles">
        <table class="battles">
          <thead>
            <tr>
              <th scope="col" class="number">
                No.
              </th>
              <th scope="col">Battle</th>
              <th scope="col">Year</th>
              <th scope="col">Armies</th>
              <th scope="col" class="number">
                Banners
              </th>
              <th scope="col">Wins of the first army</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((battle) => (
              <tr key={battle.id}>
                <td class="number">{battle.id}</td>
                <td>
                  <Link href={`/games/battles/${battle.id}`}>{battle.name}</Link>
                </td>
                <td>{fact(battle, "year")}</td>
                <td>{(battle.seats ?? []).join(" against ")}</td>
                <td class="number">{fact(battle, "banners").replace("\n", " / ")}</td>
                <td>
                  <Even battle={battle} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {shown.length === 0 && <p>No battle has all these words.</p>}
      {remarks
        .filter((remark) => !remark.startsWith("*"))
        .map((remark) => (
          <p class="remark" key={remark}>
            {remark}
          </p>
        ))}
    </section>
  );
}

function Even({ battle }: { battle: Scenario }) {
  const row = battle.balance?.[0];
  if (row === undefined) return <>not counted</>;
  const [wins, matches] = [Number(row.wins?.[0] ?? 0), Number(row.matchCount ?? 1)];
  const error = shareError(wins, matches);
  return (
    <span class="even" title={`${wins} of ${matches} matches, standard error ${percent(error)}`}>
      <span class="track" aria-hidden="true">
        <span class="fill" style={{ width: `${(100 * wins) / matches}%` }} />
      </span>
      {percent(wins / matches, 0)}
    </span>
  );
}

export function fact(scenario: Scenario, name: string): string {
  return scenario.facts?.find((known) => known.name === name)?.value ?? "";
}

function share(battle: Scenario): number {
  const row = battle.balance?.[0];
  return row ? Number(row.wins?.[0] ?? 0) / Number(row.matchCount ?? 1) : 0;
}

function rounds(battle: Scenario): number {
  const row = battle.balance?.[0];
  return row ? Number(row.roundsSum ?? 0) / Number(row.matchCount ?? 1) : 0;
}
