import { useEffect, useRef } from "preact/hooks";
import type { StoryLine } from "../api/sengoku";

interface Props {
  lines: readonly StoryLine[];
  /** The decision that is shown; later lines are left out. */
  until?: number;
  /** Opens the board after a decision; not given where that is not possible. */
  open?: (decision: number) => void;
}

/** Lines that are drawn; a longer story begins with a button. */
const SHOWN = 300;

/** What happened, in sentences under headings; the newest at the foot and in view. */
export function Story({ lines, until = Number.POSITIVE_INFINITY, open }: Props) {
  const list = useRef<HTMLOListElement>(null);
  const told = lines.filter((line) => Number(line.decision ?? 0) <= until);
  const shown = told.slice(-SHOWN);
  const newest = Number(shown.at(-1)?.decision ?? 0);
  useEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [told.length]);
  if (told.length === 0) return <p class="remark">Nothing has happened yet.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <ol class="story" ref={list} tabIndex={0} aria-label="Story">
      {told.length > shown.length && (
        <li class="remark">{told.length - shown.length} earlier lines are in the replay.</li>
      )}
      {shown.map((line, at) => {
        const decision = Number(line.decision ?? 0);
        const kind = line.level ? `heading-${line.level}` : decision === newest ? "new" : "";
        return (
          <li key={told.length - shown.length + at} class={kind}>
            {open && !line.level ? (
              <button type="button" class="line" onClick={() => open(decision)}>
                {line.text}
              </button>
            ) : (
              line.text
            )}
          </li>
        );
      })}
    </ol>
  );
}
