import { useEffect, useRef, useState } from "preact/hooks";
import type { StoryLine } from "../api/sengoku";

interface Props {
  /** The decision that is shown. */
  at: number;
  /** The last decision. */
  last: number;
  story: readonly StoryLine[];
  go: (decision: number) => void;
}

/** Decisions a second. */
const SPEEDS: readonly [perSecond: number, label: string][] = [
  [1, "1 a second"],
  [3, "3 a second"],
  [8, "8 a second"],
  [20, "20 a second"],
];

/** Slider, play button, speed, and jumps to rounds. Keys: arrows, Page Up and Down, Home, End, space. */
export function Timeline({ at, last, story, go }: Props) {
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(3);
  const rounds = roundsOf(story);
  const current = rounds.filter((round) => round.decision <= at).at(-1);
  useEffect(() => {
    if (!playing) return;
    if (at >= last) {
      setPlaying(false);
      return;
    }
    const timer = window.setTimeout(() => go(at + 1), 1000 / speed);
    return () => window.clearTimeout(timer);
  }, [playing, speed, at, last, go]);
  const jump = (way: 1 | -1) => {
    const ahead = rounds.filter((round) => (way > 0 ? round.decision > at : round.decision < at));
    go((way > 0 ? ahead[0]?.decision : ahead.at(-1)?.decision) ?? (way > 0 ? last : 0));
  };
  useKeys((key) => {
    if (key === "ArrowLeft") go(Math.max(0, at - 1));
    else if (key === "ArrowRight") go(Math.min(last, at + 1));
    else if (key === "Home") go(0);
    else if (key === "End") go(last);
    else if (key === "PageUp") jump(-1);
    else if (key === "PageDown") jump(1);
    else if (key === " ") setPlaying((old) => !old);
    else return false;
    return true;
  });
  return (
    <div class="timeline card">
      <div class="row">
        <button
          type="button"
          class="primary play"
          onClick={() => setPlaying(!playing)}
          disabled={at >= last && !playing}
        >
          {playing ? "Pause" : "Play"}
        </button>
        <button type="button" onClick={() => go(Math.max(0, at - 1))} disabled={at === 0}>
          Back
        </button>
        <button type="button" onClick={() => go(Math.min(last, at + 1))} disabled={at >= last}>
          Next
        </button>
        <label class="field inline">
          <span class="hidden">Speed</span>
          <select value={speed} onChange={(event) => setSpeed(Number(event.currentTarget.value))}>
            {SPEEDS.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        {rounds.length > 0 && (
          <label class="field inline">
            <span class="hidden">Round</span>
            <select
              value={current?.decision ?? ""}
              onChange={(event) => go(Number(event.currentTarget.value))}
            >
              {!current && <option value="">Go to …</option>}
              {rounds.map((round) => (
                <option key={round.decision} value={round.decision}>
                  {round.text}
                </option>
              ))}
            </select>
          </label>
        )}
        <output class="remark">
          {at} of {last}
        </output>
      </div>
      <input
        type="range"
        min={0}
        max={last}
        value={at}
        aria-label="Decision"
        onInput={(event) => go(event.currentTarget.valueAsNumber)}
      />
    </div>
  );
}

/** The headings of a story, one for each decision. */
function roundsOf(story: readonly StoryLine[]): { decision: number; text: string }[] {
  const rounds = new Map<number, string>();
  for (const line of story) {
    if (line.level) rounds.set(Number(line.decision ?? 0), line.text ?? "");
  }
  return [...rounds].map(([decision, text]) => ({ decision, text }));
}

/** Calls back with each key that no form element wants. */
function useKeys(press: (key: string) => boolean): void {
  const current = useRef(press);
  current.current = press;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target as HTMLElement;
      if (target.matches?.("input:not([type=range]), select, textarea, dialog *")) return;
      if (event.key === " " && target.matches?.("button, a, summary, [role=button]")) return;
      if (target.matches?.(".story") && /^(Page|Home|End)/.test(event.key)) return;
      if (current.current(event.key)) event.preventDefault();
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
}
