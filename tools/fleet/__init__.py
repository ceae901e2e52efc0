"""A simulated fleet: the real driver and dispatcher with simulated nodes, for tests and for planning."""
