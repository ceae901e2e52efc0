"""The gRPC services: one file for each, and what they share."""
