import { useMemo } from "preact/hooks";
import { type MatchTokens, recallMatch } from "../../api/match-tokens";
import { MatchService, TournamentService } from "../../api/sengoku";
import { Failure } from "../../parts/failure";
import { Main } from "../../parts/main";
import { useQuery } from "../../router";
import type { Source } from "../../table/film";
import { Chooser } from "./chooser";
import { storedReplay } from "./stored";
import { Viewing } from "./viewing";

export default function ReplayPage() {
  const query = useQuery();
  // An analysis is shown beside its match and changes nothing else.
  const subject = new URLSearchParams(query);
  subject.delete("analysis");
  const address = subject.toString();
  const chosen = useMemo(() => sourceOf(new URLSearchParams(address)), [address]);
  if (chosen === undefined) {
    return (
      <Main title="Watch">
        <Chooser />
      </Main>
    );
  }
  return (
    <Main title="Replay" width="full">
      {chosen === null ? (
        <Failure
          title="This tab does not have the replay"
          what="A replay file stays in the tab that opened it, and a match is seen with its link."
          todo="Open the file again on the page Watch, or ask for the link."
        />
      ) : (
        <Viewing key={address} {...chosen} />
      )}
    </Main>
  );
}

interface Chosen {
  source: Source;
  /** The seat of the person, where only what that seat sees is shown. */
  seated?: number;
  readReplay?: () => Promise<string>;
}

/** What an address names: undefined for nothing, null for what this tab does not have. */
function sourceOf(query: URLSearchParams): Chosen | null | undefined {
  const [match, file, tournament] = ["match", "file", "tournament"].map((name) => query.get(name));
  if (tournament && match) {
    const readReplay = async () =>
      (await TournamentService.getTournamentReplay({ name: tournament, match })).replay ?? "";
    return { source: { tournamentMatch: { tournament, match } }, readReplay };
  }
  if (match) {
    const tokens = recallMatch(match);
    return tokens && matchSource(match, tokens, query.has("all"));
  }
  if (file) {
    const replay = storedReplay(file);
    return replay === null ? null : { source: { replay }, readReplay: async () => replay };
  }
  return undefined;
}

/** A match of this tab: as the seat sees it, or all of it for who started it. The end of a match links to the latter. */
function matchSource(matchId: string, { token, seat, owner }: MatchTokens, all: boolean): Chosen {
  const readReplay = owner
    ? async () => (await MatchService.getReplay({ matchId, token: owner })).replay ?? ""
    : undefined;
  if (all && owner) return { source: { match: { matchId, token: owner } }, readReplay };
  return { source: { match: { matchId, token } }, seated: seat, readReplay };
}
