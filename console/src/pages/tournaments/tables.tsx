// Tables of a tournament: a value and its error are one column, and so are the ends of an interval.

import type { TournamentCell, TournamentTable } from "../../api/sengoku";
import { count } from "../../charts/format";

type Value = string | number | undefined;

/** The values of a row. */
export function valuesOf(cells: TournamentCell[] | undefined): Value[] {
  return (cells ?? []).map(
    ({ text, whole, number }) => text ?? (whole === undefined ? undefined : Number(whole)) ?? number,
  );
}

interface Column {
  heading: string;
  sources: number[];
  join: string;
  numeric: boolean;
}

const HEADINGS: Record<string, string> = {
  elo: "Elo",
  mean_rank: "mean rank",
  seats_taken: "seats taken",
  blocks_due: "of",
  score_of_first: "score of the first",
  rules_version: "rules version",
  bias_in_errors: "bias in errors",
};

function heading(name: string): string {
  return HEADINGS[name] ?? name.replaceAll("_", " ");
}

function columnsOf(table: TournamentTable, rows: Value[][]): Column[] {
  const names = table.headings ?? [];
  const columns: Column[] = [];
  const done = new Set<number>();
  for (const [at, name] of names.entries()) {
    if (done.has(at)) continue;
    const error = names.findIndex((other) => other === `${name}_error` || other === `${name}_sigma`);
    const low = name.endsWith("_low") ? name.slice(0, -4) : "";
    const high = low ? names.indexOf(`${low}_high`) : -1;
    const sources = error >= 0 ? [at, error] : high >= 0 ? [at, high] : [at];
    for (const source of sources) done.add(source);
    columns.push({
      heading: high >= 0 ? `${heading(low)}, 95 %` : heading(name),
      sources,
      join: high >= 0 ? " to " : " ±",
      numeric: rows.some((row) => typeof row[at] === "number"),
    });
  }
  return columns;
}

/** Rows with more columns become lists on a phone. */
const LONG_ROW = 7;
const SHARES = new Set(["points", "points_error", "wins", "wins_error", "score_of_first"]);

function words(name: string, value: Value): string {
  if (value === undefined) return "";
  if (typeof value === "string") return value;
  if (SHARES.has(name)) return `${(100 * value).toFixed(1)} %`;
  return Number.isInteger(value) ? count(value) : `${Math.round(value * 100) / 100}`;
}

/** Whether the columns are the bots of the rows. */
function isSquare(table: TournamentTable, rows: Value[][]): boolean {
  const names = (table.headings ?? []).slice(1);
  return names.length === rows.length && names.every((name, at) => rows[at]?.[0] === name);
}

export function Table({ table }: { table: TournamentTable }) {
  const rows = (table.rows ?? []).map((row) => valuesOf(row.cells));
  const names = table.headings ?? [];
  if (isSquare(table, rows)) return <Square names={names.slice(1)} rows={rows} title={table.title ?? ""} />;
  const columns = columnsOf(table, rows);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: wide tables are scrolled with the keys
    <section class="wide" tabIndex={0} aria-label={table.title}>
      <table class={columns.length > LONG_ROW ? "stacked" : undefined}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" key={column.heading} class={column.numeric ? "number" : undefined}>
                {column.heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.slice(0, 3).join("/")}>
              {columns.map(({ heading: name, sources, join, numeric }) => (
                <td key={name} class={numeric ? "number" : undefined} data-label={name}>
                  {sources
                    .map((source) => words(names[source] ?? "", row[source]))
                    .filter(Boolean)
                    .join(join)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A score of 0 to 1 from a number or a text such as "62.5% ± 4.0%". */
function scoreOf(value: Value): number | undefined {
  if (typeof value === "number") return value;
  const found = /^([\d.]+)%/.exec(value ?? "");
  return found ? Number(found[1]) / 100 : undefined;
}

/** A table of bot against bot, with cells coloured by their score. */
function Square({ names, rows, title }: { names: string[]; rows: Value[][]; title: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: wide tables are scrolled with the keys
    <section class="wide" tabIndex={0} aria-label={title}>
      <table class="square">
        <thead>
          <tr>
            <td />
            {names.map((name) => (
              <th scope="col" key={name} class="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row[0]}`}>
              <th scope="row">{row[0]}</th>
              {names.map((name, at) => {
                const value = row[at + 1];
                const score = scoreOf(value);
                const text =
                  typeof value === "number"
                    ? `${(100 * value).toFixed(1)} %`
                    : (value ?? "").replaceAll("%", " %");
                return (
                  <td
                    key={name}
                    class="number"
                    style={score === undefined ? undefined : { background: shade(score) }}
                  >
                    {text}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A light tint: of the defender's colour for high scores, of the attacker's for low ones. */
function shade(score: number): string {
  const strength = Math.round(Math.abs(score - 0.5) * 60);
  return `color-mix(in srgb, var(${score >= 0.5 ? "--defender" : "--attacker"}) ${strength}%, transparent)`;
}
