import { useState } from "preact/hooks";
import { type LiveMatch, MatchService } from "../../api/sengoku";
import { CallFailure } from "../../parts/failure";
import { Loading } from "../../parts/loading";
import { useCall } from "../../parts/use-call";
import { Link, navigate } from "../../router";
import { storeReplay } from "./stored";

/** Files larger than this are not replays. */
const MAX_BYTES = 5_000_000;

/** A replay file, or one of the matches that are played now. */
export function Chooser() {
  const live = useCall((signal) => MatchService.listLiveMatches({}, { signal }), []);
  return (
    <div class="stack">
      <h1>Watch</h1>
      <FileDrop />
      <section class="card stack">
        <div class="row spread">
          <h2>Played now</h2>
          <button type="button" class="quiet" onClick={live.again}>
            Refresh
          </button>
        </div>
        {live.error !== undefined && <CallFailure error={live.error} retry={live.again} />}
        {live.loading && !live.data && <Loading what="the matches" />}
        {live.data && <LiveList matches={live.data.matches ?? []} />}
      </section>
    </div>
  );
}

function LiveList({ matches }: { matches: LiveMatch[] }) {
  if (matches.length === 0) {
    return (
      <p class="remark">
        No match of your tournaments is played now. Matches that are over are in their tournament.
      </p>
    );
  }
  return (
    <ul class="plain">
      {matches.map((match) => (
        <li key={match.matchId} class="row spread">
          <Link href={`/watch/${encodeURIComponent(match.matchId ?? "")}`}>
            {match.game}: {match.players?.join(" against ")}
          </Link>
          <span class="remark">
            {match.tournament} · {match.decisions ?? 0} decisions
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Takes a replay by drag and drop, or from a dialog. */
function FileDrop() {
  const [over, setOver] = useState(false);
  const [error, setError] = useState<unknown>();
  const open = async (file: File | undefined) => {
    if (!file) return;
    if (file.size > MAX_BYTES) {
      setError(new Error(`${file.name} is too large for a replay`));
      return;
    }
    try {
      navigate(`/replay?file=${storeReplay(await file.text())}`);
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping has the button as its alternative
    <section
      class={over ? "card drop over" : "card drop"}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void open(event.dataTransfer?.files[0]);
      }}
    >
      <p>Drop a replay file here, or choose one.</p>
      <label class="button">
        Choose a file
        <input type="file" class="hidden" onChange={(event) => void open(event.currentTarget.files?.[0])} />
      </label>
      {error !== undefined && <CallFailure error={error} />}
    </section>
  );
}
