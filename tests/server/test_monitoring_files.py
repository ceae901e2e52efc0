"""The files of deploy/ for Prometheus and Grafana name metrics and labels that a server really exports."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from sengoku._core import build_info
from sengoku.server.metrics import GAUGES, Metrics
from tools import dashboard, release

ROOT = Path(__file__).parents[2]
MONITORING = ROOT / "deploy" / "monitoring"
COMPOSE = ROOT / "deploy" / "compose.yaml"
EVALUATE = "/sengoku.v1.OddsService/Evaluate"


@pytest.fixture(scope="module")
def exported() -> dict[str, set[str]]:
    """Names of series with their labels, read from the page of metrics that have seen every kind of event."""
    metrics = Metrics([EVALUATE])
    metrics.begin(EVALUATE)
    metrics.end(EVALUATE, "RESOURCE_EXHAUSTED", "BUSY", 0.01)
    metrics.watch(
        **{source: lambda label=label: {"any": 1} if label else 1 for _, source, label, _ in GAUGES}
    )
    metrics.watch(queue=lambda: {"any": (1, 1)})
    found: dict[str, set[str]] = {}
    for line in metrics.page().decode().splitlines():
        if series := re.match(r"(\w+)(?:\{(.*)\})? ", line):
            found.setdefault(series[1], set()).update(re.findall(r'(\w+)="', series[2] or ""))
    return found


def expressions() -> list[str]:
    rules = yaml.safe_load((MONITORING / "alerts.yml").read_text("utf-8"))
    panels = json.loads(dashboard.TARGET.read_text("utf-8"))["panels"]
    found = [rule["expr"] for group in rules["groups"] for rule in group["rules"]]
    return found + [target["expr"] for panel in panels for target in panel["targets"]]


@pytest.mark.parametrize("expression", expressions())
def test_an_expression_names_metrics_and_labels_that_exist(
    expression: str, exported: dict[str, set[str]]
) -> None:
    names = re.findall(r"\b(?:sengoku|process)_\w+", expression)
    assert names or expression.startswith("up{")
    missing = [name for name in names if name not in exported]
    assert not missing
    everywhere = {"instance", "job", "le"}.union(*(exported[name] for name in names))
    selected = re.findall(r'(\w+)\s*(?:=~|!=|=)\s*"', expression)
    grouped = [word for part in re.findall(r"\b(?:by|on) \((.*?)\)", expression) for word in part.split(", ")]
    assert set(selected + grouped) <= everywhere


def test_an_unknown_metric_would_be_found(exported: dict[str, set[str]]) -> None:
    assert "sengoku_requests_total" in exported
    assert "sengoku_requests" not in exported
    assert {"method", "code"} <= exported["sengoku_requests_total"]


def test_the_dashboard_is_up_to_date() -> None:
    assert dashboard.TARGET.read_text("utf-8") == dashboard.text(), "run `python -m tools.dashboard`"


def test_panels_do_not_overlap_and_have_names() -> None:
    panels = dashboard.dashboard()["panels"]
    cells: set[tuple[int, int]] = set()
    for panel in panels:
        place = panel["gridPos"]
        mine = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not cells & mine
        assert all(x < 24 for x, _ in mine)
        cells |= mine
        assert all(target["legendFormat"] for target in panel["targets"])
    assert len({panel["title"] for panel in panels}) == len(panels)


def test_every_alert_says_what_happened_and_who_must_act() -> None:
    rules = yaml.safe_load((MONITORING / "alerts.yml").read_text("utf-8"))["groups"][0]["rules"]
    for rule in rules:
        assert rule["annotations"]["summary"].endswith(".")
        assert rule["labels"]["severity"] in {"page", "ticket"}
    played = yaml.safe_load((MONITORING / "alerts_test.yml").read_text("utf-8"))["tests"]
    fired = {case["alertname"] for test in played for case in test["alert_rule_test"] if case["exp_alerts"]}
    assert {rule["alert"] for rule in rules} == fired


def test_promtool_takes_the_rules() -> None:
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("promtool is not here")
    for command in (["check", "rules", "alerts.yml"], ["test", "rules", "alerts_test.yml"]):
        done = subprocess.run(
            [promtool, *command], cwd=MONITORING, capture_output=True, text=True, check=False, timeout=60
        )
        assert done.returncode == 0, done.stdout + done.stderr


def compose() -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load(COMPOSE.read_text("utf-8"))
    return read


def test_compose_publishes_on_loopback_only_and_mounts_what_is_there() -> None:
    services = compose()["services"]
    for service in services.values():
        assert all(port.startswith("127.0.0.1:") for port in service["ports"])
        for volume in service["volumes"]:
            source = volume.split(":")[0]
            if source.startswith("."):
                assert (COMPOSE.parent / source).exists()
            else:
                assert source in compose()["volumes"]
    scraped = yaml.safe_load((MONITORING / "prometheus.yml").read_text("utf-8"))["scrape_configs"][0]
    (target,) = scraped["static_configs"][0]["targets"]
    host, port = target.split(":")
    assert f"--metrics-port={port}" in services[host]["command"]
    source = MONITORING / "grafana" / "provisioning" / "datasources" / "prometheus.yaml"
    assert yaml.safe_load(source.read_text("utf-8"))["datasources"][0]["uid"] == "prometheus"


def test_one_image_tag_everywhere() -> None:
    found = release.versions()
    assert {"deploy/fleet/Dockerfile", "deploy/kubernetes/base/kustomization.yaml"} <= set(found)
    assert set(found.values()) == {build_info()["version"]}
