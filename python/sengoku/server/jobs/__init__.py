"""Background jobs of the server: runs and tournaments, stored as they go and resumed after a restart."""
