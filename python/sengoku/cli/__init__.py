"""The command line, `sengoku`: one module per group of commands."""
