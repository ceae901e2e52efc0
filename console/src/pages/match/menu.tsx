import { useRef, useState } from "preact/hooks";
import type { MatchTokens } from "../../api/match-tokens";
import { MatchService } from "../../api/sengoku";
import { download } from "../../parts/download";
import { CallFailure } from "../../parts/failure";
import { navigate } from "../../router";
import { onlyAction } from "../../table/pace";
import { Pace } from "../../table/pace-choice";
import { storeReplay } from "../replay/stored";

interface Props {
  id: string;
  game: string;
  tokens: MatchTokens;
  links: { name: string; link: string }[];
  over: boolean;
  /** Whether an action without an alternative is played by itself. */
  alone: boolean;
  setAlone: (alone: boolean) => void;
}

/** Links for others, pace, saving and resigning. */
export function Menu({ id, game, tokens, links, over, alone, setAlone }: Props) {
  const [error, setError] = useState<unknown>();
  const dialog = useRef<HTMLDialogElement>(null);
  const owner = tokens.owner && { matchId: id, token: tokens.owner };
  const attempt = (work: () => Promise<void>) => () => {
    setError(undefined);
    work().catch(setError);
  };
  const save = attempt(async () => {
    if (!owner) return;
    const { replay } = await MatchService.getReplay(owner);
    download("match.replay", replay ?? "");
  });
  const resign = attempt(async () => {
    dialog.current?.close();
    if (!owner) return;
    const { replay } = await MatchService.getReplay(owner);
    await MatchService.deleteMatch(owner);
    navigate(`/replay?file=${storeReplay(replay ?? "")}`);
  });
  return (
    <section class="card stack menu" aria-label="Match">
      {links.length > 0 && (
        <details open={links.length > 1 && !over}>
          <summary>Links for other people</summary>
          {links.map((link) => (
            <CopyLink key={link.name} {...link} />
          ))}
        </details>
      )}
      {tokens.seat !== undefined && !over && (
        <label class="check">
          <input
            type="checkbox"
            checked={alone}
            onChange={(event) => {
              onlyAction.set(event.currentTarget.checked);
              setAlone(event.currentTarget.checked);
            }}
          />
          <span>
            Play an action by itself if there is no other
            <span class="remark block">Others may notice how quick you are.</span>
          </span>
        </label>
      )}
      <div class="row">
        <Pace />
        <a class="button" href={`/games/${game}/rules`} target="_blank" rel="noopener">
          Rules
        </a>
        {owner && (
          <button type="button" onClick={save}>
            Save the replay
          </button>
        )}
        {owner && !over && (
          <button type="button" class="quiet" onClick={() => dialog.current?.showModal()}>
            Resign
          </button>
        )}
      </div>
      {error !== undefined && <CallFailure error={error} />}
      <dialog ref={dialog} aria-labelledby="resign-title">
        <h2 id="resign-title">Resign?</h2>
        <p>The match ends for everybody, and you can watch its replay.</p>
        <div class="row">
          <button type="button" class="primary" onClick={resign}>
            Resign
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            Go on playing
          </button>
        </div>
      </dialog>
    </section>
  );
}

function CopyLink({ name, link }: { name: string; link: string }) {
  const [copied, setCopied] = useState(false);
  const copy = () => navigator.clipboard.writeText(link).then(() => setCopied(true));
  return (
    <div class="row link">
      <label class="field">
        {name}
        <input readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <button type="button" onClick={copy}>
        {copied ? "Copied" : "Copy"}
      </button>
    </div>
  );
}
