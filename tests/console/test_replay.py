"""Replays in a browser: files, the decision in the address, keys, views of seats, and playing on."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from sengoku import Match
from support.browser import decision, visit


@pytest.fixture(scope="module")
def replay(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match of forty decisions."""
    match = Match.create("battles", seats=2, seed=5)
    for _ in range(40):
        match.play(match.legal_actions()[0])
    path = tmp_path_factory.mktemp("replays") / "battle.replay"
    path.write_text(match.replay(), "utf-8")
    return path


def test_a_file_is_watched_from_its_beginning_to_its_end(
    browser: Browser, console: str, replay: Path
) -> None:
    with visit(browser, console) as tab:
        page = tab.page
        page.goto("/replay")
        page.locator("input[type=file]").set_input_files(replay)
        page.locator(".board svg").wait_for()
        assert decision(page) == 0
        expect(page.locator("output")).to_have_text("0 of 40")
        page.keyboard.press("ArrowRight")
        expect(page.locator("output")).to_have_text("1 of 40")
        assert page.url.endswith("#1")
        page.keyboard.press("End")
        expect(page.locator(".table")).to_have_attribute("data-decision", "40")
        page.keyboard.press("PageUp")
        assert decision(page) <= 40
        page.keyboard.press("Home")
        expect(page.locator("output")).to_have_text("0 of 40")
        page.locator("input[type=range]").fill("17")
        expect(page.locator(".table")).to_have_attribute("data-decision", "17")
        tab.check_accessible()
        page.reload()
        expect(page.locator(".table")).to_have_attribute("data-decision", "17")
        expect(page.locator("output")).to_have_text("17 of 40")


def test_it_plays_by_itself(browser: Browser, console: str, replay: Path) -> None:
    with visit(browser, console) as tab:
        page = tab.page
        page.goto("/replay")
        page.locator("input[type=file]").set_input_files(replay)
        page.locator(".board svg").wait_for()
        page.locator(".timeline select").first.select_option("20")
        page.get_by_role("button", name="Play", exact=True).click()
        expect(page.locator("output")).to_have_text("40 of 40", timeout=20_000)


def test_each_seat_sees_its_own_cards_only(browser: Browser, console: str, replay: Path) -> None:
    with visit(browser, console) as tab:
        page = tab.page
        page.goto("/replay")
        page.locator("input[type=file]").set_input_files(replay)
        page.locator(".board svg").wait_for()
        assert page.locator(".board").get_by_text("hand hidden").count() == 0
        page.get_by_label("Seen by").select_option("0")
        expect(page.locator(".board").get_by_text("hand hidden")).to_have_count(1)
        page.get_by_label("Seen by").select_option("public")
        expect(page.locator(".board").get_by_text("hand hidden")).to_have_count(2)


def test_a_match_goes_on_from_a_decision(browser: Browser, console: str, replay: Path) -> None:
    with visit(browser, console) as tab:
        page = tab.page
        page.goto("/replay")
        page.locator("input[type=file]").set_input_files(replay)
        page.locator(".board svg").wait_for()
        page.locator("input[type=range]").fill("20")
        page.get_by_text("Play on from here").click()
        page.get_by_role("button", name="Play on after decision 20").click()
        page.wait_for_url("**/match/*")
        page.locator(".action, .finish").first.wait_for()
        assert decision(page) >= 20


def test_an_analysis_is_drawn_under_the_board_and_kept_in_the_address(
    browser: Browser, console: str, tmp_path: Path
) -> None:
    match = Match.create("battles", seats=2, seed=9)
    while match.decisions < 8:
        match.play(match.legal_actions()[0])
    path = tmp_path / "short.replay"
    path.write_text(match.replay(), "utf-8")
    with visit(browser, console) as tab:
        page = tab.page
        page.goto("/replay")
        page.locator("input[type=file]").set_input_files(path)
        page.get_by_role("button", name="Analyse the match").click()
        curves = page.locator(".curves").filter(has_text="Win probability")
        curves.locator("path.curve").nth(1).wait_for()
        expect(page.locator("progress")).to_have_count(0, timeout=90_000)
        assert "analysis=" in page.url
        curves.locator("svg").click(position={"x": 400, "y": 60})
        expect(page.locator(".table")).not_to_have_attribute("data-decision", "0")
        tab.check_accessible()
        page.reload()
        curves.locator("path.curve").nth(1).wait_for()


def test_what_is_not_a_replay_is_refused_with_its_line(
    browser: Browser, console: str, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.txt"
    broken.write_text("this is no replay", "utf-8")
    with visit(browser, console) as tab:
        tab.expected = ["400"]
        tab.page.goto("/replay")
        tab.page.locator("input[type=file]").set_input_files(broken)
        expect(tab.page.get_by_role("alert")).to_contain_text("Line 1")


def test_a_replay_of_another_tab_says_what_to_do(browser: Browser, console: str) -> None:
    with visit(browser, console) as tab:
        tab.page.goto("/replay?file=0123456789abcdef")
        expect(tab.page.get_by_role("alert")).to_contain_text("Open the file again")
