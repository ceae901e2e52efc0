"""Specifications say what observations, views and actions are, in every game."""

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from sengoku import Client, Match, Spec, games, spec
from sengoku.engine.spec import View, of_table
from sengoku.errors import ArgumentError
from sengoku.server import Server

Table = dict[str, Any]
SETUPS: dict[str, list[tuple[int, Table]]] = {
    "swords": [(2, {"max_rounds": 6, "two_player_early_attacks": True}), (4, {"max_rounds": 6})],
    "tower": [
        (3, {}),
        (4, {"court": True, "mode": "draft", "favour_deck": "hidden"}),
        (5, {"side": "moon", "court": True, "reveal": "per_action"}),
    ],
    "battles": [(2, {"scenario": number}) for number in (1, 12, 18, 25, 37)],
}
GAMES = [game.name for game in games()]


def positions(game: str, decisions: int = 900, every: int = 7) -> Iterator[Match]:
    """Matches in the midst of random play, every few decisions."""
    for number, (seats, setup) in enumerate(SETUPS[game]):
        match = Match.create(game, seats=seats, seed=number, setup=setup)
        choice = Random(number)
        for decision in range(decisions):
            if decision % every == 0:
                yield match
            if match.over:
                break
            match.play(choice.choice(match.legal_actions()))


@pytest.fixture(params=GAMES)
def about(request: pytest.FixtureRequest) -> Spec:
    return spec(request.param)


def test_every_bit_is_in_one_field(about: Spec) -> None:
    covered = np.zeros(8 * about.observation_size, dtype=np.int64)
    for field in about.fields:
        places = np.array(8 * field.offset + field.bit)
        for axis in field.axes:
            places = np.add.outer(places, axis.stride * np.arange(axis.size))
        np.add.at(covered, np.add.outer(places, np.arange(field.bits)), 1)
    assert (covered == 1).all()
    assert len(set(about.names)) == len(about.names)


def test_sizes_are_those_of_the_game(about: Spec) -> None:
    (game,) = (game for game in games() if game.name == about.game)
    assert about.rules_version == game.rules_version
    assert (about.min_seats, about.max_seats) == game.seats
    assert about.observation_size == game.observation_size
    assert about.action_count == game.action_count


def test_every_value_is_in_its_range_and_has_a_name(about: Spec) -> None:
    for match in positions(about.game):
        seats = range(match.seats)
        observed = np.stack([match.observe(seat) for seat in seats])
        for field in about.fields:
            numbers = field.of(observed).astype(np.int64)
            assert numbers.shape == (match.seats, *field.shape)
            fits = (numbers >= field.low) & (numbers <= field.high)
            assert (fits | (numbers == (-1 if field.none is None else field.none))).all(), field
            assert not field.labels or len(field.labels) == field.high - field.low + 1


def test_a_view_of_many_is_the_view_of_each(about: Spec) -> None:
    match = next(positions(about.game))
    batch = np.stack([[match.observe(seat) for seat in range(2)] for _ in range(3)])
    for name, numbers in about.view(batch).items():
        one = about.view(batch[1, 1])[name]
        assert numbers.shape == (3, 2, *about[name].shape)
        assert (numbers[1, 1] == one).all()
        assert one.dtype == numbers.dtype == about[name].dtype
        every_other = about.view(np.repeat(batch, 2, axis=-1)[..., ::2])[name]  # bytes that lie apart
        assert (every_other == numbers).all()
    whole = next(field for field in about.fields if field.bits == 8 and not field.is_padding)
    assert np.shares_memory(about.view(batch)[whole.name], batch), "whole bytes are looked at where they are"
    assert len(about.view(batch)) == len(about.names)


def test_every_action_has_one_name(about: Spec) -> None:
    for index in range(about.action_count):
        name, args = about.action(index)
        assert about.index(name, **args) == index


def test_legal_actions_are_called_as_the_specification_says(about: Spec) -> None:
    met = set()
    for match in positions(about.game, every=1):
        legal = [] if match.over else match.legal_actions()
        assert len(legal) <= about.max_legal_actions
        for action in legal:
            name, args = about.action(action.index)
            assert name == action.name
            for key, value in args.items():
                reported = action.args[key]
                if isinstance(reported, dict):  # units by kind
                    reported = (
                        " and ".join(f"{count} {kind}" for kind, count in reported.items()) or "nothing"
                    )
                assert value == reported, action
            met.add(name)
    assert len(met) > len({kind.name for kind in about.actions}) / 2


