import { ApiError } from "../api/connect";

interface Props {
  title?: string;
  /** What went wrong. */
  what: string;
  /** What the person can do. */
  todo?: string;
  /** The reason code of the server. */
  reason?: string;
  /** Tries again. */
  retry?: () => void;
}

/** Says what went wrong and what to do. */
export function Failure({ title = "That did not work", what, todo, reason, retry }: Props) {
  return (
    <div class="failure" role="alert">
      <strong>{title}</strong>
      <p>
        {what} {todo}
      </p>
      {reason && <p class="remark">Reason: {reason}</p>}
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** The same for an error of a call. */
export function CallFailure({ error, retry, title }: { error: unknown; retry?: () => void; title?: string }) {
  const { what, todo, reason } = explained(error);
  return <Failure title={title} what={what} todo={todo} reason={reason} retry={retry} />;
}

/** An error in words: what went wrong and what to do. */
export function explained(error: unknown): { what: string; todo?: string; reason?: string } {
  if (!(error instanceof ApiError)) {
    return { what: error instanceof Error ? sentence(error.message) : "Something went wrong." };
  }
  return {
    what: sentence(error.message || error.code),
    todo: BY_REASON[error.reason] ?? BY_CODE[error.code],
    reason: error.reason || error.code,
  };
}

const BY_REASON: Record<string, string> = {
  MATCH_NOT_FOUND: "The match has ended and was removed, or the link is not complete. Start a new match.",
  NOT_YOUR_TURN: "Wait until it is your turn.",
  STALE_MATCH: "The board has changed meanwhile; look at it again.",
};

const BY_CODE: Record<string, string> = {
  unreachable: "Check that the server runs and that you are connected, then try again.",
  unauthenticated: "Sign in with a token of this server.",
  permission_denied:
    "Your token does not have the role for this. Ask for one that has, or sign in with another.",
  resource_exhausted: "The server has no room for it now. Wait a little, or end something else of yours.",
  unavailable: "Wait a moment and try again.",
  deadline_exceeded: "Try again, or ask for less.",
  unimplemented: "This server has no such function; it may be older than this page.",
};

function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
