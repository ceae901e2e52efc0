import { percent } from "./format";
import { ticks } from "./scale";

interface Props {
  /** What the numbers are: "units left to the attacker". */
  title: string;
  /** Probability of 0, 1, 2, …. */
  values: readonly number[];
  /** A colour of the style sheet, e.g. "var(--attacker)". */
  colour: string;
  /** What the numbers count: one, and several. */
  nouns: readonly [string, string];
}

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [340, 170, 40, 8, 14, 24];

/** A distribution over small numbers as bars, and the same as a table. */
export function Distribution({ title, values, colour, nouns }: Props) {
  const most = Math.max(...values, 1e-9);
  const step = (WIDTH - LEFT - RIGHT) / Math.max(values.length, 4);
  const y = (value: number) => HEIGHT - BOTTOM - (value / most) * (HEIGHT - TOP - BOTTOM);
  const every = Math.max(1, Math.ceil(values.length / 18));
  const mean = values.reduce((sum, value, at) => sum + at * value, 0);
  const middle = percentile(values, 0.5);
  const sentence = `mean ${mean.toFixed(2)}, median ${middle}, 5 % to 95 %: ${percentile(values, 0.05)} to ${percentile(values, 0.95)}`;
  return (
    <figure class="chart">
      <figcaption>
        <strong>{title}</strong>
        <span class="remark">{sentence}</span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${title}: ${sentence}`}>
        {ticks(0, most, 3).map((tick) => (
          <g key={tick}>
            <line class="grid" x1={LEFT} x2={WIDTH - RIGHT} y1={y(tick)} y2={y(tick)} />
            <text class="label" x={LEFT - 6} y={y(tick)} dy="0.35em" text-anchor="end">
              {`${Math.round(100 * tick * 10) / 10} %`}
            </text>
          </g>
        ))}
        {values.map((value, at) => (
          <g key={`${at}/${values.length}`}>
            <title>{`${at} ${nouns[at === 1 ? 0 : 1]}: ${percent(value, 2)}`}</title>
            <rect class="target" x={LEFT + at * step} y={TOP} width={step} height={HEIGHT - TOP - BOTTOM} />
            <rect
              x={LEFT + at * step + step * 0.12}
              y={Math.min(y(value), HEIGHT - BOTTOM - (value > 0 ? 1 : 0))}
              width={step * 0.76}
              height={Math.max(HEIGHT - BOTTOM - y(value), value > 0 ? 1 : 0)}
              rx={Math.min(3, step / 6)}
              fill={colour}
            />
            {at % every === 0 && (
              <text
                class={at === middle ? "label strong" : "label"}
                x={LEFT + (at + 0.5) * step}
                y={HEIGHT - 8}
              >
                {at}
              </text>
            )}
          </g>
        ))}
        <line class="axis" x1={LEFT} x2={WIDTH - RIGHT} y1={HEIGHT - BOTTOM} y2={HEIGHT - BOTTOM} />
      </svg>
      <details>
        <summary>As a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{nouns[1]}</th>
              <th scope="col" class="number">
                exactly
              </th>
              <th scope="col" class="number">
                at least
              </th>
            </tr>
          </thead>
          <tbody>
            {values.map((value, at) => (
              <tr key={`${at}/${values.length}`}>
                <td>{at}</td>
                <td class="number">{percent(value, 2)}</td>
                <td class="number">{percent(Math.min(1, sumFrom(values, at)), 2)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

function sumFrom(values: readonly number[], first: number): number {
  return values.slice(first).reduce((sum, value) => sum + value, 0);
}

/** The smallest number that is not exceeded with this probability. */
export function percentile(values: readonly number[], share: number): number {
  let sum = 0;
  for (const [at, value] of values.entries()) {
    sum += value;
    if (sum >= share - 1e-12) return at;
  }
  return Math.max(0, values.length - 1);
}
