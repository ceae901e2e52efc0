"""The `rules` and `rule` commands: the rules as they are implemented."""

# ruff: noqa: PLC0415 - help and completion must not load the texts

from typing import Annotated

import typer

from sengoku.cli.commands import App
from sengoku.cli.options import Json, argument, option
from sengoku.cli.output import print_json

app = App()

_SECTION = "Only this section, by its title or the beginning of it."
_PROMPT = "Without the ids of rules, as for the prompt of a language model."


@app.command("rules")
def rules_command(
    game: Annotated[str, argument("Name of the game, as `sengoku games` lists it.", "GAME")],
    section: Annotated[str | None, option(_SECTION)] = None,
    prompt: Annotated[bool, option(_PROMPT, "--prompt")] = False,
) -> None:
    """Print the rules of a game as they are implemented.

    Every paragraph ends with the ids of its rules; `sengoku rule ID` shows one of them.
    """
    from sengoku.rules import rules

    typer.echo(rules(game, section, prompt=prompt))


@app.command("rule")
def rule_command(
    name: Annotated[str, argument("Id of the rule, as BT-MELEE-11.", "ID")],
    as_json: Json = False,
) -> None:
    """Show one rule: its sentence, the code and the tests that name it, and the text about it."""
    from sengoku.rules import find_rule

    rule = find_rule(name)
    if as_json:
        print_json(rule.as_dict())
        return
    typer.echo(f"{rule.id} ({rule.game}, {rule.area}): {rule.sentence}")
    for title, lines in (("text", rule.text), ("code", rule.code), ("tests", rule.tests)):
        for line in lines:
            typer.echo(f"{title:6} {line}")
            title = ""  # noqa: PLW2901 - once for all lines
