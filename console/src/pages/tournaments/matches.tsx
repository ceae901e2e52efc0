// The finished matches of a tournament; each opens as a replay.

import { useState } from "preact/hooks";
import { type TournamentMatch, TournamentService } from "../../api/sengoku";
import { count } from "../../charts/format";
import { CallFailure } from "../../parts/failure";
import { Loading } from "../../parts/loading";
import { useCall } from "../../parts/use-call";
import { Link } from "../../router";

const PAGE = 25;

export function Matches({ name, stage }: { name: string; stage: number | string }) {
  const [tokens, setTokens] = useState<string[]>([""]);
  const pageToken = tokens.at(-1) ?? "";
  const list = useCall(
    (signal) => TournamentService.listTournamentMatches({ name, pageSize: PAGE, pageToken }, { signal }),
    [name, pageToken, stage],
  );
  return (
    <section class="card stack">
      <h2>Matches</h2>
      {list.error !== undefined && <CallFailure error={list.error} retry={list.again} />}
      {list.data === undefined && list.error === undefined && <Loading what="the matches" />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: wide tables are scrolled with the keys */}
      <section class="wide" tabIndex={0} aria-label="Matches">
        <table>
          <thead>
            <tr>
              <th scope="col">Match</th>
              <th scope="col">Board</th>
              <th scope="col">Seats, the winner in bold</th>
              <th scope="col">Ended by</th>
              <th scope="col" class="number">
                Rounds
              </th>
              <th scope="col" class="number">
                Decisions
              </th>
            </tr>
          </thead>
          <tbody>
            {(list.data?.matches ?? []).map((match) => (
              <tr key={match.name}>
                <td>
                  <Link
                    href={`/replay?tournament=${encodeURIComponent(name)}&match=${encodeURIComponent(match.name ?? "")}`}
                  >
                    {match.name}
                  </Link>
                </td>
                <td>{match.board}</td>
                <td>
                  <Seats match={match} />
                </td>
                <td>
                  {match.reason?.replaceAll("_", " ")}
                  {match.faults?.map((fault) => ` (seat ${fault.seat ?? 0} ${fault.reason})`)}
                </td>
                <td class="number">{count(match.rounds)}</td>
                <td class="number">{count(match.decisions)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <div class="row">
        {tokens.length > 1 && (
          <button type="button" onClick={() => setTokens(tokens.slice(0, -1))}>
            Back
          </button>
        )}
        {list.data?.nextPageToken && (
          <button type="button" onClick={() => setTokens([...tokens, list.data?.nextPageToken ?? ""])}>
            More
          </button>
        )}
      </div>
    </section>
  );
}

function Seats({ match }: { match: TournamentMatch }) {
  return (
    <>
      {(match.bots ?? []).map((bot, seat) => (
        // A bot may have several seats; seats do not move.
        <span key={`${seat}/${bot}`}>
          {seat > 0 && ", "}
          {match.ranks?.[seat] === 1 ? <strong>{bot}</strong> : bot}
          {match.scores?.[seat] !== undefined && ` ${match.scores[seat]}`}
        </span>
      ))}
    </>
  );
}
