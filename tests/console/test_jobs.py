"""Runs and tournaments in a browser: started with a form, watched, cancelled, resumed, and read."""

import csv
import io
import json
import re
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from sengoku import Client, run_matches
from sengoku.server import Server
from support.browser import NARROW, visit

expect.set_options(timeout=20_000)  # for machines that do much else


@pytest.fixture
def served() -> Iterator[Server]:
    """A server of its own, because these tests look at all of its jobs."""
    with Server(port=0, http_port=0) as server:
        yield server


def saved(page: Page, button: str) -> bytes:
    """Press a button that saves a file, and return the file."""
    with page.expect_download() as download:
        page.get_by_role("button", name=button).click()
    return Path(download.value.path()).read_bytes()


def test_a_run_is_started_watched_cancelled_and_resumed(browser: Browser, served: Server) -> None:
    assert served.http_address is not None
    with visit(browser, served.http_address) as tab, Client(served.address) as client:
        page = tab.page
        page.goto("/runs")
        expect(page.get_by_text("There is no run yet.")).to_be_visible()
        page.get_by_role("combobox", name="Battle").select_option("8")
        page.get_by_label("Seat 1").fill("random")
        page.get_by_label("Matches").fill("2000000")
        tab.check_accessible()
        page.get_by_role("button", name="Start", exact=True).click()
        expect(page.get_by_role("heading", name="battles 8: greedy against random")).to_be_visible()
        expect(page.get_by_text("running", exact=True)).to_be_visible()
        expect(page.get_by_role("heading", name="Who wins")).to_be_visible(timeout=20_000)
        page.get_by_role("button", name="Cancel").click()
        expect(page.get_by_text("cancelled", exact=True)).to_be_visible()
        (run,) = client.runs()
        done = run.status.matches_done
        assert done > 0
        rows = list(csv.DictReader(io.StringIO(saved(page, "Download CSV").decode())))
        expected = run_matches(
            "battles", bots=["greedy", "random"], match_count=done, seed=1, setup={"scenario": 8}
        )
        assert io.StringIO(expected.to_csv() or "").read().splitlines()[1] == ",".join(rows[0].values())
        assert len(rows) == done
        assert rows == list(csv.DictReader(io.StringIO(expected.to_csv() or "")))
        assert saved(page, "Download Parquet")[:4] == b"PAR1"
        page.get_by_role("heading", name="How long matches take").click()
        mean = Decimal(sum(int(row["rounds"]) for row in rows)) / done  # rounded as browsers do
        shown = mean.quantize(Decimal("0.01"), ROUND_HALF_UP)
        expect(page.get_by_text(f"mean {shown}, median")).to_be_visible()
        page.reload()
        expect(page.get_by_text("cancelled", exact=True)).to_be_visible()
        tab.check_accessible()
        page.get_by_role("button", name="Resume").click()
        expect(page.get_by_text("running", exact=True)).to_be_visible()
        page.get_by_role("button", name="Cancel").click()
        expect(page.get_by_text("cancelled", exact=True)).to_be_visible()
        page.get_by_role("button", name="Delete").click()
        page.get_by_role("button", name="Really delete?").click()
        expect(page.get_by_text("There is no run yet.")).to_be_visible()
        assert client.runs() == []


def test_a_run_that_cannot_be_says_why(browser: Browser, console: str) -> None:
    with visit(browser, console) as tab:
        tab.expected.append("400")
        page = tab.page
        page.goto("/runs")
        page.get_by_label("Seat 0").fill("genius")
        page.get_by_role("button", name="Start", exact=True).click()
        expect(page.get_by_role("alert")).to_contain_text("genius")
        page.goto("/runs/0123456789abcdef0123456789abcdef")
        tab.expected.append("404")
        expect(page.get_by_role("alert")).to_contain_text("RUN_NOT_FOUND")


def test_a_tournament_is_created_and_watched(browser: Browser, served: Server) -> None:
    assert served.http_address is not None
    with visit(browser, served.http_address) as tab, Client(served.address) as client:
        page = tab.page
        page.goto("/tournaments")
        page.get_by_label("Name", exact=True).fill("Spring")
        page.get_by_label("Battles, by number").fill("1")
        page.get_by_label("Blocks", exact=True).fill("2")
        page.get_by_label("stop a meeting").check()
        tab.check_accessible()
        page.get_by_role("button", name="Create", exact=True).click()
        expect(page.get_by_role("heading", name="Spring")).to_be_visible()
        expect(page.get_by_text("done", exact=True)).to_be_visible(timeout=30_000)
        (tournament,) = client.tournaments()
        table = json.loads(saved(page, "Download JSON"))
        assert table == json.loads(tournament.table("json"))
        standings = page.locator("section", has=page.get_by_role("heading", name="Standings")).locator(
            "tbody tr"
        )
        assert [row.locator("td").nth(1).inner_text() for row in standings.all()] == [
            "greedy",
            "half",
            "random",
        ]
        expect(page.locator("figure.intervals circle")).to_have_count(3)
        expect(page.locator("table.square").first.locator("tbody tr")).to_have_count(3)
        expect(page.get_by_role("heading", name="Seat by seat")).to_be_visible()
        matches = page.get_by_role("region", name="Matches").locator("tbody tr")
        expect(matches).to_have_count(int(tournament.status.matches_done))
        address = matches.first.get_by_role("link").get_attribute("href") or ""
        assert re.fullmatch(
            rf"/replay\?tournament={tournament.name.replace('/', '%2F')}&match=[\w.-]+", address
        )
        tab.check_accessible()
        page.set_viewport_size({"width": NARROW[0], "height": NARROW[1]})
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROW[0]
        page.reload()
        expect(page.get_by_text("done", exact=True)).to_be_visible()
        page.get_by_role("link", name="Tournaments", exact=True).last.click()
        expect(page.get_by_role("link", name="Spring")).to_be_visible()
        page.go_back()
        expect(page.get_by_role("heading", name="Spring")).to_be_visible()
        matches.first.get_by_role("link").click()
        expect(page.locator(".board svg")).to_be_visible()


def test_an_own_tournament_file_is_checked(browser: Browser, console: str) -> None:
    with visit(browser, console) as tab:
        tab.expected.append("400")
        page = tab.page
        page.goto("/tournaments")
        page.get_by_text("The tournament file").click()
        page.get_by_label("What is sent").fill('name = "x"\nformat = "lottery"\n')
        page.get_by_role("button", name="Create", exact=True).click()
        expect(page.get_by_role("alert")).to_contain_text("lottery")
