import { ticks } from "./scale";

export interface Interval {
  label: string;
  middle: number;
  low: number;
  high: number;
}

interface Props {
  title: string;
  intervals: readonly Interval[];
  /** Words below the axis. */
  axis: string;
  /** A value that is marked by a line. */
  zero?: number;
}

const [WIDTH, ROW, LEFT, RIGHT] = [440, 28, 118, 18];

/** Values with their intervals, one below the other. */
export function Intervals({ title, intervals, axis, zero }: Props) {
  const known = intervals.filter(({ low, high }) => Number.isFinite(low) && Number.isFinite(high));
  if (known.length === 0) return null;
  const low = Math.min(...known.map((row) => row.low), zero ?? Number.POSITIVE_INFINITY);
  const high = Math.max(...known.map((row) => row.high), zero ?? Number.NEGATIVE_INFINITY);
  const span = high - low || 1;
  const x = (value: number) => LEFT + ((value - low) / span) * (WIDTH - LEFT - RIGHT);
  const bottom = known.length * ROW + 4;
  return (
    <figure class="chart intervals">
      <figcaption>
        <strong>{title}</strong>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${bottom + 38}`} role="img" aria-label={describe(title, known)}>
        {ticks(low, high, 5).map((tick) => (
          <g key={tick}>
            <line class="grid" x1={x(tick)} x2={x(tick)} y1={0} y2={bottom} />
            <text class="label" x={x(tick)} y={bottom + 14}>
              {Math.round(tick * 100) / 100}
            </text>
          </g>
        ))}
        {zero !== undefined && <line class="axis" x1={x(zero)} x2={x(zero)} y1={0} y2={bottom} />}
        {known.map((row, at) => {
          const y = at * ROW + ROW / 2 + 2;
          return (
            <g key={row.label}>
              <title>{`${row.label}: ${round(row.middle)} (${round(row.low)} to ${round(row.high)})`}</title>
              <text class="name" x={LEFT - 12} y={y} dy="0.35em" text-anchor="end">
                {row.label.length > 16 ? `${row.label.slice(0, 15)}…` : row.label}
              </text>
              <line class="whisker" x1={x(row.low)} x2={x(row.high)} y1={y} y2={y} />
              <line class="whisker" x1={x(row.low)} x2={x(row.low)} y1={y - 5} y2={y + 5} />
              <line class="whisker" x1={x(row.high)} x2={x(row.high)} y1={y - 5} y2={y + 5} />
              <circle cx={x(row.middle)} cy={y} r={5} fill="var(--accent)" />
            </g>
          );
        })}
        <text class="label" x={(LEFT + WIDTH - RIGHT) / 2} y={bottom + 32}>
          {axis}
        </text>
      </svg>
    </figure>
  );
}

function round(value: number): string {
  return (Math.round(value * 10) / 10).toString();
}

function describe(title: string, rows: readonly Interval[]): string {
  return `${title}: ${rows.map((row) => `${row.label} ${round(row.middle)}`).join(", ")}`;
}
