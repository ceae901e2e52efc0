import { useEffect, useMemo } from "preact/hooks";
import { matchLink, recallMatch, rememberMatch, tokenOfLink } from "../../api/match-tokens";
import { type GetMatchResponse, MatchService } from "../../api/sengoku";
import { CallFailure, Failure } from "../../parts/failure";
import { Loading } from "../../parts/loading";
import { Main } from "../../parts/main";
import { useCall } from "../../parts/use-call";
import { Link, navigate, type PageProps, useFragment } from "../../router";
import { type SeatName, seatNames } from "../../table/seat-names";
import { LiveTable } from "./live-table";

export default function MatchPage({ params }: PageProps) {
  const id = params.id ?? "";
  const given = tokenOfLink(useFragment());
  useEffect(() => {
    if (!given) return;
    rememberMatch(id, { token: given });
    navigate(`/match/${encodeURIComponent(id)}`, { replace: true });
  }, [id, given]);
  const token = given ?? recallMatch(id)?.token;
  return (
    <Main title="Match" width="full">
      {token ? (
        <Entrance key={token} id={id} token={token} />
      ) : (
        <Failure
          title="This tab cannot see the match"
          what="A match is opened with the link that its player was given."
          todo="Open that link, or start a match."
        />
      )}
    </Main>
  );
}

/** Looks who the token is of, then opens the table. */
function Entrance({ id, token }: { id: string; token: string }) {
  const known = useCall(
    async (signal) => {
      const access = { matchId: id, token };
      const [match, view] = await Promise.all([
        MatchService.getMatch(access, { signal }),
        MatchService.getView(access, { signal }),
      ]);
      return { match, names: await seatNames(match.status ?? {}, view.viewJson ?? "", signal) };
    },
    [id, token],
  );
  if (known.error !== undefined) {
    return (
      <>
        <CallFailure error={known.error} title="The match cannot be opened" retry={known.again} />
        <p>
          <Link href="/play" class="button">
            Start a match
          </Link>
        </p>
      </>
    );
  }
  if (!known.data) return <Loading what="the match" />;
  return <Seated id={id} token={token} match={known.data.match} names={known.data.names} />;
}

function Seated(props: { id: string; token: string; match: GetMatchResponse; names: SeatName[] }) {
  const { id, token, match } = props;
  const tokens = useMemo(() => ({ ...(recallMatch(id) ?? { token }), seat: match.seat }), [id, token, match]);
  const names = props.names.map((name, seat) => {
    const invited = tokens.invitations?.some((invitation) => invitation.seat === seat);
    return invited ? { ...name, player: "a person" } : name;
  });
  const links = (tokens.invitations ?? []).map((invitation) => ({
    name: names[invitation.seat]?.name ?? "",
    link: matchLink(id, invitation.token),
  }));
  if (tokens.spectator) links.push({ name: "Spectators", link: matchLink(id, tokens.spectator) });
  return <LiveTable id={id} tokens={tokens} game={match.status?.game ?? ""} names={names} links={links} />;
}
