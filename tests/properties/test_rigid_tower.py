"""A rigid throw gives the same bytes: on any threads and split, and after saving; and its films."""

import copy
import dataclasses
import hashlib
import io
import pickle
import random
import threading
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from golden.regenerate import STILL, still
from sengoku import Cancel, tower
from sengoku.errors import ArgumentError, CancelledError, DecodeError, MissingDependencyError
from sengoku.figures import film
from sengoku.tower import CubeTower, Film, simulate_throws

THROW = {"blue": 2, "yellow": 1}


@pytest.mark.parametrize("sequence", [False, True])
def test_threads_and_splits_change_nothing(sequence: bool) -> None:
    # TW-TOWER-08
    request = {"model": "rigid", "seed": 4, "contents": {"red": 2}, "sequence": sequence}
    whole = simulate_throws(THROW, count=5, first=7, threads=1, **request)
    message: list[tuple[int, int]] = []
    again = simulate_throws(
        THROW, count=5, first=7, threads=3, progress=lambda *done: message.append(done), **request
    )
    assert again == whole
    assert message == sorted(message)
    assert message[-1] == (5, 5)
    device = CubeTower("rigid", seed=4, match_index=7, contents={"red": 2})
    for row in range(5):
        if row and not sequence:
            device = CubeTower("rigid", seed=4, match_index=7 + row, contents={"red": 2})
        tray = device.throw(THROW)
        assert whole.tray[row].tolist() == [tray.get(colour, 0) for colour in tower.COLOURS]
        assert int(whole.contents[row].sum()) == len(device)
    if not sequence:
        assert (simulate_throws(THROW, count=2, first=9, **request).tray == whole.tray[2:4]).all()
    assert len(simulate_throws(THROW, count=0, **request)) == 0


def test_a_saved_tower_goes_on() -> None:
    first = CubeTower("rigid", seed=5, match_index=2)
    first.throw({"red": 9, "farmer": 3})
    others = [
        CubeTower.load(first.save()),
        first.clone(),
        pickle.loads(pickle.dumps(first)),  # noqa: S301
        copy.copy(first),
    ]
    first.throw(THROW)
    for other in others:
        assert (other.model, other.seed, other.match_index, other.throws) == ("rigid", 5, 2, 1)
        other.throw(THROW)
        assert (other.save(), other.shelves, other.draws) == (first.save(), first.shelves, first.draws)
    assert repr(first).startswith('CubeTower(model="rigid", seed=5, throws=2, contents={')


def test_bytes_that_are_no_tower() -> None:
    data = CubeTower("rigid", seed=1, contents={"red": 2}).save()
    chance = random.Random(5)
    for length in range(len(data)):
        with pytest.raises(DecodeError):
            CubeTower.load(data[:length])
    with pytest.raises(DecodeError):
        CubeTower.load(data + b"x")
    for number in range(1000):
        broken = bytearray(data)
        broken[chance.randrange(len(data))] = chance.randrange(256)
        with suppress(ValueError):
            found = CubeTower.load(bytes(broken))
            if number % 50 == 0 and found.model == "rigid":
                found.throw({"black": 1})


def test_work_that_is_stopped() -> None:
    cancel = Cancel()
    cancel.cancel()
    device = CubeTower("rigid", seed=1)
    for work in (
        lambda: device.throw(THROW, cancel=cancel),
        lambda: device.record(THROW, cancel=cancel),
        lambda: CubeTower("rigid", contents={"red": 30}, cancel=cancel),
        lambda: simulate_throws(THROW, count=10**6, model="rigid", cancel=cancel),
        lambda: simulate_throws(THROW, count=10**6, model="rigid", sequence=True, cancel=cancel),
    ):
        with pytest.raises(CancelledError):
            work()
    assert (device.throws, device.draws, len(device)) == (0, 0, 0)

    def fail(done: int, total: int) -> None:
        raise RuntimeError(f"{done} of {total}")

    for sequence in (False, True):
        with pytest.raises(RuntimeError, match="of 1000000"):
            simulate_throws(THROW, count=10**6, model="rigid", sequence=sequence, progress=fail)


def test_a_throw_is_stopped_in_its_midst() -> None:
    geometry = CubeTower("rigid").parameters
    geometry["simulation"]["steps_per_second"] = 100_000  # takes minutes
    cancel = Cancel()
    threading.Timer(0.3, cancel.cancel).start()
    started = time.monotonic()
    with pytest.raises(CancelledError):
        CubeTower("rigid", parameters=geometry).throw({"red": 60}, cancel=cancel)
    assert time.monotonic() - started < 20


def test_arguments_that_cannot_be() -> None:
    for options, words in (
        ({"instruction_set": "avx2"}, "only the model"),
        ({"seed": 2**64}, "seed is"),
        ({"model": "jelly"}, "there is shelves, rigid"),
    ):
        with pytest.raises(ArgumentError, match=words):
            simulate_throws(THROW, count=1, **{"model": "rigid"} | options)
    with pytest.raises(ArgumentError, match='only "rigid" has something to record'):
        CubeTower().record(THROW)
    for rate in (0, 1001, -1):
        with pytest.raises(ArgumentError, match=f"frames_per_second is {rate}"):
            CubeTower("rigid").record(THROW, frames_per_second=rate)


@pytest.fixture(scope="module")
def short() -> Film:
    """A film of few pictures."""
    return tower.film(THROW, seed=3, contents={"red": 2}, frames_per_second=25)


