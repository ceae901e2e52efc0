import { useEffect, useState } from "preact/hooks";
import { CatalogService, type Game, type Scenario } from "../../api/sengoku";
import { CallFailure } from "../../parts/failure";
import { Loading } from "../../parts/loading";
import { Main } from "../../parts/main";
import { useCall } from "../../parts/use-call";
import { navigate, useQuery } from "../../router";
import { usualNames } from "../../table/seat-names";
import { OptionFields } from "./option-fields";
import { type OptionValues, setupOf } from "./options";
import { ScenarioChoice } from "./scenario-choice";
import { SeatChoice } from "./seat-choice";
import { type Player, usualSeats } from "./seats";
import { startMatch } from "./start";

/** Names of the games for people. */
const TITLES: Record<string, [title: string, about: string]> = {
  swords: ["Swords", "Conquer the 68 provinces of Japan with armies, castles and ninja."],
  tower: ["Tower", "Plan two years in secret; battles are decided by cubes in a tower."],
  battles: ["Battles", "Command one side of forty historic battles on a hex field."],
};

export default function PlayPage() {
  const query = useQuery();
  const catalog = useCall(async (signal) => {
    const [games, scenarios] = await Promise.all([
      CatalogService.listGames({}, { signal }),
      CatalogService.listScenarios({}, { signal }),
    ]);
    return { games: games.games ?? [], scenarios: scenarios.scenarios ?? [] };
  }, []);
  const id = query.get("game");
  const game = catalog.data?.games.find((known) => known.id === id);
  return (
    <Main title="Play">
      <div class="stack">
        <h1>Play</h1>
        {catalog.error !== undefined && <CallFailure error={catalog.error} retry={catalog.again} />}
        {catalog.loading && !catalog.data && <Loading what="the games" />}
        {catalog.data && <GameChoice games={catalog.data.games} chosen={id} />}
        {catalog.data && game && (
          <Setup
            key={game.id}
            game={game}
            scenarios={catalog.data.scenarios.filter((scenario) => scenario.game === game.id)}
            chosen={query.get("scenario")}
          />
        )}
      </div>
    </Main>
  );
}

function GameChoice({ games, chosen }: { games: Game[]; chosen: string | null }) {
  return (
    <div class="games" role="radiogroup" aria-label="Game">
      {games.map((game) => {
        const [title, about] = TITLES[game.id ?? ""] ?? [game.id, game.summary];
        const people =
          game.minSeats === game.maxSeats
            ? `${game.minSeats} players`
            : `${game.minSeats} to ${game.maxSeats} players`;
        return (
          // biome-ignore lint/a11y/useSemanticElements: a card with a heading and text is not an input
          <button
            type="button"
            role="radio"
            class="card game"
            key={game.id}
            aria-checked={game.id === chosen}
            onClick={() => navigate(`/play?game=${game.id}`)}
          >
            <GameMark game={game.id ?? ""} />
            <span>
              <strong>{title}</strong>
              <span class="remark">
                {about} {people}.
              </span>
            </span>
          </button>
        );
      })}
    </div>
  );
}

/** A small drawing for a game: a map, a tower, a hex. */
function GameMark({ game }: { game: string }) {
  const paths: Record<string, string> = {
    swords: "M6 26 24 8M24 8l2-2M4 22l6 6M26 26 8 8M8 8 6 6M28 22l-6 6",
    tower: "M8 6h16l-3 5v13h-10V11zM5 24h22l-3 4H8zM13 15h2M17 19h2",
    battles: "M16 4 26 10v12L16 28 6 22V10zM16 12v8M12 16h8",
  };
  return (
    <svg class="mark" viewBox="0 0 32 32" width="40" height="40" aria-hidden="true">
      <path d={paths[game] ?? ""} />
    </svg>
  );
}

function Setup({ game, scenarios, chosen }: { game: Game; scenarios: Scenario[]; chosen: string | null }) {
  const scenario = scenarios.find((known) => known.id === chosen) ?? scenarios[0];
  const [seats, setSeats] = useState<Player[]>(usualSeats(Math.min(3, game.maxSeats ?? 2)));
  const [options, setOptions] = useState<OptionValues>({});
  const [error, setError] = useState<unknown>();
  const [starting, setStarting] = useState(false);
  useEffect(() => setError(undefined), [seats, options, scenario]);
  const start = async () => {
    setStarting(true);
    const setup = {
      ...(JSON.parse(scenario?.setupJson || "{}") as object),
      ...setupOf(game.id ?? "", options),
    };
    try {
      navigate(`/match/${await startMatch({ game: game.id ?? "", setup, seats })}`);
    } catch (failure) {
      setError(failure);
      setStarting(false);
    }
  };
  return (
    <div class="setup" data-game={game.id}>
      <div class="stack">
        {scenarios.length > 1 && scenario && (
          <ScenarioChoice game={game.id ?? ""} scenarios={scenarios} chosen={scenario} />
        )}
        <OptionFields game={game.id ?? ""} values={options} change={setOptions} />
      </div>
      <div class="stack">
        <SeatChoice
          game={game}
          names={scenario?.seats?.length ? scenario.seats : usualNames(game.id ?? "", seats.length)}
          seats={seats}
          change={setSeats}
        />
        {error !== undefined && <CallFailure error={error} title="The match could not be started" />}
        <button type="button" class="primary large" disabled={starting} onClick={start}>
          {starting ? "Starting …" : "Start the match"}
        </button>
      </div>
    </div>
  );
}
