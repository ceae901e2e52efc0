import { useState } from "preact/hooks";
import { rememberMatch } from "../../api/match-tokens";
import { MatchService } from "../../api/sengoku";
import { CallFailure } from "../../parts/failure";
import { navigate } from "../../router";
import type { SeatName } from "../../table/seat-names";
import { STRENGTHS } from "../play/seats";
import { cutReplay } from "./cut";

interface Props {
  /** Reads the text of the replay. */
  replay: () => Promise<string>;
  decision: number;
  names: readonly SeatName[];
}

/** Starts a match from the decision that is shown. */
export function PlayOn({ replay, decision, names }: Props) {
  const [seat, setSeat] = useState(0);
  const [bot, setBot] = useState("greedy");
  const [error, setError] = useState<unknown>();
  const start = async () => {
    const others = names.flatMap((_, other) => (other === seat ? [] : [[String(other), bot]]));
    const bots = Object.fromEntries(others) as Record<string, string>;
    try {
      const { access } = await MatchService.loadMatch({ replay: cutReplay(await replay(), decision, bots) });
      const id = access?.matchId ?? "";
      rememberMatch(id, {
        token: access?.seatTokens?.[seat] ?? "",
        seat,
        owner: access?.ownerToken,
        spectator: access?.spectatorToken,
      });
      navigate(`/match/${id}`);
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <details class="card">
      <summary>Play on from here</summary>
      <div class="stack">
        <label class="field">
          You play
          <select value={seat} onChange={(event) => setSeat(Number(event.currentTarget.value))}>
            {names.map((name, number) => (
              <option key={name.name} value={number}>
                {name.name}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          Against
          <select value={bot} onChange={(event) => setBot(event.currentTarget.value)}>
            {STRENGTHS.map((strength) => (
              <option key={strength.bot} value={strength.bot}>
                {strength.label} bot
              </option>
            ))}
          </select>
        </label>
        {error !== undefined && <CallFailure error={error} />}
        <button type="button" class="primary" onClick={start}>
          Play on after decision {decision}
        </button>
      </div>
    </details>
  );
}
