import { useState } from "preact/hooks";
import type { MatchTokens } from "../../api/match-tokens";
import type { MatchOutcome } from "../../api/sengoku";
import { CallFailure } from "../../parts/failure";
import { Link, navigate } from "../../router";
import type { SeatName } from "../../table/seat-names";
import { startMatch } from "../play/start";

interface Props {
  id: string;
  tokens: MatchTokens;
  outcome: MatchOutcome;
  names: SeatName[];
}

/** The end of a match: who won and why, and what to do next. */
export function Finish({ id, tokens, outcome, names }: Props) {
  const first = (outcome.ranks ?? []).flatMap((rank, seat) => (rank === 1 ? [seat] : []));
  const won = tokens.seat !== undefined && first.includes(tokens.seat);
  const who = first.map((seat) => names[seat]?.name ?? `seat ${seat}`).join(" and ");
  const title = won ? (first.length > 1 ? "You share the first place" : "You won") : `${who} won`;
  return (
    <section class="card stack finish" aria-label="Result">
      <h2>{title}</h2>
      <p class="remark">
        Why: {(outcome.reason ?? "").replaceAll("_", " ")}, after {outcome.rounds} rounds.
      </p>
      <div class="row">
        <Rematch tokens={tokens} />
        <Link class="button" href={`/replay?match=${encodeURIComponent(id)}${tokens.owner ? "&all" : ""}#0`}>
          Watch the replay
        </Link>
      </div>
    </section>
  );
}

/** The same match again, with another seed. */
export function Rematch({ tokens }: { tokens: MatchTokens }) {
  const [error, setError] = useState<unknown>();
  const plan = tokens.plan;
  if (!plan) return null;
  const again = async () => {
    try {
      navigate(`/match/${await startMatch(plan)}`);
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <>
      <button type="button" class="primary" onClick={again}>
        Rematch
      </button>
      {error !== undefined && <CallFailure error={error} />}
    </>
  );
}
