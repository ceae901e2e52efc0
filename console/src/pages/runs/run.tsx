// One run, live: its progress, results and rows.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Operations, SimulationService } from "../../api/sengoku";
import { count, counted, duration, moment } from "../../charts/format";
import { Delete } from "../../parts/delete";
import { CallFailure } from "../../parts/failure";
import { Progress, State } from "../../parts/job";
import { Loading } from "../../parts/loading";
import { Main } from "../../parts/main";
import { useWatch } from "../../parts/use-watch";
import { Link, navigate, type PageProps } from "../../router";
import { MOST_CSV_ROWS, saveCsv, saveParquet } from "./files";
import { Lengths } from "./lengths";
import { Results } from "./results";
import { described, type Run, runOf } from "./run-data";

export default function RunPage({ params }: PageProps) {
  const name = `operations/${params.id}`;
  const [round, setRound] = useState(0);
  const watch = useWatch(
    (signal) => SimulationService.watchRun({ name }, { signal }),
    ({ operation }) => !runOf(operation).going,
    [name, round],
  );
  const run = useMemo(() => watch.latest && runOf(watch.latest.operation), [watch.latest]);
  return (
    <Main title={run ? `Run: ${described(run)}` : "Run"}>
      <div class="stack">
        <p class="remark">
          <Link href="/runs">Runs</Link> › {params.id?.slice(0, 8)}
        </p>
        {watch.error !== undefined && <CallFailure error={watch.error} retry={() => setRound(round + 1)} />}
        {watch.lost && (
          <p class="remark" role="status">
            The connection is lost; the page tries again.
          </p>
        )}
        {run === undefined && watch.error === undefined && <Loading what="the run" />}
        {run && (
          <>
            <Head run={run} changed={() => setRound(round + 1)} />
            <Results summary={run.summary} />
            {run.done > 0 && <Lengths run={run} />}
            <Rows run={run} />
            <Question run={run} />
          </>
        )}
      </div>
    </Main>
  );
}

function Head({ run, changed }: { run: Run; changed: () => void }) {
  const [error, setError] = useState<unknown>();
  const [asked, setAsked] = useState("");
  const act = async (what: string, call: () => Promise<unknown>) => {
    setAsked(what);
    setError(undefined);
    try {
      await call();
      if (what === "delete") navigate("/runs");
      else if (what === "resume") changed();
    } catch (failure) {
      setError(failure);
    } finally {
      setAsked("");
    }
  };
  const { name } = run;
  const resumable = !run.going && run.done < run.due;
  return (
    <section class="card stack">
      <div class="row spread">
        <h1>{described(run)}</h1>
        <State state={run.state} place={run.metadata.queuePosition ?? 0} />
      </div>
      <Progress
        done={run.done}
        due={run.due}
        rate={run.going ? run.metadata.matchesPerSecond : 0}
        left={run.going ? run.timeLeft : undefined}
      />
      <p class="remark">
        Started {moment(run.metadata.createTime)}
        {run.metadata.endTime && `, ended ${moment(run.metadata.endTime)} after ${took(run)}`}
        {run.metadata.obstacle && `; it waits because ${run.metadata.obstacle}`}.
      </p>
      {run.state === "FAILED" && run.error && <p>{run.error}</p>}
      {error !== undefined && <CallFailure error={error} />}
      <div class="row">
        {run.going && (
          <button
            type="button"
            disabled={asked !== ""}
            onClick={() => act("cancel", () => Operations.cancelOperation({ name }))}
          >
            {asked === "cancel" ? "Cancelling …" : "Cancel"}
          </button>
        )}
        {resumable && (
          <button
            type="button"
            class="primary"
            disabled={asked !== ""}
            onClick={() => act("resume", () => SimulationService.resumeRun({ name }))}
          >
            Resume
          </button>
        )}
        {!run.going && (
          <Delete
            disabled={asked !== ""}
            sure={() => act("delete", () => Operations.deleteOperation({ name }))}
          />
        )}
      </div>
    </section>
  );
}

function took(run: Run): string {
  const [from, to] = [run.metadata.createTime, run.metadata.endTime].map((time) => Date.parse(time ?? ""));
  return duration(((to ?? 0) - (from ?? 0)) / 1000);
}

function Rows({ run }: { run: Run }) {
  const [told, setTold] = useState("");
  const [error, setError] = useState<unknown>();
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const save = async (what: "rows" | "bytes", call: typeof saveCsv) => {
    stop.current?.abort();
    stop.current = new AbortController();
    setError(undefined);
    setTold("reading …");
    try {
      await call(
        run,
        (done) => setTold(what === "rows" ? `${count(done)} rows` : `${count(done)} bytes`),
        stop.current.signal,
      );
      setTold("saved");
    } catch (failure) {
      setTold("");
      setError(failure);
    }
  };
  return (
    <section class="card stack">
      <h2>Rows</h2>
      <p class="remark">
        One row for each of {counted(run.done, "finished match", "finished matches")}: winner, ranks, rounds,
        decisions, reason, scores and digest.
      </p>
      <div class="row">
        <button
          type="button"
          disabled={run.done === 0 || run.done > MOST_CSV_ROWS}
          onClick={() => save("rows", saveCsv)}
        >
          Download CSV
        </button>
        <button type="button" disabled={run.done === 0} onClick={() => save("bytes", saveParquet)}>
          Download Parquet
        </button>
        <span class="remark" role="status">
          {told}
        </span>
      </div>
      {run.done > MOST_CSV_ROWS && (
        <p class="remark">CSV of more than {count(MOST_CSV_ROWS)} rows is written by the command line.</p>
      )}
      {error !== undefined && <CallFailure error={error} title="The rows could not be read" />}
    </section>
  );
}

function Question({ run }: { run: Run }) {
  const asked = run.metadata.run ?? {};
  const setup = asked.setupJson && asked.setupJson !== "{}" ? asked.setupJson : "the defaults";
  const facts = [
    ["Game", `${asked.game}, rules version ${run.summary.rulesVersion ?? "?"}`],
    ["Bots", (run.summary.bots ?? asked.bots ?? []).join(", ")],
    ["Options", setup],
    ["Seed", `${asked.seed ?? 0}`],
    ["Matches", `${count(asked.matchCount)}, the first is number ${count(asked.firstMatch)}`],
    ["Name", run.name],
  ] as const;
  return (
    <section class="card">
      <h2>What is played</h2>
      <dl class="facts wide-facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p class="remark">
        The same game, bots, options, seed and numbers give the same rows on every server of this rules
        version.
      </p>
    </section>
  );
}
