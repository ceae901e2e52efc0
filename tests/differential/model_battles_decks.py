"""The command and dragon cards of `battles`, written from the rule ledger alone."""

# BT-CMD-01: copies in table order (BT-RAND-03).
COMMAND = {
    "C-ONE-L": 2,
    "C-ONE-C": 2,
    "C-ONE-R": 2,
    "C-TWO-L": 3,
    "C-TWO-C": 4,
    "C-TWO-R": 3,
    "C-THREE-L": 3,
    "C-THREE-C": 3,
    "C-THREE-R": 3,
    "C-ADV-L": 2,
    "C-ADV-C": 2,
    "C-ADV-R": 2,
    "C-CRANE": 2,
    "C-GEESE": 2,
    "C-FLANKS": 2,
    "C-TIGER-L": 1,
    "C-TIGER-R": 1,
    "C-CIRCLE": 2,
    "C-TRIANGLE": 2,
    "C-SQUARE": 2,
    "C-CAVALRY": 2,
    "C-COUNTER": 2,
    "C-FIRST": 2,
    "C-HOLD": 2,
    "C-ASSAULT": 2,  # BT-R-01
    "C-LEADER": 2,
    "C-SNAKE": 2,
    "C-SHOGUN": 1,
}
# BT-DRAGON-01: window and cost; D-04 and D-22 are there twice.
DRAGON = {
    "D-01": ("W-CMD-A", 2),
    "D-02a": ("W-POST-O", 1),
    "D-02b": ("W-PRE-O", 1),
    "D-03": ("W-CMD-A", 3),
    "D-04": ("W-CMD-A", 1),
    "D-05": ("W-CMD-A", 2),
    "D-06": ("W-PRE-R", 3),
    "D-07": ("W-FIRST", 2),
    "D-08": ("W-CMD-A", 3),
    "D-09": ("W-END-A", 1),
    "D-10": ("W-PRE-R", 2),
    "D-11": ("W-CMD-A", 3),
    "D-12": ("W-CMD-A", 2),
    "D-13": ("W-CMD-A", 1),
    "D-14": ("W-PRE-R", 2),
    "D-15": ("W-PRE-O", 1),
    "D-16": ("W-CMD-A", 2),
    "D-17": ("W-PRE-R", 0),
    "D-18": ("W-MOVE-A", 1),
    "D-19": ("W-SUCCESS-A", 2),
    "D-20": ("W-CMD-D", 3),
    "D-21": ("W-MOVE-D", 1),
    "D-22": ("W-MELEE-START", 0),
    "D-23": ("W-CMD-A", 2),
    "D-24": ("W-CMD-A", 1),
    "D-25": ("W-PRE-O", 2),
    "D-26": ("W-CMD-A", 3),
    "D-27": ("W-CMD-A", 3),
    "D-28": ("W-CMD-A", 3),
    "D-29": ("W-PRE-R", 1),
    "D-30": ("W-POST-O", 3),
    "D-31": ("W-MOVE-A", 2),
    "D-32": ("W-POST-R", 2),
    "D-33": ("W-CMD-A", 0),
    "D-34": ("W-GROUND-D", 1),
    "D-35": ("W-CMD-A", 3),
    "D-36": ("W-CMD-D", 2),
    "D-37": ("W-CMD-D", 2),
}
# Cards of which there are two.
TWICE = {"D-04", "D-22"}


def dragon_deck() -> list[str]:
    """BT-RAND-03."""
    return [card for card in DRAGON for _ in range(2 if card in TWICE else 1)]


def command_deck() -> list[str]:
    """BT-RAND-03."""
    return [card for card, copies in COMMAND.items() for _ in range(copies)]
