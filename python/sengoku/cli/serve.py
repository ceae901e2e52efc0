"""The `serve` and `token` commands: a gRPC server, and access to it."""

# ruff: noqa: PLC0415 - help and completion must not load the server

import inspect
from dataclasses import Field, fields
from pathlib import Path
from typing import Annotated, Any

from sengoku.cli.commands import App
from sengoku.cli.options import PORT, Json, argument, option, with_options
from sengoku.cli.output import err, print_json
from sengoku.server.limits import Limits, flag_of

app = App()


def _help_of_limit(field: Field[Any]) -> str:
    error = field.metadata["error"]
    return f"{field.metadata['about'].removesuffix('.')}{f' ({error})' if error else ''}."


_LIMITS = {flag_of(limit).removeprefix("--").replace("-", "_"): limit for limit in fields(Limits)}
_LIMIT_OPTIONS = [
    inspect.Parameter(
        flag,
        inspect.Parameter.KEYWORD_ONLY,
        default=limit.default,
        annotation=Annotated[int, option(_help_of_limit(limit), min=1, rich_help_panel="Limits")],
    )
    for flag, limit in _LIMITS.items()
]


def _limits(**values: int) -> Limits:
    return Limits(**{_LIMITS[flag].name: value for flag, value in values.items()})


_STORE = 'File that stores long runs and tournaments; ":memory:" stores nothing.'
_DRAIN = "Seconds between reporting NOT_SERVING (health) and refusing new calls."
_CLIENT_CA = "Accept only clients with a certificate of this authority (PEM)."
_TOKENS = "Accept only clients with a token in this file, made with `sengoku token`."
_INSECURE = "Listen without TLS on an address that other machines reach."
_PUBLIC_METRICS = "Serve metrics on an address that other machines reach."
_FLEET = "Do heavy work on a Ray cluster: auto, local, local:2 (two workers), ray://HOST:10001 or HOST:6379."
_METRICS = "Serve Prometheus metrics; 0 is any free port."
_HTTP = "Serve all methods over HTTP too, MCP at /mcp, and the console; 0 is any free port."
_ORIGINS = "Origin whose pages may call over HTTP, as https://example.org; can be repeated."


@app.command("serve")
@with_options("limits", _LIMIT_OPTIONS, _limits)
def serve_command(
    host: Annotated[str, option("Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, option("Port to listen on; 0 is any free port.", min=0, max=65535)] = PORT,
    threads: Annotated[int, option("Worker threads; 0 uses all cores.", min=0)] = 0,
    grace: Annotated[float, option("Seconds for calls in progress to finish when stopping.", min=0)] = 30.0,
    drain_delay: Annotated[float, option(_DRAIN, min=0)] = 0.0,
    store: Annotated[
        str | None, option(_STORE, show_default="runs.sqlite3 in the user's state folder")
    ] = None,
    tls_cert: Annotated[Path | None, option("Certificate chain (PEM); reloaded when it changes.")] = None,
    tls_key: Annotated[Path | None, option("Key of the certificate (PEM).")] = None,
    tls_client_ca: Annotated[Path | None, option(_CLIENT_CA)] = None,
    token_file: Annotated[Path | None, option(_TOKENS)] = None,
    allow_insecure_public: Annotated[bool, option(_INSECURE, "--allow-insecure-public")] = False,
    http_port: Annotated[int | None, option(_HTTP, min=0, max=65535)] = None,
    http_origin: Annotated[list[str] | None, option(_ORIGINS)] = None,
    metrics_port: Annotated[int | None, option(_METRICS, min=0, max=65535)] = None,
    metrics_host: Annotated[str, option("Address to serve metrics on.")] = "127.0.0.1",
    allow_public_metrics: Annotated[bool, option(_PUBLIC_METRICS, "--allow-public-metrics")] = False,
    log_format: Annotated[str, option("Format of the log: text or json.")] = "text",
    log_level: Annotated[str, option("Lowest level to log: debug, info, warning or error.")] = "info",
    fleet: Annotated[str | None, option(_FLEET, metavar="ADDRESS")] = None,
    *,
    limits: Limits,
) -> None:
    """Serve odds and matches over gRPC until SIGTERM or Ctrl-C.

    Calls in progress are allowed to finish; a second signal stops the server at once. With the variable
    OTEL_TRACES_EXPORTER=otlp the server records spans (OpenTelemetry), and with OTEL_METRICS_EXPORTER=otlp it
    sends its metrics.
    """
    from sengoku.server import Access, Server, Tls, Tokens, logging, metrics_export, serve
    from sengoku.storage import default_store
    from sengoku.wire import spans

    logging.set_up(log_format, log_level, alone=True)
    send_spans = spans.configure()
    tokens = None if token_file is None else Tokens(token_file)
    access = Access(tokens, Tls.of(tls_cert, tls_key, tls_client_ca))
    server = Server(
        host=host,
        port=port,
        threads=threads,
        limits=limits,
        store=store or default_store(),
        access=access,
        allow_insecure_public=allow_insecure_public,
        metrics_host=metrics_host,
        metrics_port=metrics_port,
        allow_public_metrics=allow_public_metrics,
        http_port=http_port,
        http_origins=http_origin or (),
        fleet=fleet,
    )

    send_metrics = metrics_export.configure(server.metrics)

    def ready() -> None:
        if server.metrics_port is not None:
            print(f"metrics on {server.metrics_port.address}", flush=True)
        if server.http_address is not None:
            print(f"console on {server.http_address}", flush=True)
        print(f"listening on {server.address}", flush=True)

    serve(server, grace=grace, drain_delay=drain_delay, ready=ready)
    for send_rest in (send_spans, send_metrics):
        if send_rest is not None:
            send_rest()


_ROLES = "read: look; run: also start work; admin: also see and stop other clients' runs."


@app.command("token")
def token_command(
    name: Annotated[str, argument("Name of the client: letters, digits, '.', '_', '@' and '-'.", "NAME")],
    role: Annotated[str, option(_ROLES)] = "run",
    as_json: Json = False,
) -> None:
    """Create an access token for a client.

    The token is shown once and stored nowhere. The lines after it belong into the file of
    `sengoku serve --token-file`.
    """
    from sengoku.server.auth import make_token

    token, lines = make_token(name, role)
    if as_json:
        print_json({"token": token, "lines": lines})
    else:
        err().print("The token for the client; it is not stored anywhere:", highlight=False)
        print(token)
        err().print("Lines for the token file of the server:", highlight=False)
        print(lines, end="")
