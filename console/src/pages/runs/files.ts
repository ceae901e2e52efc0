// The rows of a run as files: CSV as `sengoku run --csv` writes it, and Parquet as the server writes it.

import { type RunMatchesResponse, SimulationService } from "../../api/sengoku";
import { download } from "../../parts/download";
import { bytesOf, elements, shapeOf } from "../../parts/tensor";
import type { Run } from "./run-data";

/** Most rows that this page turns into CSV; larger runs are for Parquet and the command line. */
export const MOST_CSV_ROWS = 1_000_000;

type Told = (rows: number) => void;

/** Reads all finished rows and saves them as CSV. */
export async function saveCsv(run: Run, told: Told, signal: AbortSignal): Promise<void> {
  const parts: string[] = [];
  let done = 0;
  for await (const { packed } of SimulationService.readRun({ name: run.name }, { signal })) {
    const rows = packed?.rows ?? {};
    if (parts.length === 0) parts.push(`${heading(rows).join(",")}\n`);
    parts.push(lines(rows, BigInt(packed?.firstMatch ?? 0)));
    done += Number(packed?.matchCount ?? 0);
    told(done);
  }
  download(`${run.metadata.run?.game}-${run.id.slice(0, 8)}.csv`, parts, "text/csv");
}

/** Reads all finished rows as a Parquet file and saves it. */
export async function saveParquet(run: Run, told: Told, signal: AbortSignal): Promise<void> {
  const parts: BlobPart[] = [];
  let bytes = 0;
  const request = { name: run.name, format: "ROW_FORMAT_PARQUET" as const };
  for await (const { data } of SimulationService.readRun(request, { signal })) {
    const part = bytesOf(data);
    parts.push(part);
    bytes += part.length;
    told(bytes);
  }
  download(
    `${run.metadata.run?.game}-${run.id.slice(0, 8)}.parquet`,
    parts,
    "application/vnd.apache.parquet",
  );
}

function seats(rows: RunMatchesResponse): number {
  return shapeOf(rows.ranks)[1] ?? 0;
}

function heading(rows: RunMatchesResponse): string[] {
  const each = (name: string) => Array.from({ length: seats(rows) }, (_, seat) => `${name}_${seat}`);
  return [
    "match_index",
    "winner",
    "by_rule",
    ...each("rank"),
    "rounds",
    "decisions",
    "reason",
    ...each("score"),
    "digest",
  ];
}

function lines(rows: RunMatchesResponse, first: bigint): string {
  const many = seats(rows);
  const [winner, byRule, ranks, rounds, decisions, reason, scores, digest] = [
    ...[
      rows.winner,
      rows.byRule,
      rows.ranks,
      rows.rounds,
      rows.decisions,
      rows.reason,
      rows.scores,
      rows.digest,
    ],
  ].map(elements) as [Row, Row, Row, Row, Row, Row, Row, Row];
  const out: string[] = [];
  for (let row = 0; row < winner.length; row += 1) {
    const cells = [
      first + BigInt(row),
      winner[row],
      byRule[row] ? "True" : "False",
      ...ranks.slice(row * many, (row + 1) * many),
      rounds[row],
      decisions[row],
      rows.reasons?.[Number(reason[row])] ?? "",
      ...scores.slice(row * many, (row + 1) * many),
      digest[row],
    ];
    out.push(`${cells.join(",")}\n`);
  }
  return out.join("");
}

type Row = (number | string)[];
