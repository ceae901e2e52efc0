"""Who may call over HTTP: tokens and roles at every method, origins and names of the server, certificates."""

import ssl
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from sengoku.errors import ArgumentError
from sengoku.server import Server, auth
from sengoku.server.auth import Access, Tokens, make_token
from sengoku.server.tls import Tls
from support.access import EVALUATE, GET_VERSION, METHODS, READING, Clock, write
from support.certificates import Authority, Pair
from support.connect import Caller, reason_of


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, dict[str, str]]]:
    made = {role: make_token(f"{role}er", role) for role in auth.ROLES}
    file = write(tmp_path_factory.mktemp("access") / "tokens.toml", *(lines for _, lines in made.values()))
    with Server(port=0, http_port=0, access=Access(Tokens(file))) as server:
        yield server, {role: token for role, (token, _) in made.items()}


def test_every_role_at_every_method(guarded: tuple[Server, dict[str, str]]) -> None:
    server, tokens = guarded
    with Caller(server) as nobody, Caller(server, "wrong") as stranger:
        callers = {role: Caller(server, token) for role, token in tokens.items()}
        for name, method in METHODS.items():
            assert reason_of(nobody, name, method) == "UNAUTHENTICATED", name
            assert reason_of(stranger, name, method) == "UNAUTHENTICATED", name
            told = {role: reason_of(caller, name, method) for role, caller in callers.items()}
            if method.client_streaming:
                assert set(told.values()) == {"UNKNOWN_METHOD"}, name
                continue
            refused = [role for role, reason in told.items() if reason == "NOT_ALLOWED"]
            assert refused == ([] if name in READING else ["read"]), name
            assert not {"UNAUTHENTICATED", "UNKNOWN_METHOD"} & set(told.values()), name
        for caller in callers.values():
            caller.http.close()
    assert server.calls_under_way == 0


def test_an_unknown_method_needs_a_token_too(guarded: tuple[Server, dict[str, str]]) -> None:
    server, tokens = guarded
    with Caller(server) as nobody, Caller(server, tokens["read"]) as reader:
        refused = nobody.post("/no.Such/Method", b"", "proto")
        assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
        assert reader.post("/no.Such/Method", b"", "proto").status_code == 404


def test_pages_that_show_nothing_are_open_and_metrics_are_not(
    guarded: tuple[Server, dict[str, str]],
) -> None:
    server, tokens = guarded
    with Caller(server) as nobody, Caller(server, tokens["read"]) as reader:
        for path in ("/healthz", "/livez", "/openapi.json"):
            assert nobody.http.get(path).status_code == 200
        assert nobody.http.get("/metrics").status_code == 401
        assert "sengoku_requests_total" in reader.http.get("/metrics").text


def test_pages_of_other_sites_may_not_call() -> None:
    with Server(port=0, http_port=0) as server, Caller(server) as caller:
        own = str(server.http_address)
        for headers, status in (
            ({}, 200),
            ({"origin": own}, 200),
            ({"origin": "https://evil.example"}, 403),
            ({"origin": "null"}, 403),
            ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}, 403),
            ({"sec-fetch-site": "same-origin"}, 200),
            ({"host": "evil.example"}, 403),
            ({"host": f"localhost:{server.http_port}"}, 200),
            ({"host": "[::1]:80"}, 200),
            ({"host": ""}, 400),
            ({"host": "a b"}, 400),
        ):
            answer = caller.http.post(
                GET_VERSION, content=b"{}", headers={"content-type": "application/json", **headers}
            )
            assert answer.status_code == status, headers
            assert "access-control-allow-origin" not in answer.headers
        preflight = {"origin": "https://evil.example", "access-control-request-method": "POST"}
        assert caller.http.options(GET_VERSION, headers=preflight).status_code == 403


