"""Throws and clashes over gRPC: the client gives what the engine gives."""

import time
from dataclasses import fields

import grpc
import numpy as np
import pytest

from golden.regenerate import BATTLES, CLASHES
from sengoku import Client, tower
from sengoku.errors import (
    ArgumentError,
    DeadlineError,
    DecodeError,
    LimitError,
    SetupError,
    StateSpaceError,
)
from sengoku.server import Limits, Server
from sengoku.tower import Clash, CubeTower
from sengoku.v1 import (
    odds_service_pb2,
    tower_pb2,
    tower_service_pb2,
)
from sengoku.wire.swords import battle_to_proto
from sengoku.wire.tower import (
    clash_from_proto,
    clash_to_proto,
    cubes_from_proto,
    cubes_to_proto,
    new_tower_to_proto,
)
from support.stubs import make_stub

THROW = {"blue": 4, "yellow": 3, "farmer": 1}
CONTENTS = {"red": 10, "blue": 8, "yellow": 9, "farmer": 9}
SHELF = {"capacity": 20, "stick_per_mille": 900, "dislodge": 700, "burst": 2000}


@pytest.mark.parametrize("clash", CLASHES)
def test_the_client_gives_what_the_engine_gives(client: Client, clash: Clash) -> None:
    assert clash_from_proto(clash_to_proto(clash)) == clash
    assert client.sample(clash, 5_001, seed=8) == clash.sample(5_001, seed=8)
    assert client.odds(clash, max_error=0.01, seed=3) == clash.odds(max_error=0.01, seed=3)


def test_exact_odds_are_those_of_the_engine(client: Client) -> None:
    # TW-TOWER-37: the same numbers, what is neglected included
    clash = CLASHES[2]
    odds = client.exact(clash)
    assert odds == clash.exact()
    assert (odds.method, odds.neglected) == ("exact", clash.exact().neglected)
    assert client.batch_odds([clash], method="exact") == tower.batch_odds([clash], method="exact")
    with pytest.raises(StateSpaceError, match="there is no exact answer"):
        client.exact(CLASHES[-1])


def test_the_defaults_are_the_same(client: Client) -> None:
    assert client.odds(CLASHES[0]) == CLASHES[0].odds()


@pytest.mark.parametrize("options", [{"method": "sampled", "samples": 3_000, "seed": 6}, {"max_error": 0.01}])
def test_batches(client: Client, options: dict) -> None:
    assert client.batch_odds(CLASHES, **options) == tower.batch_odds(CLASHES, **options)


def test_a_clash_without_a_defender(server: Server) -> None:
    """What a client of another language may leave out has the defaults of the engine."""
    party = tower_pb2.TowerParty(colour="TOWER_COLOUR_BLUE", cubes=3)
    options = odds_service_pb2.OddsOptions(method="ODDS_METHOD_SAMPLED", samples=500)
    request = odds_service_pb2.EvaluateRequest(
        tower_clash=tower_pb2.TowerClash(attacker=party, neutral=True), options=options
    )
    with grpc.insecure_channel(server.address) as channel:
        answer = (
            make_stub(channel, odds_service_pb2.DESCRIPTOR, "OddsService")
            .Evaluate(request, timeout=30)
            .tower_odds
        )
    odds = Clash(("blue", 3), neutral=True).sample(500)
    assert (answer.attacker_wins, answer.none, answer.samples) == (odds.attacker_wins, odds.none, 500)
    assert list(answer.attacker_armies_left) == odds.attacker_armies_left.tolist()


def test_a_tower_on_the_server(client: Client) -> None:
    remote, here = client.cube_tower(seed=5, contents=CONTENTS), CubeTower(seed=5, contents=CONTENTS)
    twin = remote.clone()
    for _ in range(5):
        assert remote.throw(THROW) == here.throw(THROW)
        assert (remote.contents, remote.shelves, len(remote)) == (here.contents, here.shelves, len(here))
    assert (remote.save(), remote.throws) == (here.save(), 5)
    assert (len(twin), twin.throws) == (36, 0)
    for cubes, error in (({"green": 1}, SetupError), ({"blue": 63}, SetupError), ({}, ArgumentError)):
        with pytest.raises(error) as there:
            remote.throw(cubes)
        with pytest.raises(error) as told:
            here.throw(cubes)
        assert there.value.details["field"] == told.value.details["field"]


def test_a_new_tower_for_one_throw(server: Server) -> None:
    new = tower_service_pb2.NewTower(
        seed=5,
        match_index=3,
        contents=cubes_to_proto("contents", CONTENTS),
        parameters_json='"ledger"',
    )
    request = tower_service_pb2.ThrowRequest(new_tower=new, cubes=cubes_to_proto("cubes", THROW))
    with grpc.insecure_channel(server.address) as channel:
        answer = make_stub(channel, tower_service_pb2.DESCRIPTOR, "TowerService").Throw(request, timeout=30)
    here = CubeTower(seed=5, match_index=3, contents=CONTENTS, parameters="ledger")
    assert cubes_from_proto(answer.tray) == here.throw(THROW)
    assert cubes_from_proto(answer.contents) == here.contents
    assert answer.data == here.save()


