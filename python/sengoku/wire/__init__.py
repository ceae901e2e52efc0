"""Conversions between protobuf messages and engine values: the only package that knows both."""
