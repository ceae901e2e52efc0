"""Table talk on a server: the same messages as in process, and none for a seat that is not addressed."""

import json

import pytest
from google.protobuf.json_format import MessageToJson

from sengoku import Client, Match, Proposal
from sengoku.errors import ArgumentError, LimitError, NotAllowedError, SengokuError
from sengoku.server import Limits, Server
from sengoku.v1 import match_service_pb2 as pb2
from support.matches import serving

WHISPER = "meet me in Kai"


def test_the_same_talk_on_both_sides(client: Client) -> None:
    here = Match.create("swords", seats=4, seed=7)
    with client.create_match("swords", seats=4, seed=7) as there:
        for match in (here, there):
            match.say(0, "hello")
            match.say(1, "psst", to=[3, 2])
            match.play(match.legal_actions()[0])
            match.say(2, proposal=Proposal("no_attack", "kai", 2), to=1)
            match.say(1, "yes", answers=3, accepts=True)
            match.say(3, proposal=Proposal("truce"))
        for seat in (None, *range(4)):
            for since in (0, 1, 99):
                assert there.messages(seat, since) == here.messages(seat, since)
            if seat is not None:
                assert there.view(seat) == here.view(seat)
            assert there.story(seat) == here.story(seat)
        assert there.messages("public") == here.messages("public")
        assert there.replay() == here.replay()
        assert there.save() == here.save()


def test_seats_speak_for_themselves_and_read_what_is_for_them(client: Client) -> None:
    with client.create_match("swords", seats=3, seed=7) as owner:
        table = [client.join_match(owner.match_id, token) for token in owner.seat_tokens]
        said = table[1].say(1, WHISPER, to=2)
        assert (said.seat, said.to, said.text) == (1, (2,), WHISPER)
        with pytest.raises(NotAllowedError):
            table[1].say(0, "I am seat 0")
        with pytest.raises(NotAllowedError):
            table[0].messages(2)
        assert [len(seat.messages()) for seat in table] == [0, 1, 1]
        assert [len(owner.messages()), len(owner.messages(0)), len(owner.messages("public"))] == [1, 0, 0]
        owner.play(owner.legal_actions()[0])
        token = {"match_id": owner.match_id}
        for seat, secret in zip(table, owner.seat_tokens, strict=True):
            answers = []
            for name, request in (
                ("GetView", pb2.GetViewRequest(**token, token=secret)),
                ("GetStory", pb2.GetStoryRequest(**token, token=secret, long=True)),
                ("GetLog", pb2.GetLogRequest(**token, token=secret)),
                ("GetPicture", pb2.GetPictureRequest(**token, token=secret)),
                ("GetMatch", pb2.GetMatchRequest(**token, token=secret)),
                ("ListMessages", pb2.ListMessagesRequest(**token, token=secret)),
                ("ListMessages", pb2.ListMessagesRequest(**token, token=secret, public_only=True)),
            ):
                answers.append(MessageToJson(client.ask_match(name, request)))
            assert any(WHISPER in answer for answer in answers) == (seat.seat != 0)
            with pytest.raises(NotAllowedError):
                seat.replay()


def test_what_cannot_be_said_is_refused_with_its_field(client: Client) -> None:
    with client.create_match("swords", seats=3, seed=7) as match:
        before = match.save()
        token = {"match_id": match.match_id, "token": match.token}
        said = pb2.SaidMessage(text="x")
        offer = pb2.Proposal(kind=pb2.PROPOSAL_KIND_UNSPECIFIED)
        for request, field in (
            (pb2.SayInMatchRequest(**token, said=said), "seat"),
            (pb2.SayInMatchRequest(**token, seat=-1, said=said), "seat"),
            (pb2.SayInMatchRequest(**token, seat=3, said=said), "seat"),
            (pb2.SayInMatchRequest(**token, seat=0), "text"),
            (pb2.SayInMatchRequest(**token, seat=0, said=pb2.SaidMessage(text="a\nb")), "text"),
            (pb2.SayInMatchRequest(**token, seat=0, said=pb2.SaidMessage(text="x", to=[-7])), "to"),
            (pb2.SayInMatchRequest(**token, seat=0, said=pb2.SaidMessage(text="x", to=[9])), "to"),
            (pb2.SayInMatchRequest(**token, seat=0, said=pb2.SaidMessage(proposal=offer)), "kind"),
            (
                pb2.SayInMatchRequest(**token, seat=0, said=pb2.SaidMessage(answers=4, accepts=True)),
                "answers",
            ),
            (pb2.ListMessagesRequest(**token, seat=1, public_only=True), "public_only"),
        ):
            name = type(request).__name__.removesuffix("Request")
            with pytest.raises(SengokuError) as caught:
                client.ask_match(name, request)
            assert caught.value.details["field"] == field, request
            assert caught.value.reason == "INVALID_ARGUMENT"
        for said_here in ({"to": []}, {"proposal": Proposal("war")}, {"text": "x" * 501}):
            with pytest.raises((ArgumentError, LimitError)):
                match.say(0, **said_here)
        assert match.save() == before


def test_limits_of_the_server() -> None:
    with (
        serving(message_length=5, messages=3, messages_between=2) as client,
        client.create_match("swords", seats=3, seed=7) as match,
    ):
        with pytest.raises(LimitError) as caught:
            match.say(0, "123456")
        assert (caught.value.details["field"], caught.value.details["limit"]) == ("message_length", "5")
        match.say(0, "12345")
        match.say(0, "2")
        with pytest.raises(LimitError) as caught:
            match.say(0, "3")
        assert caught.value.details["field"] == "messages_between"
        match.play(match.legal_actions()[0])
        match.say(0, "3")
        with pytest.raises(LimitError) as caught:
            match.say(0, "4")
        assert caught.value.details["field"] == "messages"
        assert len(match.messages()) == 3
        match.say(1, "other")


def test_messages_are_counted() -> None:
    with Server(port=0, metrics_port=0) as server, Client(server.address) as client:
        with client.create_match("tower", seats=3, seed=7) as match:
            match.say(0, "x")
            match.say(1, "y")
        page = server.metrics.page().decode()
    assert 'sengoku_messages_said_total{game="tower"} 2.0' in page
    assert 'sengoku_messages_said_total{game="swords"} 0.0' in page


def test_loaded_matches_go_on_talking(client: Client) -> None:
    here = Match.create("battles", seed=7)
    here.say(0, "before")
    with client.load_match(here.save()) as there, client.match_from_replay(here.replay()) as again:
        for match in (there, again):
            match.say(1, "after")
            assert [message.text for message in match.messages()] == ["before", "after"]
    assert Limits().messages == 200
    assert json.loads(here._core.messages())[0]["text"] == "before"
