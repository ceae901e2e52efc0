import { percent, pointsOfError } from "./format";

export interface Share {
  label: string;
  value: number;
  /** A colour of the style sheet. */
  colour: string;
  /** Standard error, if the value is not exact. */
  error?: number;
  /** Where the fair share is, if there is one. */
  fair?: number;
}

/** Probabilities or shares as bars, one below the other. */
export function Shares({
  label,
  shares,
  digits = 1,
}: {
  label: string;
  shares: readonly Share[];
  digits?: number;
}) {
  return (
    <dl class="shares" aria-label={label}>
      {shares.map(({ label: name, value, colour, error, fair }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <span class="track" aria-hidden="true">
              <span
                class={value > 0 ? "fill" : "fill none"}
                style={{ width: `${100 * Math.min(1, value)}%`, background: colour }}
              />
              {error ? (
                <span
                  class="whisker"
                  style={{
                    left: `${100 * Math.max(0, value - 1.96 * error)}%`,
                    width: `${100 * (Math.min(1, value + 1.96 * error) - Math.max(0, value - 1.96 * error))}%`,
                  }}
                />
              ) : null}
              {fair !== undefined && <span class="fair" style={{ left: `${100 * fair}%` }} />}
            </span>
            <span class="figure">
              {percent(value, digits)}
              {error ? <small> {pointsOfError(error)}</small> : null}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
