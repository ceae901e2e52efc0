// The tournaments of the server, and a form that creates one.

import { useCallback, useState } from "preact/hooks";
import { TournamentService } from "../../api/sengoku";
import { moment } from "../../charts/format";
import { CallFailure } from "../../parts/failure";
import { Progress, State, shortName, stateOf } from "../../parts/job";
import { Loading } from "../../parts/loading";
import { Main } from "../../parts/main";
import { useCall } from "../../parts/use-call";
import { useEvery } from "../../parts/use-every";
import { Link } from "../../router";
import { CreateTournament } from "./form";
import { idOf, isGoing, timeLeft } from "./tournament-data";

export default function Tournaments() {
  const [tokens, setTokens] = useState<string[]>([""]);
  const pageToken = tokens.at(-1) ?? "";
  const list = useCall(
    (signal) => TournamentService.listTournaments({ pageSize: 25, pageToken }, { signal }),
    [pageToken],
  );
  useEvery(
    2500,
    useCallback(() => list.again(), [list.again]),
  );
  const found = list.data?.tournaments ?? [];
  return (
    <Main title="Tournaments">
      <div class="stack">
        <h1>Tournaments</h1>
        <p class="remark">Bots meet in every seat on the same seeds, and get ratings with error bars.</p>
        <div class="columns">
          <section class="stack" aria-label="Tournaments">
            {list.error !== undefined && <CallFailure error={list.error} retry={list.again} />}
            {list.data === undefined && list.error === undefined && <Loading what="the tournaments" />}
            {list.data && found.length === 0 && (
              <p class="card">There is no tournament yet. Create one with the form.</p>
            )}
            <ul class="jobs">
              {found.map((tournament) => (
                <li class="card" key={tournament.name}>
                  <div class="row spread">
                    <Link href={`/tournaments/${idOf(tournament)}`}>
                      <strong>{tournament.title || shortName(tournament.name)}</strong>
                    </Link>
                    <State state={stateOf(tournament.state)} place={tournament.queuePosition ?? 0} />
                  </div>
                  <p class="remark">
                    {tournament.bots?.map((bot) => bot.name).join(", ")};{" "}
                    {tournament.boards?.map((board) => board.name).join(", ")}
                  </p>
                  <Progress
                    done={Number(tournament.matchesDone ?? 0)}
                    due={Number(tournament.matchesDue ?? 0)}
                    rate={isGoing(tournament) ? tournament.matchesPerSecond : 0}
                    left={timeLeft(tournament)}
                  />
                  <p class="remark">Started {moment(tournament.createTime)}</p>
                </li>
              ))}
            </ul>
            <div class="row">
              {tokens.length > 1 && (
                <button type="button" onClick={() => setTokens(tokens.slice(0, -1))}>
                  Newer
                </button>
              )}
              {list.data?.nextPageToken && (
                <button type="button" onClick={() => setTokens([...tokens, list.data?.nextPageToken ?? ""])}>
                  Older
                </button>
              )}
            </div>
          </section>
          <CreateTournament />
        </div>
      </div>
    </Main>
  );
}
