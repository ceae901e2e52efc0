"""Write the Grafana dashboard with `python -m tools.dashboard`: its panels are a table here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

TARGET = Path(__file__).parents[1] / "deploy" / "monitoring" / "grafana" / "dashboards" / "sengoku.json"

PANELS = [
    # title, unit, width of 24, queries with their legends
    (
        "Answers a second",
        "reqps",
        12,
        [("sum by (code) (rate(sengoku_requests_total[$__rate_interval]))", "{{code}}")],
    ),
    (
        "Errors a second, by reason",
        "reqps",
        12,
        [("sum by (reason) (rate(sengoku_errors_total[$__rate_interval]))", "{{reason}}")],
    ),
    (
        "Duration of Evaluate",
        "s",
        12,
        [
            (
                f"histogram_quantile({share}, sum by (le) (rate(sengoku_request_duration_seconds_bucket"
                '{method="sengoku.v1.OddsService/Evaluate"}[$__rate_interval])))',
                name,
            )
            for share, name in ((0.5, "median"), (0.99, "99 %"))
        ],
    ),
    (
        "Slowest methods, 99 %",
        "s",
        12,
        [
            (
                "topk(8, histogram_quantile(0.99, sum by (method, le) "
                "(rate(sengoku_request_duration_seconds_bucket[$__rate_interval]))))",
                "{{method}}",
            )
        ],
    ),
    (
        "Matches a second",
        "short",
        12,
        [("sum by (game) (rate(sengoku_matches_played_total[$__rate_interval]))", "{{game}}")],
    ),
    (
        "Decisions a second",
        "short",
        12,
        [("sum by (game) (rate(sengoku_decisions_played_total[$__rate_interval]))", "{{game}}")],
    ),
    (
        "Queue of heavy work",
        "short",
        8,
        [
            ("sum by (kind) (sengoku_queue_waiting)", "{{kind}} waiting"),
            ("sum by (kind) (sengoku_queue_running)", "{{kind}} running"),
        ],
    ),
    ("Runs", "short", 8, [("sum by (state) (sengoku_runs)", "{{state}}")]),
    ("Tournaments", "short", 8, [("sum by (state) (sengoku_tournaments)", "{{state}}")]),
    (
        "Open",
        "short",
        8,
        [
            ("sum(sengoku_open_matches)", "matches"),
            ("sum(sengoku_players)", "players"),
            ("sum(sengoku_environments)", "environments"),
        ],
    ),
    ("Connections", "short", 8, [("sum by (kind) (sengoku_connections)", "{{kind}}")]),
    (
        "Responses that are not read",
        "bytes",
        8,
        [("sum(sengoku_unsent_bytes)", "bytes")],
    ),
    (
        "Memory and store",
        "bytes",
        8,
        [
            ("sum by (instance) (process_resident_memory_bytes)", "memory of {{instance}}"),
            ("sum by (instance) (sengoku_store_bytes)", "store of {{instance}}"),
        ],
    ),
    ("Processor", "percentunit", 8, [("rate(process_cpu_seconds_total[$__rate_interval])", "{{instance}}")]),
    (
        "Trouble",
        "short",
        8,
        [
            ("sum(sengoku_serving == bool 0)", "services that cannot work"),
            ("sum(sengoku_store_quarantined)", "damaged rows"),
            ("sum(sengoku_chunks_healed)", "chunks played again"),
            ("sum(sengoku_worker_restarts)", "workers that died"),
        ],
    ),
]


def dashboard() -> dict[str, Any]:
    """Return the dashboard as Grafana reads it."""
    panels: list[dict[str, Any]] = []
    x = y = 0
    for number, (title, unit, width, queries) in enumerate(PANELS, 1):
        if x + width > 24:
            x, y = 0, y + 8
        panels.append(
            {
                "id": number,
                "type": "timeseries",
                "title": title,
                "datasource": {"type": "prometheus", "uid": "prometheus"},
                "gridPos": {"x": x, "y": y, "w": width, "h": 8},
                "fieldConfig": {"defaults": {"unit": unit, "min": 0}, "overrides": []},
                "targets": [
                    {"refId": chr(ord("A") + index), "expr": query, "legendFormat": legend}
                    for index, (query, legend) in enumerate(queries)
                ],
            }
        )
        x += width
    return {
        "uid": "sengoku",
        "title": "Sengoku",
        "schemaVersion": 39,
        "refresh": "10s",
        "time": {"from": "now-30m", "to": "now"},
        "tags": ["sengoku"],
        "panels": panels,
    }


def text() -> str:
    """Return the file."""
    return json.dumps(dashboard(), indent=2) + "\n"


if __name__ == "__main__":
    TARGET.write_text(text(), "utf-8")
