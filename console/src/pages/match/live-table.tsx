import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import type { MatchTokens } from "../../api/match-tokens";
import { CatalogService, type LegalAction, MatchService } from "../../api/sengoku";
import { CallFailure } from "../../parts/failure";
import { Loading } from "../../parts/loading";
import { useCall } from "../../parts/use-call";
import { Actions } from "../../table/actions";
import { Board } from "../../table/board";
import { Dice } from "../../table/dice";
import { useLive } from "../../table/live";
import { onlyAction } from "../../table/pace";
import { actionsAt, landOf, placesOf } from "../../table/places";
import type { SeatName } from "../../table/seat-names";
import { Seats } from "../../table/seats";
import { Story } from "../../table/story";
import { Talk } from "../../table/talk";
import { Finish } from "./finish";
import { Hint } from "./hint";
import { Menu } from "./menu";

export interface TableProps {
  id: string;
  tokens: MatchTokens;
  game: string;
  names: SeatName[];
  /** Links for other people. */
  links: { name: string; link: string }[];
}

const NOTHING: LegalAction[] = [];
/** How long others may decide until the server is asked what is the matter. */
const PATIENCE_MS = 8000;

/** A match as it is played or watched. */
export function LiveTable({ id, tokens, game, names, links }: TableProps) {
  const { frame, story, error, lost, catchUp } = useLive(id, tokens.token);
  const [picks, setPicks] = useState<readonly string[]>([]);
  const [pointed, setPointed] = useState<LegalAction>();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<unknown>();
  const [suggested, setSuggested] = useState<LegalAction>();
  const [stuck, setStuck] = useState<unknown>();
  // Others are bots, unless somebody was invited or has invited.
  const company = names.some(({ player }, seat) => seat !== tokens.seat && !player.includes("bot"));
  const [alone, setAlone] = useState(onlyAction.get() ?? !company);
  const meaningOf = useMeanings(game);
  const decision = Number(frame?.decision ?? 0);
  const over = frame?.outcome !== undefined;
  const mine = tokens.seat !== undefined && frame?.toAct === tokens.seat;
  const actions = (mine && frame?.legalActions) || NOTHING;
  const fitting = useMemo(() => actionsAt(actions, picks), [actions, picks]);
  const land = useMemo(() => landOf(frame?.svg ?? ""), [frame?.svg]);
  const choices = useMemo(() => choicesOf(fitting, picks, actions), [fitting, picks, actions]);

  useEffect(() => {
    setPicks([]);
    setPointed(undefined);
    setSuggested(undefined);
    setBusy(false);
  }, [decision]);

  // A bot that cannot decide says so to those who wait for it.
  useEffect(() => {
    setStuck(undefined);
    if (mine || over) return;
    const ask = () => MatchService.getMatch({ matchId: id, token: tokens.token, wait: true }).catch(setStuck);
    const timer = window.setTimeout(ask, PATIENCE_MS);
    return () => window.clearTimeout(timer);
  }, [id, tokens.token, decision, mine, over]);

  const play = useCallback(
    async (action: LegalAction) => {
      setBusy(true);
      setRefusal(undefined);
      catchUp();
      try {
        await MatchService.play({
          matchId: id,
          token: tokens.token,
          action: String(action.index ?? 0),
          expectedDecisions: String(decision),
          noWait: true,
        });
      } catch (failure) {
        setRefusal(failure);
        setBusy(false);
      }
    },
    [id, tokens.token, decision, catchUp],
  );
  useEffect(() => {
    const [only, another] = actions;
    if (alone && only && !another) void play(only);
  }, [alone, actions, play]);
  const pick = (place: string) => {
    if (busy) return;
    if (picks.includes(place)) {
      setPicks(picks.filter((old) => old !== place));
      return;
    }
    const before = actionsAt(actions, [...picks, place]).length > 0 ? picks : [];
    const now = [...before, place];
    const left = actionsAt(actions, now);
    if (left.length === 1 && left[0]) void play(left[0]);
    else setPicks(now);
  };

  if (error !== undefined && !frame) return <CallFailure error={error} title="The match cannot be watched" />;
  if (!frame) return <Loading what="the board" />;
  const title = frame.outcome ? "The match is over" : turnOf(mine, frame.toAct, names);
  return (
    <div class="table" data-game={game} data-decision={decision}>
      <section class="table-board" aria-label="Board">
        <Board
          svg={frame.svg ?? ""}
          label={`Board after ${decision} decisions`}
          choices={choices}
          picks={picks}
          pointed={pointed ? placesOf(pointed) : suggested ? placesOf(suggested) : []}
          pick={pick}
        />
        <Dice frame={frame} names={names} />
      </section>
      <aside class="table-side">
        <div class="turn" role="status">
          <h1 class={mine ? "mine" : ""}>{title}</h1>
          {lost && <p class="remark">The connection was lost; it is made again …</p>}
          {(error ?? stuck) !== undefined && (
            <CallFailure error={error ?? stuck} title="The match does not go on" />
          )}
        </div>
        <Seats
          seats={names}
          mine={tokens.seat}
          toAct={frame.toAct}
          ranks={frame.outcome?.ranks}
          scores={frame.outcome?.scores}
        />
        {refusal !== undefined && <CallFailure error={refusal} title="The action was refused" />}
        {frame.outcome && <Finish id={id} tokens={tokens} outcome={frame.outcome} names={names} />}
        {mine && (
          <section aria-label="Your actions" class="card">
            <Actions
              actions={fitting}
              picks={picks}
              unpick={() => setPicks([])}
              meaningOf={meaningOf}
              suggested={suggested && (suggested.index ?? 0)}
              busy={busy}
              play={play}
              point={setPointed}
            />
            <Hint id={id} token={tokens.token} decision={decision} show={setSuggested} shown={suggested} />
          </section>
        )}
        <section aria-label="Story" class="card grow">
          <Story lines={story} />
        </section>
      </aside>
      <div class="table-extra">
        <Talk id={id} token={tokens.token} names={names} mine={tokens.seat} places={land} company={company} />
        <Menu
          id={id}
          game={game}
          tokens={tokens}
          links={links}
          over={over}
          alone={alone}
          setAlone={setAlone}
        />
      </div>
    </div>
  );
}

