"""A bot of one's own: it connects to a server as a player, and plays some matches there against `greedy`."""

import argparse
import random
import threading
import time

from sengoku import Cancel, Client


class RandomBot:
    """Takes any legal action."""

    name = "my-random"
    wants = ()  # the legal actions are enough

    def decide(self, decision):
        """Gives one of the legal actions."""
        return random.choice(decision.legal)  # noqa: S311 - a demonstration, not a secret


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", default="localhost:50051", help="host:port of the server")
    wish = parser.parse_args()
    stop = Cancel()
    with Client(wish.server) as mine, Client(wish.server, timeout=60) as asking:
        # `sengoku bot serve random_bot.py:RandomBot` does this in a process of its own.
        playing = threading.Thread(target=mine.serve_bot, args=(RandomBot(),), kwargs={"stop": stop})
        playing.start()
        while not any(player["name"] == RandomBot.name for player in asking.players()):
            time.sleep(0.05)
        report = asking.play_matches(
            "battles", players=["@my-random", "greedy"], match_count=10, seed=7, rotate=True
        )
        for row in report.standings:
            print(f"{row.player}: {row.wins} of {row.played} won, forfeits {row.forfeits}")
        stop.cancel()
        playing.join()
