"""A small software renderer with a depth buffer, in numpy: the cube tower, cut open.

The front wall is left out; the wall on the viewer's side, the funnel and the rim of the tray are glass. Fixed
parts are drawn once; each frame adds the cubes, their shadows, and the glass in front of them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]

# Corners of a cube of half size 1, and its faces with their normals; corners go around.
_CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
_FACES = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])
_NORMALS = np.array([[-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]], dtype=float)

_LIGHT = np.array([0.55, -0.35, 0.95]) / np.linalg.norm([0.55, -0.35, 0.95])
_TABLE = np.array([244, 240, 232])
_SHADE = np.array([56, 50, 62])
_GLASS = np.array([120, 160, 186])
_PARTS = {
    "shaft": (203, 181, 146),
    "upper_plate": (176, 128, 78),
    "lower_plate": (176, 128, 78),
    "board": (176, 128, 78),
    "ramp": (188, 158, 116),
    "tray": (222, 226, 226),
}
COLOURS = {
    "red": (190, 52, 44),
    "blue": (44, 96, 176),
    "yellow": (232, 186, 44),
    "purple": (132, 72, 158),
    "black": (58, 58, 62),
    "farmer": (84, 150, 72),
}
"""Colours of the cubes."""

_FINE = 2  # pixels each way for one of the picture; averaged at the end


def rotations(quaternions: npt.ArrayLike) -> Floats:
    """Return the rotation matrices of unit quaternions x, y, z, w."""
    x, y, z, w = np.moveaxis(np.asarray(quaternions, dtype=float), -1, 0)
    rows = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
        (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
        (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def _clip(polygon: Floats, point: Floats, normal: Floats) -> Floats:
    """Clip a polygon: remove the part on the side of a plane to which its normal points."""
    sides = (polygon - point) @ normal
    kept = []
    for here, there, side, other in zip(
        polygon, np.roll(polygon, -1, axis=0), sides, np.roll(sides, -1), strict=True
    ):
        if side <= 0:
            kept.append(here)
        if side * other < 0:
            kept.append(here + (there - here) * side / (side - other))
    return np.array(kept).reshape(-1, 3)


def _lit(colour: npt.ArrayLike, normal: Floats) -> Floats:
    """Return the shaded colour of a face."""
    light = 0.62 + 0.42 * max(0.0, float(normal @ _LIGHT))
    return np.clip(np.asarray(colour, dtype=float) * light, 0, 255)


@dataclass(frozen=True)
class _Camera:
    """A perspective camera in front of the tower, slightly from the side and from above."""

    target: Floats
    distance: float
    scale: float = 1.0
    shift: tuple[float, float] = (0.0, 0.0)

    azimuth = np.radians(17)
    elevation = np.radians(25)
    right = np.array([-np.sin(azimuth), np.cos(azimuth), 0.0])
    toward = np.array(
        [np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)]
    )
    up = np.cross(toward, right)

    def project(self, points: Floats) -> tuple[Floats, Floats]:
        """Return the image coordinates of points, and their inverse depth."""
        seen = points - self.target
        near = 1 / (self.distance - seen @ self.toward)
        flat = np.stack([seen @ self.right, -(seen @ self.up)], axis=-1)
        return flat * (near * self.scale)[..., None] + self.shift, near


@dataclass(frozen=True)
class _Patch:
    """The pixels of a face."""

    at: tuple[slice, slice]
    inside: npt.NDArray[np.bool_]
    near: npt.NDArray[np.float32]
    border: npt.NDArray[np.bool_]  # pixels along its edges


def _patch(flat: Floats, near: Floats, shape: tuple[int, int], border: float) -> _Patch | None:
    """Fill a convex polygon; None if it is outside the image or seen edge-on."""
    low, high = np.floor(flat.min(axis=0)).astype(int), np.ceil(flat.max(axis=0)).astype(int) + 1
    (left, top), (right, bottom) = np.maximum(low, 0), np.minimum(high, (shape[1], shape[0]))
    if left >= right or top >= bottom:
        return None
    x, y = np.arange(left, right) + 0.5, (np.arange(top, bottom) + 0.5)[:, None]
    following = np.roll(flat, -1, axis=0)
    along = following - flat
    area = float((flat[:, 0] * following[:, 1] - flat[:, 1] * following[:, 0]).sum())
    if abs(area) < 1e-6:
        return None
    distance = np.full((bottom - top, right - left), np.inf)
    for (px, py), (ax, ay) in zip(flat, along * np.sign(area), strict=True):
        length = np.hypot(ax, ay)
        if length > 1e-9:
            np.minimum(distance, (ax * (y - py) - ay * (x - px)) / length, out=distance)
    # 1 / depth is a plane over the picture: its slopes by least squares over the corners.
    middle, height = flat.mean(axis=0), near.mean()
    (u, v), w = (flat - middle).T, near - height
    uu, uv, vv, uw, vw = u @ u, u @ v, v @ v, u @ w, v @ w
    determinant = uu * vv - uv * uv
    slope_x, slope_y = (uw * vv - vw * uv) / determinant, (vw * uu - uw * uv) / determinant
    depth = (height + slope_x * (x - middle[0]) + slope_y * (y - middle[1])).astype(np.float32)
    return _Patch((slice(top, bottom), slice(left, right)), distance > 0, depth, distance < border)


class Stage:
    """The tower without cubes, prepared for drawing."""

    def __init__(self, film: Any, width: int, height: int, margin: tuple[int, int]) -> None:
        """Prepare the boxes of a film; `margin` pixels stay free above and below."""
        self._shape = (height * _FINE, width * _FINE)
        turns = rotations(film.box_rotation)
        self._boxes = [
            (part, centre, half, turn)
            for part, centre, half, turn in zip(
                film.box_part, film.box_centre, film.box_half, turns, strict=True
            )
            if part not in ("guard", "front")
        ]
        self._camera = self._aim(film, margin)
        self._image = np.empty((*self._shape, 3), dtype=np.uint8)
        self._image[:] = _TABLE
        self._near = np.zeros(self._shape, dtype=np.float32)
        # Pixels of what cubes lie on, by height.
        self._grounds: dict[float, npt.NDArray[np.bool_]] = {}
        for polygon, normal, part in self._solid():
            patch = self._seen(polygon, 0)
            if patch is not None:
                shown = self._draw(self._image, self._near, patch, _lit(_PARTS[part], normal))
                for ground in self._grounds.values():
                    ground[patch.at] &= ~shown
                if normal[2] > 0.999:
                    level = round(float(polygon[0, 2]), 3)
                    ground = self._grounds.setdefault(level, np.zeros(self._shape, dtype=bool))
                    ground[patch.at] |= shown
        panes = ((self._seen(polygon, 1.5), alpha) for polygon, alpha in self._glass())
        self._panes = [(patch, alpha) for patch, alpha in panes if patch is not None]
        self._bare = self._image.copy()
        everywhere = np.ones(self._shape, dtype=bool)
        self._glaze(self._bare, self._near, everywhere)

    def draw(
        self,
        centre: Floats,
        rotation: Floats,
        edge: Floats,
        colours: list[str],
        marked: npt.NDArray[np.bool_],
        shift: Floats | None = None,
    ) -> Image:
        """Draw cubes in the tower; marked ones have light edges. `shift` moves all before the camera."""
        image, near = self._bare.copy(), self._near.copy()
        covered = np.zeros(self._shape, dtype=bool)
        turns = rotations(rotation)
        for number in range(len(centre)):
            turn, half = turns[number], edge[number] / 2
            corners = centre[number] + (_CORNERS * half) @ turn.T
            flat, depth = self._camera.project(corners)
            for face, normal in zip(_FACES, _NORMALS @ turn.T, strict=True):
                if normal @ (self._eye - corners[face].mean(axis=0)) <= 0:
                    continue
                patch = _patch(flat[face], depth[face], self._shape, 1.6)
                if patch is not None:
                    colour = _lit(COLOURS[colours[number]], normal)
                    rim = colour + (255 - colour) * 0.55 if marked[number] else colour * 0.7
                    self._draw(image, near, patch, colour, rim, covered)
        self._shadow(image, centre, turns, edge, covered)
        self._glaze(image, near, covered)
        if shift is not None:
            image = self._moved(image, shift)
        pixels = [image[row::_FINE, column::_FINE] for row in range(_FINE) for column in range(_FINE)]
        return np.asarray(np.sum(pixels, axis=0, dtype=np.uint16) // len(pixels), dtype=np.uint8)

    def _moved(self, image: Image, shift: Floats) -> Image:
        """Move the whole picture as something at the target of the camera would move."""
        flat, _ = self._camera.project(self._camera.target + np.array([[0.0, 0.0, 0.0], shift]))
        right, down = (round(float(pixels)) for pixels in flat[1] - flat[0])
        moved = np.empty_like(image)
        moved[:] = _TABLE
        height, width = self._shape
        to = slice(max(down, 0), height + min(down, 0)), slice(max(right, 0), width + min(right, 0))
        of = slice(max(-down, 0), height + min(-down, 0)), slice(max(-right, 0), width + min(-right, 0))
        moved[to] = image[of]
        return moved

    def seen_from_camera(self, shift: Floats) -> tuple[float, float]:
        """Return how far to the right and down a shift of the tower looks, in millimetres."""
        return float(shift @ self._camera.right), -float(shift @ self._camera.up)

    def _shadow(
        self, image: Image, centre: Floats, turns: Floats, edge: Floats, covered: npt.NDArray[np.bool_]
    ) -> None:
        """Darken the plates and the tray where cubes block the light."""
        dark = np.zeros(self._shape, dtype=bool)
        for at, turn, size in zip(centre, turns, edge, strict=True):
            height = max((height for height in self._grounds if height < at[2]), default=None)
            if height is None:
                continue
            ground = self._grounds[height]
            corners = at + (_CORNERS * size / 2) @ turn.T
            corners -= _LIGHT * ((corners[:, 2:] - height) / _LIGHT[2])
            for face in _FACES[_NORMALS @ turn.T @ _LIGHT > 0]:
                patch = self._seen(corners[face], 0)
                if patch is not None:
                    dark[patch.at] |= patch.inside & ground[patch.at]
        dark &= ~covered
        image[dark] = image[dark] * 0.75 + _SHADE * 0.25

    @property
    def _eye(self) -> Floats:
        return self._camera.target + self._camera.toward * self._camera.distance

    def _aim(self, film: Any, margin: tuple[int, int]) -> _Camera:
        """Return a camera that shows the tower and all cubes between the margins."""
        floor, _ = self._tray()  # reaches farther than what is drawn of it
        shown = [
            centre + (_CORNERS * half) @ turn.T
            for _, centre, half, turn in self._boxes
            if centre is not floor[1]
        ]
        corners = np.concatenate([*shown, film.centre[~np.isnan(film.centre).any(axis=2)]])
        low, high = corners.min(axis=0), corners.max(axis=0)
        camera = _Camera((low + high) / 2, 3.2 * float(np.linalg.norm(high - low)))
        flat, _ = camera.project(corners)
        low, high = flat.min(axis=0), flat.max(axis=0)
        above, below = (pixels * _FINE for pixels in margin)
        room = np.array([self._shape[1] * 0.94, self._shape[0] - above - below])
        scale = float((room / (high - low)).min())
        middle = np.array([self._shape[1] / 2, above + room[1] / 2])
        shift = middle - (low + high) / 2 * scale
        return _Camera(camera.target, camera.distance, scale, (shift[0], shift[1]))

    def _seen(self, polygon: Floats, border: float) -> _Patch | None:
        if len(polygon) < 3:
            return None
        return _patch(*self._camera.project(polygon), self._shape, border)

    def _faces(self, box: tuple[str, Floats, Floats, Floats]) -> Iterator[tuple[Floats, Floats]]:
        """Iterate over the visible faces of a box, with their normals."""
        _, centre, half, turn = box
        corners = centre + (_CORNERS * half) @ turn.T
        for face, normal in zip(_FACES, _NORMALS @ turn.T, strict=True):
            if normal @ (self._eye - corners[face].mean(axis=0)) > 0:
                yield corners[face], normal

    def _of(self, part: str) -> list[tuple[str, Floats, Floats, Floats]]:
        return [box for box in self._boxes if box[0] == part]

    def _is_near_wall(self, box: tuple[str, Floats, Floats, Floats]) -> bool:
        """Return whether a wall of the shaft is between the camera and the inside."""
        outward = box[1] * (1, 1, 0)
        return bool(outward @ self._camera.toward > 0)

    def _solid(self) -> Iterator[tuple[Floats, Floats, str]]:
        """Iterate over the opaque faces."""
        for part in ("shaft", "upper_plate", "lower_plate", "board", "ramp"):
            for box in self._of(part):
                if part != "shaft" or not self._is_near_wall(box):
                    for polygon, normal in self._faces(box):
                        yield polygon, normal, part
        floor, rim = self._tray()
        for polygon, normal in self._faces(floor):
            if normal[2] > 0.9:
                for _, centre, half, turn in rim:
                    # The rim's own y points inward.
                    polygon = _clip(polygon, centre - turn[:, 1] * half[1], -turn[:, 1])  # noqa: PLW2901
                yield polygon, normal, "tray"

    def _tray(self) -> tuple[Any, list[Any]]:
        """Return the floor of the tray, its widest box, and the pieces of its rim."""
        boxes = sorted(self._of("tray"), key=lambda box: -box[2][0] * box[2][1])
        return boxes[0], boxes[1:]

    def _glass(self) -> list[tuple[Floats, float]]:
        """Return the transparent faces with their opacity, the farthest first."""
        panes: list[tuple[Floats, float]] = []
        for box in self._of("shaft"):
            if self._is_near_wall(box):
                panes += [(polygon, 0.1) for polygon, _ in self._faces(box)]
        funnel = self._of("funnel")
        for box in funnel:
            # The inner side of a panel, as far as the other panels leave it open.
            _, centre, half, turn = box
            polygon = centre + (_CORNERS[_FACES[4]] * half) @ turn.T
            for other in funnel:
                if other is not box:
                    normal = other[3][:, 2]
                    polygon = _clip(polygon, other[1] - normal * other[2][2], normal)
            panes.append((polygon, 0.2))
        for box in self._tray()[1]:
            panes += [(polygon, 0.45 if normal[2] > 0.9 else 0.2) for polygon, normal in self._faces(box)]
        return sorted(panes, key=lambda pane: pane[0].mean(axis=0) @ self._camera.toward)

    @staticmethod
    def _draw(
        image: Image,
        near: npt.NDArray[np.float32],
        patch: _Patch,
        colour: Floats,
        rim: Floats | None = None,
        covered: npt.NDArray[np.bool_] | None = None,
    ) -> npt.NDArray[np.bool_]:
        """Draw the visible part of a face, and return it."""
        shown: npt.NDArray[np.bool_] = patch.inside & (patch.near > near[patch.at])
        near[patch.at][shown] = patch.near[shown]
        image[patch.at][shown] = colour
        if rim is not None:
            image[patch.at][shown & patch.border] = rim
        if covered is not None:
            covered[patch.at] |= shown
        return shown

    def _glaze(self, image: Image, near: npt.NDArray[np.float32], where: npt.NDArray[np.bool_]) -> None:
        """Draw the glass over what is behind it."""
        for patch, alpha in self._panes:
            over = patch.inside & where[patch.at] & (patch.near > near[patch.at])
            if over.any():
                strength = np.where(patch.border[over], min(1.0, 2 * alpha), alpha)[:, None]
                image[patch.at][over] = image[patch.at][over] * (1 - strength) + _GLASS * strength
