import { MatchService } from "../../api/sengoku";
import { CallFailure, Failure } from "../../parts/failure";
import { Loading } from "../../parts/loading";
import { Main } from "../../parts/main";
import { useCall } from "../../parts/use-call";
import type { PageProps } from "../../router";
import { Board } from "../../table/board";
import { Dice } from "../../table/dice";
import { useLive } from "../../table/live";
import { Pace } from "../../table/pace-choice";
import { usualNames } from "../../table/seat-names";
import { Seats } from "../../table/seats";
import { Story } from "../../table/story";

/** A match of a tournament while it is played, as everybody may see it. */
export default function WatchPage({ params }: PageProps) {
  const id = params.id ?? "";
  return (
    <Main title="Watch" width="full">
      <Watched key={id} id={id} />
    </Main>
  );
}

function Watched({ id }: { id: string }) {
  const { frame, story, error, lost } = useLive(id, "");
  const known = useCall((signal) => MatchService.listLiveMatches({}, { signal }), [id]);
  const match = known.data?.matches?.find((live) => live.matchId === id);
  if (error !== undefined && !frame) return <CallFailure error={error} title="The match cannot be watched" />;
  if (lost && !frame) {
    return (
      <Failure
        title="The match is not played any more"
        what="It has ended, or its tournament was stopped."
        todo="Its replay is in the tournament."
      />
    );
  }
  if (!frame) return <Loading what="the match" />;
  const players = match?.players ?? [];
  const usual = usualNames(match?.game ?? "", players.length);
  const names = players.map((player, seat) => ({ name: usual[seat] ?? "", player }));
  return (
    <div class="table" data-game={match?.game} data-decision={frame.decision ?? 0}>
      <section class="table-board" aria-label="Board">
        <Board svg={frame.svg ?? ""} label={`Board after ${frame.decision ?? 0} decisions`} />
        <Dice frame={frame} names={names} />
      </section>
      <aside class="table-side">
        <div class="turn" role="status">
          <h1>{frame.outcome ? "The match is over" : "Played now"}</h1>
          {match?.tournament && <p class="remark">Tournament {match.tournament}</p>}
          {lost && <p class="remark">The connection was lost; it is made again …</p>}
        </div>
        <Seats
          seats={names}
          toAct={frame.toAct}
          ranks={frame.outcome?.ranks}
          scores={frame.outcome?.scores}
        />
        <section aria-label="Story" class="card grow">
          <Story lines={story} />
        </section>
        <section class="card">
          <Pace />
        </section>
      </aside>
    </div>
  );
}
