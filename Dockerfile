# The service as an image: `docker build -t sengoku .`; docs/service/deployment.md says how to run it.
# Exact versions. A digest would be more: where a registry can be reached, replace the tag by `@sha256:...` of
# `docker buildx imagetools inspect rust:1.95.0-slim-trixie` (docs/service/deployment.md).
ARG RUST=1.95.0
ARG PYTHON=3.13.12
ARG DEBIAN=trixie

# The wheel: everything that compiles stays here.
FROM rust:${RUST}-slim-${DEBIAN} AS wheel
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends python3 python3-venv \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY requirements.txt ./
# maturin with its hashes, out of the lock file.
RUN awk '/^[A-Za-z]/ {found = /^maturin==/} found' requirements.txt > maturin.txt \
    && python3 -m venv /venv && /venv/bin/pip install --no-cache-dir --require-hashes --no-deps -r maturin.txt
# The web console, with the node of a package.
COPY tools ./tools
COPY console ./console
COPY python/sengoku/rules ./python/sengoku/rules
RUN /venv/bin/pip install --no-cache-dir --require-hashes --no-deps -r tools/node.txt \
    && /venv/bin/python -m tools.console ci && /venv/bin/python -m tools.console run build
COPY . .
RUN --mount=type=cache,target=/usr/local/cargo/registry --mount=type=cache,target=/source/target \
    /venv/bin/maturin build --release --locked --compatibility linux --out /wheels

# What is installed: the wheel and its packages, in the versions that are tested.
FROM python:${PYTHON}-slim-${DEBIAN} AS installed
COPY deploy/requirements.txt /
RUN --mount=type=bind,from=wheel,source=/wheels,target=/wheels \
    python -m venv /opt/sengoku \
    && /opt/sengoku/bin/pip install --no-cache-dir --require-hashes -r /requirements.txt \
    && /opt/sengoku/bin/pip install --no-cache-dir --no-deps /wheels/*.whl \
    && /opt/sengoku/bin/pip check \
    && /opt/sengoku/bin/pip uninstall --yes pip

FROM python:${PYTHON}-slim-${DEBIAN}
COPY --from=installed /opt/sengoku /opt/sengoku
# Numbers, so that Kubernetes can see that it is not root; the folder of the store is theirs before a volume is laid over it.
RUN install --directory --owner=65532 --group=65532 --mode=0700 /var/lib/sengoku
USER 65532:65532
VOLUME /var/lib/sengoku
ENV PATH=/opt/sengoku/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    SENGOKU_SERVER=localhost:50051 \
    GRPC_VERBOSITY=NONE \
    XDG_STATE_HOME=/var/lib
EXPOSE 50051 9464
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s --retries=3 CMD ["sengoku", "health"]
ENTRYPOINT ["sengoku"]
# Public, therefore encrypted: without the two files the server refuses to start.
CMD ["serve", "--host", "0.0.0.0", "--port", "50051", \
     "--store", "/var/lib/sengoku/runs.sqlite3", \
     "--tls-cert", "/etc/sengoku/tls/tls.crt", "--tls-key", "/etc/sengoku/tls/tls.key", \
     "--token-file", "/etc/sengoku/tokens", \
     "--metrics-host", "0.0.0.0", "--metrics-port", "9464", "--allow-public-metrics", \
     "--log-format", "json"]
