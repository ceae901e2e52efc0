"""Odds and the cube tower in a browser: answers while one types, addresses to share, code that works."""

import json
import re
import shlex
import subprocess
import sys
from urllib import request

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from sengoku import battles, tower
from sengoku.swords import Battle, Force
from support.browser import NARROW, visit
from support.cli import run

expect.set_options(timeout=20_000)  # for machines that do much else
COMBATS = ("swords", "tower", "battles")


def figure(page: Page, label: str) -> Locator:
    """The probability that the page shows for an end."""
    return page.locator(".shares > div", has_text=label).first.locator(".figure")


def expect_share(page: Page, label: str, probability: float) -> None:
    """Wait until the page shows this probability, in percent with two digits."""
    expect(figure(page, label)).to_have_text(re.compile(rf"^{100 * probability:.2f} %"))


def test_the_answer_follows_the_form_and_is_that_of_the_engine(browser: Browser, console: str) -> None:
    with visit(browser, console) as tab:
        page = tab.page
        page.goto("/odds")
        attacker, defender = Force(daimyo=1, bow=1, gun=1, sword=1, spear=3), Force(bow=1, gun=1, spear=3)
        expect_share(page, "Attacker wins", Battle(attacker, defender).odds().attacker_wins)
        page.get_by_role("group", name="Attacker").get_by_label("one Spears more").click()
        page.get_by_label("Building").select_option("castle")
        expect(page).to_have_url(re.compile(r"#attacker=daimyo=1,.*spear=4&fort=castle$"))
        attacker = Force(daimyo=1, bow=1, gun=1, sword=1, spear=4)
        stronger = Battle(attacker, defender, fort="castle").odds().attacker_wins
        expect_share(page, "Attacker wins", stronger)
        page.reload()
        expect_share(page, "Attacker wins", stronger)
        expect(page.get_by_label("Building")).to_have_value("castle")
        tab.check_accessible()


def test_what_the_rules_do_not_allow_is_explained(browser: Browser, console: str) -> None:
    with visit(browser, console) as tab:
        tab.expected.append("400")
        tab.page.goto("/odds#game=swords&defender=spear=9")
        failure = tab.page.get_by_role("alert")
        expect(failure).to_contain_text("a force without a daimyo has at most 5")
        expect(failure).to_contain_text("INVALID_SETUP")


def test_a_stale_answer_is_dropped(browser: Browser, console: str) -> None:
    """The first answer arrives after the second one: the page shows the second."""
    with visit(browser, console) as tab:
        page = tab.page
        held: list[Route] = []
        page.goto("/odds#game=battles&attacker=SSp&defender=ASp")
        expect(page.locator(".badge")).to_have_text("exact")
        page.route("**/Evaluate", lambda route: route.continue_() if held else held.append(route))
        more = page.get_by_label("one Extra dice more")
        more.click()
        for _ in range(400):
            if held:
                break
            page.wait_for_timeout(50)
        more.click()
        latest = battles.Strike("SSp", "ASp", dice_bonus=2).exact().defender_retreats
        expect_share(page, "Defender retreats", latest)
        held[0].fulfill(status=200, json={"battlesOdds": {"defenderRetreats": 0.111}})
        page.wait_for_timeout(300)
        expect_share(page, "Defender retreats", latest)


@pytest.mark.parametrize("game", COMBATS)
def test_every_example_has_odds_and_code_that_gives_them(browser: Browser, console: str, game: str) -> None:
    with visit(browser, console, size=NARROW, dark=True) as tab:
        page = tab.page
        page.goto(f"/odds#game={game}")
        for example in page.get_by_role("group", name="Examples").get_by_role("button").all():
            example.click()
            page.wait_for_timeout(300)
            expect(page.get_by_label("The answer", exact=True)).to_have_attribute(
                "aria-busy", "false", timeout=20_000
            )
            expect(page.get_by_role("alert")).to_have_count(0)
            expect(page.locator(".badge")).to_have_text(
                re.compile(r"^exact$|\d samples, ±" if game == "tower" else "^exact$")
            )
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROW[0]
        codes = {}
        for name in ("Python", "curl", "Command"):
            page.get_by_role("button", name=name, exact=True).click()
            codes[name] = page.locator(".copies pre").inner_text()
        share = float(page.locator(".shares .figure").first.inner_text().split("%")[0]) / 100
        assert share == pytest.approx(first_share(codes, game), abs=1e-4)
        tab.check_accessible()


def first_share(codes: dict[str, str], game: str) -> float:
    """Run the question in all three forms; they agree, and the first probability is returned."""
    field = "defender_eliminated" if game == "battles" else "attacker_wins"
    script = codes["Python"].replace("print(question.odds())", f"print(question.odds().{field})")
    assert script != codes["Python"]
    python = float(subprocess.run([sys.executable, "-c", script], check=True, capture_output=True).stdout)
    words = shlex.split(codes["Command"].replace("\\\n", " "))
    assert words[0] == "sengoku"
    command = json.loads(run(*words[1:], "--json").stdout)[field]
    address, body = re.search(r"curl -s (\S+) .*-d '(.*)'", codes["curl"], re.DOTALL).groups()  # type: ignore[union-attr]
    asked = request.Request(address, body.encode(), {"Content-Type": "application/json"})  # noqa: S310 - loopback
    with request.urlopen(asked) as response:  # noqa: S310 - as above
        (answer,) = json.load(response).values()
    camel = re.sub(r"_(.)", lambda part: part[1].upper(), field)
    assert answer.get(camel, 0.0) == pytest.approx(python, abs=1e-9)
    assert command == pytest.approx(python, abs=1e-9)
    return python


def test_cubes_are_thrown_and_counted(browser: Browser, console: str) -> None:
    with visit(browser, console) as tab:
        page = tab.page
        tab.expected.append(
            "GPU stall"
        )  # a remark of the graphics in software that a browser without a screen uses
        page.goto("/tower#seed=1")
        film = tower.film({"blue": 4, "yellow": 3}, seed=1)
        count = sum(film.tray.values())
        expect(page.get_by_role("heading", name=f"Came out: {count}")).to_be_visible()
        expect(page.get_by_role("img")).to_have_accessible_name(re.compile(rf"{count} cubes in the tray"))
        page.get_by_label("Time of the throw").fill("0")
        expect(page.get_by_role("img").last).to_have_accessible_name(
            re.compile("at 0.00 seconds: 0 cubes in the tray")
        )
        page.get_by_role("button", name="Throw into this tower").click()
        expect(page).to_have_url(re.compile("#throws=blue=4,yellow=3;blue=4,yellow=3$"))
        inside = sum(film.contents.values())
        device = tower.CubeTower("rigid", seed=1)
        device.throw(tower.fill(4))
        for _ in range(2):
            tray = device.throw({"blue": 4, "yellow": 3})
        expect(page.get_by_role("heading", name=f"Is inside: {len(device)}")).to_be_visible()
        assert len(device) == inside + 7 - sum(tray.values())
        page.get_by_label("from the side, without 3D").check()
        expect(page.locator("svg.flat")).to_be_visible()
        page.reload()
        expect(page.get_by_role("heading", name=f"Is inside: {len(device)}")).to_be_visible()
        tab.check_accessible()


def test_without_webgl_the_tower_is_a_drawing(browser: Browser, console: str) -> None:
    with visit(browser, console) as tab:
        tab.page.add_init_script("HTMLCanvasElement.prototype.getContext = () => null")
        tab.page.goto("/tower")
        expect(tab.page.locator("svg.flat")).to_be_visible()
        expect(tab.page.get_by_text("This browser has no WebGL 2")).to_be_visible()
