"""A person plays matches through clicks: whole ones, with hints, reloads, rematches and other people."""

import json
import re

import pytest
from playwright.sync_api import Browser, Page, expect

from support.browser import (
    NARROW,
    Visit,
    decision,
    frames_of,
    play_to_the_end,
    start_match,
    visit,
    wait_beyond,
)

SHORT = {"swords": {"max_rounds": 1}, "tower": {"max_rounds": 1}, "battles": {"max_rounds": 2}}


@pytest.mark.parametrize("game", SHORT)
def test_a_short_match_is_played_to_its_end(browser: Browser, console: str, game: str) -> None:
    with visit(browser, console) as tab:
        start_match(tab.page, game, options=SHORT[game])
        tab.check_accessible()
        assert play_to_the_end(tab.page, seed=7, most=400) > 3
        tab.check_accessible()
        expect(tab.page.get_by_role("button", name="Rematch")).to_be_visible()
        expect(tab.page.locator(".story li").first).to_be_visible()


@pytest.mark.system
@pytest.mark.parametrize("game", SHORT)
def test_a_whole_match_is_played_to_its_end(browser: Browser, console: str, game: str) -> None:
    with visit(browser, console) as tab:
        start_match(tab.page, game)
        assert play_to_the_end(tab.page, seed=11, most=20_000) > 20
        expect(tab.page.locator(".finish")).to_contain_text("Why:")


def test_the_first_board_is_there_without_a_mouse(browser: Browser, console: str) -> None:
    with visit(browser, console) as tab:
        page = tab.page
        page.goto("/play")
        for _ in range(40):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement?.textContent?.startsWith('Battles')"):
                break
        page.keyboard.press("Enter")
        start = page.get_by_role("button", name="Start the match")
        start.wait_for()
        start.focus()
        page.keyboard.press("Enter")
        page.locator(".action").first.wait_for()
        before = decision(page)
        page.keyboard.press("1")
        wait_beyond(page, before)
        # A place of the board is reached by Tab, and chosen with Enter; not every decision has one.
        place = page.locator("[data-place].choice").first
        for _ in range(20):
            page.locator(".action:enabled").first.wait_for()
            if place.count():
                break
            before = decision(page)
            page.keyboard.press("1")
            wait_beyond(page, before)
        before = decision(page)
        place.focus()
        page.keyboard.press("Enter")
        page.wait_for_function(
            """before => Number(document.querySelector(".table").dataset.decision) > before
              || document.querySelector(".chip")""",
            arg=before,
        )


def test_reload_and_back_keep_the_match(browser: Browser, console: str) -> None:
    with visit(browser, console) as tab:
        page = tab.page
        start_match(page, "battles")
        address = page.url
        before = decision(page)
        page.locator(".action:enabled").first.click()
        wait_beyond(page, before)
        page.locator(".action:enabled").first.wait_for()
        page.wait_for_timeout(300)
        story = page.locator(".story li").all_inner_texts()
        page.reload()
        page.locator(".board svg").wait_for()
        assert decision(page) > before
        assert page.locator(".story li").all_inner_texts() == story
        page.go_back()
        expect(page.get_by_role("heading", name="Play")).to_be_visible()
        assert "game=battles" in page.url
        page.go_forward()
        page.locator(".board svg").wait_for()
        assert page.url == address


def test_a_hint_is_shown_on_the_board_and_can_be_played(browser: Browser, console: str) -> None:
    with visit(browser, console) as tab:
        start_match(tab.page, "swords")
        tab.page.get_by_role("button", name="Hint").click()
        tab.page.locator(".action.suggested").wait_for()
        expect(tab.page.locator(".hint")).to_contain_text("A strong bot would")
        before = decision(tab.page)
        tab.page.locator(".action.suggested").click()
        wait_beyond(tab.page, before)


def test_the_filter_leaves_the_actions_that_fit(browser: Browser, console: str) -> None:
    with visit(browser, console) as tab:
        start_match(tab.page, "swords")
        page = tab.page
        page.keyboard.press("/")
        page.keyboard.type("zzz")
        expect(page.get_by_text("No action fits")).to_be_visible()
        name = page.locator(".action")
        page.keyboard.press("Escape")
        page.get_by_role("searchbox").fill("")
        word = name.last.inner_text().split()[-1]
        page.get_by_role("searchbox").fill(word)
        expect(name.last).to_contain_text(word)


def test_an_action_without_another_is_played_by_itself(browser: Browser, console: str) -> None:
    with visit(browser, console) as tab:
        start_match(tab.page, "battles")
        page = tab.page
        actions = page.locator(".action")
        choice = page.get_by_label("Play an action by itself")
        expect(choice).to_be_checked()
        for _ in range(15):
            page.locator(".action:enabled").first.wait_for()
            expect(actions).not_to_have_count(1)
            before = decision(page)
            page.keyboard.press("1")
            wait_beyond(page, before)
        choice.uncheck()
        for _ in range(60):
            page.locator(".action:enabled").first.wait_for()
            if actions.count() == 1:
                break
            before = decision(page)
            actions.last.click()
            wait_beyond(page, before)
        page.wait_for_timeout(500)
        expect(actions).to_have_count(1)


