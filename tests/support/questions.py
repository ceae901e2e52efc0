"""Command lines for odds and throws, and the same questions as values."""

from sengoku.swords import Battle, Force

QUESTION = ["odds", "swords", "--attacker", "daimyo=1,bow=2,spear=3", "--defender", "bow=1,spear=4"]
BATTLE = Battle(Force(daimyo=1, bow=2, spear=3), Force(bow=1, spear=4))
CLASH = ["odds", "tower", "--attacker", "blue=4", "--defender", "yellow=3"]
STRIKE = ["odds", "battles", "--attacker", "SSp", "--defender", "ASp:blocks=3,leader=LF"]
THROW = ["tower", "throw", "--cubes", "blue=4,yellow=3,farmer=1", "--seed", "3"]
FILM = ["tower", "film", "--cubes", "blue=2,yellow=1", "--contents", "red=1", "--seed", "1"]
