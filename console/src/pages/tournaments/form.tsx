// A form that writes a tournament file and starts it.

import { useEffect, useState } from "preact/hooks";
import { CatalogService, TournamentService } from "../../api/sengoku";
import { CallFailure } from "../../parts/failure";
import { useHashState } from "../../parts/hash-state";
import { Check, Choice, Stepper, Text } from "../../parts/inputs";
import { useCall } from "../../parts/use-call";
import { navigate } from "../../router";
import { idOf } from "./tournament-data";

const FORMATS = [
  ["round_robin", "everybody against everybody"],
  ["gauntlet", "one against all others"],
  ["swiss", "swiss rounds"],
  ["knockout", "knockout"],
] as const;
const DEFAULTS = {
  name: "",
  format: "round_robin",
  bots: "greedy\nhalf = mix:greedy=50\nrandom",
  game: "battles",
  scenarios: "1, 8",
  seats: "",
  blocks: "4",
  seed: "1",
  sprt: "no",
};
type Values = typeof DEFAULTS;

/** A text of TOML. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

/** The lines of the bots: "name" or "name = bot with options". */
function botsOf(text: string): { name: string; bot: string }[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const [, name = line, bot = ""] = /^([^=]+?)\s*=\s*(.+)$/.exec(line) ?? [];
      // "mix:greedy=50" is a bot with an option, not a name and a bot.
      return name.includes(":") || !bot ? { name: line, bot: "" } : { name, bot };
    });
}

export function fileOf(values: Values): string {
  const lines = [
    `name = ${quoted(values.name || "console")}`,
    `format = ${quoted(values.format)}`,
    `seed = ${values.seed || "1"}`,
    `blocks = ${values.blocks}`,
  ];
  for (const { name, bot } of botsOf(values.bots)) {
    lines.push("", "[[bots]]", `name = ${quoted(name)}`, ...(bot ? [`bot = ${quoted(bot)}`] : []));
    if (!bot && name.includes(":")) lines.splice(-1, 1, `name = ${quoted(name)}`, `bot = ${quoted(name)}`);
  }
  lines.push("", "[[games]]", `game = ${quoted(values.game)}`);
  if (values.game === "battles") {
    const numbers = values.scenarios.split(/[\s,]+/).filter((number) => /^\d+$/.test(number));
    lines.push(numbers.length ? `scenarios = [${numbers.join(", ")}]` : 'scenarios = "all"');
  } else if (values.seats) lines.push(`seats = ${values.seats}`);
  if (values.sprt === "yes") lines.push("", "[sprt]", "elo0 = 0", "elo1 = 20", "alpha = 0.05", "beta = 0.05");
  return `${lines.join("\n")}\n`;
}

export function CreateTournament() {
  const [values, change] = useHashState(DEFAULTS);
  const [own, setOwn] = useState<string>();
  const [error, setError] = useState<unknown>();
  const [starting, setStarting] = useState(false);
  const games = useCall((signal) => CatalogService.listGames({}, { signal }), []);
  const file = own ?? fileOf(values);
  useEffect(() => setError(undefined), [file]);
  useEffect(() => setOwn(undefined), [values]);
  const game = games.data?.games?.find((known) => known.id === values.game);
  const create = async (event: Event) => {
    event.preventDefault();
    setStarting(true);
    try {
      const { tournament } = await TournamentService.createTournament({ specToml: file });
      navigate(`/tournaments/${idOf(tournament)}`);
    } catch (failure) {
      setError(failure);
      setStarting(false);
    }
  };
  const gameNames = (games.data?.games ?? [{ id: values.game }]).map((known) => known.id ?? "");
  return (
    <form class="card stack" onSubmit={create}>
      <h2>Create a tournament</h2>
      <div class="fields">
        <Text label="Name" value={values.name} onChange={(name) => change({ name })} />
        <Choice
          label="Format"
          value={values.format}
          options={FORMATS}
          onChange={(format) => change({ format })}
        />
        <Choice
          label="Game"
          value={values.game}
          options={gameNames.map((name) => [name, name] as const)}
          onChange={(chosen) => change({ game: chosen, seats: "" })}
        />
        {values.game === "battles" ? (
          <Text
            label="Battles, by number"
            value={values.scenarios}
            onChange={(scenarios) => change({ scenarios })}
            hint="Empty: all forty"
          />
        ) : (
          <Stepper
            label="Seats"
            value={Number(values.seats) || game?.minSeats || 3}
            least={game?.minSeats ?? 2}
            most={game?.maxSeats ?? 5}
            onChange={(seats) => change({ seats: `${seats}` })}
          />
        )}
      </div>
      <label class="field">
        Bots, one on each line
        <textarea
          rows={4}
          value={values.bots}
          onInput={(event) => change({ bots: event.currentTarget.value })}
        />
        <span class="remark">A name, or a name and a bot with options: slow = mcts:iterations=100</span>
      </label>
      <div class="fields">
        <Stepper
          label="Blocks"
          value={Number(values.blocks)}
          least={1}
          most={500}
          onChange={(blocks) => change({ blocks: `${blocks}` })}
        />
        <Text
          label="Seed"
          type="number"
          value={values.seed}
          onChange={(text) => change({ seed: text.replace(/\D/g, "") })}
        />
      </div>
      <p class="remark">
        A block is every seating of a group of bots on one seed, so that luck and seats even out.
      </p>
      <Check
        label="stop a meeting as soon as it is clear who is better (SPRT)"
        value={values.sprt === "yes"}
        onChange={(on) => change({ sprt: on ? "yes" : "no" })}
      />
      <details>
        <summary>The tournament file</summary>
        <label class="field">
          What is sent; changes here count
          <textarea
            class="code"
            rows={12}
            value={file}
            onInput={(event) => setOwn(event.currentTarget.value)}
          />
        </label>
      </details>
      {error !== undefined && <CallFailure error={error} title="The tournament was not created" />}
      <div class="row">
        <button type="submit" class="primary" disabled={starting}>
          {starting ? "Starting …" : "Create"}
        </button>
        <span class="remark">It goes on when this page is closed.</span>
      </div>
    </form>
  );
}
