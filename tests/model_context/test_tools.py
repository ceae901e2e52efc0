"""The tools and resources themselves: schemas, bad input of any kind, odds, rules and pictures."""

import json
from typing import Any

from sengoku import rules, swords
from sengoku.mcp.odds import EXAMPLES, read_fight
from sengoku.mcp.tools import TOOLS
from sengoku.server import Limits, Server
from support.cli import run as run_command
from support.mcp_players import call, here, over_http, refusal, rejection, run

BAD: list[tuple[str, dict[str, Any], str, str]] = [
    ("list_games", {"game": "chess"}, "INVALID_ARGUMENT", "game"),
    ("begin_match", {}, "INVALID_ARGUMENT", "game"),
    ("begin_match", {"game": "chess"}, "INVALID_ARGUMENT", "game"),
    ("begin_match", {"game": "tower", "seats": 9}, "INVALID_SETUP", "seats"),
    ("begin_match", {"game": "tower", "seats": -1}, "INVALID_ARGUMENT", "seats"),
    ("begin_match", {"game": "tower", "seats": 1 << 70}, "INVALID_ARGUMENT", "seats"),
    ("begin_match", {"game": "tower", "seat": 3}, "INVALID_ARGUMENT", "seat"),
    ("begin_match", {"game": "tower", "seat": 1, "bots": {"1": "greedy"}}, "INVALID_ARGUMENT", "seat"),
    ("begin_match", {"game": "tower", "bots": "clever"}, "INVALID_ARGUMENT", "bots"),
    ("begin_match", {"game": "tower", "bots": {"x": "greedy"}}, "INVALID_ARGUMENT", "bots"),
    ("begin_match", {"game": "tower", "bots": {"1": 7}}, "INVALID_ARGUMENT", "bots"),
    ("begin_match", {"game": "tower", "bots": ["greedy"]}, "INVALID_ARGUMENT", "bots"),
    ("begin_match", {"game": "tower", "seed": -1}, "INVALID_ARGUMENT", "seed"),
    ("begin_match", {"game": "tower", "seed": 1 << 64}, "INVALID_ARGUMENT", "seed"),
    ("begin_match", {"game": "tower", "setup": {"nothing": 1}}, "INVALID_SETUP", "nothing"),
    ("begin_match", {"game": "tower", "setup": "nothing"}, "INVALID_ARGUMENT", "setup"),
    ("begin_match", {"game": "swords", "setup": {"map": "/etc/passwd"}}, "INVALID_SETUP", ""),
    ("begin_match", {"game": "swords", "setup": {"map_file": "/etc/passwd"}}, "INVALID_SETUP", "map_file"),
    ("begin_match", {"game": "battles", "scenario": "999"}, "INVALID_SETUP", "scenario"),
    ("begin_match", {"game": "tower", "more": 1}, "INVALID_ARGUMENT", "more"),
    ("begin_match", {"game": "tower", "budget": 10}, "INVALID_ARGUMENT", "budget"),
    ("join_match", {"invitation": "nothing"}, "MATCH_NOT_FOUND", "invitation"),
    ("join_match", {"invitation": "1.é"}, "MATCH_NOT_FOUND", "invitation"),
    ("look", {"match": "m9"}, "MATCH_NOT_FOUND", "match"),
    ("look", {"match": "m1", "budget": 299}, "INVALID_ARGUMENT", "budget"),
    ("list_actions", {"match": "m1", "group": "99"}, "INVALID_ARGUMENT", "answer"),
    ("play", {"match": "m1"}, "INVALID_ARGUMENT", "answer"),
    ("play", {"match": "m1", "answer": ""}, "INVALID_ARGUMENT", "answer"),
    ("play", {"match": "m1", "answer": "x" * 2_001}, "INVALID_ARGUMENT", "answer"),
    ("play", {"match": "m1", "answer": "\x00\ud800"[:1]}, "INVALID_ARGUMENT", "answer"),
    ("play", {"match": "m1", "answer": "0"}, "INVALID_ARGUMENT", "answer"),
    ("play", {"match": "m1", "answer": "1.1"}, "INVALID_ARGUMENT", "answer"),
    ("play", {"match": "m1", "answer": "1", "decisions": 77}, "STALE_MATCH", ""),
    ("wait_for_turn", {"match": "m1", "seconds": 1e9}, "INVALID_ARGUMENT", "seconds"),
    ("wait_for_turn", {"match": "m1", "seconds": "nan"}, "INVALID_ARGUMENT", "seconds"),
    ("say", {"match": "m1", "text": "a\nb"}, "INVALID_ARGUMENT", "text"),
    ("say", {"match": "m1", "text": "x" * 501}, "OVER_LIMIT", ""),
    ("say", {"match": "m1", "text": "a", "to": [9]}, "INVALID_ARGUMENT", "to"),
    ("say", {"match": "m1", "text": "a", "to": []}, "INVALID_ARGUMENT", "to"),
    ("say", {"match": "m1", "proposal": "marriage"}, "INVALID_ARGUMENT", "kind"),
    ("say", {"match": "m1", "text": "a", "rounds": 2}, "INVALID_ARGUMENT", "proposal"),
    ("read_messages", {"match": "m1", "since": -1}, "INVALID_ARGUMENT", "since"),
    ("odds", {"game": "chess", "fight": {}}, "INVALID_ARGUMENT", "game"),
    ("odds", {"game": "swords", "fight": {}}, "INVALID_ARGUMENT", "fight"),
    ("odds", {"game": "swords", "fight": {"attacker": 3, "defender": {}}}, "INVALID_ARGUMENT", "attacker"),
    ("odds", {"game": "swords", "fight": {"parameters": "x.toml"}}, "INVALID_ARGUMENT", "fight"),
    ("odds", {"game": "tower", "fight": {"parameters": "x.toml"}}, "INVALID_ARGUMENT", "fight"),
    ("odds", {"game": "battles", "fight": "[[[["}, "INVALID_ARGUMENT", "fight"),
    ("odds", {"game": "battles", "fight": {}, "max_error": 2}, "INVALID_ARGUMENT", "max_error"),
    ("analyse", {"match": "m1", "iterations": 0}, "INVALID_ARGUMENT", "iterations"),
    ("analyse", {"match": "m1", "analysis": "nothing"}, "ANALYSIS_NOT_FOUND", "analysis"),
    ("replay", {"match": "m1"}, "NOT_ALLOWED", ""),
    ("read_rules", {"game": "chess"}, "INVALID_ARGUMENT", "game"),
    ("read_rules", {"game": "tower", "section": "Aimless"}, "INVALID_ARGUMENT", "section"),
    ("read_rules", {"game": "tower", "rule": "TW-NOWHERE"}, "INVALID_ARGUMENT", "rule"),
    ("end_match", {"match": ["m1"]}, "INVALID_ARGUMENT", "match"),
]


