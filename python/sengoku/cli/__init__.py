"""The command line, `sengoku`: one module per group of commands."""


def main() -> None:
    """Run the command line."""
    from sengoku.cli.main import main as run  # noqa: PLC0415 - importing the package alone loads nothing

    run()


__all__ = ["main"]
