// One tournament, live: standings with error bars, bot against bot, meetings, seats and matches.

import { useEffect, useMemo, useState } from "preact/hooks";
import { type Tournament, TournamentService, type TournamentTable } from "../../api/sengoku";
import { count, counted, moment } from "../../charts/format";
import { type Interval, Intervals } from "../../charts/intervals";
import { Delete } from "../../parts/delete";
import { download } from "../../parts/download";
import { CallFailure } from "../../parts/failure";
import { Progress, State, stateOf } from "../../parts/job";
import { Loading } from "../../parts/loading";
import { Main } from "../../parts/main";
import { useCall } from "../../parts/use-call";
import { useWatch } from "../../parts/use-watch";
import { Link, navigate, type PageProps } from "../../router";
import { Matches } from "./matches";
import { Table, valuesOf } from "./tables";
import { isGoing, timeLeft } from "./tournament-data";

/** Matches between two readings of all tables while a tournament goes on. */
const STEPS = 20;

export default function TournamentPage({ params }: PageProps) {
  const name = `tournaments/${params.id}`;
  const [round, setRound] = useState(0);
  const watch = useWatch(
    (signal) => TournamentService.watchTournament({ name }, { signal }),
    ({ tournament }) => !isGoing(tournament),
    [name, round],
  );
  const tournament = watch.latest?.tournament;
  const [done, due] = [Number(tournament?.matchesDone ?? 0), Number(tournament?.matchesDue ?? 0)];
  // The tables are large; they are read again after each twentieth of the matches, and at the end.
  const stage = tournament && isGoing(tournament) ? Math.floor((STEPS * done) / Math.max(due, 1)) : "over";
  const tables = useCall(
    (signal) => TournamentService.getStandings({ name }, { signal }),
    [name, stage, round],
  );
  const found = tables.data?.tables ?? [];
  const standings = watch.latest?.standings ?? found.find((table) => table.name === "standings");
  return (
    <Main title={tournament ? `Tournament ${tournament.title ?? ""}` : "Tournament"}>
      <div class="stack">
        <p class="remark">
          <Link href="/tournaments">Tournaments</Link> › {params.id?.slice(0, 8)}
        </p>
        {watch.error !== undefined && <CallFailure error={watch.error} retry={() => setRound(round + 1)} />}
        {watch.lost && (
          <p class="remark" role="status">
            The connection is lost; the page tries again.
          </p>
        )}
        {tournament === undefined && watch.error === undefined && <Loading what="the tournament" />}
        {tournament && (
          <>
            <Head tournament={tournament} changed={() => setRound(round + 1)} />
            {standings ? (
              <Standings table={standings} />
            ) : (
              <p class="card">The first block is not complete yet.</p>
            )}
            {found
              .filter((table) => table.name !== "standings")
              .map((table) => (
                <Part key={table.name} table={table} />
              ))}
            {tables.error !== undefined && <CallFailure error={tables.error} retry={tables.again} />}
            {done > 0 && <Matches name={name} stage={stage} />}
            <Setup tournament={tournament} />
          </>
        )}
      </div>
    </Main>
  );
}

function Head({ tournament, changed }: { tournament: Tournament; changed: () => void }) {
  const [error, setError] = useState<unknown>();
  const [asked, setAsked] = useState("");
  const name = tournament.name;
  const state = stateOf(tournament.state);
  const act = async (what: string, call: () => Promise<unknown>) => {
    setAsked(what);
    setError(undefined);
    try {
      await call();
      if (what === "delete") navigate("/tournaments");
      else if (what === "resume") changed();
    } catch (failure) {
      setError(failure);
    } finally {
      setAsked("");
    }
  };
  return (
    <section class="card stack">
      <div class="row spread">
        <h1>{tournament.title || "Tournament"}</h1>
        <State state={state} place={tournament.queuePosition ?? 0} />
      </div>
      <Progress
        done={Number(tournament.matchesDone ?? 0)}
        due={Number(tournament.matchesDue ?? 0)}
        rate={isGoing(tournament) ? tournament.matchesPerSecond : 0}
        left={timeLeft(tournament)}
      />
      <p class="remark">
        {counted(tournament.bots?.length, "bot")} on {counted(tournament.boards?.length, "board")}, round{" "}
        {tournament.round ?? 1}; started {moment(tournament.createTime)}
        {tournament.endTime && `, ended ${moment(tournament.endTime)}`}
        {tournament.obstacle && `; it waits because ${tournament.obstacle}`}.
      </p>
      {tournament.error?.message && <p>{tournament.error.message}</p>}
      {error !== undefined && <CallFailure error={error} />}
      <div class="row">
        {isGoing(tournament) && (
          <button
            type="button"
            disabled={asked !== ""}
            onClick={() => act("cancel", () => TournamentService.cancelTournament({ name }))}
          >
            {asked === "cancel" ? "Cancelling …" : "Cancel"}
          </button>
        )}
        {(state === "CANCELLED" || state === "FAILED") && (
          <button
            type="button"
            class="primary"
            disabled={asked !== ""}
            onClick={() => act("resume", () => TournamentService.resumeTournament({ name }))}
          >
            Resume
          </button>
        )}
        <Reports tournament={tournament} failed={setError} />
        {!isGoing(tournament) && (
          <Delete
            disabled={asked !== ""}
            sure={() => act("delete", () => TournamentService.deleteTournament({ name }))}
          />
        )}
      </div>
    </section>
  );
}

