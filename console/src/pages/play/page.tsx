import { useState } from "preact/hooks";
import { rememberMatch } from "../../api/match-tokens";
import { CatalogService, MatchService } from "../../api/sengoku";
import { CallFailure } from "../../parts/failure";
import { Loading } from "../../parts/loading";
import { Main } from "../../parts/main";
import { useCall } from "../../parts/use-call";
import { navigate } from "../../router";

export default function Play() {
  const games = useCall((signal) => CatalogService.listGames({}, { signal }), []);
  const [error, setError] = useState<unknown>();
  const start = async (game: string) => {
    try {
      const seed = Math.floor(Math.random() * 2 ** 53).toString();
      const { access } = await MatchService.createMatch({ game, seed });
      const [id, token] = [access?.matchId ?? "", access?.ownerToken ?? ""];
      rememberMatch(id, { token, owner: token, seats: access?.seatTokens });
      navigate(`/match/${id}`);
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <Main title="Play" width="narrow">
      <div class="stack">
        <h1>Play</h1>
        {games.error !== undefined && <CallFailure error={games.error} retry={games.again} />}
        {games.loading && !games.data && <Loading what="the games" />}
        {error !== undefined && <CallFailure error={error} />}
        {games.data?.games?.map((game) => (
          <section class="card stack" key={game.id}>
            <h2>{game.id}</h2>
            <p>{game.summary}</p>
            <button type="button" class="primary" onClick={() => start(game.id ?? "")}>
              Start a match
            </button>
          </section>
        ))}
      </div>
    </Main>
  );
}
