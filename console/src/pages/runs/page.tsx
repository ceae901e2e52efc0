// The runs of the server, and a form that starts one.

import { useCallback, useState } from "preact/hooks";
import { moment } from "../../charts/format";
import { CallFailure } from "../../parts/failure";
import { Progress, State, shortName } from "../../parts/job";
import { Loading } from "../../parts/loading";
import { Main } from "../../parts/main";
import { useCall } from "../../parts/use-call";
import { useEvery } from "../../parts/use-every";
import { Link } from "../../router";
import { StartRun } from "./form";
import { described, listRuns } from "./run-data";

export default function Runs() {
  const [tokens, setTokens] = useState<string[]>([""]);
  const token = tokens.at(-1) ?? "";
  const list = useCall((signal) => listRuns(token, signal), [token]);
  useEvery(
    2000,
    useCallback(() => list.again(), [list.again]),
  );
  const runs = list.data?.runs ?? [];
  return (
    <Main title="Runs">
      <div class="stack">
        <h1>Runs</h1>
        <p class="remark">A run plays many matches between bots in the background and counts who wins.</p>
        <div class="columns">
          <section class="stack" aria-label="Runs">
            {list.error !== undefined && <CallFailure error={list.error} retry={list.again} />}
            {list.data === undefined && list.error === undefined && <Loading what="the runs" />}
            {list.data && runs.length === 0 && (
              <p class="card">There is no run yet. Start one with the form; it takes a second.</p>
            )}
            <ul class="jobs">
              {runs.map((run) => (
                <li class="card" key={run.name}>
                  <div class="row spread">
                    <Link href={`/runs/${run.id}`}>
                      <strong>{described(run)}</strong>
                    </Link>
                    <State state={run.state} place={run.metadata.queuePosition ?? 0} />
                  </div>
                  <Progress
                    done={run.done}
                    due={run.due}
                    rate={run.metadata.matchesPerSecond}
                    left={run.timeLeft}
                  />
                  <p class="remark">
                    {shortName(run.name)}, started {moment(run.metadata.createTime)}
                    {run.metadata.client && run.metadata.client !== "local" && ` by ${run.metadata.client}`}
                    {run.metadata.obstacle && `: ${run.metadata.obstacle}`}
                  </p>
                </li>
              ))}
            </ul>
            <div class="row">
              {tokens.length > 1 && (
                <button type="button" onClick={() => setTokens(tokens.slice(0, -1))}>
                  Newer
                </button>
              )}
              {list.data?.next && (
                <button type="button" onClick={() => setTokens([...tokens, list.data?.next ?? ""])}>
                  Older
                </button>
              )}
            </div>
          </section>
          <StartRun />
        </div>
      </div>
    </Main>
  );
}