def test_bad_input_names_the_field_and_changes_nothing() -> None:
    async def misuse() -> None:
        async with here() as client:
            begun = await call(client, "begin_match", game="battles", seed=3)
            assert begun["match"] == "m1"
            wrong: list[tuple[Any, ...]] = []
            before = (await call(client, "look", match="m1"))["text"]
            for tool, arguments, reason, field in BAD:
                refused = await refusal(client, tool, **arguments)
                found = refused.reason, refused.field if field else ""
                if found != (reason or refused.reason, field):
                    wrong.append((tool, str(arguments)[:80], str(refused), refused.field))
            assert not wrong
            assert (await call(client, "look", match="m1"))["text"] == before
            error = await rejection(client.call_tool("look_away", {}))
            assert "there is no tool 'look_away', tools are list_games" in str(error)

    run(misuse())


def test_bad_input_is_refused_alike_over_http() -> None:
    async def misuse(server: Server) -> None:
        async with over_http(server) as client, here() as local:
            match = (await call(client, "begin_match", game="battles", seed=3))["match"]
            await call(local, "begin_match", game="battles", seed=3)
            wrong: list[tuple[Any, ...]] = []
            for tool, arguments, _, field in BAD:
                there = {name: match if value == "m1" else value for name, value in arguments.items()}
                far, near = await refusal(client, tool, **there), await refusal(local, tool, **arguments)
                if (far.reason, far.field) != (near.reason, near.field) and field:
                    wrong.append((tool, str(arguments)[:80], str(far), far.field, str(near), near.field))
            assert not wrong

    with Server(port=0, http_port=0, limits=Limits()) as server:
        run(misuse(server))