const REPORTS = [
  ["html", "Report", "text/html"],
  ["csv", "CSV", "text/csv"],
  ["json", "JSON", "application/json"],
] as const;

function Reports({ tournament, failed }: { tournament: Tournament; failed: (error: unknown) => void }) {
  const [reading, setReading] = useState("");
  const save = async (format: string, type: string) => {
    setReading(format);
    try {
      const { text = "" } = await TournamentService.getStandings({ name: tournament.name, format });
      download(`${tournament.title || "tournament"}.${format}`, [text], type);
    } catch (failure) {
      failed(failure);
    } finally {
      setReading("");
    }
  };
  return (
    <>
      {REPORTS.map(([format, label, type]) => (
        <button type="button" key={format} disabled={reading !== ""} onClick={() => save(format, type)}>
          {reading === format ? "Writing …" : `Download ${label}`}
        </button>
      ))}
    </>
  );
}

function Standings({ table }: { table: TournamentTable }) {
  const intervals = useMemo<Interval[]>(() => {
    const place = (name: string) => (table.headings ?? []).indexOf(name);
    const [bot, elo, low, high] = [place("bot"), place("elo"), place("elo_low"), place("elo_high")];
    return (table.rows ?? []).map((row) => {
      const values = valuesOf(row.cells);
      const number = (at: number) => (typeof values[at] === "number" ? (values[at] as number) : Number.NaN);
      return { label: `${values[bot] ?? ""}`, middle: number(elo), low: number(low), high: number(high) };
    });
  }, [table]);
  return (
    <section class="card stack">
      <h2>Standings</h2>
      <Intervals title="Ratings" intervals={intervals} axis="Elo, with 95 % intervals" zero={0} />
      <Table table={table} />
      <p class="remark">{table.remark}</p>
    </section>
  );
}

/** Tables that are looked at more rarely are closed at first. */
const OPEN = new Set(["crosstable", "meetings", "sprt", "seats"]);
const LONG = 24;

function Part({ table }: { table: TournamentTable }) {
  const rows = table.rows?.length ?? 0;
  const [open, setOpen] = useState(OPEN.has(table.name ?? "") && rows <= LONG);
  const [seen, setSeen] = useState(open);
  useEffect(() => {
    if (open) setSeen(true);
  }, [open]);
  return (
    <section class="card">
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <h2>{table.title}</h2> {rows > LONG && `${count(rows)} rows`}
        </summary>
        {seen && <Table table={table} />}
        {table.remark && <p class="remark">{table.remark}</p>}
      </details>
    </section>
  );
}

function Setup({ tournament }: { tournament: Tournament }) {
  return (
    <section class="card stack">
      <h2>Who plays what</h2>
      <ul class="plain">
        {tournament.bots?.map((bot) => (
          <li key={bot.name}>
            <strong>{bot.name}</strong>
            {bot.player ? `: player ${bot.player}` : bot.bot && bot.bot !== bot.name ? `: ${bot.bot}` : ""}
          </li>
        ))}
      </ul>
      <ul class="plain">
        {tournament.boards?.map((board) => (
          <li key={board.name}>
            {board.name}: {board.game}, rules version {board.rulesVersion}, {board.seats} seats,{" "}
            {counted(board.blocks, "block")} of each meeting
            {board.seed !== undefined && `, seed ${board.seed}`}
          </li>
        ))}
      </ul>
      <p class="remark">
        Digest of the file: <code>{tournament.digest?.slice(0, 16)}</code>
      </p>
    </section>
  );
}
