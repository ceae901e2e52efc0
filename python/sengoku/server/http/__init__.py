"""The HTTP interface of a server: the Connect protocol for all methods, the console, metrics and health."""
