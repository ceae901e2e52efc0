import { useState } from "preact/hooks";
import { recallMatch } from "../../api/match-tokens";
import { MatchService } from "../../api/sengoku";
import { Board } from "../../parts/board";
import { CallFailure, Failure } from "../../parts/failure";
import { Loading } from "../../parts/loading";
import { Main } from "../../parts/main";
import { useCall } from "../../parts/use-call";
import type { PageProps } from "../../router";

export default function MatchPage({ params }: PageProps) {
  const tokens = recallMatch(params.id ?? "");
  if (!tokens)
    return <Failure what="This tab has no token for the match." todo="Open the link you were given." />;
  return <Table id={params.id ?? ""} token={tokens.token} />;
}

function Table({ id, token }: { id: string; token: string }) {
  const access = { matchId: id, token };
  const [error, setError] = useState<unknown>();
  const picture = useCall((signal) => MatchService.getPicture(access, { signal }), [id, token]);
  const legal = useCall((signal) => MatchService.listLegalActions(access, { signal }), [id, token]);
  const play = async (action: number) => {
    try {
      await MatchService.play({
        ...access,
        action: String(action),
        expectedDecisions: legal.data?.decisions ?? "0",
      });
      setError(undefined);
      picture.again();
      legal.again();
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <Main title="Match" width="full">
      {picture.error !== undefined && <CallFailure error={picture.error} retry={picture.again} />}
      {error !== undefined && <CallFailure error={error} />}
      {picture.data ? <Board svg={picture.data.svg ?? ""} label="Board" /> : <Loading what="the board" />}
      <div class="row">
        {legal.data?.actions?.map((action) => (
          <button type="button" key={action.index} onClick={() => play(action.index ?? 0)}>
            {action.text}
          </button>
        ))}
      </div>
    </Main>
  );
}
