// What the seats of a match are called: armies of a battle, colours of cubes, clans.

import { CatalogService, type MatchStatus } from "../api/sengoku";
import { botName } from "../pages/play/seats";
import { capital } from "./places";

/** A seat as it is shown in lists. */
export interface SeatName {
  name: string;
  /** Who plays it, as far as is known, e.g. "medium bot". */
  player: string;
}

/** The parts of a view that name seats. */
interface View {
  options?: { colours?: string[] };
  scenario?: number;
  clans?: unknown[];
}

const COLOURS = ["red", "blue", "yellow", "purple", "black"];

/** What the seats of a match will be called, where its scenario does not say so. */
export function usualNames(game: string, count: number): string[] {
  const seats = Array.from({ length: count }, (_, seat) => seat);
  if (game === "tower") return seats.map((seat) => capital(COLOURS[seat] ?? `seat ${seat}`));
  if (game === "swords") return seats.map((seat) => clansOf(count === 2 ? 4 : count, seat, count));
  return seats.map((seat) => `Seat ${seat}`);
}

/** The clans of a seat: in a match of two each player has two. */
function clansOf(clans: number, seat: number, seats: number): string {
  const each = Math.max(1, Math.floor(clans / seats));
  if (each === 1) return `Clan ${seat}`;
  return `Clans ${Array.from({ length: each }, (_, clan) => seat * each + clan).join(" and ")}`;
}

/** The names of all seats of a match. */
export async function seatNames(
  status: MatchStatus,
  viewJson: string,
  signal: AbortSignal,
): Promise<SeatName[]> {
  const view = JSON.parse(viewJson || "{}") as View;
  const count = status.seats ?? 0;
  let names: string[] = [];
  if (status.game === "tower") {
    names = (view.options?.colours ?? []).map(capital);
  } else if (status.game === "battles" && view.scenario) {
    const { scenario } = await CatalogService.getScenario(
      { game: "battles", id: String(view.scenario) },
      { signal },
    );
    names = scenario?.seats ?? [];
  } else if (status.game === "swords") {
    names = Array.from({ length: count }, (_, seat) => clansOf(view.clans?.length ?? count, seat, count));
  }
  return Array.from({ length: count }, (_, seat) => {
    const bot = status.bots?.[String(seat)];
    return { name: names[seat] ?? `Seat ${seat}`, player: bot ? botName(bot) : "" };
  });
}
