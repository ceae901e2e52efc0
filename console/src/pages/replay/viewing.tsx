import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { AnalysisPanel } from "../../analysis/panel";
import { isAbort } from "../../api/connect";
import type { Frame, StoryLine } from "../../api/sengoku";
import { CallFailure } from "../../parts/failure";
import { Loading } from "../../parts/loading";
import { navigate, useFragment } from "../../router";
import { Board } from "../../table/board";
import { Dice } from "../../table/dice";
import { Film, type Source, type Viewer } from "../../table/film";
import { Seats } from "../../table/seats";
import { Story } from "../../table/story";
import { Timeline } from "../../table/timeline";
import { PlayOn } from "./play-on";
import { useSubject } from "./subject";

interface Props {
  source: Source;
  /** The seat of the person, where the source shows only what that seat sees. */
  seated?: number;
  /** Reads the text of the replay, where the person may have all of it. */
  readReplay?: () => Promise<string>;
}

/** A match from its beginning to its end, in any order. */
export function Viewing({ source, seated, readReplay }: Props) {
  const [viewer, setViewer] = useState<Viewer>(seated ?? "all");
  const film = useMemo(() => new Film(source, viewer), [source, viewer]);
  const fragment = useFragment();
  const wanted = /^\d+$/.test(fragment) ? Number(fragment) : 0;
  const { frame, error, last } = useFrame(film, wanted);
  const { story, failure } = useStory(film);
  const subject = useSubject(source);
  const at = Math.min(wanted, last ?? wanted);
  const go = useCallback(
    (decision: number) => navigate(`${location.search}#${decision}`, { replace: true }),
    [],
  );
  if (error !== undefined) return <CallFailure error={error} title="The replay cannot be shown" />;
  if (!frame || last === undefined) return <Loading what="the replay" />;
  const names = subject.data?.names ?? [];
  return (
    <div class="table" data-game={subject.data?.status.game} data-decision={frame.decision ?? 0}>
      <section class="table-board" aria-label="Board">
        <Board svg={frame.svg ?? ""} label={`Board after ${at} decisions`} />
        <Timeline at={at} last={last} story={story} go={go} />
        {readReplay && <AnalysisPanel readReplay={readReplay} names={names} at={at} last={last} go={go} />}
        <Dice frame={frame} names={names} />
      </section>
      <aside class="table-side">
        <div class="turn">
          <h1>Replay</h1>
        </div>
        <Seats
          seats={names}
          mine={seated}
          toAct={frame.toAct}
          ranks={frame.outcome?.ranks}
          scores={frame.outcome?.scores}
        />
        {seated === undefined && names.length > 0 && (
          <label class="field">
            Seen by
            <select
              value={String(viewer)}
              onChange={(event) => {
                const value = event.currentTarget.value;
                setViewer(value === "all" || value === "public" ? value : Number(value));
              }}
            >
              <option value="all">Everything</option>
              <option value="public">Everybody: only what is public</option>
              {names.map((seat, number) => (
                <option key={seat.name} value={number}>
                  {seat.name}
                </option>
              ))}
            </select>
          </label>
        )}
        <section aria-label="Story" class="card grow">
          {failure !== undefined ? (
            <CallFailure error={failure} />
          ) : (
            <Story lines={story} until={at} open={go} />
          )}
        </section>
        {readReplay && names.length > 0 && <PlayOn replay={readReplay} decision={at} names={names} />}
      </aside>
    </div>
  );
}

/** The frame of a decision; the one before stays until it is there. */
function useFrame(film: Film, at: number): { frame?: Frame; last?: number; error: unknown } {
  const [shown, setShown] = useState<{ film: Film; frame: Frame }>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    let wanted = true;
    const show = async () => {
      let frame = await film.load(film.decisions === undefined ? at : Math.min(at, film.decisions));
      // A decision beyond the end of the match shows its end.
      if (!frame && film.decisions !== undefined) frame = await film.load(film.decisions);
      if (wanted && frame) setShown({ film, frame });
      // What comes next is there before it is wanted.
      if (film.decisions !== undefined && at + 6 <= film.decisions)
        void film.load(at + 6).catch(() => undefined);
    };
    show().catch((failure) => wanted && setError(failure));
    return () => {
      wanted = false;
    };
  }, [film, at]);
  const now = film.get(at);
  return { frame: now ?? shown?.frame, last: film.decisions ?? shown?.film.decisions, error };
}

function useStory(film: Film): { story: StoryLine[]; failure: unknown } {
  const [story, setStory] = useState<StoryLine[]>([]);
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    const stop = new AbortController();
    setStory([]);
    const read = async () => {
      for await (const lines of film.story(stop.signal)) setStory((old) => [...old, ...lines]);
    };
    read().catch((error) => isAbort(error) || stop.signal.aborted || setFailure(error));
    return () => stop.abort();
  }, [film]);
  return { story, failure };
}