function turnOf(mine: boolean, toAct: number | undefined, names: SeatName[]): string {
  if (mine) return "Your turn";
  return toAct === undefined ? "The match is over" : `${names[toAct]?.name ?? "Another seat"} decides`;
}

/** What an action does, in sentences of the game's specification: that of its card, or that of its kind. */
function useMeanings(game: string): (action: LegalAction) => string | undefined {
  const spec = useCall((signal) => CatalogService.getSpec({ game }, { signal }), [game]);
  return useMemo(() => {
    const meanings = new Map<string, string>();
    for (const kind of spec.data?.spec?.actions ?? []) {
      meanings.set(kind.name ?? "", kind.meaning ?? "");
      for (const { labels = [], meanings: sentences = [] } of kind.axes ?? []) {
        for (const [value, sentence] of sentences.entries()) meanings.set(labels[value] ?? "", sentence);
      }
    }
    const cards = (action: LegalAction) => placesOf(action).find((place) => meanings.has(place));
    return (action) => meanings.get(cards(action) ?? action.name ?? "");
  }, [spec.data]);
}

/** The places that can be clicked, with what a click does: those of actions that fit, or of all to begin anew. */
function choicesOf(
  fitting: readonly LegalAction[],
  picks: readonly string[],
  actions: readonly LegalAction[],
): ReadonlyMap<string, string> {
  const choices = new Map<string, string>();
  for (const action of [...fitting, ...actions]) {
    for (const place of placesOf(action)) {
      if (choices.has(place)) continue;
      const many = actionsAt(fitting, [...picks, place]).length;
      choices.set(place, many > 1 ? `${place}: ${many} actions` : (action.text ?? place));
    }
  }
  return choices;
}
