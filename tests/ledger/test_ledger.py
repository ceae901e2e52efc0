"""Every rule of an implemented area is named by a test; what is not implemented is listed as such."""

import pytest

from ledger.coverage import GAMES, areas, cited, missing, pending

IMPLEMENTED = [(game, area) for game in GAMES for area in areas(game) if area not in pending()[game]]


@pytest.mark.parametrize(("game", "area"), IMPLEMENTED)
def test_every_rule_of_an_implemented_area_is_cited(game: str, area: str) -> None:
    assert missing(game, area) == []


@pytest.mark.parametrize("game", GAMES)
def test_the_list_of_pending_areas_is_true(game: str) -> None:
    unknown = set(pending()[game]) - set(areas(game))
    assert unknown == set(), "an area that does not exist"
    finished = [area for area in pending()[game] if not missing(game, area)]
    assert finished == [], "an area whose every rule is cited belongs off the list"


def test_only_known_rules_are_cited() -> None:
    known = {rule for game in GAMES for ids in areas(game).values() for rule in ids}
    assert cited() - known == set()


def test_ids_are_listed_once() -> None:
    ids = [rule for game in GAMES for area in areas(game).values() for rule in area]
    assert len(ids) == len(set(ids))
