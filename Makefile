# Two commands do everything: `make run` and `make test`. Both set up what is missing and repeat nothing.
# Tests have three tiers (docs/design/testing.md): `make check` is quick, `make test` is what continuous integration runs,
# `make test-system` is the rest, which carries the marker `system`.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CARGO_TEST := PROPTEST_RNG_SEED=2026 cargo test --workspace --profile checked --quiet
# A worker plays whole files, so that the tests of a file share their servers; files start in the order of the folders,
# because the slow ones among them have few tests.
PYTEST := $(BIN)/pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder --durations 25
RUST_SOURCES := $(shell find rust -type f \( -name '*.rs' -o -name 'Cargo.toml' -o -path '*/data/*' \) -not -path '*/target/*') Cargo.toml Cargo.lock

.PHONY: help setup run check test test-system bench load serve protos goldens examples calibrate lint fmt lock clean

help: ## Show this help
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(VENV)/.built ## Make .venv, install pinned packages, build the extension

$(VENV)/.installed: requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; name one with PYTHON=..."; exit 1; }
	@command -v cargo >/dev/null || { echo "A Rust toolchain is needed: cargo was not found"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

$(VENV)/.built: $(VENV)/.installed pyproject.toml $(RUST_SOURCES)
	PIP_QUIET=1 $(BIN)/maturin develop --release --quiet
	touch $@

run: setup ## Start the service, send it real work, show results, leave pictures in build/demo
	$(BIN)/sengoku demo

check: lint setup ## Lint and run the quick tests: rules, engine, wire, tournament logic, command line
	$(CARGO_TEST) --lib
	$(PYTEST) tests/rules tests/ledger tests/engine tests/wire tests/tournament tests/cli tests/bots

test: setup ## Run every test except those of `make test-system`
	$(CARGO_TEST)
	$(PYTEST)

test-system: setup ## Run kill tests, fault injection, soak, other languages and long statistics (hours)
	cargo test --workspace --profile checked --quiet -- --ignored
	HYPOTHESIS_PROFILE=thorough $(BIN)/pytest -m system --timeout 3600

bench: setup ## Measure throughput next to the numpy reference; writes build/bench/bench.json
	cargo bench --package sengoku-swords --bench battle
	cargo bench --package sengoku-tower --bench throws
	$(BIN)/python tests/bench/run.py

load: setup ## Drive a server with small calls, bulk work and both at once (by ghz where Go is); writes build/bench/load.json
	$(BIN)/python tests/bench/load.py

serve: setup ## Serve on loopback port 50051
	$(BIN)/sengoku serve

protos: $(VENV)/.installed ## Rewrite python/sengoku/v1 from the .proto files
	$(BIN)/python protos/generate.py

goldens: setup ## Rewrite the golden files
	PYTHONPATH=tests $(BIN)/python tests/golden/regenerate.py

.PHONY: docs
docs: setup ## Regenerate docs/reference and build the documentation site into build/site
	$(BIN)/python -m tools.docs.reference
	$(BIN)/zensical build --strict --clean

examples: setup ## Build the examples, also in Go and TypeScript where these are installed, and run them against a server
	$(BIN)/python examples/run.py

calibrate: setup ## Fit the fast cube tower to the rigid one (hours; goes on where it stopped) and write the result into the crates
	$(BIN)/python -m tools.calibration build/calibration --seed 1 $(CALIBRATE)
	cp build/calibration/tower_fitted.toml rust/kernel/data/
	cp build/calibration/calibration.json rust/tower-physics/data/
	cp build/calibration/CALIBRATION.md rust/tower-physics/
	cp build/calibration/*.svg rust/tower-physics/pictures/

lint: setup ## Check formatting, lints, types and import directions
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --profile checked --quiet -- -D warnings
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache --no-logo

fmt: $(VENV)/.installed ## Format all code
	cargo fmt --all
	$(BIN)/ruff format --quiet .
	$(BIN)/ruff check --quiet --fix-only .

lock: ## Rewrite requirements.txt with the newest versions that pyproject.toml allows
	rm -rf build/lock && $(PYTHON) -m venv build/lock
	build/lock/bin/python -c 'import tomllib; p = tomllib.load(open("pyproject.toml", "rb"))["project"]; print("\n".join(sum(p["optional-dependencies"].values(), p["dependencies"])))' > build/lock/wanted.txt
	build/lock/bin/python -m pip install --quiet --disable-pip-version-check -r build/lock/wanted.txt
	{ echo '# Every package of the development environment, pinned. `make lock` rewrites it from pyproject.toml.'; build/lock/bin/python -m pip freeze; } > requirements.txt

clean: ## Remove everything that was made
	cargo clean --quiet
	rm -rf $(VENV) build .pytest_cache .mypy_cache .ruff_cache .hypothesis python/sengoku/*.so
	find python tests protos -name __pycache__ -type d -prune -exec rm -rf {} +
