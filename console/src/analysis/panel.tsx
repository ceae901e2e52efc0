import { useEffect, useMemo, useState } from "preact/hooks";
import { isAbort } from "../api/connect";
import { AnalysisService, type MatchAnalysis } from "../api/sengoku";
import { CallFailure } from "../parts/failure";
import { navigate, useQuery } from "../router";
import type { SeatName } from "../table/seat-names";
import { Curves } from "./curves";
import { luckCurves, type Move, mistakes, type Result, type Turn, turningPoints, winCurves } from "./result";

interface Props {
  readReplay: () => Promise<string>;
  names: readonly SeatName[];
  at: number;
  last: number;
  go: (decision: number) => void;
}

/** Win probabilities and luck under a replay, once somebody has asked for them. Their name is in the address. */
export function AnalysisPanel({ readReplay, names, at, last, go }: Props) {
  const name = useQuery().get("analysis");
  const { status, result, error } = useAnalysis(name);
  const [refusal, setRefusal] = useState<unknown>();
  const start = async () => {
    setRefusal(undefined);
    try {
      const { analysis } = await AnalysisService.analyseMatch({ replay: await readReplay() });
      const query = new URLSearchParams(location.search);
      query.set("analysis", analysis?.name ?? "");
      navigate(`${location.pathname}?${query}${location.hash}`, { replace: true });
    } catch (failure) {
      setRefusal(failure);
    }
  };
  if (!name) {
    return (
      <section class="card row" aria-label="Analysis">
        <button type="button" onClick={start}>
          Analyse the match
        </button>
        <span class="remark">Win probabilities, luck and turning points, by playing on many times.</span>
        {refusal !== undefined && <CallFailure error={refusal} />}
      </section>
    );
  }
  if (error !== undefined) return <CallFailure error={error} title="The analysis cannot be shown" />;
  return (
    <section class="card stack" aria-label="Analysis">
      {status && !status.endTime && <Progress status={status} />}
      {result ? (
        <Figures result={result} names={names} at={at} last={last} go={go} />
      ) : (
        <p class="remark">The analysis begins …</p>
      )}
    </section>
  );
}

function Progress({ status }: { status: MatchAnalysis }) {
  const [done, all] = [Number(status.decisionsDone ?? 0), Number(status.decisions ?? 1)];
  return (
    <label class="field">
      {status.queuePosition
        ? `Waiting behind ${status.queuePosition}`
        : `Analysed: ${done} of ${all} decisions`}
      <progress max={all} value={done} />
    </label>
  );
}

function Figures(props: Omit<Props, "readReplay"> & { result: Result }) {
  const { result, names, at, last, go } = props;
  const shown = useMemo(() => {
    const luck = luckCurves(result);
    const reach = Math.max(0.1, ...luck.flat().map((point) => Math.abs(point.value)));
    return { win: winCurves(result), luck, reach, turns: turningPoints(result), lost: mistakes(result) };
  }, [result]);
  const seats = Array.from({ length: result.seats }, (_, seat) => names[seat]?.name ?? `Seat ${seat}`);
  const common = { names: seats, at, last, go, marks: shown.turns.map((turn) => turn.decision) };
  return (
    <>
      <Curves title="Win probability" curves={shown.win} low={0} high={1} {...common} />
      {result.draws.length > 0 && (
        <Curves title="Luck so far" curves={shown.luck} low={-shown.reach} high={shown.reach} {...common} />
      )}
      <Decisions title="Turning points" shown={shown.turns} words={(turn) => turnText(turn, seats)} go={go} />
      <Decisions title="Mistakes" shown={shown.lost} words={(move) => mistakeText(move, seats)} go={go} />
      {shown.lost.length === 0 && result.analysed > result.decisions && (
        <p class="remark">No move surely lost 5 % or more.</p>
      )}
    </>
  );
}

/** A list of decisions, each of which can be opened. */
function Decisions<Item extends { decision: number }>(props: {
  title: string;
  shown: readonly Item[];
  words: (item: Item) => string;
  go: (decision: number) => void;
}) {
  const { title, shown, words, go } = props;
  if (shown.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <ul class="plain">
        {shown.map((item) => (
          <li key={item.decision}>
            <button type="button" class="line" onClick={() => go(item.decision)}>
              {words(item)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function mistakeText(move: Move, seats: readonly string[]): string {
  const lost = `lost ${Math.round(100 * move.loss)} %`;
  return `${move.decision}. ${move.text}: ${seats[move.seat]} ${lost} (better: ${move.best_text})`;
}

function turnText(turn: Turn, seats: readonly string[]): string {
  const change = `${turn.swing > 0 ? "+" : "−"}${Math.round(100 * Math.abs(turn.swing))} %`;
  const why = {
    draw: "luck",
    mistake: `better: ${turn.best}`,
    hidden: "what was hidden before is judged anew",
    play: "the move",
  }[turn.cause];
  return `${turn.decision}. ${turn.text}: ${seats[turn.seat]} ${change} (${why})`;
}

/** Follows an analysis: its status, and its result so far, read again as it grows. */
function useAnalysis(name: string | null) {
  const [status, setStatus] = useState<MatchAnalysis>();
  const [result, setResult] = useState<Result>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    if (!name) return;
    const stop = new AbortController();
    const follow = async () => {
      let read = -1;
      for await (const { analysis } of AnalysisService.watchAnalysis({ name }, { signal: stop.signal })) {
        setStatus(analysis);
        const done = Number(analysis?.decisionsDone ?? 0);
        // A result is read when it is complete, and meanwhile at each tenth.
        const tenth = Math.max(1, Number(analysis?.decisions ?? 0) / 10);
        if (done > 0 && (analysis?.endTime || done >= read + tenth)) {
          read = done;
          setResult(await readResult(name, stop.signal));
        }
      }
    };
    follow().catch((failure) => isAbort(failure) || stop.signal.aborted || setError(failure));
    return () => stop.abort();
  }, [name]);
  return { status, result, error };
}

async function readResult(name: string, signal: AbortSignal): Promise<Result> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const { data } of AnalysisService.readAnalysis({ name }, { signal })) {
    const bytes = Uint8Array.from(atob(data ?? ""), (c) => c.charCodeAt(0));
    text += decoder.decode(bytes, { stream: true });
  }
  return JSON.parse(text) as Result;
}
