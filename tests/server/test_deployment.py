"""The Dockerfile and deploy/ can be read by the tools that take them, and name only flags that exist."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
import yaml
from typer.main import get_command

from sengoku import Client
from sengoku._core import build_info
from sengoku.cli.main import app
from sengoku.client import Tls
from sengoku.errors import UnauthenticatedError
from sengoku.server import Access, Server
from sengoku.server import Tls as ServerTls
from sengoku.server.auth import make_token
from support.certificates import Authority

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
UNIT = (ROOT / "deploy" / "sengoku.service").read_text("utf-8")
MANIFESTS = ROOT / "deploy" / "kubernetes" / "base"
MANIFEST = (MANIFESTS / "server.yaml").read_text("utf-8")


def exec_start() -> list[str]:
    """The command line of the unit."""
    found = re.search(r"^ExecStart=((?:.*\\\n)*.*)$", UNIT, re.MULTILINE)
    assert found is not None
    return shlex.split(found[1].replace("\\\n", " "))


def instruction(name: str) -> list[str]:
    """The list after an instruction of the Dockerfile."""
    found = re.search(rf"^{name} (\[.*?\])$", DOCKERFILE.replace("\\\n", ""), re.MULTILINE)
    assert found is not None
    command: list[str] = json.loads(found[1])
    return command


def manifest_args() -> list[str]:
    """The arguments of the container."""
    found = re.search(r"^ +args:\n((?: +- .*\n)+)", MANIFEST, re.MULTILINE)
    assert found is not None
    return [line.strip().removeprefix("- ") for line in found[1].splitlines()]


def compose_command(file: str, service: str) -> list[str]:
    """The command line of a service of a compose file."""
    command: list[str] = yaml.safe_load((ROOT / "deploy" / file).read_text("utf-8"))["services"][service][
        "command"
    ]
    return command


COMMANDS = {
    "Dockerfile": [*instruction("ENTRYPOINT"), *instruction("CMD")],
    "HEALTHCHECK": instruction("HEALTHCHECK .* CMD"),
    "sengoku.service": exec_start(),
    "kubernetes.yaml": ["sengoku", *manifest_args()],
    "compose.yaml": ["sengoku", *compose_command("compose.yaml", "sengoku")],
    "fleet/compose.yaml": compose_command("fleet/compose.yaml", "server"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_flag_exists(name: str) -> None:
    """The command line is parsed by the real parser, which does not look at files."""
    program, command, *arguments = COMMANDS[name]
    assert Path(program).name == "sengoku"
    parser: Any = get_command(app)
    subcommand = parser.commands[command]
    with subcommand.make_context(command, list(arguments)) as context:
        assert context.params


def value(name: str, flag: str) -> str:
    """The value of a flag in one of the commands."""
    words = [part for word in COMMANDS[name] for part in word.split("=", 1)]
    return words[words.index(flag) + 1]


@pytest.mark.parametrize("name", ["Dockerfile", "sengoku.service", "kubernetes.yaml"])
def test_what_is_public_is_encrypted_and_asks_for_tokens(name: str) -> None:
    assert value(name, "--host") == "0.0.0.0"  # noqa: S104
    for flag in ("--tls-cert", "--tls-key", "--token-file"):
        assert value(name, flag)
    assert value(name, "--log-format") == "json"
    assert value(name, "--store").endswith("/runs.sqlite3")
    assert "--allow-insecure-public" not in COMMANDS[name]
    inside = "--metrics-host" not in " ".join(COMMANDS[name])
    assert inside != ("--allow-public-metrics" in COMMANDS[name])


@pytest.mark.parametrize("name", ["Dockerfile", "sengoku.service", "kubernetes.yaml"])
def test_a_server_with_these_flags_works(name: str, tmp_path: Path) -> None:
    """The command as it is written, but on loopback, with any ports and with files of the test."""
    authority = Authority(tmp_path)
    pair = authority.issue("sengoku.example", names=("sengoku.example",))
    token, lines = make_token("nightly", "run")
    (tmp_path / "tokens").write_text(lines)
    (tmp_path / "tokens").chmod(0o600)
    ours = {
        "--host": "127.0.0.1",
        "--port": "0",
        "--store": str(tmp_path / "runs.sqlite3"),
        "--tls-cert": str(pair.cert),
        "--tls-key": str(pair.key),
        "--token-file": str(tmp_path / "tokens"),
        "--metrics-port": "0",
        "--drain-delay": "0",
    }
    words = [part for word in COMMANDS[name][1:] for part in word.split("=", 1)]
    command = [ours.get(before, word) for before, word in zip(["", *words], words, strict=False)]
    if "--metrics-host" in command:
        command[command.index("--metrics-host") + 1] = "127.0.0.1"
    program = [sys.executable, "-c", "from sengoku.cli.main import main; main()"]
    with (
        (tmp_path / "log").open("w") as log,
        subprocess.Popen([*program, *command], stdout=subprocess.PIPE, stderr=log, text=True) as server,
    ):
        try:
            assert server.stdout is not None
            metrics, listening = (server.stdout.readline().split()[-1] for _ in range(2))
            with urlopen(f"http://{metrics}/healthz", timeout=30) as page:
                assert page.read() == b"SERVING"
            tls = Tls(authority.cert, name="sengoku.example")
            with Client(listening, timeout=60, tls=tls, token=token) as client:
                run = client.start_run("tower", bots=["random"], match_count=50, seed=7)
                assert run.wait().match_count == 50
                with urlopen(f"http://{metrics}/metrics", timeout=30) as page:
                    assert b'sengoku_runs{state="SUCCEEDED"} 1.0' in page.read()
            stranger = Client(listening, timeout=60, tls=tls)
            with stranger, pytest.raises(UnauthenticatedError):
                stranger.games()
        finally:
            server.terminate()
        assert server.wait(60) == 0
    logged = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    methods = {line.get("method", "") for line in logged}
    assert "sengoku.v1.SimulationService/StartRun" in methods
    assert token not in (tmp_path / "log").read_text()


def test_the_image_is_built_in_stages_and_is_not_root() -> None:
    stages = re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)
    assert len(stages) == 3
    final = DOCKERFILE[DOCKERFILE.rindex("\nFROM ") :]
    assert re.search(r"^USER [1-9]\d*:[1-9]\d*$", final, re.MULTILINE)
    assert "\nVOLUME /var/lib/sengoku\n" in final
    assert "XDG_STATE_HOME=/var/lib\n" in final  # where a server that is told no store has it, too
    assert "pip install" not in final
    assert (ROOT / ".dockerignore").read_text("utf-8").splitlines()[1] == "*"


def test_what_the_image_is_built_from_is_there() -> None:
    allowed = [
        line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line[:1] == "!"
    ]
    assert allowed
    assert all((ROOT / name).exists() for name in allowed)
    pinned = (ROOT / "requirements.txt").read_text("utf-8")
    assert re.search(r"^maturin==", pinned, re.MULTILINE)
    version = re.search(r"ARG RUST=(\S+)", DOCKERFILE)
    wanted = re.search(r'^rust-version = "(\S+)"', (ROOT / "Cargo.toml").read_text("utf-8"), re.MULTILINE)
    assert version is not None
    assert wanted is not None
    assert tuple(map(int, version[1].split("."))) >= tuple(map(int, wanted[1].split(".")))


def test_there_is_time_to_drain() -> None:
    """Who stops a server waits longer than the server does."""
    stop = re.search(r"^TimeoutStopSec=(\d+)$", UNIT, re.MULTILINE)
    end = re.search(r"terminationGracePeriodSeconds: (\d+)$", MANIFEST, re.MULTILINE)
    assert stop is not None
    assert end is not None
    assert int(stop[1]) >= float(value("sengoku.service", "--grace")) + 10
    delay = float(value("kubernetes.yaml", "--drain-delay"))
    assert int(end[1]) >= delay + float(value("kubernetes.yaml", "--grace")) + 10


def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    systemd = shutil.which("systemd-analyze")
    if systemd is None:
        pytest.skip("systemd-analyze is not here")
    unit = tmp_path / "sengoku.service"
    unit.write_text(UNIT.replace(exec_start()[0], sys.executable))
    done = subprocess.run([systemd, "verify", unit], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    rating = [
        systemd,
        "security",
        "--offline=true",
        "--threshold=20",
        unit,
    ]  # 2.0 of 10; 10 is all doors open
    done = subprocess.run(rating, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout[-200:] + done.stderr


def kustomized(overlay: Path) -> dict[str, dict[str, Any]]:
    """What kubectl, which needs no cluster for this, makes of an overlay: objects by kind and name."""
    kubectl = shutil.which("kubectl")
    if kubectl is None:
        pytest.skip("kubectl is not here")
    done = subprocess.run(
        [kubectl, "kustomize", overlay], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, dict[str, Any]] = {}
    for each in yaml.safe_load_all(done.stdout):
        found.setdefault(each["kind"], {})[each["metadata"]["name"]] = each
    return found


def test_kubernetes_takes_the_manifest() -> None:
    objects = {kind: named["sengoku"] for kind, named in kustomized(MANIFESTS).items()}
    assert set(objects) == {
        "NetworkPolicy",
        "PodDisruptionBudget",
        "ServiceAccount",
        "Service",
        "StatefulSet",
    }
    rules = objects["NetworkPolicy"]["spec"]["ingress"]
    assert [port["port"] for rule in rules for port in rule["ports"]] == ["grpc", "metrics"]
    assert "from" not in rules[0]
    assert rules[1]["from"]
    spec = objects["StatefulSet"]["spec"]
    pod = spec["template"]["spec"]
    (container,) = pod["containers"]
    assert container["args"] == manifest_args()
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    assert str(ports["grpc"]) == value("kubernetes.yaml", "--port")
    assert str(ports["metrics"]) == value("kubernetes.yaml", "--metrics-port")
    annotations = spec["template"]["metadata"]["annotations"]
    assert annotations["prometheus.io/port"] == str(ports["metrics"])
    assert {port["targetPort"] for port in objects["Service"]["spec"]["ports"]} == set(ports)
    assert spec["replicas"] == 1
    mounts = {mount["name"] for mount in container["volumeMounts"]}
    volumes = {volume["name"] for volume in pod["volumes"]}
    claims = {claim["metadata"]["name"] for claim in spec["volumeClaimTemplates"]}
    assert mounts == volumes | claims
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        assert container[probe]["httpGet"]["port"] == "metrics"
    assert pod["securityContext"]["runAsNonRoot"]
    assert container["securityContext"]["readOnlyRootFilesystem"]
    assert set(container["resources"]) == {"requests", "limits"}


def test_the_overlay_of_a_fleet_sends_work_to_it() -> None:
    objects = kustomized(ROOT / "deploy" / "kubernetes" / "fleet")
    cluster = objects["RayCluster"]["sengoku-fleet"]["spec"]
    pod = objects["StatefulSet"]["sengoku"]["spec"]["template"]
    (container,) = pod["spec"]["containers"]
    head = cluster["headGroupSpec"]["template"]["spec"]["containers"][0]
    workers = cluster["workerGroupSpecs"][0]["template"]["spec"]["containers"][0]
    # One build everywhere: workers refuse others.
    assert {each["image"] for each in (container, head, workers)} == {f"sengoku-fleet:{released_version()}"}
    *arguments, fleet = container["args"]
    assert arguments == manifest_args()
    port = next(each["containerPort"] for each in head["ports"] if each["name"] == "client")
    assert fleet == f"--fleet=ray://sengoku-fleet-head-svc:{port}"
    assert container["command"] == ["sengoku"]  # the image with Ray has no entry point
    # The policy of the fleet lets this pod in.
    policies = objects["NetworkPolicy"]
    (allowed,) = policies["sengoku-fleet"]["spec"]["ingress"][1]["from"]
    labels = pod["metadata"]["labels"]
    assert allowed["podSelector"]["matchLabels"].items() <= labels.items()
    selector = objects["PodDisruptionBudget"]["sengoku"]["spec"]["selector"]["matchLabels"]
    assert selector.items() <= labels.items()
    environment = {each["name"]: each for each in container["env"]}
    assert environment["RAY_AUTH_MODE"]["value"] == cluster["authOptions"]["mode"] == "token"


def released_version() -> str:
    """The version of this build."""
    return str(build_info()["version"])


def test_certificates_from_one_command_are_taken_by_server_and_clients(tmp_path: Path) -> None:
    script = ROOT / "deploy" / "certificates.sh"
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not here")
    folder = tmp_path / "tls"
    subprocess.run([script, folder, "sengoku.example", "10.1.2.3"], check=True, timeout=60)
    assert {path.name for path in folder.iterdir()} == {
        *("ca.crt", "tls.crt", "tls.key", "client.crt", "client.key")
    }
    assert (folder / "tls.key").stat().st_mode & 0o77 == 0
    tls = ServerTls(folder / "tls.crt", folder / "tls.key", client_ca=folder / "ca.crt")
    with Server(port=0, access=Access(tls=tls)) as server:
        client = Tls(folder / "ca.crt", cert=folder / "client.crt", key=folder / "client.key")
        for name in ("localhost", "127.0.0.1"):
            address = server.address.replace("localhost", name).replace("127.0.0.1", name)
            with Client(address, timeout=60, tls=client) as known:
                assert known.games()
    again = subprocess.run([script, folder], capture_output=True, text=True, check=False, timeout=60)
    assert again.returncode == 1  # nothing is replaced
    assert "exists already" in again.stderr
