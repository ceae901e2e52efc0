"""Strikes against matches: the same combat on a board, with the same faces and choices, leaves the same."""

from random import Random
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from differential.model_strike import Fight
from properties.strategies import pieces
from rules.battles.board import Board, Play
from sengoku.battles import FACES, OUTCOME_COLUMNS, Piece, Strike

FOOT, HORSE = ("SSp", "SB", "ASp", "AB", "AA", "LI"), ("SSpC", "SBC")


class Setting:
    """A combat on the board: the attacker is at the top, and both sides can retreat to their baselines."""

    def __init__(self, strike: Strike, room: int) -> None:
        self.strike = strike
        distance = strike.distance or 1
        row = 10 - room
        self.defender, self.attacker = f"{row},5", f"{row - distance},5"
        self.pieces = {"top": strike.attackers[0], "bottom": strike.defender}
        self.hexes = {"top": self.attacker, "bottom": self.defender}

    def friends(self, side: str) -> list[str]:
        """Where the supporting units of a side stand."""
        row = self.hexes[side].split(",")[0]
        return [f"{row},4", f"{row},6"] if self.pieces[side].support else []

    def board(self) -> Board:
        """The position before the turn of the attacker."""
        terrain = {self.hexes[side]: piece.terrain.upper() for side, piece in self.pieces.items()}
        tents = {side: self.hexes[side] for side, piece in self.pieces.items() if piece.kind == "BG"}
        terrain = {at: name for at, name in terrain.items() if name not in ("OPEN", "TENT")}
        board = Board(active="top", terrain=terrain, tents=tents)
        for side, piece in self.pieces.items():
            board.pieces(side, f"{_word(piece)}@{self.hexes[side]}")
            board.pieces(side, *(f"ASp@{at}" for at in self.friends(side)))
        return board.honor(top=self.strike.attacker_honor, bottom=self.strike.defender_honor)

    def fight(self, faces: list[str]) -> dict[str, Any]:
        """Plays the combat; what the match then says."""
        play = self.board().play("".join(faces)).command("C-ADV-C").order(self.attacker)
        play.declare(self.attacker, self.defender)
        while play.question not in (None, "battle", "replenish", "take_ground"):
            play.do(self.answer(play))
        assert play.match.dice_left == 0
        return play.state

    def answer(self, play: Play) -> str:
        """How the asked side decides."""
        piece, choices = self.pieces[play.asked or ""], play.choices
        match play.question:
            case "inspire":
                return "yes" if piece.inspire and "yes" in choices else "pass"
            case "ignore_flags":
                numbers = sorted(map(int, choices))
                request = {"all": numbers[-1], "none": 0}.get(piece.ignore_flags, piece.ignore_flags)
                return str(min(max(request, numbers[0]), numbers[-1]))
            case "leader_fate":
                return "seppuku" if piece.leader_fate == "seppuku" else min(choices - {"seppuku"})
            case "battle_back":
                return self.attacker if self.strike.battle_back else "pass"
            case "retreat" | "lose_nearest":
                return min(choices)
            case _:
                return "pass"


def _word(piece: Piece) -> str:
    """A piece as a deployment writes it."""
    if piece.kind == "BG":
        return f"AC+BG:{piece.blocks}"
    if piece.blocks == 0:
        return piece.kind
    return f"{piece.kind}:{piece.blocks}" + (f"+{piece.leader}" if piece.leader else "")


@st.composite
def settings_of_a_combat(draw: st.DrawFn) -> Setting:
    """A combat without cards that the board can show."""
    ranged = draw(st.integers(0, 3)) == 0
    attacking = ("SB", "AB", "AA", "SBC") if ranged else (*FOOT, *HORSE, "BG")
    attacker = draw(pieces(attacking))
    defender = draw(pieces((*FOOT, *HORSE, "LF", "LM") if ranged else (*FOOT, *HORSE, "BG", "LF", "LM")))
    room = draw(st.sampled_from([0, 4]))
    distance = 2 if ranged else None
    honor = draw(st.integers(0, 6)), draw(st.integers(0, 6))

    def placed(piece: Piece, room: int, terrains: tuple[str, ...]) -> Piece:
        _, fields = piece.__getnewargs_ex__()
        fields |= {"room": room, "adjacent_leader": False}
        # Who stands on his baseline cannot retreat.
        fields["leader_fate"] = "seppuku" if room == 0 else piece.leader_fate
        fields["inspire"] = piece.inspire and piece.leader is not None
        if piece.kind != "BG":
            fields["terrain"] = draw(st.sampled_from(terrains))
        return Piece(piece.kind, **fields)

    # Every map is a scenario of its own, and a process keeps a limited number of them.
    attacker = placed(attacker, 10 - room - (distance or 1), ("open",) if ranged else ("open", "hill"))
    ground = ("open", "forest", "palisade") if defender.kind in HORSE else ("open", "palisade", "castle")
    defender = placed(defender, room, ("open",) if defender.kind in ("LF", "LM") else ground)
    assume(not (defender.terrain == "castle" and attacker.kind in HORSE and not ranged))
    strike = Strike(
        attacker,
        defender,
        ranged=ranged,
        distance=distance,
        battle_back=draw(st.booleans()),
        attacker_honor=honor[0],
        defender_honor=honor[1],
        pool=30 - sum(honor),
    )
    return Setting(strike, room)


@settings(max_examples=250)
@given(settings_of_a_combat(), st.integers(0, 2**32))
def test_a_match_does_what_a_strike_does(setting: Setting, seed: int) -> None:
    # BT-TURN-07: one battle of a turn, fully resolved
    random, faces = Random(seed), []

    def roll() -> str:
        faces.append(random.choice(FACES))
        return faces[-1]

    Fight(setting.strike, roll)  # how many faces it takes
    outcome = setting.strike.fight(faces=faces).outcome
    logged = {name: getattr(outcome, name) for name in OUTCOME_COLUMNS}
    state = setting.fight(faces)
    alone = not logged["attacker_others"] and not logged["defender_others"]
    for side, role, honor in (
        ("top", "attacker", setting.strike.attacker_honor),
        ("bottom", "defender", setting.strike.defender_honor),
    ):
        friends = setting.friends(side)
        units = [unit for unit in state["units"] if unit["side"] == side and unit["hex"] not in friends]
        assert sum(unit["blocks"] for unit in units) == logged[f"{role}_blocks"]
        if units:
            moved = abs(int(units[0]["hex"].split(",")[0]) - int(setting.hexes[side].split(",")[0]))
            assert moved == logged[f"{role}_retreat"]
        there = [leader for leader in state["leaders"] if leader["side"] == side]
        assert bool(there) == (logged[f"{role}_leader"] in ("stands", "retreated"))
        assert state["honor"][side] == honor + logged[f"{role}_honor"]
        if alone:  # others' losses are banners, too
            assert state["banners"][side] == logged[f"{role}_banners"]
