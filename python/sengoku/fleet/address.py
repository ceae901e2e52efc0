"""Addresses of Ray clusters, and connecting to them with errors that say what to do."""

from __future__ import annotations

import atexit
import re
import socket
from typing import Any

from sengoku._core import cores
from sengoku.errors import ArgumentError, UnavailableError, missing_package

__all__ = ["check_address", "connect", "import_ray"]

_CLIENT = "ray://"
_LOCAL = re.compile(r"local:([1-9]\d?)")
"""A cluster of so many workers on this machine."""
_REACH_SECONDS = 5.0
_EXPECTED = (
    "'auto' (the cluster of this machine), 'local' (a new one on this machine alone), "
    "'local:2' (one with two workers), 'ray://HOST:10001' (from outside a cluster) "
    "or 'HOST:6379' (from a node of it)"
)


def import_ray() -> Any:
    """Return the optional package ray."""
    try:
        import ray  # noqa: PLC0415 - takes a second to load, and is optional
    except ImportError as error:
        raise missing_package("ray", "fleets", "fleet") from error
    return ray


def check_address(address: str) -> str:
    """Return an address if it is one.

    >>> check_address("ray://head.example:10001")
    'ray://head.example:10001'
    >>> check_address("local:2")
    'local:2'
    """
    if not isinstance(address, str):
        raise TypeError(f"address must be text, not {type(address).__name__}")
    if address not in ("auto", "local") and not _LOCAL.fullmatch(address):
        host = re.fullmatch(r"(?:ray://)?([\w.-]+|\[[0-9A-Fa-f:.]+\]):(\d{1,5})", address)
        if host is None or not 0 < int(host[2]) < 1 << 16:
            message = f"the address of the fleet is {address!r}, expected {_EXPECTED}"
            raise ArgumentError(message, {"field": "fleet", "value": address})
    return address


def connect(address: str) -> bool:
    """Connect this process to a cluster; return whether it was not connected before."""
    check_address(address)
    ray = import_ray()
    if ray.is_initialized():
        _check_same(ray, address)
        return False
    options: dict[str, Any] = {"namespace": "sengoku", "log_to_driver": False, "logging_level": "ERROR"}
    if (local := _LOCAL.fullmatch(address)) is not None:
        address = _workers_here(int(local[1]))
    elif address == "local":
        options |= {"num_cpus": cores(), "include_dashboard": False}
    elif address != "auto":
        _reach(address)
    try:
        ray.init(address, **options)
    except Exception as error:
        raise _explained(address, error) from error
    return True


def _workers_here(count: int) -> str:
    """Start a cluster of workers on this machine that ends with this process, and return its address."""
    from ray.cluster_utils import Cluster  # noqa: PLC0415 - loads Ray

    head = {"num_cpus": 0, "include_dashboard": False}
    try:
        cluster = Cluster(initialize_head=True, head_node_args=head)
        atexit.register(cluster.shutdown)
        for _ in range(count):
            cluster.add_node(num_cpus=max(cores() // count, 1))
    except Exception as error:
        raise _explained(f"local:{count}", error) from error
    return str(cluster.address)


def _check_same(ray: Any, address: str) -> None:
    """Raise if this process is connected to another cluster already."""
    if address == "auto" or address.startswith(("local", _CLIENT)) or ray.util.client.ray.is_connected():
        return
    known = ray.get_runtime_context().gcs_address
    if known != address:
        message = f"this process is connected to the Ray cluster at {known}, not {address}: call ray.shutdown"
        raise ArgumentError(message, {"field": "fleet", "value": address, "connected": known})


def _reach(address: str) -> None:
    """Raise at once if nothing listens at an address: Ray would try for half a minute."""
    host, _, port = address.removeprefix(_CLIENT).rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), _REACH_SECONDS).close()
    except OSError as error:
        message = (
            f"no Ray cluster answers at {address}: {error.strerror or error}; start one with "
            "`ray start --head`, or check the host, the port and the firewall"
        )
        raise UnavailableError(message, {"address": address, "why": str(error)}) from error


def _explained(address: str, error: Exception) -> UnavailableError:
    """Return the error for a cluster that cannot be used."""
    text = str(error).strip() or type(error).__name__
    first = text.splitlines()[0]
    if "mismatch" in text.lower():
        advice = "use the same versions of Ray and Python in this process and on every node"
        first = " ".join(text.split())[:400]
    elif address == "auto":
        advice = "start one with `ray start --head`, or use 'local' or 'ray://HOST:10001'"
    elif "auth" in text.lower() or "token" in text.lower():
        advice = "set RAY_AUTH_MODE=token and the token of the cluster in RAY_AUTH_TOKEN"
    else:
        advice = "check that the address is that of a Ray head (port 10001 with ray://, else 6379)"
    message = f"cannot use the Ray cluster at {address!r}: {first}; {advice}"
    return UnavailableError(message, {"address": address, "why": first})
