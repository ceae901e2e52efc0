// The tokens of the matches that this tab has opened. They are kept for the life of the tab; a link with a token in
// its fragment, which browsers do not send, gives a match to another person.

import type { Plan } from "../pages/play/start";

const PREFIX = "sengoku.match.";

/** What this tab may do in a match. */
export interface MatchTokens {
  /** The token that looks and plays: of a seat, or of spectators. */
  token: string;
  /** The seat of the person; not set for spectators. */
  seat?: number;
  /** For who started the match: the token that ends and saves it. */
  owner?: string;
  /** The token for spectators. */
  spectator?: string;
  /** The seats that other people may take. */
  invitations?: { seat: number; token: string }[];
  /** What the match was started from, for a rematch. */
  plan?: Plan;
}

export function rememberMatch(id: string, tokens: MatchTokens): void {
  sessionStorage.setItem(PREFIX + id, JSON.stringify(tokens));
}

export function recallMatch(id: string): MatchTokens | null {
  const text = sessionStorage.getItem(PREFIX + id);
  return text === null ? null : (JSON.parse(text) as MatchTokens);
}

const LINK = "token=";

/** The link that gives a match to somebody. */
export function matchLink(id: string, token: string): string {
  return `${location.origin}/match/${encodeURIComponent(id)}#${LINK}${token}`;
}

/** The token of such a link, if the fragment is one. */
export function tokenOfLink(fragment: string): string | null {
  return fragment.startsWith(LINK) ? fragment.slice(LINK.length) : null;
}
