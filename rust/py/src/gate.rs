//! `Gate`: the TCP gate in front of the gRPC server.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};
use sengoku_gate::{Counts, Gate, Settings};

use crate::errors::CoreError;

/// A running gate; `peer` is what gRPC calls a connection.
#[pyclass(name = "Gate", module = "sengoku._core", frozen)]
pub(crate) struct PyGate {
    gate: Mutex<Option<Gate>>,
    port: u16,
}

impl PyGate {
    fn gate(&self) -> MutexGuard<'_, Option<Gate>> {
        self.gate.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with an open connection.
    fn with<T>(&self, peer: &str, act: impl FnOnce(&Gate, u64) -> T) -> Option<T> {
        let gate = self.gate();
        let gate = gate.as_ref()?;
        Some(act(gate, gate.id(peer)?))
    }
}

#[pymethods]
impl PyGate {
    #[new]
    #[pyo3(signature = (
        host, port, server, *, connections, address_connections, unverified, address_unverified, idle_seconds,
        stall_seconds
    ))]
    #[expect(clippy::too_many_arguments, reason = "the limits of the gate")]
    fn new(
        host: &str,
        port: u16,
        server: PathBuf,
        connections: usize,
        address_connections: usize,
        unverified: usize,
        address_unverified: usize,
        idle_seconds: f64,
        stall_seconds: f64,
    ) -> PyResult<Self> {
        let settings = Settings {
            connections,
            address_connections,
            unverified,
            address_unverified,
            idle: Duration::from_secs_f64(idle_seconds),
            stall: Duration::from_secs_f64(stall_seconds),
            ..Settings::default()
        };
        let gate = Gate::start(host, port, &server, settings)
            .map_err(|error| CoreError::gate(host, port, &error))?;
        Ok(PyGate { port: gate.port(), gate: Mutex::new(Some(gate)) })
    }

    #[getter]
    fn port(&self) -> u16 {
        self.port
    }

    /// The address of an open connection, as gRPC writes addresses.
    fn address(&self, peer: &str) -> Option<String> {
        let address = self.with(peer, Gate::peer)??;
        Some(format!("{}:{address}", if address.is_ipv4() { "ipv4" } else { "ipv6" }))
    }

    /// Mark a connection as verified.
    fn verify(&self, peer: &str) {
        self.with(peer, Gate::verify);
    }

    /// Count misbehaviour of a connection.
    fn strike(&self, peer: &str, strikes: u32) {
        self.with(peer, |gate, id| gate.strike(id, strikes));
    }

    /// Connections at the moment and since the start, by name.
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let Counts { open, verified, accepted, refused, evicted, struck, idle, stalled } =
            self.gate().as_ref().map(Gate::counts).unwrap_or_default();
        [
            ("open", open),
            ("verified", verified),
            ("accepted", accepted),
            ("refused", refused),
            ("evicted", evicted),
            ("struck", struck),
            ("idle", idle),
            ("stalled", stalled),
        ]
        .into_py_dict(py)
    }

    /// Accept no connection any more; those that are open stay.
    fn drain(&self) {
        if let Some(gate) = self.gate().as_ref() {
            gate.drain();
        }
    }

    /// End all connections.
    fn close(&self, py: Python<'_>) {
        let gate = self.gate().take();
        py.detach(|| drop(gate));
    }
}
