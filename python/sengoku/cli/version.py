"""The `version` command."""

# ruff: noqa: PLC0415 - help and completion do not need the build

from sengoku.cli.options import Json, print_json
from sengoku.cli.registry import App

app = App()


@app.command("version")
def version_command(as_json: Json = False) -> None:
    """Show the version, the rules versions and the build."""
    from sengoku import build_info

    info = build_info()
    if as_json:
        print_json(info)
    else:
        rules = ", ".join(f"{game} {number}" for game, number in info["rules_versions"].items())
        print(f"sengoku {info['version']} ({info['profile']}, {info['instruction_set']}); rules: {rules}")
