"""What the page of a seat receives does not depend on the secrets of another seat."""

import re

import pytest
from playwright.sync_api import Browser

from support.browser import decision, frames_of, visit, wait_beyond

SAME_SEED = "crypto.getRandomValues = (numbers) => numbers.fill(7)"


def received(browser: Browser, console: str, game: str, secret: str, choice: int) -> tuple[str, str, str]:
    """What the page of seat 1 gets and shows after seat 0 has chosen something in secret, and its choice."""
    with visit(browser, console) as first, visit(browser, console) as second:
        own, other = first.page, second.page
        own.add_init_script(SAME_SEED)
        own.goto(f"/play?game={game}")
        own.locator("select[name=seat-1]").select_option("person")
        own.get_by_role("button", name="Start the match").click()
        other.goto(own.locator(".link input").first.input_value())
        for page in (own, other):
            page.locator(".board svg").wait_for()
        while not (
            own.locator("legend").count() and re.search(secret, own.locator("legend").first.inner_text())
        ):
            acting = own if own.locator(".action:enabled").count() else other
            if acting.locator(".action:enabled").count():
                before = decision(acting)
                acting.locator(".action:enabled").first.click()
                wait_beyond(acting, before)
            else:
                own.wait_for_timeout(20)
        chosen = own.locator(".action:enabled").nth(choice)
        name, before = chosen.get_attribute("aria-label") or "", decision(own)
        chosen.click()
        wait_beyond(own, before)
        wait_beyond(other, before)
        board = other.locator(".board svg").evaluate("picture => picture.outerHTML")
        return frames_of(second), f"{board}{other.locator('main').inner_text()}", name


@pytest.mark.parametrize(("game", "secret"), [("tower", "^Plan bid"), ("swords", "koku for|Amounts")])
def test_a_secret_choice_changes_nothing_for_the_others(
    browser: Browser, console: str, game: str, secret: str
) -> None:
    """TW-PLAN-01, SW-PLAN-01: plans are secret until all are made."""
    frames, shown, name = received(browser, console, game, secret, 0)
    other_frames, other_shown, other_name = received(browser, console, game, secret, -1)
    assert name != other_name
    assert frames == other_frames
    assert shown == other_shown
