"""Generated from protos/sengoku/v1; see protos/generate.py."""
