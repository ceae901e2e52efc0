// The tokens of the matches that this tab has opened. They are kept for the life of the tab; a link with a token in
// its fragment, which browsers do not send, gives a match to another person.

const PREFIX = "sengoku.match.";

/** What this tab may do in a match. */
export interface MatchTokens {
  /** The token that is used: of the owner, or of a seat. */
  token: string;
  /** The seat of the person, if the token is one of a seat or the owner plays. */
  seat?: number;
  /** For the owner: the tokens of all seats, to invite others. */
  owner?: string;
  seats?: string[];
}

export function rememberMatch(id: string, tokens: MatchTokens): void {
  sessionStorage.setItem(PREFIX + id, JSON.stringify(tokens));
}

export function recallMatch(id: string): MatchTokens | null {
  const text = sessionStorage.getItem(PREFIX + id);
  return text === null ? null : (JSON.parse(text) as MatchTokens);
}
