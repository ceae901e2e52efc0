"""Names of strangers in pictures and metrics stay text: pictures are XML, and labels are one value."""

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from sengoku import Match, swords
from sengoku.engine.analysis_picture import draw
from sengoku.fleet import WorkerStatus
from sengoku.fleet.status import FleetStatus
from sengoku.server.fleet_status import fleet_gauges
from sengoku.server.metrics import Metrics
from server.services.test_catalog import OWN
from support.fleet import thread_fleet

RUST = Path(__file__).parents[2] / "rust"
NAMES = [
    '"><script>x()</script>',
    "<b onload='x'>&amp; ]]>",
    "\"quoted\" 'single'",
    'a}b{c="d"} 7',
    "$\\frac{1}{0}$ %s {0}",
    "\u202egnihton \u00e9\U0001f3ef",
    "\x07\x1b[31m\x7f",
    "a\nb\tc",
]


def texts(name: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Files of strangers in which every name, title and key that is shown is this one."""
    quoted = json.dumps(name, ensure_ascii=False).replace("\x7f", "\\u007f")
    for game, option, file in (
        ("swords", "map", "swords/data/map.toml"),
        ("tower", "board", "tower/data/tower_boards.toml"),
    ):
        text = (RUST / file).read_text("utf-8")
        yield game, {option: re.sub(r'(?m)^(name|title) = "[^"]*"', lambda m: f"{m[1]} = {quoted}", text)}
    yield "battles", {"scenario_text": re.sub(r'(?m)^name = "[^"]*"', lambda _: f"name = {quoted}", OWN)}


def shown(picture: str) -> str:
    """All text of a picture, which must be XML without anything that runs."""
    root = ET.fromstring(picture)  # noqa: S314 - made here
    for element in root.iter():
        assert element.tag.rpartition("}")[2] not in ("script", "b", "foreignObject")
        assert not any(key.lower().startswith("on") for key in element.attrib)
    return " ".join(root.itertext())


@pytest.mark.parametrize("name", NAMES)
def test_names_of_files_are_text_in_pictures(name: str) -> None:
    for game, setup in texts(name):
        try:
            match = Match.create(game, seed=7, setup=setup)
        except ValueError as error:
            assert any(ord(letter) < 32 or ord(letter) == 127 for letter in name), (game, error)  # noqa: PT017
            continue
        text = " ".join([shown(match.picture()), shown(match.picture("public")), shown(match.picture(0))])
        first = next(word for word in re.split(r"[\s\x00-\x1f]+", name) if word)[:6]
        assert first in text, game
        frame = next(match.frames(0, 0, parts=["picture", "story"]))
        assert frame.picture is not None
        shown(frame.picture)


@pytest.mark.parametrize("name", NAMES)
def test_names_are_text_in_drawings(name: str) -> None:
    table = swords.odds_table([1, 2], [1, 2])
    assert name[:3].strip() in shown(replace(table, title=name).picture()) or name < " "
    match = Match.create("battles", seed=7, setup={"scenario": 8})
    match.play(match.legal_actions()[0])
    analysis = match.analyse(iterations=8)
    shown(draw(replace(analysis, game=name, headings=((1, name),))))


@pytest.mark.parametrize("name", NAMES)
def test_names_are_one_value_of_a_label(name: str) -> None:
    fleet, _ = thread_fleet()
    with fleet:
        worker = replace(WorkerStatus.unused(name, "ready", ""), name=name)
        fleet._driver.status = FleetStatus(address="here", workers=(worker,))
        metrics = Metrics()
        metrics.watch(**fleet_gauges(fleet))
        fleet._driver.status = FleetStatus(address="here", workers=(worker,))
        page = metrics.page().decode()
    metrics.played(name, matches=1, decisions=2)
    families = list(text_string_to_metric_families(page))
    found = {
        sample.labels["worker"]
        for family in families
        for sample in family.samples
        if "worker" in sample.labels
    }
    assert found <= {name}
    page = metrics.page().decode()
    assert {
        sample.labels["game"]
        for family in text_string_to_metric_families(page)
        for sample in family.samples
        if sample.name == "sengoku_matches_played_total"
    } == {"swords", "tower", "battles", "other"}