def test_a_film_is_the_throw(short: Film) -> None:
    device = CubeTower("rigid", seed=3, contents={"red": 2})
    assert short.tray == device.throw(THROW)
    assert (short.contents, short.statistics) == (device.contents, device.last_throw)
    frames, cubes = len(short), 5
    assert short.centre.shape == (frames, cubes, 3)
    assert short.rotation.shape == (frames, cubes, 4)
    assert short.seconds[-1] == short.statistics["seconds"]
    assert frames == -(-short.statistics["steps"] // 80)  # one in 80 steps, and the end
    assert [tower.COLOURS[colour] for colour in short.colour[:2]] == ["red", "red"]
    assert short.thrown.tolist() == [False, False, True, True, True]
    assert np.isnan(short.centre[0]).any()  # some are still in the hand
    assert not np.isnan(short.centre[-1]).any()
    out = short.centre[-1, :, 0] > short.window_x
    assert out.sum() == sum(short.tray.values())
    assert np.linalg.norm(short.rotation[-1], axis=1) == pytest.approx(1, abs=1e-3)
    assert set(short.box_part) == {*("shaft", "front", "funnel", "board", "ramp", "tray", "guard")}
    assert short.shift.shape == (frames, 3)
    reach = np.linalg.norm(short.shift, axis=1).max()
    assert 0.8 * short.statistics["shake_mm"] < reach <= short.statistics["shake_mm"] + 1e-6
    assert not short.shift[-1].any()
    assert len(short.box_centre) == len(short.box_half) == len(short.box_rotation) == len(short.box_part)


def test_the_same_film_has_the_same_bytes(short: Film) -> None:
    def digest(recorded: Film) -> str:
        return hashlib.sha256(recorded.centre.tobytes() + recorded.rotation.tobytes()).hexdigest()

    again = tower.film(THROW, seed=3, contents={"red": 2}, frames_per_second=25)
    assert digest(again) == digest(short)
    assert again.picture(5).tobytes() == short.picture(5).tobytes()


def test_pictures(short: Film) -> None:
    picture = short.picture()
    assert picture.size == (640, 800)
    seen = {colour for _, colour in picture.getcolors(1 << 20)}
    assert len(seen) > 50  # not a blank sheet
    assert short.picture(0).tobytes() != picture.tobytes()


def test_pictures_show_the_shake(short: Film) -> None:
    # TW-TOWER-42: the tower moves before the camera, and a dial shows it enlarged
    place = int(np.abs(short.shift[:, 2]).argmax())
    still = dataclasses.replace(
        short, shift=np.zeros_like(short.shift), statistics=short.statistics | {"shake_mm": 0.0}
    )
    shaken, calm = (np.asarray(film.picture(place)) for film in (short, still))
    assert (shaken != calm).any(axis=2)[100:700].mean() > 0.01  # the tower itself
    assert (shaken[40:100, 400:] != calm[40:100, 400:]).any()  # the dial
    assert (np.asarray(still.picture()) == np.asarray(dataclasses.replace(still).picture())).all()


def test_files(short: Film, tmp_path: Path) -> None:
    message: list[tuple[int, int]] = []
    gif = tmp_path / "new" / "film.gif"
    pictures = short.save(gif, slow=0.25, progress=lambda *done: message.append(done))
    assert message == [(done, pictures) for done in range(1, pictures + 1)]
    with Image.open(gif) as image:
        assert (image.size, image.n_frames, image.info["loop"]) == ((640, 800), pictures, 0)
        assert image.info["duration"] == 40
        image.seek(pictures - 1)
        assert image.info["duration"] == 1500
    png = tmp_path / "still.png"
    assert short.save(png, at=0.2) == 1
    with Image.open(png) as image:
        image.load()
        assert (image.size, image.mode) == ((640, 800), "RGB")
    assert short.frame_at(0.2) == int(np.abs(short.seconds - 0.2).argmin())
    mp4 = tmp_path / "film.mp4"
    short.save(mp4, slow=0.25)
    assert mp4.read_bytes()[4:8] == b"ftyp"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["film.mp4", "new", "still.png"]


def test_files_that_cannot_be(short: Film, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "folder.gif").mkdir()
    old = tmp_path / "old.gif"
    old.write_bytes(b"old")
    for file, options, words in (
        (tmp_path / "film.avi", {}, r"must end in .gif, .mp4, .png"),
        (tmp_path / "folder.gif", {}, "which is a folder"),
        (tmp_path / "still.png", {"at": 99.0}, "at is 99"),
        (tmp_path / "still.png", {"at": float("nan")}, "at is nan"),
        (old, {"at": 0.1}, "must be set only for a png"),
        (old, {"slow": 0}, "slow is 0"),
        (old / "film.gif", {}, "cannot write the film"),
    ):
        with pytest.raises(ArgumentError, match=words):
            short.save(file, **options)

    def fail(done: int, total: int) -> None:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        short.save(old, progress=fail)
    assert old.read_bytes() == b"old"  # what was there is lost only to a film that is whole
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder.gif", "old.gif"]
    monkeypatch.setitem(__import__("sys").modules, "imageio_ffmpeg", None)
    with pytest.raises(MissingDependencyError, match=r"the extra sengoku\[mp4\]"):
        film.check(tmp_path / "film.mp4")
    monkeypatch.setitem(__import__("sys").modules, "PIL", None)
    with pytest.raises(MissingDependencyError, match=r"the extra sengoku\[film\]"):
        film.check(tmp_path / "film.gif")


def test_the_picture_of_the_crate(tmp_path: Path) -> None:
    """It can be drawn again; tuned plates change it, so that only its form is compared."""
    still(tmp_path / STILL.name)
    for file in (STILL, tmp_path / STILL.name):
        with Image.open(io.BytesIO(file.read_bytes())) as image:
            assert (image.size, image.format) == ((640, 800), "PNG")
