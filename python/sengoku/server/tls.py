"""TLS of a server: certificates, their files, and changes of them."""

from __future__ import annotations

import re
import ssl
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc

from sengoku.errors import ArgumentError
from sengoku.server.files import WatchedFiles, read_file, warn_if_open

__all__ = ["Tls"]


class Tls:
    """The certificates of a server, read again when their files change.

    With a `client_ca`, only clients with a certificate of that authority may connect.
    """

    def __init__(
        self,
        cert: Path | str,
        key: Path | str,
        client_ca: Path | str | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._cert, self._key = Path(cert), Path(key)
        self._client_ca = None if client_ca is None else Path(client_ca)
        paths = [self._cert, self._key, *([self._client_ca] if self._client_ca else [])]
        self._files = WatchedFiles(paths, self._read, clock)

    @classmethod
    def of(
        cls, cert: Path | str | None, key: Path | str | None, client_ca: Path | str | None = None
    ) -> Tls | None:
        """Build it from optional flags; return None if none is given."""
        given = {"tls_cert": cert, "tls_key": key, "tls_client_ca": client_ca}
        if cert is not None and key is not None:
            return cls(cert, key, client_ca)
        for missing in ("tls_cert", "tls_key"):
            for name, value in given.items():
                if value is not None and given[missing] is None:
                    details = {"field": missing, "value": "none", name: str(value)}
                    raise ArgumentError(f"{name} is given without {missing}", details)
        return None

    @property
    def mutual(self) -> bool:
        """Whether clients need certificates."""
        return self._client_ca is not None

    def _read(self) -> tuple[bytes, bytes, bytes | None]:
        cert = _read_pem("tls_cert", self._cert, b"CERTIFICATE")
        key = _read_pem("tls_key", self._key, b"PRIVATE KEY")
        warn_if_open("tls_key", self._key, secret=True)
        _check_pair(self._cert, self._key, key)
        authority = None
        if self._client_ca is not None:
            authority = _read_pem("tls_client_ca", self._client_ca, b"CERTIFICATE")
            try:
                ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_verify_locations(
                    cadata=authority.decode("ascii")
                )
            except (ssl.SSLError, UnicodeDecodeError) as error:
                raise _unreadable("tls_client_ca", self._client_ca, "certificates") from error
        return cert, key, authority

    def _configuration(self) -> Any:
        cert, key, authority = self._files.value
        return grpc.ssl_server_certificate_configuration([(key, cert)], authority)

    def _changed(self) -> Any:
        """Called by gRPC before every handshake; None means no change."""
        return self._configuration() if self._files.renew() else None

    def _new_context(self) -> ssl.SSLContext:
        """Return the configuration of HTTP connections with the certificates that were read last."""
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.set_alpn_protocols(["http/1.1"])
        context.load_cert_chain(self._cert, self._key, password="")
        authority = self._files.value[2]
        if authority is not None:
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(cadata=authority.decode("ascii"))
            # A resumed session would outlive the authority that was trusted when it began.
            context.options |= ssl.OP_NO_TICKET
            context.num_tickets = 0
        return context

    def context(self) -> ssl.SSLContext:
        """Return the configuration of HTTP connections, whose certificates follow their files."""
        context, read = self._new_context(), self._files.value
        current = context

        def before_handshake(connection: Any, _name: object, _context: ssl.SSLContext) -> None:
            nonlocal current, read
            # gRPC may have seen the change first, so what counts is which certificates were read.
            self._files.renew()
            if self._files.value is not read:
                current, read = self._new_context(), self._files.value
            connection.context = current

        context.sni_callback = before_handshake
        return context

    def credentials(self) -> grpc.ServerCredentials:
        """Return the gRPC credentials of the server."""
        return grpc.dynamic_ssl_server_credentials(self._configuration(), self._changed, self.mutual)


def _unreadable(option: str, path: Path, what: str) -> ArgumentError:
    details = {"field": option, "value": str(path)}
    return ArgumentError(
        f"{option} is {str(path)!a}, which contains no readable {what} in PEM format", details
    )


def _read_pem(option: str, path: Path, what: bytes) -> bytes:
    data = read_file(option, path)
    if not re.search(rb"-----BEGIN [A-Z0-9 ]*" + what + rb"-----", data):
        name = "certificate" if what == b"CERTIFICATE" else "private key"
        raise _unreadable(option, path, name)
    return data


def _check_pair(cert: Path, key: Path, key_data: bytes) -> None:
    """Raise ArgumentError if the key does not belong to the certificate."""
    if b"ENCRYPTED" in key_data:
        details = {"field": "tls_key", "value": str(key)}
        raise ArgumentError(
            f"tls_key is {str(key)!a}, which is encrypted; give a key without a passphrase", details
        )
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key, password="")
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            details = {"field": "tls_key", "value": str(key), "tls_cert": str(cert)}
            message = f"tls_key {str(key)!a} does not belong to the certificate tls_cert {str(cert)!a}"
            raise ArgumentError(message, details) from None
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_verify_locations(cert)
        except ssl.SSLError:
            raise _unreadable("tls_cert", cert, "certificate") from None
        raise _unreadable("tls_key", key, "private key") from None
    except OSError as error:  # removed since it was read
        raise _unreadable("tls_cert", cert, "certificate") from error
