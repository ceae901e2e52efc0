"""Asks a server for odds of each game: exact where that is affordable, else sampled down to an error."""

import argparse

from sengoku import Client, battles, swords, tower

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--server", default="localhost:50051", help="host:port of the server")
wish = parser.parse_args()

battle = swords.Battle(
    attacker=swords.Force(daimyo=1, bow=2, gun=2, sword=2, spear=3),
    defender=swords.Force(bow=1, spear=4),
    fort="castle",
)
clash = tower.Clash(attacker=("blue", 4), defender=("yellow", 3))
strike = battles.Strike("SSp", "ASp", terrain="forest", leader="LM")

with Client(wish.server, timeout=60) as client:
    odds = client.odds(battle)
    print(f"battle: attacker wins {odds.attacker_wins:.6f} ({odds.method}, error {odds.standard_error:g})")
    odds = client.odds(clash, max_error=1e-3, seed=7)
    print(f"clash: attacker wins {odds.attacker_wins:.3f} ({odds.method}, error {odds.standard_error:.1g})")
    odds = client.odds(strike)
    print(
        f"strike: defender eliminated {odds.defender_eliminated:.6f}, retreats {odds.defender_retreats:.6f}"
    )

    # Many questions in one call, columns as the answer: how much an attacker gains by more guns.
    rows = [
        swords.Battle(swords.Force(daimyo=1, gun=guns, spear=3), swords.Force(bow=1, spear=4), fort="castle")
        for guns in range(6)
    ]
    for guns, wins in enumerate(client.batch_odds(rows).attacker_wins):
        print(f"{guns} guns: {wins:7.1%} {'#' * round(40 * wins)}")
