import type { Curve } from "./result";

interface Props {
  title: string;
  curves: readonly Curve[];
  names: readonly string[];
  low: number;
  high: number;
  /** The decision that is shown on the board, and the last one. */
  at: number;
  last: number;
  /** Decisions to mark. */
  marks?: readonly number[];
  go: (decision: number) => void;
}

const [WIDTH, HEIGHT, LEFT, FOOT] = [800, 130, 44, 6];

/** One line for each seat over the decisions of a match; a click goes to the decision below it. */
export function Curves({ title, curves, names, low, high, at, last, marks = [], go }: Props) {
  const x = (decision: number) => LEFT + ((WIDTH - LEFT) * decision) / Math.max(1, last);
  const y = (value: number) => FOOT + (HEIGHT - 2 * FOOT) * ((high - value) / (high - low));
  const click = (event: MouseEvent) => {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    const across = ((event.clientX - box.left) / box.width) * WIDTH;
    go(Math.round(Math.min(1, Math.max(0, (across - LEFT) / (WIDTH - LEFT))) * last));
  };
  const values = curves.map((curve, seat) => {
    const value = curve.filter((point) => point.decision <= at).at(-1)?.value;
    return value === undefined ? "" : `${names[seat]} ${percent(value, low < 0)}`;
  });
  return (
    <figure class="curves">
      <figcaption>
        {title} <span class="remark">{values.filter(Boolean).join(" · ")}</span>
      </figcaption>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the slider above does the same by keys */}
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${title}: ${values.join(", ")}`}
        onClick={click}
      >
        {[low, (low + high) / 2, high].map((value) => (
          <g key={value}>
            <path class="grid" d={`M${LEFT},${y(value)}H${WIDTH}`} />
            <text x={LEFT - 6} y={y(value) + 4} text-anchor="end">
              {percent(value, low < 0)}
            </text>
          </g>
        ))}
        {marks.map((decision) => (
          <path key={decision} class="mark" d={`M${x(decision)},${FOOT}V${HEIGHT - FOOT}`} />
        ))}
        {curves.map((curve, seat) => (
          <path
            key={names[seat]}
            class={`curve seat-${seat}`}
            d={curve
              .map(({ decision, value }, point) => `${point ? "L" : "M"}${x(decision)},${y(value)}`)
              .join("")}
          />
        ))}
        <path class="now" d={`M${x(at)},0V${HEIGHT}`} />
      </svg>
    </figure>
  );
}

function percent(value: number, signed: boolean): string {
  const text = `${Math.round(100 * value)} %`;
  return signed && value > 0 ? `+${text}` : text;
}
