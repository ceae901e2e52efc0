// A form that starts a run.

import { useEffect, useState } from "preact/hooks";
import { CatalogService, type Game, type Scenario, SimulationService } from "../../api/sengoku";
import { CallFailure } from "../../parts/failure";
import { useHashState } from "../../parts/hash-state";
import { Choice, Stepper, Text } from "../../parts/inputs";
import { Loading } from "../../parts/loading";
import { useCall } from "../../parts/use-call";
import { navigate } from "../../router";
import { runOf } from "./run-data";

const DEFAULTS = {
  game: "battles",
  scenario: "",
  seats: "",
  bots: "greedy,greedy",
  matches: "1000",
  seed: "1",
  setup: "",
};
type Values = typeof DEFAULTS;

export function StartRun() {
  const [values, change] = useHashState(DEFAULTS);
  const [error, setError] = useState<unknown>();
  const [starting, setStarting] = useState(false);
  const catalog = useCall(async (signal) => {
    const [games, scenarios] = await Promise.all([
      CatalogService.listGames({}, { signal }),
      CatalogService.listScenarios({}, { signal }),
    ]);
    return { games: games.games ?? [], scenarios: scenarios.scenarios ?? [] };
  }, []);
  useEffect(() => setError(undefined), [values]);
  if (catalog.error !== undefined) return <CallFailure error={catalog.error} retry={catalog.again} />;
  const game = catalog.data?.games.find((known) => known.id === values.game);
  if (catalog.data === undefined || game === undefined) return <Loading what="the games" />;
  const scenarios = catalog.data.scenarios.filter((known) => known.game === game.id);
  const start = async (event: Event) => {
    event.preventDefault();
    setStarting(true);
    try {
      const operation = await SimulationService.startRun({ run: requestOf(values, game, scenarios) });
      navigate(`/runs/${runOf(operation).id}`);
    } catch (failure) {
      setError(failure);
      setStarting(false);
    }
  };
  return (
    <form class="card stack" onSubmit={start}>
      <h2>Start a run</h2>
      <div class="fields">
        <Choice
          label="Game"
          value={values.game}
          options={catalog.data.games.map((known) => [known.id ?? "", known.id ?? ""] as const)}
          onChange={(chosen) => change({ game: chosen, scenario: "", seats: "" })}
        />
        {scenarios.length > 1 && (
          <Choice
            label={game.id === "battles" ? "Battle" : "Board"}
            value={values.scenario || (scenarios[0]?.id ?? "")}
            options={scenarios.map((known) => [known.id ?? "", nameOf(known)] as const)}
            onChange={(chosen) => change({ scenario: chosen })}
          />
        )}
        <Text
          label="Matches"
          type="number"
          value={values.matches}
          onChange={(text) => change({ matches: text.replace(/\D/g, "") })}
        />
        <Text
          label="Seed"
          type="number"
          value={values.seed}
          onChange={(text) => change({ seed: text.replace(/\D/g, "") })}
        />
      </div>
      <Bots game={game} values={values} change={change} />
      <details open={values.setup !== ""}>
        <summary>Other options of the game</summary>
        <Text
          label="Options as JSON"
          value={values.setup}
          onChange={(setup) => change({ setup })}
          hint='For example {"max_rounds": 20}'
        />
      </details>
      {error !== undefined && <CallFailure error={error} title="The run was not started" />}
      <div class="row">
        <button type="submit" class="primary" disabled={starting || Number(values.matches) < 1}>
          {starting ? "Starting …" : "Start"}
        </button>
        <span class="remark">It goes on when this page is closed.</span>
      </div>
    </form>
  );
}

function Bots({
  game,
  values,
  change,
}: {
  game: Game;
  values: Values;
  change: (changes: Partial<Values>) => void;
}) {
  const [least, most] = [game.minSeats ?? 2, game.maxSeats ?? 2];
  const seats = seatsOf(values, game);
  const bots = botsOf(values, seats);
  const write = (next: string[]) => change({ bots: next.join(",") });
  return (
    <fieldset>
      <legend>Bots</legend>
      <div class="fields">
        {least < most && (
          <Stepper
            label="Seats"
            value={seats}
            least={least}
            most={most}
            onChange={(value) => change({ seats: `${value}` })}
          />
        )}
        {bots.map((bot, seat) => (
          <label class="field" key={seat}>
            Seat {seat}
            <input
              type="text"
              list="bots"
              value={bot}
              onInput={(event) =>
                write(
                  bots.map((old, at) => (at === seat ? event.currentTarget.value.replaceAll(",", ";") : old)),
                )
              }
            />
          </label>
        ))}
      </div>
      <datalist id="bots">
        {[
          "greedy",
          "random",
          "mix:greedy=50",
          "mcts:iterations=100",
          ...(game.bots ?? []).map((bot) => bot.name ?? ""),
        ]
          .filter((name, at, all) => all.indexOf(name) === at)
          .map((name) => (
            <option key={name} value={name} />
          ))}
      </datalist>
      <p class="remark">
        A bot can have options: mcts:iterations=100 thinks longer, mix:greedy=50 plays at random in half of
        its decisions.
      </p>
    </fieldset>
  );
}

function seatsOf(values: Values, game: Game): number {
  const wanted = Number(values.seats) || game.minSeats || 2;
  return Math.min(game.maxSeats ?? wanted, Math.max(game.minSeats ?? wanted, wanted));
}

/** The bot of each seat; the last one named has the seats that follow. */
function botsOf(values: Values, seats: number): string[] {
  const named = values.bots.split(",");
  return Array.from({ length: seats }, (_, seat) => named[Math.min(seat, named.length - 1)] || "greedy");
}

function requestOf(values: Values, game: Game, scenarios: Scenario[]) {
  const seats = seatsOf(values, game);
  const scenario = scenarios.find((known) => known.id === values.scenario) ?? scenarios[0];
  let extra: object = {};
  if (values.setup.trim()) {
    try {
      extra = JSON.parse(values.setup) as object;
    } catch {
      throw new Error("the options are not JSON");
    }
  }
  const setup = { ...(JSON.parse(scenario?.setupJson || "{}") as object), ...extra };
  return {
    game: game.id,
    seats,
    bots: botsOf(values, seats).map((bot) => bot.replaceAll(";", ",")),
    setupJson: JSON.stringify(setup),
    seed: values.seed || "0",
    matchCount: values.matches,
  };
}

export function nameOf(scenario: Scenario): string {
  return scenario.game === "battles" ? `${scenario.id}. ${scenario.name}` : (scenario.name ?? "");
}
