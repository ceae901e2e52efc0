"""Every page for looking things up: reload and back, wide and narrow, light and dark, without faults."""

import pytest
from playwright.sync_api import Browser, Route, expect

from sengoku import scenario, scenarios
from sengoku.rules import GAMES, paragraphs
from support.browser import NARROW, WIDE, start_match, visit

expect.set_options(timeout=20_000)  # for machines that do much else
PAGES = {
    "/odds#game=battles&attacker=SB&ranged=yes": "Odds",
    "/tower#flat=yes": "The cube tower",
    "/games": "Games and scenarios",
    "/games/battles/8": "8. First Battle of Azukizaka",
    "/games/tower/sun": "sun side",
    "/games/battles/rules#melee": "Rules of Battles",
    "/runs": "Runs",
    "/tournaments": "Tournaments",
    "/server": "Server",
}


@pytest.mark.parametrize(("size", "dark"), [(WIDE, False), (NARROW, True)], ids=["wide", "narrow"])
def test_every_page_survives_reload_and_back(
    browser: Browser, console: str, size: tuple[int, int], dark: bool
) -> None:
    with visit(browser, console, size=size, dark=dark) as tab:
        page = tab.page
        for address, title in PAGES.items():
            page.goto(address)
            expect(page.get_by_role("heading", name=title, exact=True, level=1)).to_be_visible()
            expect(page.locator(".spinner")).to_have_count(0, timeout=20_000)
            assert page.evaluate("document.documentElement.scrollWidth") <= size[0], address
            tab.check_accessible()
            page.reload()
            expect(page.get_by_role("heading", name=title, exact=True, level=1)).to_be_visible()
            assert page.url.endswith(address)
        for address, title in reversed(list(PAGES.items())[:-1]):
            page.go_back()
            expect(page.get_by_role("heading", name=title, exact=True, level=1)).to_be_visible()
            assert page.url.endswith(address)


def test_battles_are_found_and_shown_with_what_was_counted(browser: Browser, console: str) -> None:
    with visit(browser, console) as tab:
        page = tab.page
        page.goto("/games")
        rows = page.get_by_role("region", name="Battles").locator("tbody tr")
        expect(rows).to_have_count(40)
        page.get_by_label("Find").fill("takeda 1561")
        expected = [one for one in scenarios("battles") if one.facts["year"] == "1561"]
        expect(rows).to_have_count(len(expected))
        page.get_by_label("Order").select_option("even")
        even = min(expected, key=lambda one: abs(one.balance[0].win_rate[0] - 0.5))
        expect(rows.first.get_by_role("link")).to_have_text(even.name)
        page.reload()
        expect(rows).to_have_count(len(expected))
        rows.first.get_by_role("link").click()
        expect(page.get_by_role("heading", level=1)).to_have_text(f"{even.id}. {even.name}")
        shares = page.get_by_label("Wins by seat").locator(".figure")
        measured = scenario(even.id).balance[0]
        for seat, share in enumerate(measured.win_rate):
            assert abs(float(shares.nth(seat).inner_text().split("%")[0]) - 100 * share) < 0.051
        expect(page.get_by_role("link", name="Play it")).to_have_attribute(
            "href", f"/play?game=battles&scenario={even.id}"
        )
        page.get_by_role("link", name="Play it").click()
        expect(page.get_by_role("combobox", name="Battle")).to_have_value(even.id)
        page.go_back()
        expect(page.get_by_role("heading", level=1)).to_have_text(f"{even.id}. {even.name}")
        page.go_back()
        expect(page.get_by_label("Find")).to_have_value("takeda 1561")


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_are_those_of_the_package(browser: Browser, console: str, game: str) -> None:
    """Word for word, and only the text of the game that is read is loaded."""
    with visit(browser, console) as tab:
        page = tab.page
        page.goto("/games")
        page.locator(f"a[href='/games/{game}/rules']").click()
        expect(page.locator(".rule").first).to_be_visible()
        shown = [
            (rule.locator("p").first.inner_text(), tuple(rule.locator("a").all_inner_texts()))
            for rule in page.locator(".rule").all()
        ]
        assert shown == [(text.replace("`", ""), ids) for text, ids in paragraphs(game)]
        sources = [answer.text() for answer in tab.responses if answer.url.endswith(".js")]
        for other in GAMES:
            first = next(paragraphs(other))[1][0]
            assert any(first in source for source in sources) == (other == game)


def test_a_section_and_a_rule_have_addresses(browser: Browser, console: str) -> None:
    with visit(browser, console, size=NARROW) as tab:
        page = tab.page
        start_match(page, "tower")
        rules = page.get_by_role("region", name="Match").get_by_role("link", name="Rules")
        page.goto(rules.get_attribute("href") or "")
        page.get_by_role("navigation", name="Sections").get_by_role("link", name="Cube tower").click()
        title = page.get_by_role("heading", name="Cube tower", exact=True)
        expect(title).to_be_in_viewport()
        assert page.url.endswith("/games/tower/rules#cube-tower")
        page.goto("/games/tower/rules#TW-SCORE-01")
        page.reload()
        found = page.locator(".rule.found")
        expect(found).to_contain_text("Each winter every player scores")
        expect(found).to_be_in_viewport()
        expect(title).not_to_be_in_viewport()
        page.get_by_role("link", name="TW-TOWER-14").first.click()
        expect(found.first).to_contain_text("Everything is public")
        expect(found.first).to_be_in_viewport()
        tab.check_accessible()
        page.goto("/games/chess/rules")
        expect(page.get_by_text("There is no such game")).to_be_visible()


def test_the_server_page_shows_load_and_limits(browser: Browser, console: str) -> None:
    with visit(browser, console) as tab:
        page = tab.page
        page.goto("/server")
        expect(page.get_by_text("serving", exact=True)).to_be_visible()
        expect(page.get_by_role("region", name="Clients").get_by_text("local (you)")).to_be_visible()
        page.get_by_role("heading", name="Limits").click()
        expect(page.get_by_text("film positions")).to_be_visible()
        expect(page.locator(".sparkline polyline").first).to_be_attached(timeout=20_000)


def test_workers_of_a_fleet_are_shown(browser: Browser, console: str) -> None:
    """The rows of a cluster are added to the answer of a server without one."""
    workers = [
        {"name": "w1", "state": "ready", "threads": 8, "unitsPerSecond": 1234.5, "units": "9000"},
        {"node": "0123456789", "state": "refused", "why": "its build differs"},
    ]

    def with_fleet(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"fleet": "auto", "fleetWorkers": workers})

    with visit(browser, console) as tab:
        tab.page.route("**/GetStatus", with_fleet)
        tab.page.goto("/server")
        rows = tab.page.get_by_role("region", name="Workers").locator("tbody tr")
        expect(rows).to_have_count(2)
        expect(rows.first).to_contain_text("ready81.2K9K")
        expect(rows.last).to_contain_text("01234567refused its build differs")
        tab.check_accessible()
        tab.page.unroute_all(behavior="ignoreErrors")


def test_keys_alone_are_enough(browser: Browser, console: str) -> None:
    """A battle is found, and odds are changed, without a mouse."""
    with visit(browser, console) as tab:
        page = tab.page
        page.goto("/odds")
        expect(page.locator(".badge")).to_have_text("exact")
        before = page.locator(".shares .figure").first.inner_text()
        page.get_by_role("group", name="Attacker").get_by_label("Ronin", exact=True).focus()
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowUp")
        expect(page.locator(".shares .figure").first).not_to_have_text(before)
        assert "ronin=2" in page.url