def test_named_origins_may_call() -> None:
    page = "https://pages.example:8443"
    with Server(port=0, http_port=0, http_origins=[page]) as server, Caller(server) as caller:
        asked = {"origin": page, "access-control-request-method": "POST"}
        preflight = caller.http.options(EVALUATE, headers=asked)
        assert preflight.status_code == 204
        assert preflight.headers["access-control-allow-origin"] == page
        assert "content-type" in preflight.headers["access-control-allow-headers"]
        answer = caller.post(GET_VERSION, b"{}", "json", origin=page)
        assert answer.status_code == 200
        assert answer.headers["access-control-allow-origin"] == page
        assert "origin" in answer.headers["vary"]
        failed = caller.post(EVALUATE, b"{}", "json", origin=page)
        assert (failed.status_code, failed.headers["access-control-allow-origin"]) == (400, page)
        assert caller.post(GET_VERSION, b"{}", "json", origin="https://evil.example").status_code == 403
        # A proxy calls the server by the name of the page.
        assert caller.post(GET_VERSION, b"{}", "json", host="pages.example:8443").status_code == 200


@pytest.mark.parametrize("origin", ["*", "example.org", "https://example.org/", "file://x", ""])
def test_origins_that_are_none(origin: str) -> None:
    with pytest.raises(ArgumentError, match="http_origin"):
        Server(port=0, http_port=0, http_origins=[origin])


def connected(server: Server, ca: Path, pair: Pair | None = None) -> httpx.Client:
    context = ssl.create_default_context(cafile=str(ca))
    if pair is not None:
        context.load_cert_chain(pair.cert, pair.key)
    return httpx.Client(base_url=str(server.http_address), verify=context, timeout=20)


def presented(server: Server) -> bytes:
    """The certificate of the server at a new connection."""
    assert server.http_port is not None
    return ssl.get_server_certificate(("127.0.0.1", server.http_port)).encode()


def test_certificates_are_renewed_at_the_next_connection(pair: Pair, authority: Authority) -> None:
    clock = Clock()
    tls = Tls(pair.cert, pair.key, clock=clock)
    with Server(port=0, http_port=0, access=Access(tls=tls)) as server:
        assert str(server.http_address).startswith("https://")
        with connected(server, authority.cert) as client:
            assert client.get("/healthz").text == "SERVING"
            before = presented(server)
            fresh = authority.issue("server", file="fresh")
            pair.key.write_bytes(fresh.key.read_bytes())
            pair.cert.write_bytes(fresh.cert.read_bytes())
            clock.now += 60
            assert presented(server) != before
            assert client.get("/healthz").text == "SERVING", "the connection stays"


def test_clients_have_the_names_of_their_certificates(pair: Pair, authority: Authority) -> None:
    tls = Tls(pair.cert, pair.key, authority.cert)
    with Server(port=0, http_port=0, access=Access(tls=tls)) as server:
        with connected(server, authority.cert, authority.issue("night shift")) as client:
            started = client.post(
                "/sengoku.v1.CatalogService/GetStatus", json={}, headers={"content-type": "application/json"}
            )
            assert started.status_code == 200
            assert "night shift" in started.text
        with pytest.raises(httpx.HTTPError), connected(server, authority.cert) as client:
            client.get("/healthz")


def test_another_authority_counts_from_the_next_connection(
    pair: Pair, authority: Authority, tmp_path: Path
) -> None:
    other = Authority(tmp_path, "other")
    trusted = tmp_path / "trusted.pem"
    trusted.write_bytes(authority.cert.read_bytes())
    clock = Clock()
    tls = Tls(pair.cert, pair.key, trusted, clock=clock)
    ours, theirs = authority.issue("ours"), other.issue("theirs")
    with Server(port=0, http_port=0, access=Access(tls=tls)) as server:
        with connected(server, authority.cert, ours) as client:
            assert client.get("/healthz").status_code == 200
        trusted.write_bytes(other.cert.read_bytes())
        clock.now += 60
        with pytest.raises(httpx.HTTPError), connected(server, authority.cert, ours) as client:
            client.get("/healthz")
        with connected(server, authority.cert, theirs) as client:
            assert client.get("/healthz").status_code == 200


def test_no_page_is_served_without_tls_to_other_machines() -> None:
    with pytest.raises(ArgumentError, match="would be sent unencrypted"):
        Server(host="0.0.0.0", port=0, http_port=0)  # noqa: S104 - what is refused


def test_the_date_is_that_of_now() -> None:
    with Server(port=0, http_port=0) as server, Caller(server) as caller:
        dates = set()
        for _ in range(40):
            dates.add(caller.http.get("/livez").headers["date"])
            if len(dates) > 1:
                break
            time.sleep(0.1)
        assert len(dates) > 1
