"""The cube tower once more, slowly, from the pseudo-code of the ledger (TW-TOWER-30..32, 36, TW-RNG-00)."""

from collections.abc import Iterable

from sengoku import draws

COLOURS = ("red", "blue", "yellow", "purple", "black", "farmer")
LEDGER = (  # capacity, stick base, dislodge, burst; jam (J) and half jam (10 K) where cubes jam
    (26, 880, 524, 1966),
    (24, 820, 590, 1966),
)


class Numbers:
    """The numbers of a stream: r16 takes the next half of a word, below the next whole word."""

    def __init__(self, purpose: str, seed: int, match_index: int) -> None:
        self.stream = {"purpose": purpose, "seed": seed, "match_index": match_index}
        self.half = 0
        self.halves: list[int] = []

    def r16(self) -> int:
        """The next half of a word."""
        while len(self.halves) <= self.half:
            self.halves += draws(**self.stream, first=len(self.halves), count=1024, halves=True)
        self.half += 1
        return self.halves[self.half - 1]

    def below(self, sides: int) -> int:
        """Uniform below `sides`, from the next whole word."""
        word = (self.half + 1) // 2
        self.half = 2 * word + 2
        return draws(**self.stream, first=word, sides=sides)[0]

    def shuffle(self, items: list) -> None:
        """The shuffle of TW-RNG-00."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]


class Tower:
    """The model `shelves`."""

    def __init__(self, numbers: Numbers, parameters: Iterable[tuple[int, ...]] = LEDGER) -> None:
        self.numbers = numbers
        self.parameters = tuple(parameters)
        self.shelf: list[list[str]] = [[] for _ in self.parameters]

    def stick(self, s: int, m: int, j: int = 0) -> int:
        """The threshold of TW-TOWER-31, and what jams add to it by TW-TOWER-36."""
        capacity, q, _, _, *jams = self.parameters[s]
        alone = q * (capacity - m) * 65536 // (1000 * capacity) if m < capacity else 0
        if not jams or jams[0] == 0 or m >= capacity:
            return alone
        added = jams[0] * 10 * j * 65536 // (1000 * (10 * j + jams[1])) if j else 0
        return min(alone + added, 65535)

    def throw(self, cubes: dict[str, int]) -> list[str]:
        """The algorithm of TW-TOWER-32."""
        cubes_in = [colour for colour in COLOURS for _ in range(cubes.get(colour, 0))]
        self.numbers.shuffle(cubes_in)
        out = []
        # A cube is a list of one colour, so that those of this throw can be told apart by what they are.
        shelf = [[[x] for x in cubes] for cubes in self.shelf]
        thrown = [[c] for c in cubes_in]
        reached = [0] * len(shelf)
        for c0 in thrown:
            stack = [(c0, 0)]
            while stack:
                c, s = stack.pop()
                if s == len(shelf):
                    out.append(c[0])
                    continue
                _, _, dislodge, burst, *_ = self.parameters[s]
                keep, gone = [], []
                for x in shelf[s]:
                    (gone if self.numbers.r16() < dislodge else keep).append(x)
                if gone:
                    keep2 = []
                    for x in keep:
                        (gone if self.numbers.r16() < burst else keep2).append(x)
                    keep = keep2
                if self.numbers.r16() < self.stick(s, len(keep), reached[s]):
                    keep.append(c)
                    following = []
                else:
                    following = [(c, s + 1)]
                reached[s] += any(c is one for one in thrown)
                shelf[s] = keep
                following += [(x, s + 1) for x in gone]
                stack += reversed(following)
        self.shelf = [[x[0] for x in cubes] for cubes in shelf]
        return out


def settle_attack(tray: dict[str, int], attacker: str, defender: str | None, farmers_fight: bool) -> tuple:
    """The end of `attack` of TW-BATTLE-17: who wins, and with how many armies."""
    a = tray.get(attacker, 0)
    d = tray.get(defender, 0) if defender else 0
    f = tray.get("farmer", 0) if farmers_fight else 0
    if a > d + f:
        return "attacker", a - d - f
    if a < d + f and d >= 1:
        return "defender", d - max(0, a - f)
    return "none", 0


def settle_revolt(tray: dict[str, int], owner: str) -> tuple:
    """The end of `revolt` of TW-BATTLE-17."""
    d, f = tray.get(owner, 0), tray.get("farmer", 0)
    return ("defender", d - f) if d > f else ("attacker", 0)
