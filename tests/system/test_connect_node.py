"""The official client of the Connect protocol in node: as JSON and protobuf, by POST and GET, with gzip."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from protos.generate import SOURCES, compile_protos
from sengoku.server import Server
from sengoku.server.auth import Access, Tokens, make_token
from support.access import write

PACKAGES = ("@connectrpc/connect@2.2.0", "@connectrpc/connect-node@2.2.0", "@bufbuild/protobuf@2.17.0")
SCRIPT = Path(__file__).with_name("connect.mjs")
INVALID_ARGUMENT, DEADLINE_EXCEEDED, NOT_FOUND, UNAUTHENTICATED = 3, 4, 5, 16

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(shutil.which("npm") is None, reason="needs node and npm"),
]


def test_the_official_client_is_served(tmp_path: Path) -> None:
    install = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
    subprocess.run([*install, *PACKAGES], cwd=tmp_path, check=True, timeout=300)
    options = (f"--descriptor_set_out={tmp_path / 'all.binpb'}", "--include_imports")
    compile_protos(tmp_path / "imports", *options, sources=[*SOURCES, "google/rpc/error_details.proto"])
    token, entry = make_token("node", "run")
    tokens = Tokens(write(tmp_path / "tokens.toml", entry))
    shutil.copy(SCRIPT, tmp_path)
    with Server(port=0, http_port=0, access=Access(tokens)) as server:
        command = ["node", SCRIPT.name, str(server.http_address), token, "all.binpb"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stderr
    results = json.loads(done.stdout)
    assert len(results) == 8
    for found in results:
        assert found["id"] == "from-node"
        assert found["wins"] == pytest.approx(0.8165819214459777, abs=1e-15)
        assert set(found["games"]) == {"swords", "tower", "battles"}
        assert found["done"] == "20"
        for name, code, reason in (
            ("invalid", INVALID_ARGUMENT, "INVALID_ARGUMENT"),
            ("missing", NOT_FOUND, "RUN_NOT_FOUND"),
            ("stranger", UNAUTHENTICATED, "UNAUTHENTICATED"),
        ):
            assert found[name] == {"code": code, "reason": reason, "domain": "sengoku"}, name
        assert found["late"]["code"] == DEADLINE_EXCEEDED