def label(about: Spec, name: str, number: Any) -> Any:
    """A value as views write it."""
    field = about[name]
    if field.none is not None and int(number) == field.none:
        return None
    return field.labels[int(number) - field.low] if field.labels else int(number)


def counts(names: tuple[str, ...], numbers: npt.NDArray[Any]) -> dict[str, int]:
    return dict(zip(names, map(int, numbers), strict=True))


def check_swords(about: Spec, seen: View, view: Table, seat: int) -> None:
    def named(name: str, number: Any) -> Any:
        return label(about, name, number)

    point = view["point"] if isinstance(view["point"], str) else next(iter(view["point"]))
    assert named("point", seen["point"]) == point
    assert int(seen["seat"]) == seat
    for name in ("round", "turn", "active", "must_move"):
        assert named(name, seen[name]) == view[name]
    assert int(seen["seats"]) == view["options"]["seats"]
    assert seen["options"].tolist() == [
        view["options"]["long_game"],
        view["options"]["two_player_early_attacks"],
    ]
    assert int(seen["window"]) == (view["window"] or 0)
    assert named("phase", seen["phase"]) == view["phase"]
    assert [named("ninja.holder", seen["ninja.holder"]), named("ninja.spied", seen["ninja.spied"])] == [
        view["ninja"],
        view["spied"],
    ]
    for name in ("castles", "bases", "ronin"):
        assert int(seen[f"pool.{name}"]) == view["pool"][name]
    assert [named("targets", target) for target in seen["targets"]] == view["declared_armies"]
    if view["fight"] is not None:
        assert named("attack.target", seen["attack.target"]) == view["fight"]["target"]
        assert int(seen["battle.defender"]) == view["fight"]["defender"]
        assert seen["battle.owed"].tolist() == view["fight"]["owed"]
    kinds = about["clans.armies.units"].axes[-1].labels
    for number, clan in enumerate(view["clans"]):
        for name in ("out", "colours", "koku", "sword", "hired", "committed", "answered"):
            assert int(seen[f"clans.{name}"][number]) == clan[name]
        boxes = about["clans.plan"].axes[-1].labels
        assert clan["plan"] in (None, counts(boxes, seen["clans.plan"][number]))
        bought = counts(about["clans.bought"].axes[-1].labels, seen["clans.bought"][number])
        assert clan["bought"] in (None, bought | {"daimyo": 0, "ronin": 0})
        cards = seen["clans.cards"][number]
        assert view["cards"][number] in (None, cards[cards > 0].tolist())
        for place, army in enumerate(clan["armies"]):
            assert (
                named("clans.armies.province", seen["clans.armies.province"][number, place])
                == army["province"]
            )
            assert counts(kinds, seen["clans.armies.units"][number, place]) == army["units"]
            for name in ("hole", "disrupted", "moved"):
                assert int(seen[f"clans.armies.{name}"][number, place]) == army[name]
    units = about["provinces.units"].axes[-1].labels
    for number, (key, province) in enumerate(view["provinces"].items()):
        assert about["provinces.owner"].axes[0].labels[number] == key
        assert named("provinces.owner", seen["provinces.owner"][number]) == province["owner"]
        assert named("provinces.fort", seen["provinces.fort"][number]) == province["fort"]
        assert counts(units, seen["provinces.units"][number]) | {"daimyo": 0} == province["units"]
        assert province["hidden"] in (None, int(seen["provinces.hidden"][number]))
        assert int(seen["provinces.bonus_lost"][number]) == province["bonus_lost"]
        levy = province["levy"] or {"unit": None, "into_army": None}
        assert named("provinces.levy.unit", seen["provinces.levy.unit"][number]) == levy["unit"]
        target = view["declared_forces"].get(key)
        assert named("provinces.target", seen["provinces.target"][number]) == target


