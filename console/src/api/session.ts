// The token of the person, kept for the life of the tab and nowhere else.

const KEY = "sengoku.token";
type Listener = () => void;
const listeners = new Set<Listener>();
let refusals = 0;

export const session = {
  /** The token, or null if the person has not signed in. */
  token: (): string | null => sessionStorage.getItem(KEY),

  /** Uses a token for all calls from now on. */
  signIn(token: string): void {
    sessionStorage.setItem(KEY, token);
    refusals = 0;
    notify();
  },

  /** Uses a token, or none, without taking the sign-in for done. */
  tryToken(token: string | null): void {
    if (token) sessionStorage.setItem(KEY, token);
    else sessionStorage.removeItem(KEY);
  },

  /** Forgets the token and everything else this tab has kept, and begins anew. */
  signOut(): void {
    sessionStorage.clear();
    location.assign("/");
  },

  /** Notes that the server wants a token, or another one. */
  refused(): void {
    refusals += 1;
    notify();
  },

  /** Whether the server has refused a call for want of a token since the last sign-in. */
  isRefused: (): boolean => refusals > 0,

  /** Calls back whenever one of the above changes; returns how to end that. */
  subscribe(listener: Listener): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

function notify(): void {
  for (const listener of listeners) listener();
}
