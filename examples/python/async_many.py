"""Asks a server a thousand questions at once, and plays a run meanwhile, on one event loop."""

import argparse
import asyncio
import random
import time

from sengoku import AsyncClient, swords


async def ask(client: AsyncClient, battle: swords.Battle, turns: asyncio.Semaphore) -> float:
    """Asks one question, when it is its turn."""
    async with turns:
        odds = await client.odds(battle)
    return odds.attacker_wins


async def main(server: str, questions: int) -> None:
    """Asks all the questions while a run is played."""
    chance = random.Random(7)  # noqa: S311 - a demonstration, not a secret

    def force() -> swords.Force:
        return swords.Force(bow=chance.randint(0, 1), gun=chance.randint(0, 2), spear=chance.randint(1, 2))

    async with AsyncClient(server, timeout=60) as client:
        run = await client.start_run("swords", bots=["random"], seats=4, match_count=2_000, seed=7)
        # More in flight than this gains nothing, and a server turns away what is too much (BUSY).
        turns = asyncio.Semaphore(64)
        start = time.perf_counter()
        answers = await asyncio.gather(
            *(ask(client, swords.Battle(force(), force()), turns) for _ in range(questions))
        )
        seconds = time.perf_counter() - start
        print(f"{questions} questions in {seconds:.2f} s, attackers win {sum(answers) / questions:.1%}")
        summary = await run.wait()
        print(f"{summary.match_count} matches meanwhile, {summary.mean_rounds:.1f} rounds each")
        await run.delete()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", default="localhost:50051", help="host:port of the server")
    parser.add_argument("--questions", type=int, default=1000)
    wish = parser.parse_args()
    asyncio.run(main(wish.server, wish.questions))
