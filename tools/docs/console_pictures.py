"""Takes the pictures of the guide to the console: a server, a browser, and what they show after some work.

`python -m tools.docs.console_pictures` writes docs/pictures/console_*.png.
"""

import io
import shutil
from collections.abc import Callable
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from sengoku import Client, Match
from sengoku.server import Server

FOLDER = Path(__file__).parents[2] / "docs/pictures"
BOARD, WIDE, NARROW = (1440, 880), (1180, 820), (390, 820)
_COLOURS = 160
_TOURNAMENT = """
name = "spring"
seed = 7
blocks = 6
bots = [{name = "greedy"}, {name = "half", bot = "mix:greedy=50"}, {name = "random"}]
games = [{game = "battles", scenarios = [1, 8]}]
"""


def save(page: Page, name: str, width: int) -> None:
    """Write what a page shows as a small picture."""
    shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    shot = shot.resize((width, round(shot.height * width / shot.width)), Image.Resampling.LANCZOS)
    shot.quantize(_COLOURS, Image.Quantize.MAXCOVERAGE).save(FOLDER / f"console_{name}.png", optimize=True)


def odds(page: Page) -> None:
    """Odds of an attack on a castle."""
    page.goto(
        "/odds#attacker=daimyo=1,bow=2,gun=3,sword=2,spear=4&defender=bow=1,spear=4&fort=castle&naval=yes"
    )
    page.get_by_text("exact", exact=True).wait_for()


def tower(page: Page) -> None:
    """The cube tower in the middle of a throw."""
    page.goto("/tower#seed=1")
    page.get_by_label("Time of the throw").fill("0.62")
    page.locator("canvas").wait_for()
    page.wait_for_timeout(1000)


def battle(page: Page) -> None:
    """A battle with its map."""
    page.goto("/games/battles/8")
    page.locator(".map svg").wait_for()


def tournament(page: Page) -> None:
    """The standings of a tournament, on a phone."""
    page.goto("/tournaments")
    page.get_by_role("link", name="spring").click()
    page.locator(".intervals circle").first.wait_for()


def played(page: Page, game: str, clicks: int) -> None:
    """A match of a person against bots after some clicks."""
    page.add_init_script("sessionStorage.setItem('sengoku.pace', '0')")
    page.goto(f"/play?game={game}")
    page.get_by_role("button", name="Start the match").click()
    for _ in range(clicks):
        action = page.locator(".action:enabled")
        action.first.wait_for()
        before = page.locator(".table").get_attribute("data-decision")
        action.last.click()
        page.locator(f".table:not([data-decision='{before}'])").wait_for()
    page.locator(".action:enabled").first.wait_for()


def match(page: Page) -> None:
    """A match of `tower`."""
    played(page, "tower", 16)


def phone(page: Page) -> None:
    """A match on a phone."""
    played(page, "battles", 1)


def replay(page: Page) -> None:
    """A replay, some decisions after its beginning."""
    match = Match.create("swords", seats=3, seed=3)
    while match.decisions < 120:
        match.play(match.legal_actions()[match.decisions % 2 - 1])
    page.goto("/replay")
    file = {"name": "match.replay", "mimeType": "text/plain", "buffer": match.replay().encode()}
    page.locator("input[type=file]").set_input_files(file)  # type: ignore[arg-type]
    page.locator("input[type=range]").fill("100")
    page.locator(".table[data-decision='100']").wait_for()
    page.wait_for_timeout(500)


PICTURES: dict[str, tuple[tuple[int, int], bool, int, Callable[[Page], None]]] = {
    "match": (BOARD, False, 1000, match),
    "replay": (BOARD, True, 1000, replay),
    "phone": (NARROW, True, 320, phone),
    "odds": (WIDE, False, 900, odds),
    "tower": (WIDE, True, 900, tower),
    "battle": (WIDE, False, 900, battle),
    "tournament": (NARROW, False, 320, tournament),
}
"""Each picture: size of the window, whether dark, width of the picture, and how to get there."""


def main() -> None:
    """Start what is needed, and take all pictures."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with (
        Server(port=0, http_port=0) as server,
        Client(server.address) as client,
        sync_playwright() as playwright,
    ):
        client.create_tournament(_TOURNAMENT).wait()
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, (size, dark, width, visit) in PICTURES.items():
            page = browser.new_page(
                base_url=server.http_address,
                viewport={"width": size[0], "height": size[1]},
                color_scheme="dark" if dark else "light",
                reduced_motion="reduce",
            )
            visit(page)
            save(page, name, width)
        browser.close()


if __name__ == "__main__":
    main()