@pytest.mark.parametrize("sequence", [False, True])
def test_many_throws(client: Client, sequence: bool) -> None:
    wish = {
        "count": 3_000,
        "seed": 4,
        "first": 9,
        "contents": CONTENTS,
        "sequence": sequence,
        "parameters": {"shelves": [SHELF] * 2},
    }
    assert client.simulate_throws(THROW, **wish) == tower.simulate_throws(THROW, **wish)
    assert len(client.simulate_throws(THROW, count=0)) == 0


def test_a_rigid_tower_on_the_server(client: Client) -> None:
    remote, here = client.cube_tower("rigid", seed=5), CubeTower("rigid", seed=5)
    assert (remote.model, remote.last_throw) == ("rigid", None)
    for cubes in ({"red": 9, "farmer": 3}, THROW):
        assert remote.throw(cubes) == here.throw(cubes)
        assert (remote.contents, remote.shelves, remote.throws) == (here.contents, here.shelves, here.throws)
        assert remote.last_throw == here.last_throw
    assert remote.save() == here.save()
    fast = client.cube_tower(seed=5)
    fast.throw(THROW)
    assert fast.last_throw is None
    for sequence in (False, True):
        wish = {"count": 3, "model": "rigid", "seed": 4, "first": 9, "sequence": sequence}
        assert client.simulate_throws(THROW, **wish) == tower.simulate_throws(THROW, **wish)
    wish = {"count": 1, "model": "rigid", "parameters": here.parameters}
    assert client.simulate_throws(THROW, **wish) == tower.simulate_throws(THROW, count=1, model="rigid")
    with pytest.raises(SetupError, match='a set of the model "shelves"'):
        client.simulate_throws(THROW, count=1, model="rigid", parameters="ledger")


def test_a_rigid_tower_has_limits_of_its_own() -> None:
    geometry = CubeTower("rigid").parameters
    geometry["throw"]["limit_seconds"] = 600
    slow = CubeTower("rigid", parameters=geometry)
    with Server(port=0, limits=Limits(rigid_throws=2)) as server, Client(server.address) as client:
        assert len(client.simulate_throws({"red": 1}, count=2, model="rigid")) == 2
        assert len(client.simulate_throws({"red": 1}, count=500)) == 500
        new = new_tower_to_proto(model="rigid", seed=0, match_index=0, contents=None, parameters=geometry)
        cubes = cubes_to_proto("cubes", {"red": 1})
        for ask, field in (
            (lambda: client.simulate_throws(THROW, count=3, model="rigid"), "rigid_throws"),
            (
                lambda: client.simulate_throws(THROW, count=1, model="rigid", parameters=geometry),
                "rigid_steps",
            ),
            (
                lambda: client.ask_tower(tower_service_pb2.ThrowRequest(new_tower=new, cubes=cubes)),
                "rigid_steps",
            ),
            (
                lambda: client.ask_tower(tower_service_pb2.ThrowRequest(data=slow.save(), cubes=cubes)),
                "rigid_steps",
            ),
        ):
            with pytest.raises(LimitError) as refused:
                ask()
            assert refused.value.details["field"] == field


def test_rigid_work_ends_with_its_deadline() -> None:
    with Server(port=0, threads=1) as server, Client(server.address) as client:
        with pytest.raises(DeadlineError):
            client.simulate_throws({"red": 40}, count=200, model="rigid", timeout=0.4)
        started = time.monotonic()
        while server.calls_under_way and time.monotonic() - started < 20:
            time.sleep(0.02)
        assert server.calls_under_way == 0
        assert time.monotonic() - started < 20


def test_the_catalogue_names_the_models(server: Server, client: Client) -> None:
    assert [model["name"] for model in client.tower_models()] == [model.name for model in tower.MODELS]
    shelves, rigid = client.tower_models()
    assert shelves["parameter_sets"] == tower.parameter_sets()
    assert (shelves["max_throws"], rigid["max_throws"]) == (server.limits.throws, server.limits.rigid_throws)
    for model in tower.MODELS:
        assert CubeTower(model.name).model == model.name


def test_limits_are_named() -> None:
    limits = Limits(throws=100, samples=1000, batch_rows=3)
    with Server(port=0, limits=limits) as server, Client(server.address) as client:
        for ask, field in (
            (lambda: client.simulate_throws(THROW, count=101), "throws"),
            (lambda: client.sample(CLASHES[0], 1001), "samples"),
            (lambda: client.batch_odds([CLASHES[0]] * 4), "batch_rows"),
        ):
            with pytest.raises(LimitError) as refused:
                ask()
            assert refused.value.details["field"] == field
        with pytest.raises(ArgumentError, match="the limit is 1000"):
            client.odds(CLASHES[-1])  # three shelves have no exact odds


