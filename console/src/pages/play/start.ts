// Starts a match and remembers what it was, for a rematch.

import { rememberMatch } from "../../api/match-tokens";
import { type MatchAccess, MatchService } from "../../api/sengoku";
import { PERSON, type Player, YOU } from "./seats";

/** All that a match is started from. */
export interface Plan {
  game: string;
  /** Options of the game, those of the scenario included. */
  setup: Record<string, unknown>;
  seats: Player[];
}

/** Starts a match and returns its id. */
export async function startMatch(plan: Plan): Promise<string> {
  const bots = plan.seats.flatMap((player, seat) =>
    player === YOU || player === PERSON ? [] : [[seat, player]],
  );
  const { access } = await MatchService.createMatch({
    game: plan.game,
    seats: plan.seats.length,
    seed: randomSeed(),
    setupJson: JSON.stringify(plan.setup),
    bots: Object.fromEntries(bots) as Record<string, string>,
  });
  return keep(access ?? {}, plan);
}

/** Remembers the tokens of a match. The person looks with the token of the seat, so that nothing of others arrives. */
export function keep(access: MatchAccess, plan: Plan): string {
  const id = access.matchId ?? "";
  const seat = plan.seats.indexOf(YOU);
  rememberMatch(id, {
    token: (seat < 0 ? access.spectatorToken : access.seatTokens?.[seat]) ?? "",
    seat: seat < 0 ? undefined : seat,
    owner: access.ownerToken,
    spectator: access.spectatorToken,
    invitations: plan.seats.flatMap((player, at) =>
      player === PERSON ? [{ seat: at, token: access.seatTokens?.[at] ?? "" }] : [],
    ),
    plan,
  });
  return id;
}

/** A seed of 63 bits from the browser's generator. */
export function randomSeed(): string {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return ((BigInt(high >>> 1) << 32n) | BigInt(low)).toString();
}
