"""A bot that needs only the standard library: it speaks lines of JSON on its standard input and output.

It looks at the descriptions of its actions, takes one of the kind that it likes best, and otherwise any.
"""

import json
import random
import sys

LIKED = ("attack", "strike", "march", "battle")


def choose(actions: list[dict], match: str, decisions: int) -> int:
    """Return the index of an action; the same match has the same answers."""
    liked = [row for row in actions if any(word in row["text"].lower() for word in LIKED)]
    return random.Random(f"{match} {decisions}").choice(liked or actions)["index"]  # noqa: S311


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        reply = {"type": "ready", "name": "keen", "wants": ["actions"]}
    elif message["type"] == "decide":
        action = choose(message["actions"], message["match"], message["decisions"])
        reply = {"type": "action", "id": message["id"], "action": action}
    else:
        continue  # a match is over
    print(json.dumps(reply), flush=True)
