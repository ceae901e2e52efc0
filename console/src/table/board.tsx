import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { parsePicture } from "../parts/picture";

interface Props {
  svg: string;
  label: string;
  /** Places that can be clicked, with what a click would do. */
  choices?: ReadonlyMap<string, string>;
  /** Places that were clicked. */
  picks?: readonly string[];
  /** Places to point at. */
  pointed?: readonly string[];
  pick?: (place: string) => void;
}

const NOWHERE: ReadonlyMap<string, string> = new Map();
const ZOOMS = [1, 1.5, 2, 3];

/** The board, with places that can be clicked or reached by Tab. */
export function Board({ svg, label, choices = NOWHERE, picks = [], pointed = [], pick }: Props) {
  const holder = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState(0);
  useLayoutEffect(() => {
    const focused = document.activeElement?.getAttribute("data-place");
    holder.current?.replaceChildren(parsePicture(svg, label));
    mark(holder.current, choices, picks);
    if (focused) find(holder.current, focused)?.focus();
  }, [svg, label]);
  useLayoutEffect(() => mark(holder.current, choices, picks), [choices, picks]);
  useEffect(() => outline(holder.current, pointed, "pointed"), [pointed, svg]);

  const chosen = (event: Event): string | undefined => {
    const place = (event.target as Element).closest?.("[data-place]")?.getAttribute("data-place");
    return place && choices.has(place) ? place : undefined;
  };
  const click = (event: Event) => {
    const place = chosen(event);
    if (place) pick?.(place);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    const place = chosen(event);
    if (!place) return;
    event.preventDefault();
    event.stopPropagation();
    pick?.(place);
  };
  return (
    <div class="board">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the places inside are the buttons */}
      <div class={`board-scroll zoom-${zoom}`} ref={holder} onClick={click} onKeyDown={press} />
      <div class="board-tools">
        <button type="button" class="tool" disabled={zoom === 0} onClick={() => setZoom(zoom - 1)}>
          <span aria-hidden="true">−</span>
          <span class="hidden">Smaller</span>
        </button>
        <button
          type="button"
          class="tool"
          disabled={zoom === ZOOMS.length - 1}
          onClick={() => setZoom(zoom + 1)}
        >
          <span aria-hidden="true">+</span>
          <span class="hidden">Larger</span>
        </button>
      </div>
    </div>
  );
}

function find(root: Element | null, place: string): SVGElement | null {
  return root?.querySelector<SVGElement>(`[data-place="${CSS.escape(place)}"]`) ?? null;
}

/** Makes buttons of the places that can be clicked, and draws their outlines. */
function mark(root: Element | null, choices: ReadonlyMap<string, string>, picks: readonly string[]): void {
  const picture = root?.querySelector("svg");
  if (!root || !picture) return;
  // The parts of an image have no role of their own; those of a group have.
  picture.setAttribute("role", choices.size > 0 ? "group" : "img");
  for (const old of root.querySelectorAll("[data-place][role]")) {
    for (const name of ["role", "tabindex", "aria-label", "aria-pressed", "class"]) old.removeAttribute(name);
  }
  for (const [place, text] of choices) {
    const element = find(root, place);
    if (!element) continue;
    element.setAttribute("role", "button");
    element.setAttribute("tabindex", "0");
    element.setAttribute("aria-label", text);
    if (picks.includes(place)) element.setAttribute("aria-pressed", "true");
    element.setAttribute("class", "choice");
  }
  outline(root, [...choices.keys()], "open");
  outline(root, picks, "picked");
}

/** Outlines some places, instead of those outlined in this way before. */
function outline(root: Element | null, places: readonly string[], way: string): void {
  for (const old of root?.querySelectorAll(`.outline-${way}`) ?? []) old.remove();
  for (const place of places) {
    const element = find(root, place);
    if (!element) continue;
    const copy = element.cloneNode(false) as SVGElement;
    for (const name of ["data-place", "role", "tabindex", "aria-label", "aria-pressed", "fill", "stroke"]) {
      copy.removeAttribute(name);
    }
    const text = /^[CD]-/.test(place) ? " text" : "";
    copy.setAttribute("class", `outline outline-${way}${text}`);
    copy.setAttribute("aria-hidden", "true");
    // Over all places and below the pieces, which are drawn after them.
    const places = element.parentElement?.querySelectorAll(":scope > [data-place]");
    (places?.[places.length - 1] ?? element).after(copy);
  }
}
