"""Calls of PlayerService."""

from __future__ import annotations

from typing import Any

from google.protobuf import duration_pb2

from sengoku import Cancel, Clock, Decision, Proposal
from sengoku.v1 import player_service_pb2 as pb2
from wire.stage import Background, Stage, Talk, soon

SETUP = {"max_rounds": 1}


class First:
    """Takes the first legal action."""

    name = "first"

    def decide(self, decision: Decision) -> int:
        """Decides."""
        return int(decision.legal[0])


class Curious(First):
    """Wants to be told everything."""

    name = "curious"
    games = ("swords", "battles")
    wants = ("observation", "view", "actions")


class Talkative(First):
    """Offers a truce, accepts those of others, and says something that is refused."""

    name = "talkative"

    def decide(self, decision: Decision) -> int:
        """Decides."""
        if decision.decisions < 12:
            for message in decision.messages:
                if message.proposal is not None and message.seat != decision.seat:
                    decision.say("agreed", answers=message.number, accepts=True)
            decision.say(to=3 - decision.seat, proposal=Proposal("truce", rounds=1))
            decision.say("hello")
            decision.say("bad\n")
        return super().decide(decision)


class Raw(Talk):
    """A player that says whatever the script wants it to."""

    def __init__(self, on: Stage, **hello: Any) -> None:
        super().__init__(on, "PlayerService/Connect")
        self.say(hello=pb2.PlayerHello(**hello))

    def say(self, **message: Any) -> None:
        """Sends a message."""
        self.send(pb2.ConnectRequest(**message))

    def answer(self, **answer: Any) -> None:
        """Answers a decision."""
        self.say(answers=pb2.PlayerAnswers(answers=[pb2.PlayerAnswer(**answer)]))

    def hear(self, kind: str) -> Any:
        """Waits for the next message, which is of this kind."""
        message = self.receive()
        found = message.WhichOneof("message")
        assert found == kind, f"{found} instead of {kind}: {message}"
        return getattr(message, found)

    def decision(self) -> pb2.PlayerDecision:
        """Waits for the next decision."""
        (decision,) = self.hear("decisions").decisions
        return decision

    def leave(self) -> None:
        """Says goodbye, and waits for the answer."""
        self.say(goodbye=pb2.PlayerGoodbye())
        self.hear("goodbye")
        assert next(self.call, None) is None
        self.end()


def play(on: Stage) -> None:
    """Plays matches with players of every kind."""
    _bots(on)
    _forfeits(on)
    _faults(on)
    _refused(on)


def _bots(on: Stage) -> None:
    client = on.client
    with on.step("no players"):
        client.players()
    for bot, rotate in ((First(), True), (Curious(), False)):
        stop = Cancel()
        with on.step(f"matches of {bot.name}"):
            player = Background(lambda bot=bot, stop=stop: client.serve_bot(bot, stop=stop))  # type: ignore[misc]
            soon(lambda: bool(on.direct(pb2.ListPlayersRequest()).players))
            client.players()
            client.play_matches(
                "swords",
                players=[f"@{bot.name}", "random"],
                seats=2,
                match_count=1,
                first_match=3,
                seed=5,
                setup=SETUP,
                rotate=rotate,
                clock=Clock(decision=30, bank=20, match=50),
                at_once=1,
                replays=True,
            )
            stop.cancel()
            player.join()
    _talkers(on)
    with on.step("matches of bots only"):
        client.play_matches("battles", players=["greedy", "random"], match_count=2, seed=5)


def _talkers(on: Stage) -> None:
    """A match in which a player offers a truce, reads the answer, and says what is refused."""
    stop = Cancel()
    with on.step("matches with talk"):
        player = Background(lambda: on.client.serve_bot(Talkative(), stop=stop))
        soon(lambda: bool(on.direct(pb2.ListPlayersRequest()).players))
        table = {"seats": 3, "match_count": 1, "seed": 5, "setup": SETUP, "at_once": 1, "talk": True}
        on.client.play_matches("swords", players=["random", "@talkative"], **table)
        stop.cancel()
        player.join()


