"""Tokens and roles in the console: who is not signed in, who is, and who may not."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from sengoku.server import Server
from sengoku.server.auth import Access, Tokens, make_token
from support.browser import visit


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, dict[str, str]]]:
    """The address of a server with tokens, and one token of each role."""
    file: Path = tmp_path_factory.mktemp("tokens") / "tokens.toml"
    made = {role: make_token(f"{role}er", role) for role in ("read", "run")}
    file.write_text("\n".join(entry for _, entry in made.values()), "utf-8")
    file.chmod(0o600)
    with Server(port=0, http_port=0, access=Access(Tokens(file))) as server:
        assert server.http_address is not None
        yield server.http_address, {role: token for role, (token, _) in made.items()}


def test_a_token_is_asked_for_and_kept_for_the_tab_only(
    browser: Browser, guarded: tuple[str, dict[str, str]]
) -> None:
    address, tokens = guarded
    with visit(browser, address) as tab:
        tab.expected = ["401"]
        page = tab.page
        page.goto("/play?game=battles")
        expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
        tab.check_accessible()
        page.get_by_label("Token").fill("sgk_wrong")
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("alert")).to_contain_text("refused")
        page.get_by_label("Token").fill(tokens["run"])
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("button", name="Start the match")).to_be_visible()
        page.reload()
        expect(page.get_by_role("button", name="Start the match")).to_be_visible()
        assert page.evaluate("localStorage.length") == 0
        assert page.evaluate("document.cookie") == ""
        assert tokens["run"] not in page.url
        page.get_by_role("button", name="Sign out").click()
        expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
        assert tokens["run"] not in page.evaluate("JSON.stringify(sessionStorage)")


def test_a_role_that_is_too_low_is_told_what_to_do(
    browser: Browser, guarded: tuple[str, dict[str, str]]
) -> None:
    address, tokens = guarded
    with visit(browser, address) as tab:
        tab.expected = ["401", "403"]
        page = tab.page
        page.goto("/play?game=battles")
        page.get_by_label("Token").fill(tokens["read"])
        page.get_by_role("button", name="Sign in").click()
        page.get_by_role("button", name="Start the match").click()
        expect(page.get_by_role("alert")).to_contain_text("role")
        assert "/play" in page.url
