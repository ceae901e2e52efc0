// A filmed throw of the rigid tower, and where everything is at a moment between two frames.

import type { FilmThrowResponse, TowerCubes } from "../../api/sengoku";
import { elements, floats, shapeOf } from "../../parts/tensor";

export const COLOURS = ["red", "blue", "yellow", "purple", "black", "farmer"] as const;
export type Colour = (typeof COLOURS)[number];
export type Counts = Partial<Record<Colour, number>>;

/** Colours of the cubes, each from 0 to 1. */
export const PAINT: Record<Colour, readonly [number, number, number]> = {
  red: [0.78, 0.2, 0.17],
  blue: [0.17, 0.4, 0.75],
  yellow: [0.93, 0.74, 0.18],
  purple: [0.55, 0.29, 0.66],
  black: [0.21, 0.21, 0.24],
  farmer: [0.33, 0.62, 0.29],
};

export interface Box {
  part: string;
  centre: number[];
  half: number[];
  rotation: number[];
}

/** Where one cube is. */
export interface Pose {
  centre: [number, number, number];
  rotation: [number, number, number, number];
}

export interface Film {
  seconds: Float64Array;
  cubes: { colour: Colour; edge: number; thrown: boolean }[];
  boxes: Box[];
  windowX: number;
  tray: Counts;
  contents: Counts;
  /** The tower afterwards, for the next throw. */
  data: string;
  /** Length of the throw in seconds. */
  length: number;
  /** The pose of a cube at a time, or null while it is in the hand. */
  pose: (cube: number, time: number) => Pose | null;
  /** Where the tower was shaken to at a time. */
  shift: (time: number) => [number, number, number];
}

/** Reads the answer of the server. */
export function readFilm(answer: FilmThrowResponse): Film {
  const seconds = Float64Array.from(elements(answer.seconds), Number);
  const [centre, rotation, shift, edge] = [answer.centre, answer.rotation, answer.shift, answer.edge].map(
    floats,
  ) as [Float32Array, Float32Array, Float32Array, Float32Array];
  const many = shapeOf(answer.centre)[1] ?? 0;
  const colours = elements(answer.colour).map((index) => COLOURS[Number(index)] ?? "red");
  const thrown = elements(answer.thrown).map(Number);
  const at = (array: Float32Array, place: number) => array[place] ?? Number.NaN;
  const moment = (time: number): [number, number, number] => {
    const last = seconds.length - 1;
    let low = 0;
    let high = last;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((seconds[middle] ?? 0) <= time) low = middle;
      else high = middle - 1;
    }
    const next = Math.min(low + 1, last);
    const span = (seconds[next] ?? 0) - (seconds[low] ?? 0);
    return [low, next, span > 0 ? Math.min(1, Math.max(0, (time - (seconds[low] ?? 0)) / span)) : 0];
  };
  return {
    seconds,
    length: seconds[seconds.length - 1] ?? 0,
    cubes: colours.map((colour, cube) => ({ colour, edge: at(edge, cube), thrown: thrown[cube] === 1 })),
    boxes: (answer.boxes ?? []).map((box) => ({
      part: box.part ?? "",
      centre: box.centre ?? [0, 0, 0],
      half: box.half ?? [0, 0, 0],
      rotation: box.rotation ?? [0, 0, 0, 1],
    })),
    windowX: answer.windowX ?? 0,
    tray: countsOf(answer.tray),
    contents: countsOf(answer.contents),
    data: answer.data ?? "",
    pose: (cube, time) => {
      const [low, next, part] = moment(time);
      const [here, there] = [low * many + cube, next * many + cube];
      if (Number.isNaN(at(centre, 3 * here))) return null;
      return { centre: mixed(centre, here, there, part), rotation: turned(rotation, here, there, part) };
    },
    shift: (time) => {
      const [low, next, part] = moment(time);
      return mixed(shift, low, next, part);
    },
  };
}

function mixed(array: Float32Array, here: number, there: number, part: number): [number, number, number] {
  const one = (axis: number) => {
    const [from, to] = [array[3 * here + axis] ?? 0, array[3 * there + axis] ?? 0];
    return from + part * (to - from);
  };
  return [one(0), one(1), one(2)];
}

/** A rotation between two, by the shorter way. */
function turned(array: Float32Array, here: number, there: number, part: number): Pose["rotation"] {
  const [from, to] = [here, there].map((row) => Array.from(array.subarray(4 * row, 4 * row + 4))) as [
    number[],
    number[],
  ];
  const sign = from.reduce((sum, value, axis) => sum + value * (to[axis] ?? 0), 0) < 0 ? -1 : 1;
  const mix = from.map((value, axis) => value * (1 - part) + sign * (to[axis] ?? 0) * part);
  const length = Math.hypot(...mix) || 1;
  return mix.map((value) => value / length) as Pose["rotation"];
}

/** The colours that there are, with their numbers. */
export function countsOf(cubes: TowerCubes | undefined): Counts {
  const found = COLOURS.map((colour) => [colour, cubes?.[colour] ?? 0] as const).filter(
    ([, number]) => number > 0,
  );
  return Object.fromEntries(found);
}

export function total(counts: Counts): number {
  return Object.values(counts).reduce((sum, number) => sum + number, 0);
}

/** How many cubes are in the hand, inside and in the tray at a time. */
export function places(film: Film, time: number): { hand: number; inside: number; tray: number } {
  const found = { hand: 0, inside: 0, tray: 0 };
  for (const cube of film.cubes.keys()) {
    const pose = film.pose(cube, time);
    found[pose === null ? "hand" : pose.centre[0] > film.windowX ? "tray" : "inside"] += 1;
  }
  return found;
}