def _matches(clock: float = 30.0) -> pb2.PlayMatchesRequest:
    """One match in which a player is first to act, and a bot is last to."""
    seconds = duration_pb2.Duration()
    seconds.FromMilliseconds(round(1e3 * clock))
    players = [pb2.SeatPlayer(name="raw"), pb2.SeatPlayer(bot="random")]
    return pb2.PlayMatchesRequest(
        game="battles",
        players=players,
        match_count=1,
        seed=5,
        clock=pb2.PlayClock(decision=seconds),
        at_once=1,
    )


def _forfeits(on: Stage) -> None:
    """Every way to forfeit a match, each with a player and a match of its own."""

    def begin(clock: float = 30.0) -> tuple[Raw, Background]:
        player = Raw(on, name="raw", games=["battles"], capacity=2)
        player.hear("welcome")
        return player, Background(lambda: on.raw("PlayerService/PlayMatches", _matches(clock)))

    with on.step("a player whose action is not legal"):
        player, matches = begin()
        player.answer(id=player.decision().id, action=99_999)
        player.hear("fault")
        player.hear("match_over")
        matches.join()
        player.leave()
    with on.step("a player that cannot decide"):
        player, matches = begin()
        player.answer(id=player.decision().id, failure="out of ideas")
        player.hear("fault")
        player.hear("match_over")
        matches.join()
        player.leave()
    with on.step("a player that is late"):
        player, matches = begin(0.2)
        player.decision()
        player.hear("fault")
        player.hear("match_over")
        matches.join()
        player.leave()
    with on.step("a player that leaves"):
        player, matches = begin(1.0)
        player.decision()
        player.call.cancel()
        matches.join()


def _faults(on: Stage) -> None:
    """Answers without a question, which change nothing."""
    with on.step("a player that answers too much"):
        player = Raw(on, name="raw", games=["battles", "tower"], capacity=3, observation=True)
        player.hear("welcome")
        matches = Background(lambda: on.raw("PlayerService/PlayMatches", _matches()))
        decision = player.decision()
        player.answer(id=77, action=1)
        player.hear("fault")
        on.client.players()
        player.answer(id=decision.id, action=decision.legal[0])
        decision = player.decision()
        player.answer(id=1, action=0)
        player.hear("fault")
        player.answer(id=decision.id, failure="enough")
        player.hear("fault")
        player.hear("match_over")
        matches.join()
        player.leave()


def _refused(on: Stage) -> None:
    client = on.client
    with on.refused("matches refused: a player that is not there", "PLAYER_NOT_FOUND"):
        client.play_matches("battles", players=["@nobody", "random"], match_count=1)
    with on.refused("matches refused: no game", ""):
        on.raw("PlayerService/PlayMatches", pb2.PlayMatchesRequest())
    with on.refused("matches refused: too many", "OVER_LIMIT"):
        client.play_matches("battles", players=["random"], match_count=10_000_000)
    with on.refused("a player refused: a name that is none", ""):
        on.raw("PlayerService/Connect", pb2.ConnectRequest(hello=pb2.PlayerHello(name="?")))
    with on.refused("a player refused: no hello", ""):
        on.raw("PlayerService/Connect", pb2.ConnectRequest(goodbye=pb2.PlayerGoodbye()))
    hello = pb2.ConnectRequest(hello=pb2.PlayerHello(name="twice"))
    with on.refused("a player refused: two hellos", ""):
        on.raw("PlayerService/Connect", hello, hello)


def play_heartbeats(on: Stage) -> None:
    """Answers a heartbeat, rightly and wrongly; the server sends the first one after two seconds."""
    with on.step("a heartbeat"):
        player = Raw(on, name="quiet")
        player.hear("welcome")
        player.say(heartbeat=player.hear("heartbeat"))
        player.say(heartbeat=pb2.PlayerHeartbeat(number=99))
        player.hear("fault")
        player.leave()
    with on.refused("a player that is turned away", "INVALID_ARGUMENT"):
        on.client.serve_bot(First(), name="no name")
