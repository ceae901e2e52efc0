"""Board facts (section 31): the data, and that a match is played on them."""

from collections import Counter

import pytest

from rules.tower.board import ACTIONS, Board, events, options, player
from rules.tower.sound import side_data
from sengoku import Match

NAMES = [
    "Aki",
    "Awa-Boso",
    "Awa-Shikoku",
    "Bingo",
    "Bitchu",
    "Bizen",
    "Echigo",
    "Echizen",
    "Etchu",
    "Harima",
    "Hida",
    "Hitachi",
    "Hoki",
    "Ise",
    "Iwami",
    "Iyo",
    "Izu",
    "Izumo",
    "Kaga",
    "Kai",
    "Kazusa",
    "Kii",
    "Kozuke",
    "Mikawa",
    "Mimasaka",
    "Mino",
    "Musashi",
    "Mutsu",
    "Noto",
    "Omi",
    "Owari",
    "Sagami",
    "Sanuki",
    "Settsu",
    "Shima",
    "Shimosa",
    "Shimotsuke",
    "Shinano",
    "Suruga",
    "Tajima",
    "Tamba",
    "Tosa",
    "Totomi",
    "Wakasa",
    "Yamato",
]
REGIONS = {
    "green": ("Aki, Bingo, Bitchu, Bizen, Hoki, Iwami, Izumo, Tajima", "Mimasaka", "Sanuki"),
    "red": ("Harima, Hida, Mikawa, Mino, Omi, Tamba", "Echizen, Owari, Wakasa", "Kai, Mimasaka, Shinano"),
    "purple": ("Awa-Shikoku, Ise, Iyo, Kii, Settsu, Shima, Tosa, Yamato", "Sanuki", "Owari"),
    "yellow": ("Awa-Boso, Izu, Kazusa, Musashi, Sagami, Shimosa, Suruga, Totomi", "Kai", "Hitachi"),
    "brown": (
        "Echigo, Etchu, Kaga, Kozuke, Mutsu, Noto, Shimotsuke", "Hitachi, Shinano", "Echizen, Wakasa",
    ),
}  # fmt: skip
SEA = {
    ("izu", "shima"), ("awa-boso", "izu"), ("awa-shikoku", "kii"), ("harima", "sanuki"), ("aki", "iyo"),
    ("kaga", "tajima"),
}  # fmt: skip


@pytest.mark.parametrize("side", ["sun", "moon"])
def test_provinces_of_a_side(side: str) -> None:
    # TW-FACT-01, TW-FACT-03: 45 names, 5 regions of 9, 1 to 3 sites, 8 left out with three players
    data = side_data(side)
    assert [row["name"] for row in data.values()] == NAMES
    assert list(data) == sorted(data) == [name.lower() for name in NAMES]
    assert Counter(row["region"] for row in data.values()) == dict.fromkeys(REGIONS, 9)
    assert {row["sites"] for row in data.values()} == {1, 2, 3}
    left_out = {key for key, row in data.items() if row["left_out_with_three"]}
    assert len(left_out) == 8
    for seats in (3, 4):
        shown = Match.create("tower", seats=seats, setup={"side": side}).state()["provinces"]
        assert set(shown) == set(data) - (left_out if seats == 3 else set())


@pytest.mark.parametrize(("side", "column"), [("sun", 1), ("moon", 2)])
def test_regions(side: str, column: int) -> None:
    # TW-FACT-04: in the data, and where castles alone in a region score 3
    data = side_data(side)
    for region, texts in REGIONS.items():
        names = {name.lower() for name in f"{texts[0]}, {texts[column]}".split(", ")}
        assert {key for key, row in data.items() if row["region"] == region} == names
        board = Board(4, side=side)
        for seat, place in enumerate(sorted(names)):
            board.province(place, 0 if seat else 1, 1, "castle")
        tallies = [
            event["tally"]["majorities"]["castle"] for event in events(board.begin("score").match(), "scored")
        ]
        assert tallies == [{region: 3}, {}, {}, {}]


def test_what_the_text_attests() -> None:
    # TW-FACT-02
    data = side_data("sun")
    assert (data["settsu"]["tax"], data["aki"]["sites"]) == (7, 2)
    assert "izu" in data["shima"]["sea"]
    assert "kozuke" in data["shinano"]["land"]


def test_values() -> None:
    # TW-FACT-05: ranges and sums; the same on both sides
    for field, least, most, total in (("tax", 3, 7, 220), ("rice", 2, 5, 140), ("sites", 1, 3, 87)):
        values = [row[field] for row in side_data("sun").values()]
        assert (min(values), max(values), sum(values)) == (least, most, total)
        assert values == [row[field] for row in side_data("moon").values()]


def test_values_are_played() -> None:
    # TW-FACT-05: what is collected and built in each province, on the board of four players
    for key, row in side_data("sun").items():
        board = (
            Board(4).province(key, 0, 9).plan(0, tax=key).specials({0: "six_armies"}).event("castle_defence")
        )
        match = board.begin("tax").match()
        assert player(match, 0)["chests"] == 20 + row["tax"]
    for key, row in side_data("moon").items():
        board = Board(4, side="moon").province(key, 0, 9).plan(0, rice=key).specials({0: "six_armies"})
        match = board.event("castle_defence").begin("rice").match()
        assert player(match, 0)["rice"] == row["rice"]


@pytest.mark.parametrize("built", [0, 1, 2])
def test_sites_are_played(built: int) -> None:
    # TW-FACT-05, TW-FACT-01: the next building needs one site more
    for key, row in side_data("sun").items():
        if row["sites"] < built:
            continue
        action = ACTIONS[built]
        match = Board(4).province(key, 0, 1, *ACTIONS[:built]).plan(0, **{action: key}).begin(action).match()
        assert len(events(match, "built")) == (row["sites"] > built)


@pytest.mark.parametrize("side", ["sun", "moon"])
def test_borders(side: str) -> None:
    # TW-FACT-06, TW-R-06: six sea links and 91 land borders, both ways; where armies can go in a match
    data = side_data(side)
    assert {tuple(sorted((key, other))) for key, row in data.items() for other in row["sea"]} == SEA
    land = {tuple(sorted((key, other))) for key, row in data.items() for other in row["land"]}
    assert len(land) == 91
    assert land.isdisjoint(SEA)
    for key, row in data.items():
        assert all(key in data[other]["land"] for other in row["land"])
        assert all(key in data[other]["sea"] for other in row["sea"])
        match = Board(4, side=side).province(key, 0, 3).plan(0, battle_a=key).begin("battle_a").match()
        assert {move["to"] for move in options(match, "move")} == {*row["land"], *row["sea"]}


def test_borders_with_three() -> None:
    # TW-FACT-01, TW-BOARD-04: what is left out is adjacent to nothing
    for side in ("sun", "moon"):
        data = side_data(side)
        for key, row in data.items():
            near = [n for n in (*row["land"], *row["sea"]) if not data[n]["left_out_with_three"]]
            if row["left_out_with_three"] or len(near) < 2:
                continue
            match = Board(3, side=side).province(key, 0, 3).plan(0, battle_a=key).begin("battle_a").match()
            assert sorted({move["to"] for move in options(match, "move")}) == sorted(near)