def test_cards_are_explained_and_declining_comes_last(browser: Browser, console: str) -> None:
    with visit(browser, console) as tab:
        start_match(tab.page, "battles")
        page = tab.page
        card = page.locator(".action").first
        card.hover()
        name = card.inner_text().split("\n")[-1]
        expect(page.locator(".explanation")).to_contain_text(f"{name}: ")
        card.click()
        page.locator(".action:enabled").nth(1).wait_for()
        expect(page.locator(".action").last).to_contain_text(re.compile("no card|no orders|nothing"))


def test_another_person_takes_a_seat_by_link_and_sees_only_that(browser: Browser, console: str) -> None:
    """BT-COMP-06: nothing that the page of a seat receives names a card of the other hand."""
    with visit(browser, console) as first, visit(browser, console) as second:
        page = first.page
        page.goto("/play?game=battles")
        page.locator("select[name=seat-1]").select_option("person")
        page.get_by_role("button", name="Start the match").click()
        page.locator(".board svg").wait_for()
        link = page.locator(".link input").first.input_value()
        assert re.search(r"/match/[\w-]+#token=", link)
        second.page.goto(link)
        second.page.locator(".board svg").wait_for()
        assert "token" not in second.page.url
        for _ in range(12):
            for at in (page, second.page):
                if at.locator(".action:enabled").count():
                    before = decision(at)
                    at.locator(".action:enabled").first.click()
                    wait_beyond(at, before)
                    break
        hands = [hand_of(at) for at in (page, second.page)]
        assert all(hands)
        # Cards that were played are public, and there are several of a kind.
        public = set(re.findall(r"[CD]-[A-Z0-9-]+", frames_of(first, "spectator")))
        for tab, own, other in ((first, *hands), (second, *reversed(hands))):
            received = texts_of(tab)
            secret = other - own - public
            assert secret
            assert [card for card in own if card not in received] == []
            assert [card for card in secret if card in received] == []


def test_table_talk_reaches_the_others_as_text(browser: Browser, console: str) -> None:
    with visit(browser, console) as first, visit(browser, console) as second:
        page = first.page
        page.goto("/play?game=battles")
        page.locator("select[name=seat-1]").select_option("person")
        page.get_by_role("button", name="Start the match").click()
        second.page.goto(page.locator(".link input").first.input_value())
        page.get_by_placeholder("Say something").fill("<b>hello</b>")
        page.get_by_label("Proposal").select_option(label="Propose a truce")
        page.get_by_role("button", name="Say").click()
        said = second.page.locator(".messages li")
        expect(said).to_contain_text("proposes truce: “<b>hello</b>”")
        said.get_by_role("button", name="Accept").click()
        expect(page.locator(".messages li").last).to_contain_text("accepts the proposal")
        page.get_by_label("Proposal").select_option(label="Propose no attack on …")
        page.get_by_label("Where").select_option("3,4")
        page.get_by_role("button", name="Say").click()
        expect(said.last).to_contain_text("proposes no attack on 3,4")
        first.check_accessible()


def hand_of(page: Page) -> set[str]:
    """The cards of the hand that a page shows: their places on the board."""
    places = page.evaluate("[...document.querySelectorAll('.board [data-place]')].map(e => e.dataset.place)")
    return {place for place in places if re.match(r"[CD]-", place)}


def texts_of(tab: Visit) -> str:
    """What a tab received. Streams have no body that can be read later; their frames are asked for again."""
    calls = [response for response in tab.responses if "MatchService" in response.url]
    unary = [call.text() for call in calls if "WatchMatch" not in call.url and "CreateMatch" not in call.url]
    return json.dumps([frames_of(tab), *unary])


def test_a_rematch_is_another_match(browser: Browser, console: str) -> None:
    with visit(browser, console, size=NARROW) as tab:
        start_match(tab.page, "battles", options={"max_rounds": 1})
        play_to_the_end(tab.page, seed=3, most=200)
        before = tab.page.url
        tab.page.get_by_role("button", name="Rematch").click()
        tab.page.wait_for_url(lambda url: "/match/" in url and url != before)
        tab.page.locator(".action").first.wait_for()
        tab.check_accessible()


def test_who_resigns_gets_the_replay(browser: Browser, console: str) -> None:
    with visit(browser, console) as tab:
        start_match(tab.page, "tower")
        tab.page.locator(".action:enabled").first.click()
        tab.page.get_by_role("button", name="Resign").click()
        tab.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
        tab.page.wait_for_url("**/replay?file=*")
        tab.page.locator(".board svg").wait_for()


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("path", ["/play", "/play?game=battles&scenario=8", "/replay"])
def test_pages_are_accessible_and_fit(browser: Browser, console: str, path: str, dark: bool) -> None:
    with visit(browser, console, size=NARROW, dark=dark) as tab:
        tab.page.goto(path)
        tab.page.locator("h1").wait_for()
        tab.page.wait_for_load_state("networkidle")
        tab.check_accessible()
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= NARROW[0]
