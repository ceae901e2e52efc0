// A match as it is played: a stream of frames, shown one after the other so that people can follow.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ApiError, isAbort } from "../api/connect";
import { type Frame, type FramePart, MatchService, type StoryLine } from "../api/sengoku";
import { pace } from "./pace";

const PARTS: FramePart[] = [
  "FRAME_PART_LONG_STORY",
  "FRAME_PART_EVENTS",
  "FRAME_PART_PICTURE",
  "FRAME_PART_ACTIONS",
];
/** With more frames waiting than this, they are no longer shown one by one. */
const BACKLOG = 40;
const RETRY_MS = 1000;

export interface Live {
  /** The frame to show; not set before the first one arrives. */
  frame: Frame | undefined;
  /** What happened so far, as far as it is known. */
  story: StoryLine[];
  /** Set if the match cannot be watched. */
  error: unknown;
  /** Whether the connection was lost and is made again. */
  lost: boolean;
  /** Shows the newest frame at once, leaving out those that wait. */
  catchUp: () => void;
}

/** Follows a match with a token, or one of a tournament without. */
export function useLive(matchId: string, token: string): Live {
  const [frame, setFrame] = useState<Frame>();
  const [story, setStory] = useState<StoryLine[]>([]);
  const [error, setError] = useState<unknown>();
  const [lost, setLost] = useState(false);
  const waiting = useRef<Frame[]>([]);
  const timer = useRef(0);

  const show = useCallback((next: Frame) => {
    setFrame(next);
    if (next.story?.length) setStory((old) => [...old, ...(next.story ?? [])]);
  }, []);
  const step = useCallback(() => {
    const next = waiting.current.shift();
    if (!next) return;
    show(next);
    schedule(next);
  }, [show]);
  const schedule = useCallback(
    (shown: Frame) => {
      // What nobody can see happen takes no time.
      const wait = shown.story?.length && waiting.current.length < BACKLOG ? pace.milliseconds() : 0;
      window.clearTimeout(timer.current);
      timer.current = window.setTimeout(() => {
        timer.current = 0;
        step();
      }, wait);
    },
    [step],
  );
  const arrive = useCallback(
    (next: Frame) => {
      if (timer.current === 0 || pace.milliseconds() === 0) {
        show(next);
        schedule(next);
      } else {
        waiting.current.push(next);
      }
    },
    [schedule, show],
  );
  const catchUp = useCallback(() => {
    for (const next of waiting.current.splice(0)) show(next);
  }, [show]);

  useEffect(() => {
    const stop = new AbortController();
    let following: string | undefined;
    const follow = async () => {
      if (following === undefined && token) {
        const past = await MatchService.getStory({ matchId, token, long: true }, { signal: stop.signal });
        setStory(past.lines ?? []);
        following = past.decisions ?? "0";
        // The frame of that decision is shown; its story is there already.
        const first = (await firstFrame(matchId, token, following, stop.signal)) ?? {};
        setFrame({ ...first, story: [] });
        following = String(Number(following) + 1);
        if (first.outcome) return true;
      }
      const request = { matchId, token, firstDecision: following, parts: PARTS };
      for await (const { frame: next } of MatchService.watchMatch(request, { signal: stop.signal })) {
        if (!next) continue;
        setLost(false);
        following = String(Number(next.decision ?? "0") + 1);
        arrive(next);
        if (next.outcome) return true;
      }
      return false;
    };
    const keepFollowing = async () => {
      while (!stop.signal.aborted) {
        try {
          if (await follow()) return;
          // A server that stops ends its streams without an error.
          setLost(true);
          await new Promise((resolve) => window.setTimeout(resolve, RETRY_MS));
        } catch (failure) {
          if (stop.signal.aborted || isAbort(failure)) return;
          if (!(failure instanceof ApiError) || !PASSING.has(failure.code)) {
            setError(failure);
            return;
          }
          setLost(true);
          await new Promise((resolve) => window.setTimeout(resolve, RETRY_MS));
        }
      }
    };
    void keepFollowing();
    return () => {
      stop.abort();
      window.clearTimeout(timer.current);
    };
  }, [matchId, token, arrive]);

  return { frame, story, error, lost, catchUp };
}

/** Codes of errors that pass. */
const PASSING = new Set(["unreachable", "unavailable", "deadline_exceeded", "aborted"]);

async function firstFrame(
  matchId: string,
  token: string,
  decision: string,
  signal: AbortSignal,
): Promise<Frame | undefined> {
  const range = { firstDecision: decision, lastDecision: decision, parts: PARTS };
  const page = await MatchService.getReplayFrames({ match: { matchId, token }, ...range }, { signal });
  return page.frames?.[0];
}
