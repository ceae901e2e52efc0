import { useEffect, useState } from "preact/hooks";
import { ApiError, isAbort } from "../api/connect";

/** A stream of news: the latest, and what went wrong. */
export interface Watch<T> {
  latest: T | undefined;
  error: unknown;
  /** Whether the connection is lost and is being opened again. */
  lost: boolean;
}

const PAUSES = [500, 1000, 2000, 5000];

/**
 * Reads a stream to its end, and opens it again if the connection is lost; `over` says that nothing follows.
 * It starts anew whenever one of `inputs` changes.
 */
export function useWatch<T>(
  open: (signal: AbortSignal) => AsyncIterable<T>,
  over: (latest: T) => boolean,
  inputs: readonly unknown[],
): Watch<T> {
  const [state, setState] = useState<Watch<T>>({ latest: undefined, error: undefined, lost: false });
  useEffect(() => {
    const stop = new AbortController();
    setState({ latest: undefined, error: undefined, lost: false });
    const read = async () => {
      for (let failures = 0; !stop.signal.aborted; failures += 1) {
        try {
          let done = false;
          for await (const latest of open(stop.signal)) {
            failures = 0;
            done = over(latest);
            setState({ latest, error: undefined, lost: false });
          }
          if (done) return;
        } catch (error) {
          if (stop.signal.aborted || isAbort(error)) return;
          if (!isPassing(error)) {
            setState((old) => ({ ...old, error, lost: false }));
            return;
          }
        }
        setState((old) => ({ ...old, lost: true }));
        await sleep(PAUSES[Math.min(failures, PAUSES.length - 1)] ?? 5000, stop.signal);
      }
    };
    read();
    return () => stop.abort();
  }, inputs);
  return state;
}

/** Whether it is worth to try again. */
function isPassing(error: unknown): boolean {
  return (
    error instanceof ApiError && ["unreachable", "unavailable", "deadline_exceeded"].includes(error.code)
  );
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
