import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { LegalAction } from "../api/sengoku";
import { capital, kindOf, placeName } from "./places";

interface Props {
  /** The actions that fit what was clicked. */
  actions: readonly LegalAction[];
  /** Places clicked so far. */
  picks: readonly string[];
  unpick: () => void;
  /** What an action does, in a sentence. */
  meaningOf: (action: LegalAction) => string | undefined;
  /** The action that a bot suggests. */
  suggested?: number;
  busy: boolean;
  play: (action: LegalAction) => void;
  /** Points at the places of an action on the board. */
  point: (action: LegalAction | undefined) => void;
}

/** With more actions than this there is a filter. */
const MANY = 8;

/** A button for every legal action, in groups by kind. */
export function Actions({ actions, picks, unpick, meaningOf, suggested, busy, play, point }: Props) {
  const [filter, setFilter] = useState("");
  const [explained, setExplained] = useState<LegalAction>();
  const input = useRef<HTMLInputElement>(null);
  const wanted = filter.trim().toLowerCase();
  const groups = useMemo(
    () => groupsOf(actions.filter((action) => (action.text ?? "").toLowerCase().includes(wanted))),
    [actions, wanted],
  );
  const shown = useMemo(() => groups.flatMap((group) => group.members), [groups]);
  useEffect(() => {
    setFilter("");
    setExplained(undefined);
  }, [actions]);
  useShortcuts({ shown, busy, play, unpick, input });

  const explain = (action: LegalAction | undefined) => {
    setExplained(action);
    point(action);
  };
  const number = new Map(shown.slice(0, 9).map((action, at) => [action.index, at + 1]));
  return (
    <div class="actions">
      {picks.length > 0 && (
        <div class="row">
          <span class="chip">{picks.map(placeName).join(" → ")}</span>
          <button type="button" class="quiet" onClick={unpick}>
            Undo <kbd>Esc</kbd>
          </button>
        </div>
      )}
      {actions.length > MANY && (
        <label class="field">
          <span class="hidden">Filter the actions</span>
          <input
            ref={input}
            type="search"
            placeholder={`Filter ${actions.length} actions  ( / )`}
            value={filter}
            onInput={(event) => setFilter(event.currentTarget.value)}
          />
        </label>
      )}
      <div class="action-groups">
        {groups.map(({ kind, members }) => {
          const common = commonBeginning(members);
          return (
            <fieldset key={kind}>
              <legend>{common ? `${capital(common)} …` : kind}</legend>
              <div class="action-list">
                {members.map((action) => (
                  <button
                    type="button"
                    key={action.index}
                    class={(action.index ?? 0) === suggested ? "action suggested" : "action"}
                    disabled={busy}
                    aria-label={action.text}
                    title={meaningOf(action)}
                    onClick={() => play(action)}
                    onPointerEnter={() => explain(action)}
                    onPointerLeave={() => explain(undefined)}
                    onFocus={() => explain(action)}
                    onBlur={() => explain(undefined)}
                  >
                    {number.has(action.index) && <kbd>{number.get(action.index)}</kbd>}
                    <span>{(action.text ?? "").slice(common.length).trimStart()}</span>
                  </button>
                ))}
              </div>
            </fieldset>
          );
        })}
        {shown.length === 0 && <p class="remark">No action fits “{filter}”.</p>}
      </div>
      <p class="explanation remark" aria-live="polite">
        {explained ? meaningOf(explained) : "Click the board or choose a button. Keys: 1–9, /, Esc."}
      </p>
    </div>
  );
}

/** Actions by kind, in the order of the table; what declines is last, so that no first key declines by mistake. */
function groupsOf(actions: readonly LegalAction[]): { kind: string; members: LegalAction[] }[] {
  const groups = new Map<string, LegalAction[]>();
  for (const action of actions) groups.set(kindOf(action), [...(groups.get(kindOf(action)) ?? []), action]);
  const sorted = [...groups].map(([kind, members]) => ({ kind, members }));
  const declines = ({ members }: { members: LegalAction[] }) => Number(DECLINING.has(members[0]?.name ?? ""));
  return sorted.sort((one, other) => declines(one) - declines(other));
}

/** Kinds of actions that decline or end something. */
const DECLINING = new Set(["pass", "done", "stop", "call_off"]);

/** The words that all texts of a group begin with, if there are several; each keeps at least one word of its own. */
function commonBeginning(members: readonly LegalAction[]): string {
  const [first, ...others] = members.map((action) => (action.text ?? "").split(" "));
  if (!first || others.length === 0) return "";
  let count = 0;
  const fits = (words: string[]) => words.length > count + 1 && words[count] === first[count];
  while (first.length > count + 1 && others.every(fits)) count++;
  return first.slice(0, count).join(" ");
}

interface Shortcuts {
  shown: readonly LegalAction[];
  busy: boolean;
  play: (action: LegalAction) => void;
  unpick: () => void;
  input: { current: HTMLInputElement | null };
}

/** Digits play, "/" filters, Escape takes back. */
function useShortcuts(shortcuts: Shortcuts): void {
  const current = useRef(shortcuts);
  current.current = shortcuts;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { shown, busy, play, unpick, input } = current.current;
      const typing = event.target instanceof HTMLElement && event.target.matches("input, textarea, select");
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Escape") {
        input.current?.blur();
        unpick();
      } else if (event.key === "Enter" && event.target === input.current && shown.length === 1 && shown[0]) {
        play(shown[0]);
      } else if (typing) {
        return;
      } else if (event.key === "/") {
        event.preventDefault();
        input.current?.focus();
      } else if (/^[1-9]$/.test(event.key)) {
        const action = shown[Number(event.key) - 1];
        if (action && !busy) play(action);
      }
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
}
