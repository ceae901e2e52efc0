import { useEffect, useState } from "preact/hooks";
import { isAbort } from "../../api/connect";
import { type LegalAction, MatchService } from "../../api/sengoku";
import { explained } from "../../parts/failure";

interface Props {
  id: string;
  token: string;
  decision: number;
  shown?: LegalAction;
  show: (action: LegalAction | undefined) => void;
}

/** The bot that is asked: strong, and quick enough to wait for. */
const BOT = "mcts:iterations=300";

/** What a bot would do, based on what the person sees. */
export function Hint({ id, token, decision, shown, show }: Props) {
  const [asking, setAsking] = useState(false);
  const [error, setError] = useState<unknown>();
  // The decision is in the key of the question: an answer to an older one is not shown.
  useEffect(() => setError(undefined), [decision]);
  const ask = async () => {
    setAsking(true);
    setError(undefined);
    try {
      const answer = await MatchService.suggestAction({ matchId: id, token, bot: BOT });
      if (Number(answer.decisions ?? 0) === decision) show(answer.action);
    } catch (failure) {
      if (!isAbort(failure)) setError(failure);
    } finally {
      setAsking(false);
    }
  };
  return (
    <div class="hint">
      <button type="button" onClick={ask} disabled={asking}>
        {asking ? "Thinking …" : "Hint"}
      </button>
      <span class="remark" role="status">
        {shown ? `A strong bot would: ${shown.text}` : error !== undefined ? explained(error).what : ""}
      </span>
    </div>
  );
}