def check_tower(about: Spec, seen: View, view: Table, seat: int) -> None:
    def named(name: str, number: Any) -> Any:
        return label(about, name, number)

    def listed(name: str) -> list[Any]:
        return [named(name, number) for number in seen[name] if int(number) != about[name].none]

    options = view["options"]
    point = view["point"] if isinstance(view["point"], str) else next(iter(view["point"]))
    assert named("point", seen["point"]) == point
    assert (int(seen["seat"]), int(seen["seats"])) == (seat, options["seats"])
    for name in ("side", "mode", "court", "reveal", "allow_zero_move", "favour_deck", "event12_rice_loss"):
        assert named(f"options.{name}", seen[f"options.{name}"]) == options[name], name
    for name in ("year", "round", "place", "turn", "action_revealed", "event", "extra_farmers", "revolt"):
        assert named(name, seen[name]) == view[name], name
    assert bool(seen["event_removed"]) == view["event_removed"]
    assert point == "over" or int(seen["decider"]) == view["decider"]
    assert listed("action_order") == [card for card in view["action_order"] if card is not None]
    for name in ("special_on_slot", "bid_order", "turn_order", "open_events", "pending"):
        assert listed(name) == view[name], name
    assert (1 + np.flatnonzero(seen["used_events"])).tolist() == view["used_events"]
    assert [named("court.laid", card) for card in seen["court.laid"]] == view["court"]["laid"]
    assert listed("court.order") == view["court"]["order"]
    assert [named("draft.open", card) for card in seen["draft.open"]] == view["draft"]["open"]
    assert seen["farmers"].tolist() == [view["supply"][5], view["tray"][5], view["inside"][5]]
    assert counts(about["tiles"].axes[0].labels, seen["tiles"]) == view["tiles"]
    for number, player in enumerate(view["players"]):
        for name in ("chests", "rice", "score", "slot", "shortage"):
            assert int(seen[f"players.{name}"][number]) == player[name]
        assert seen["players.armies"][number].tolist() == [
            view[where][number] for where in ("supply", "tray", "inside")
        ]
        assert named("players.special", seen["players.special"][number]) == player["special"]
        officers = about["players.officers"].axes[-1].labels
        assert counts(officers, seen["players.officers"][number]) == player["officers"]
        assert (1 + np.flatnonzero(seen["players.kept"][number])).tolist() == player["kept"]
        spaces = about["players.plan"].axes[-1].labels
        plan = {
            space: named("players.plan", card) or "empty"
            for space, card in zip(spaces, seen["players.plan"][number], strict=True)
        }
        assert player["plan"] is None or player["plan"].items() <= plan.items()
        turned = [space for space, up in zip(spaces, seen["players.revealed"][number], strict=True) if up]
        assert sorted(turned) == sorted(player["revealed"])
        for year, tally in enumerate(player["tally"]):
            for name in ("provinces", "buildings", "favours"):
                assert int(seen[f"players.tally.{name}"][number, year]) == tally[name]
            points = seen["players.tally.majorities"][number, year]
            assert int(points.sum()) == sum(sum(regions.values()) for regions in tally["majorities"].values())
    for number, key in enumerate(about["provinces.owner"].axes[0].labels):
        assert bool(seen["provinces.in_play"][number]) == (key in view["provinces"])
        if key in view["provinces"]:
            province = view["provinces"][key]
            assert named("provinces.owner", seen["provinces.owner"][number]) == province["owner"]
            assert int(seen["provinces.armies"][number]) == province["armies"]
            assert int(seen["provinces.unrest"][number]) == province["unrest"]
            buildings = about["provinces.buildings"].axes[-1].labels
            assert seen["provinces.buildings"][number].tolist() == [province[name] for name in buildings]


