import { useEffect, useState } from "preact/hooks";
import { isAbort } from "../api/connect";
import {
  MatchService,
  type Proposal,
  type ProposalKind,
  type SaidMessage,
  type TableMessage,
} from "../api/sengoku";
import { CallFailure } from "../parts/failure";
import { placeName } from "./places";
import type { SeatName } from "./seat-names";

interface Props {
  id: string;
  token: string;
  names: readonly SeatName[];
  /** The person's seat; spectators only read. */
  mine?: number;
  /** Places of the board that a proposal can be about. */
  places: readonly string[];
  /** Whether there are people to talk to, so that the talk is open at once. */
  company: boolean;
}

/** How often is looked for new messages while the page is in view. */
const LOOK_MS = 2000;

/** What the seats say to each other: texts, and proposals that bind nobody. */
export function Talk({ id, token, names, mine, places, company }: Props) {
  const { messages, look, error } = useMessages(id, token);
  const [refusal, setRefusal] = useState<unknown>();
  const name = (seat: number) => (seat === mine ? "You" : (names[seat]?.name ?? `Seat ${seat}`));
  const say = async (said: SaidMessage) => {
    setRefusal(undefined);
    try {
      await MatchService.sayInMatch({ matchId: id, token, said });
      look();
      return true;
    } catch (failure) {
      setRefusal(failure);
      return false;
    }
  };
  const answered = new Set(messages.filter(({ seat = 0 }) => seat === mine).map(({ said }) => said?.answers));
  return (
    <details class="card talk" open={company || messages.length > 0}>
      <summary>Table talk{messages.length > 0 && ` (${messages.length})`}</summary>
      <ol class="plain messages" aria-live="polite">
        {messages.map((message) => (
          <li key={message.number}>
            <strong>{name(message.seat ?? 0)}</strong> <span class="remark">{audience(message, name)}</span>{" "}
            {sentence(message)}
            {mine !== undefined &&
              message.said?.proposal &&
              message.seat !== mine &&
              !answered.has(message.number) && (
                <span class="row">
                  {[true, false].map((accepts) => (
                    <button
                      type="button"
                      class="small"
                      key={String(accepts)}
                      onClick={() => void say({ answers: message.number, accepts })}
                    >
                      {accepts ? "Accept" : "Decline"}
                    </button>
                  ))}
                </span>
              )}
          </li>
        ))}
      </ol>
      {messages.length === 0 && <p class="remark">Nobody has said anything yet.</p>}
      {mine !== undefined && <Speak names={names} mine={mine} places={places} say={say} />}
      {(refusal ?? error) !== undefined && <CallFailure error={refusal ?? error} title="That was not said" />}
    </details>
  );
}

const KINDS: readonly [kind: ProposalKind, label: string][] = [
  ["PROPOSAL_KIND_TRUCE", "Propose a truce"],
  ["PROPOSAL_KIND_NO_ATTACK", "Propose no attack on …"],
  ["PROPOSAL_KIND_SUPPORT", "Propose support"],
];

function Speak(props: {
  names: readonly SeatName[];
  mine: number;
  places: readonly string[];
  say: (said: SaidMessage) => Promise<boolean>;
}) {
  const { names, mine, places, say } = props;
  const [text, setText] = useState("");
  const [to, setTo] = useState("");
  const [kind, setKind] = useState("");
  const [place, setPlace] = useState("");
  const somewhere = kind === "PROPOSAL_KIND_NO_ATTACK";
  const submit = async (event: Event) => {
    event.preventDefault();
    const where = somewhere ? { place: place || places[0] } : {};
    const proposal: Proposal | undefined = kind ? { kind: kind as ProposalKind, ...where } : undefined;
    const said = { text: text.trim(), to: to === "" ? [] : [Number(to)], proposal };
    if (await say(said)) {
      setText("");
      setKind("");
    }
  };
  return (
    <form class="speak" onSubmit={submit}>
      <label class="field wide-field">
        <span class="hidden">Message</span>
        <input
          name="message"
          autocomplete="off"
          maxLength={500}
          placeholder="Say something"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <label class="field">
        <span class="hidden">To</span>
        <select value={to} onChange={(event) => setTo(event.currentTarget.value)}>
          <option value="">to everybody</option>
          {names.map((name, seat) =>
            seat === mine ? null : (
              <option key={name.name} value={seat}>
                to {name.name}
              </option>
            ),
          )}
        </select>
      </label>
      <label class="field">
        <span class="hidden">Proposal</span>
        <select value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
          <option value="">no proposal</option>
          {KINDS.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {somewhere && (
        <label class="field wide-field">
          <span class="hidden">Where</span>
          <select value={place} onChange={(event) => setPlace(event.currentTarget.value)}>
            {places.map((known) => (
              <option key={known} value={known}>
                {placeName(known)}
              </option>
            ))}
          </select>
        </label>
      )}
      <button type="submit" disabled={text.trim() === "" && kind === ""}>
        Say
      </button>
    </form>
  );
}

function audience(message: TableMessage, name: (seat: number) => string): string {
  const to = message.said?.to ?? [];
  return to.length === 0 ? "" : `to ${to.map(name).join(", ")}`;
}

/** A message in words. Its text is that of another player and stays text. */
function sentence({ said = {} }: TableMessage): string {
  const parts: string[] = [];
  if (said.answers !== undefined) parts.push(said.accepts ? "accepts the proposal" : "declines the proposal");
  if (said.proposal) parts.push(proposal(said.proposal));
  if (said.text) parts.push(`“${said.text}”`);
  return parts.join(": ");
}

function proposal({ kind, place, rounds }: Proposal): string {
  const what = (kind ?? "").replace("PROPOSAL_KIND_", "").toLowerCase().replaceAll("_", " ");
  const where = place ? ` on ${placeName(place)}` : "";
  return `proposes ${what}${where}${rounds ? ` for ${rounds} rounds` : ""}`;
}

function useMessages(matchId: string, token: string) {
  const [messages, setMessages] = useState<TableMessage[]>([]);
  const [error, setError] = useState<unknown>();
  const [round, setRound] = useState(0);
  const since = messages.at(-1)?.number ?? 0;
  useEffect(() => {
    const stop = new AbortController();
    const look = async () => {
      if (document.hidden) return;
      try {
        const page = await MatchService.listMessages({ matchId, token, since }, { signal: stop.signal });
        setError(undefined);
        if (page.messages?.length) setMessages((old) => [...old, ...(page.messages ?? [])]);
      } catch (failure) {
        if (!isAbort(failure) && !stop.signal.aborted) setError(failure);
      }
    };
    void look();
    const timer = window.setInterval(look, LOOK_MS);
    return () => {
      stop.abort();
      window.clearInterval(timer);
    };
  }, [matchId, token, since, round]);
  return { messages, error, look: () => setRound((old) => old + 1) };
}