def test_every_tool_says_what_it_does_and_takes() -> None:
    async def read() -> None:
        async with here() as client:
            listed = (await client.list_tools()).tools
            assert [one.name for one in listed] == list(TOOLS)
            for one in listed:
                assert len(one.description.split()) > 4, one.name
                assert one.input_schema["type"] == "object"
                assert one.input_schema["additionalProperties"] is False
                for name, about in one.input_schema["properties"].items():
                    assert about["description"], (one.name, name)
            reading = {one.name for one in listed if one.annotations.read_only_hint}
            assert reading.isdisjoint({"begin_match", "join_match", "play", "say", "end_match"})
            assert len(reading) == len(TOOLS) - 5

    run(read())


def test_rules_are_those_of_the_command() -> None:
    async def read() -> None:
        async with here() as client:
            resources = {one.uri: one for one in (await client.list_resources()).resources}
            for game in rules.GAMES:
                found = await client.read_resource(f"sengoku://rules/{game}")
                assert found.contents[0].text == run_command("rules", game).stdout.rstrip("\n")
                told = await call(client, "read_rules", game=game)
                assert told["text"] == rules.rules(game, prompt=True)
            for uri, one in resources.items():
                read = (await client.read_resource(uri)).contents[0]
                assert (read.mime_type, bool(read.text)) == (one.mime_type, True)
            rule = (await client.read_resource("sengoku://rule/bt-melee-11")).contents[0].text
            assert rules.find_rule("BT-MELEE-11").sentence in rule
            assert len((await client.list_resource_templates()).resource_templates) == 4
            for uri in ("sengoku://rules/chess", "sengoku://x", "file:///etc/passwd", "sengoku://match/m1/x"):
                error = await rejection(client.read_resource(uri))
                assert error.data["reason"] == "INVALID_ARGUMENT", uri

    run(read())


def test_boards_are_those_of_the_seat() -> None:
    async def read(server: Server) -> None:
        texts = []
        for connected in (here(), over_http(server)):
            async with connected as client:
                match = (await call(client, "begin_match", game="tower", seed=3, bots="greedy"))["match"]
                for form, kind in (("svg", "image/svg+xml"), ("txt", "text/plain")):
                    board = (await client.read_resource(f"sengoku://match/{match}/board.{form}")).contents[0]
                    assert board.mime_type == kind
                    texts.append(board.text)
        assert texts[:2] == texts[2:]
        assert texts[0].startswith("<svg")
        assert "\n" in texts[1]

    with Server(port=0, http_port=0) as server:
        run(read(server))


def test_odds_are_those_of_the_library() -> None:
    async def ask(server: Server) -> None:
        texts = []
        for connected in (here(), over_http(server)):
            async with connected as client:
                for game, example in EXAMPLES.items():
                    fight = json.loads(example)
                    found = await call(client, "odds", game=game, fight=fight)
                    texts.append(found["text"])
                    assert found["method"] == "exact"
                    # Some models write objects as text.
                    assert (await call(client, "odds", game=game, fight=example)) == found
                large = {"attacker": {"daimyo": 1, "bow": 3, "spear": 9}, "defender": {"spear": 5}}
                sampled = await call(client, "odds", game="swords", fight=large, max_error=0.01, seed=3)
                expected = read_fight("swords", large).odds(max_error=0.01, seed=3)
                assert sampled["attacker_wins"] == expected.attacker_wins
        assert texts[:3] == texts[3:]
        battle = swords.Battle(swords.Force(bow=1, spear=3), swords.Force(spear=2), fort="castle")
        assert f"attacker_wins: {round(battle.exact().attacker_wins, 4)}" in texts[0]

    with Server(port=0, http_port=0) as server:
        run(ask(server))


def test_open_matches_of_a_process_are_bounded() -> None:
    async def fill() -> None:
        async with here(most=3) as client:
            for _ in range(3):
                await call(client, "begin_match", game="battles", seed=3)
            assert (await refusal(client, "begin_match", game="battles")).reason == "QUOTA_EXCEEDED"
            await call(client, "end_match", match="m2")
            await call(client, "begin_match", game="battles", seed=3)

    run(fill())
