"""A real browser for tests of the console: found by its path, and pages that note every fault."""

import os
import random
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Page, Response, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
WIDE, NARROW = (1440, 900), (360, 740)


def chromium() -> str:
    """The browser of this machine: the one named by CHROMIUM, or the first that is installed."""
    named = os.environ.get("CHROMIUM")
    found = named or next(filter(None, map(shutil.which, NAMES)), None)
    assert found, "no Chromium was found: `make browser` installs it, or CHROMIUM names one"
    return found


@contextmanager
def running_browser() -> Iterator[Browser]:
    """A browser that ends with the block."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Visit:
    """A tab with everything that went wrong in it, and everything that it received."""

    page: Page
    faults: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)
    """Parts of faults that the test brings about."""
    responses: list[Response] = field(default_factory=list)

    def check(self) -> None:
        """Fail if the page complained about anything that was not expected."""
        unexpected = [fault for fault in self.faults if not any(part in fault for part in self.expected)]
        assert unexpected == []

    def check_accessible(self) -> None:
        """Fail if axe finds anything serious."""
        found = Axe().run(self.page).response["violations"]
        serious = [rule for rule in found if rule["impact"] in {"serious", "critical"}]
        assert [(rule["id"], [node["html"][:160] for node in rule["nodes"][:3]]) for rule in serious] == []


@contextmanager
def visit(
    browser: Browser,
    address: str,
    *,
    size: tuple[int, int] = WIDE,
    dark: bool = False,
    pace: int = 0,
) -> Iterator[Visit]:
    """Open a tab of its own session; at the end, nothing may have gone wrong in it."""
    context = browser.new_context(
        base_url=address,
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
    )
    context.set_default_timeout(30_000)
    page = context.new_page()
    tab = Visit(page)

    def complain(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            tab.faults.append(f"{message.type}: {message.text} at {message.location.get('url')}")

    def receive(response: Response) -> None:
        tab.responses.append(response)

    page.on("console", complain)
    page.on("pageerror", lambda error: tab.faults.append(f"exception: {error}"))
    page.on("response", receive)
    page.add_init_script(
        f"sessionStorage.getItem('sengoku.pace') ?? sessionStorage.setItem('sengoku.pace', '{pace}')"
    )
    try:
        yield tab
        tab.check()
    except BaseException:
        folder = Path("build") / "console"
        folder.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=folder / "failed.png")
        raise
    finally:
        context.close()


def start_match(page: Page, game: str, *, options: dict[str, int] | None = None) -> None:
    """Start a match of the person against bots of the usual strength, through the form."""
    page.goto(f"/play?game={game}")
    if options:
        page.get_by_text("Options", exact=True).click()
        for name, value in options.items():
            page.locator(f"input[name={name}]").fill(str(value))
    page.get_by_role("button", name="Start the match").click()
    page.locator(".board svg").wait_for()


def wait_beyond(page: Page, before: int) -> None:
    """Wait for the board after a later decision."""
    script = "before => Number(document.querySelector('.table').dataset.decision) > before"
    page.wait_for_function(script, arg=before)


def decision(page: Page) -> int:
    """The decision after which the board is shown."""
    return int(page.locator(".table").get_attribute("data-decision") or 0)


def play_to_the_end(page: Page, seed: int, *, most: int) -> int:
    """Play by clicks, also on the board, until the match is over; return the number of clicks."""
    choice = random.Random(seed)
    for clicks in range(most):
        page.locator(".finish, .action:enabled").first.wait_for()
        if page.locator(".finish").count():
            return clicks
        before = decision(page)
        picked = page.locator(".chip").all_inner_texts()
        places = page.locator("[data-place].choice")
        if choice.random() < 0.4 and places.count():
            place = places.nth(choice.randrange(places.count()))
            # What lies over places lets clicks through, which the check for covered elements does not know.
            place.dispatch_event("click")
        else:
            actions = page.locator(".action:enabled")
            actions.nth(choice.randrange(actions.count())).click()
        page.wait_for_function(
            """([before, picked]) => {
              const table = document.querySelector(".table");
              const ready = table.querySelector(".action:enabled, .finish") !== null;
              const picks = [...table.querySelectorAll(".chip")].map((chip) => chip.innerText);
              return (Number(table.dataset.decision) !== before && ready) || picks.join() !== picked.join();
            }""",
            arg=[before, picked],
        )
    raise AssertionError(f"the match is not over after {most} clicks")


def frames_of(tab: Visit, kind: str = "token") -> str:
    """All frames of the match of a tab, with the token that it plays with or another one that it has."""
    frames: str = tab.page.evaluate(
        """async (kind) => {
          const prefix = "sengoku.match.";
          const key = Object.keys(sessionStorage).find((name) => name.startsWith(prefix));
          const token = JSON.parse(sessionStorage.getItem(key))[kind];
          const names = ["PICTURE", "VIEW", "EVENTS", "LONG_STORY", "ACTIONS", "SKETCH"];
          const parts = names.map((part) => `FRAME_PART_${part}`);
          const match = { matchId: key.slice(prefix.length), token };
          const answer = await fetch("/sengoku.v1.MatchService/GetReplayFrames", {
            method: "POST",
            headers: { "Content-Type": "application/json" },
            body: JSON.stringify({ match, parts }),
          });
          return JSON.stringify(await answer.json());
        }""",
        kind,
    )
    return frames
