// What a replay is about: its game, and the names of its seats.

import { MatchService, type MatchStatus } from "../../api/sengoku";
import { type Call, useCall } from "../../parts/use-call";
import type { Source } from "../../table/film";
import { type SeatName, seatNames } from "../../table/seat-names";

export interface Subject {
  status: MatchStatus;
  names: SeatName[];
}

/** Reads the first frame for the view, which has all that names seats. */
export function useSubject(source: Source): Call<Subject> {
  return useCall(
    async (signal) => {
      const request = { ...source, firstDecision: "0", lastDecision: "0" };
      const page = await MatchService.getReplayFrames({ ...request, parts: ["FRAME_PART_VIEW"] }, { signal });
      const viewJson = page.frames?.[0]?.viewJson ?? "{}";
      const status = statusOf(viewJson);
      return { status, names: await seatNames(status, viewJson, signal) };
    },
    [source],
  );
}

/** Game and seats as far as a view shows them. */
function statusOf(viewJson: string): MatchStatus {
  const view = JSON.parse(viewJson) as {
    options?: { seats?: number };
    clans?: unknown[];
    players?: unknown[];
  };
  if (view.clans) return { game: "swords", seats: view.options?.seats ?? view.clans.length };
  if (view.players) return { game: "tower", seats: view.players.length };
  return { game: "battles", seats: 2 };
}
