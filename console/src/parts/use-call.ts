import { useCallback, useEffect, useState } from "preact/hooks";
import { isAbort } from "../api/connect";

/** A call on its way, answered or failed. */
export interface Call<T> {
  data: T | undefined;
  error: unknown;
  loading: boolean;
  /** Calls again; what was there stays until the new answer arrives. */
  again: () => void;
}

/** Makes a call, and again whenever one of `inputs` changes; a call that is no longer wanted is ended. */
export function useCall<T>(call: (signal: AbortSignal) => Promise<T>, inputs: readonly unknown[]): Call<T> {
  const [state, setState] = useState<Omit<Call<T>, "again">>({
    data: undefined,
    error: undefined,
    loading: true,
  });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    setState((old) => ({ ...old, loading: true }));
    call(stop.signal).then(
      (data) => stop.signal.aborted || setState({ data, error: undefined, loading: false }),
      (error) =>
        stop.signal.aborted || isAbort(error) || setState({ data: undefined, error, loading: false }),
    );
    return () => stop.abort();
    // The caller names what its call depends on.
  }, [round, ...inputs]);
  return { ...state, again: useCallback(() => setRound((old) => old + 1), []) };
}