def check_battles(about: Spec, seen: View, view: Table, seat: int) -> None:
    def named(name: str, number: Any) -> Any:
        return label(about, name, number)

    sides = ("top", "bottom")
    assert named("side", seen["side"]) == sides[seat]
    for name in ("active", "first", "hill_majority", "scenario", "round", "pool", "tokens"):
        assert named(name, seen[name]) == view[name], name
    question = view["question"]
    assert named("question", seen["question"]) == (question and question["step"])
    for name in ("honor", "banners", "temporary_banners", "banners_to_win", "tents"):
        assert counts(sides, seen[name]) == view[name], name
    for deck in ("command", "dragon"):
        assert int(seen[f"{deck}.deck"]) == view[deck]["deck"]
        own, other = view[deck]["hands"][sides[seat]], view[deck]["hands"][sides[1 - seat]]
        assert seen[f"{deck}.hands"].tolist() == [len(own), other][:: 1 - 2 * seat]
        kinds = about[f"{deck}.own"].axes[0].labels
        assert counts(kinds, seen[f"{deck}.own"]) == {card: own.count(card) for card in kinds}
        discards = view[deck]["discards"]
        assert counts(kinds, seen[f"{deck}.discards"]) == {card: discards.count(card) for card in kinds}
    for side, last in view["last"].items():
        card = named("last.effective", seen["last.effective"][sides.index(side)])
        assert card == (last and last["card"])
        assert last is None or seen["last.slots"][sides.index(side)].tolist() == last["slots"]
    assert np.flatnonzero(seen["captured"]).tolist() == view["captured"]
    hexes = about["hexes.terrain"].axes[0].labels
    units = {unit["hex"]: unit for unit in view["units"]}
    leaders = {leader["hex"]: leader for leader in view["leaders"]}
    for number, key in enumerate(hexes):
        unit, leader = units.get(key), leaders.get(key)
        assert named("hexes.unit.kind", seen["hexes.unit.kind"][number]) == (unit and unit["unit"])
        if unit is not None:
            assert named("hexes.unit.side", seen["hexes.unit.side"][number]) == unit["side"]
            assert int(seen["hexes.unit.blocks"][number]) == unit["blocks"] - 1
        assert named("hexes.leader.kind", seen["hexes.leader.kind"][number]) == (leader and leader["leader"])
        assert named("hexes.leader.side", seen["hexes.leader.side"][number]) == (leader and leader["side"])


CHECKS: dict[str, Callable[[Spec, View, Table, int], None]] = {
    "swords": check_swords,
    "tower": check_tower,
    "battles": check_battles,
}


@pytest.mark.parametrize("every", [37, pytest.param(11, marks=pytest.mark.system)])
def test_observations_say_what_views_say(about: Spec, every: int) -> None:
    for match in positions(about.game, every=every):
        for seat in range(match.seats):
            CHECKS[about.game](about, about.view(match.observe(seat)), match.view(seat), seat)


def test_the_same_over_the_network_and_as_a_table(about: Spec, server: Server) -> None:
    with Client(server.address, timeout=60) as client:
        assert client.spec(about.game) == about
        with pytest.raises(ArgumentError, match="chess"):
            client.spec("chess")
    assert of_table(json.loads(json.dumps(about.as_dict()))) == about


def test_what_is_not_there_is_refused() -> None:
    about = spec("swords")
    size = about.observation_size
    for wrong in (np.zeros(size - 1, np.uint8), np.zeros(size, np.int8), np.zeros((size, 2), np.uint8), 7):
        with pytest.raises(ArgumentError, match=f"uint8 with last axis of size {size}"):
            about.view(wrong)
    view = about.view(np.zeros(size, np.uint8))
    with pytest.raises(ArgumentError, match="'clan': swords has no such field"):
        view["clan"]
    assert "clan" not in view
    assert view.get("clan") is None
    for number in (-1, about.action_count, 1.5, "pass", None):
        with pytest.raises(ArgumentError, match="0 to 1508"):
            about.action(number)  # type: ignore[arg-type]
    for name, args, reported in [
        ("fly", {}, "'fly': swords has no such action"),
        ("step", {"to": "kai"}, "arguments are to: step needs to, hidden"),
        ("pass", {"to": "kai"}, "arguments are to: pass needs none"),
        ("step", {"to": "kai", "hidden": 19}, "swords has no action step with"),
        ("step", {"to": "atlantis", "hidden": 0}, "swords has no action step with"),
        ("army", {"army": 0}, "swords has no action army with"),
        ("army", {"army": "1"}, "swords has no action army with"),
    ]:
        with pytest.raises(ArgumentError, match=reported):
            about.index(name, **args)
    assert about.index("army", army=np.int64(2)) == about.index("army", army=1) + 1
    battles = spec("battles")
    redirects = [
        battles.action(battles.index("redirect", **{"from": "left", "to": to})) for to in ("center", "right")
    ]
    assert [args["to"] for _, args in redirects] == ["center", "right"]
    with pytest.raises(ArgumentError, match="no action redirect with"):
        battles.index("redirect", **{"from": "left", "to": "left"})
    with pytest.raises(ArgumentError, match="chess"):
        spec("chess")


def test_cards_are_explained_by_their_rules() -> None:
    for game in games():
        for kind in spec(game.name).actions:
            for axis in kind.axes:
                explained = axis.name == "card" and game.name == "battles"
                assert len(axis.meanings) == (axis.size if explained else 0)
                assert all(": " in meaning for meaning in axis.meanings)