def test_questions_that_cannot_be(server: Server, client: Client) -> None:
    def ask(message: tower_pb2.TowerClash, **options: object) -> None:
        wish = odds_service_pb2.OddsOptions(**options)
        client.ask(odds_service_pb2.EvaluateRequest(tower_clash=message, options=wish), timeout=30)

    def changed(**fields: object) -> tower_pb2.TowerClash:
        message = clash_to_proto(CLASHES[0])
        message.MergeFrom(tower_pb2.TowerClash(**fields))
        return message

    three = clash_to_proto(CLASHES[-1])
    with pytest.raises(StateSpaceError, match="there is no exact answer"):
        ask(three, method="ODDS_METHOD_EXACT")
    with pytest.raises(ArgumentError, match=r"attacker.colour: unknown value 77"):
        ask(changed(attacker=tower_pb2.TowerParty(colour=77)))
    with pytest.raises(SetupError, match='attacker is "unspecified", colours are'):
        ask(tower_pb2.TowerClash())
    with pytest.raises(SetupError, match=r"tray.red is -5"):
        ask(changed(tray=tower_pb2.TowerCubes(red=-5)))
    with pytest.raises(SetupError, match="players: 99"):
        ask(changed(players=99))
    for text in ("{", "[1]", "7", '"warped"', '{"shelves": []}', "[" * 100_000):
        with pytest.raises(SetupError) as refused:
            ask(changed(parameters_json=text))
        assert "parameters" in str(refused.value)
    battles, clashes = [battle_to_proto(BATTLES[0])], [clash_to_proto(CLASHES[0])]
    request = odds_service_pb2.BatchEvaluateRequest(swords_battles=battles, tower_clashes=clashes)
    with pytest.raises(ArgumentError, match="tower_clashes has 1 entries"):
        client.ask(request, timeout=30)
    bad = changed(tray=tower_pb2.TowerCubes(red=63))
    request = odds_service_pb2.BatchEvaluateRequest(tower_clashes=[*clashes, bad])
    with pytest.raises(SetupError, match=r"row 1: tray.red is 63"):
        client.ask(request, timeout=30)
    with pytest.raises(ArgumentError, match="model is"):
        client.simulate_throws(THROW, count=1, model="jelly")
    with pytest.raises(SetupError, match="a 32-bit number is expected"):
        client.simulate_throws({"red": 2**40}, count=1)
    with pytest.raises(DecodeError):
        client.ask_tower(tower_service_pb2.ThrowRequest(data=b"tower", cubes=tower_pb2.TowerCubes(red=1)))


def test_films_of_a_server_are_those_of_the_engine(client: Client) -> None:
    for options in ({"contents": {"red": 2}}, {"players": 3, "parameters": "plates", "match_index": 4}):
        here = tower.film(THROW, seed=5, frames_per_second=20, **options)  # type: ignore[arg-type]
        there = client.film(THROW, seed=5, frames_per_second=20, **options)  # type: ignore[arg-type]
        for field in fields(here):
            mine, other = getattr(here, field.name), getattr(there, field.name)
            if isinstance(mine, np.ndarray):
                assert mine.dtype == other.dtype
                assert np.array_equal(mine, other, equal_nan=mine.dtype.kind == "f"), field.name
            else:
                assert mine == other, field.name


def test_the_tower_after_a_film_goes_on(client: Client) -> None:
    new = new_tower_to_proto(model="rigid", seed=3, match_index=0, contents={}, parameters=None)
    device, tray = CubeTower("rigid", seed=3), []
    request = tower_service_pb2.FilmThrowRequest(new_tower=new, cubes=cubes_to_proto("cubes", THROW))
    for _ in range(2):
        response = client.ask(request)
        tray.append(device.throw(THROW))
        assert cubes_from_proto(response.tray) == tray[-1]
        assert response.data == device.save()
        request = tower_service_pb2.FilmThrowRequest(data=response.data, cubes=request.cubes)


def test_films_that_are_refused(client: Client) -> None:
    for source in ({"new_tower": tower_service_pb2.NewTower()}, {"data": CubeTower(seed=1).save()}):
        with pytest.raises(ArgumentError, match="model is 'shelves', only 'rigid' has films"):
            client.ask(tower_service_pb2.FilmThrowRequest(**source))  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="source is not set"):
        client.ask(tower_service_pb2.FilmThrowRequest())
    rigid = tower_service_pb2.NewTower(model="rigid")
    with pytest.raises(ArgumentError, match="players is -1: must be 3 to 5"):
        client.ask(tower_service_pb2.FilmThrowRequest(new_tower=rigid, fill_players=-1))
    for rate in (-1, 0, 1001):
        request = tower_service_pb2.FilmThrowRequest(new_tower=rigid, frames_per_second=rate)
        with pytest.raises(ArgumentError, match=f"frames_per_second is {rate}"):
            client.ask(request)
    with pytest.raises(ArgumentError, match="players is 2: must be 3 to 5"):
        client.film(THROW, players=2)
