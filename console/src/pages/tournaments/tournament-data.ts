import type { Tournament } from "../../api/sengoku";
import { goesOn, stateOf } from "../../parts/job";

/** The last part of the name of a tournament, as in the address of its page. */
export function idOf(tournament: Tournament | undefined): string {
  return (tournament?.name ?? "").split("/").at(-1) ?? "";
}

export function isGoing(tournament: Tournament | undefined): boolean {
  return goesOn(stateOf(tournament?.state));
}

/** Seconds until all matches that are due are played, at the present speed. */
export function timeLeft(tournament: Tournament): number | undefined {
  const rate = tournament.matchesPerSecond ?? 0;
  if (rate <= 0 || !isGoing(tournament)) return undefined;
  return (Number(tournament.matchesDue ?? 0) - Number(tournament.matchesDone ?? 0)) / rate;
}
