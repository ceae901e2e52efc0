"""Films of throws into the rigid tower; pictures need the extra `sengoku[film]`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from sengoku import _core
from sengoku.engine.checks import out_of_range
from sengoku.errors import ArgumentError
from sengoku.figures import FRAMES_PER_SECOND, check_file, load
from sengoku.figures.rasterise import COLOURS, Stage

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

__all__ = ["FRAMES_PER_SECOND", "SUFFIXES", "Film", "check", "frames_per_second"]

SUFFIXES = (".gif", ".mp4", ".png")
"""File formats of a film; a png is a single frame."""

_WIDTH, _HEIGHT = 640, 800
_ABOVE, _BELOW = 64, 84
_INK, _PALE = (44, 40, 48), (132, 124, 120)
_HOLD_SECONDS = 1.5


@dataclass(frozen=True, eq=False)
class Film:
    """A recorded throw: the position of every cube, frame by frame, and the fixed parts.

    Lengths are millimetres, in a frame that moves with the tower while it is shaken. The origin is the middle
    of the shaft at the table's height, x points through the window, z up; rotations are unit quaternions
    x, y, z, w. Cubes that were inside come first, and a cube that has not left the hand is nowhere (NaN).
    """

    seconds: npt.NDArray[np.float64]
    """Time of each frame since the start of the throw; in the last frame all cubes rest."""
    shift: npt.NDArray[np.float32]
    """Where the tower has been shaken to: frames x 3."""
    centre: npt.NDArray[np.float32]
    """Position: frames x cubes x 3."""
    rotation: npt.NDArray[np.float32]
    """Rotation: frames x cubes x 4."""
    edge: npt.NDArray[np.float32]
    """Edge length of each cube."""
    colour: npt.NDArray[np.uint8]
    """Colour of each cube, as an index into `tower.COLOURS`."""
    thrown: npt.NDArray[np.bool_]
    """Whether a cube was thrown, rather than inside before."""
    box_centre: npt.NDArray[np.float64]
    """Centre of each fixed box."""
    box_half: npt.NDArray[np.float64]
    """Half the size of each box along its own axes."""
    box_rotation: npt.NDArray[np.float64]
    box_part: list[str]
    """Part of each box: shaft, front, funnel, upper_plate, lower_plate, board, ramp, tray or unseen guard."""
    window_x: float
    """Cubes beyond this x are in the tray."""
    tray: dict[str, int]
    """Cubes that came out."""
    contents: dict[str, int]
    """Cubes that are inside afterwards."""
    statistics: dict[str, Any]
    """Statistics of the motion, as in `CubeTower.last_throw`."""

    def __len__(self) -> int:
        return len(self.seconds)

    @cached_property
    def _stage(self) -> Stage:
        return Stage(self, _WIDTH, _HEIGHT, (_ABOVE, _BELOW))

    def frame_at(self, seconds: float | None = None) -> int:
        """Return the number of the frame at a time; by default the last frame."""
        if seconds is None:
            return len(self) - 1
        if not 0 <= seconds <= self.seconds[-1]:
            raise out_of_range("at", seconds, 0, float(self.seconds[-1]), "seconds")
        return int(np.abs(self.seconds - seconds).argmin())

    def picture(self, frame: int = -1) -> "Image":
        """Draw a frame."""
        image_module, _, _ = _pillow()
        out = ~np.isnan(self.centre[frame, :, 0])
        names = [_core.COLOURS[colour] for colour in self.colour]
        drawn = self._stage.draw(
            self.centre[frame, out].astype(float),
            self.rotation[frame, out].astype(float),
            self.edge[out].astype(float),
            [name for name, there in zip(names, out, strict=True) if there],
            self.thrown[out],
            self.shift[frame].astype(float),
        )
        image: Image = image_module.fromarray(drawn)
        self._caption(image, frame, names)
        return image

    def _caption(self, image: "Image", frame: int, names: list[str]) -> None:
        """Write the time, and the number of cubes in each place."""
        _, draw_module, font_module = _pillow()
        draw = draw_module.Draw(image)
        large, small = (font_module.load_default(size) for size in (19, 15))
        x = self.centre[frame, :, 0]
        hand, tray = np.isnan(x), x > self.window_x
        thrown = _counts(names, self.thrown)
        shown = ", ".join(f"{count} {name}" for name, count in thrown.items())
        inside = len(names) - int(self.thrown.sum())
        draw.text((24, 18), f"{shown} into a tower of {inside}", _INK, large)
        draw.text((24, 44), "cubes with light edges were thrown", _PALE, small)
        draw.text((_WIDTH - 24, 18), f"{self.seconds[frame]:.2f} s", _INK, large, anchor="ra")
        if self.statistics["shake_mm"]:
            self._dial(draw, frame, small)
        rows = (("tray", tray), ("inside", ~tray & ~hand), ("in the hand", hand))
        for row, (name, which) in enumerate(rows):
            if name == "in the hand" and not which.any():
                continue
            top = _HEIGHT - _BELOW + 8 + 24 * row
            draw.text((24, top), f"{name}: {int(which.sum())}", _INK, small)
            _row(draw, 150, top + 3, _counts(names, which), small)

    def _dial(self, draw: "ImageDraw", frame: int, font: Any) -> None:
        """Draw where the tower has been shaken to, enlarged: the ring is as far as it goes in this throw."""
        reach = self.statistics["shake_mm"]
        right, down = self._stage.seen_from_camera(self.shift[frame].astype(float))
        x, y, radius = _WIDTH - 40, 66, 16
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), None, _PALE)
        at_x, at_y = x + right / reach * radius, y + down / reach * radius
        draw.ellipse((at_x - 4, at_y - 4, at_x + 4, at_y + 4), _INK)
        draw.text((x - radius - 8, y), f"shaken by {reach:.1f} mm", _PALE, font, anchor="rm")

    def save(
        self,
        file: Path,
        *,
        slow: float = 2.0,
        at: float | None = None,
        progress: Callable[[int, int], object] | None = None,
    ) -> int:
        """Write the film, or for a png the frame `at` a time; return the number of frames written.

        The film plays `slow` times slower than the throw; its last frame is held for a while.
        """
        check(file)
        numbers = self._numbers(file, slow, at)

        def drawn() -> "Iterator[Image]":
            for done, number in enumerate(numbers, 1):
                yield self.picture(number)
                if progress is not None:
                    progress(done, len(numbers))

        with _replacing(file) as target:
            if file.suffix == ".png":
                next(drawn()).save(target)
            elif file.suffix == ".mp4":
                _write_mp4(target, drawn())
            else:
                # One palette for all, from three of them: what does not move does not flicker.
                typical = [self.picture(numbers[place]) for place in (0, len(numbers) // 2, -1)]
                _write_gif(target, drawn(), len(numbers), typical)
        return len(numbers)

    def _numbers(self, file: Path, slow: float, at: float | None) -> list[int]:
        """Return the frames to show: those nearest to evenly spaced times."""
        if file.suffix == ".png":
            return [self.frame_at(at)]
        if at is not None:
            raise ArgumentError("at is set: must be set only for a png", {"field": "at", "value": str(at)})
        _check_slow(slow)
        step = 1 / (FRAMES_PER_SECOND * slow)
        times = np.arange(self.seconds[0], self.seconds[-1], step)
        numbers = np.abs(self.seconds[:, None] - times).argmin(axis=0)
        return [*numbers.tolist(), len(self) - 1]


def frames_per_second(slow: float) -> int:
    """Return the recording rate of a film that is played `slow` times slower."""
    _check_slow(slow)
    return max(FRAMES_PER_SECOND, round(FRAMES_PER_SECOND * slow))


def _check_slow(slow: float) -> None:
    if not 0.1 <= slow <= 20:
        raise out_of_range("slow", slow, 0.1, 20)


def check(file: Path) -> None:
    """Raise an error for a file to which no film can be written, before any work is done."""
    check_file("film", file, SUFFIXES)
    _pillow()
    if file.suffix == ".mp4":
        _ffmpeg()


def _pillow() -> tuple[Any, Any, Any]:
    names = ("Image", "ImageDraw", "ImageFont")
    image, draw, font = (load("pillow", f"PIL.{name}", "pictures", "film") for name in names)
    return image, draw, font


def _ffmpeg() -> Any:
    return load("imageio-ffmpeg", "imageio_ffmpeg", "mp4 files", "mp4", ", or use gif")


@contextmanager
def _replacing(file: Path) -> Iterator[Path]:
    """Provide a temporary file that replaces `file` once it is complete."""
    target = file.with_name(f".{file.stem}.part{file.suffix}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        target.touch()  # what cannot be written is refused before anything is drawn
        yield target
        target.replace(file)
    except ArgumentError:
        raise
    except (OSError, ValueError) as error:
        details = {"field": "film", "value": str(file)}
        reason = error.strerror if isinstance(error, OSError) else error
        raise ArgumentError(f"cannot write the film {file}: {reason or error}", details) from error
    finally:
        if target.is_file():
            target.unlink()


def _write_gif(file: Path, pictures: "Iterator[Image]", count: int, typical: "Sequence[Image]") -> None:
    image_module, _, _ = _pillow()
    sheet = image_module.new("RGB", (_WIDTH * len(typical), _HEIGHT))
    for place, picture in enumerate(typical):
        sheet.paste(picture, (place * _WIDTH, 0))
    palette, plain = sheet.quantize(255), image_module.Dither.NONE
    frames = (picture.quantize(palette=palette, dither=plain) for picture in pictures)
    durations = [1000 // FRAMES_PER_SECOND] * (count - 1) + [int(_HOLD_SECONDS * 1000)]
    next(frames).save(file, save_all=True, append_images=frames, duration=durations, loop=0)


def _write_mp4(file: Path, pictures: "Iterator[Image]") -> None:
    writer = _ffmpeg().write_frames(str(file), (_WIDTH, _HEIGHT), fps=FRAMES_PER_SECOND, quality=7)
    writer.send(None)
    for picture in pictures:
        writer.send(picture.tobytes())
    for _ in range(int(_HOLD_SECONDS * FRAMES_PER_SECOND)):
        writer.send(picture.tobytes())
    writer.close()


def _counts(names: list[str], which: npt.NDArray[np.bool_]) -> dict[str, int]:
    """Return the number of selected cubes by colour."""
    there = [name for name, chosen in zip(names, which, strict=True) if chosen]
    return {name: there.count(name) for name in _core.COLOURS if name in there}


def _row(draw: "ImageDraw", left: int, top: int, cubes: Mapping[str, int], font: Any) -> None:
    """Draw a square and a number for each colour."""
    for name, count in cubes.items():
        draw.rectangle((left, top, left + 13, top + 13), COLOURS[name], _INK)
        draw.text((left + 19, top - 3), str(count), _INK, font)
        left += 64
