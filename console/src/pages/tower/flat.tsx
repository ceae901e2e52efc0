// The tower from the side, without WebGL.

import { type Film, PAINT } from "./film";

const BEHIND = new Set(["board", "upper_plate", "lower_plate", "ramp", "shaft"]);

/** A section of the tower and the cubes in it, at a moment of the film. */
export function Flat({ film, time, label }: { film: Film; time: number; label: string }) {
  const cubes = film.cubes
    .map((cube, index) => ({ ...cube, index, pose: film.pose(index, time) }))
    .filter((cube) => cube.pose !== null)
    .sort((one, other) => (other.pose?.centre[1] ?? 0) - (one.pose?.centre[1] ?? 0));
  return (
    <svg class="flat" viewBox="-75 -300 260 310" role="img" aria-label={label}>
      <path class="glass" d="M-31,-190 h62 v156 h-62 z M-60,-235 L-31,-190 h62 L60,-235 z" />
      {film.boxes
        .filter((box) => BEHIND.has(box.part) && box.part !== "shaft")
        .map((box) => {
          const [x = 0, , z = 0] = box.centre;
          const [width = 0, , height = 0] = box.half;
          const [, y = 0, , w = 1] = box.rotation;
          const degrees = (-2 * Math.atan2(y, w) * 180) / Math.PI;
          return (
            <rect
              key={box.centre.join()}
              class="board"
              x={x - width}
              y={-z - height}
              width={2 * width}
              height={2 * height}
              transform={`rotate(${-degrees} ${x} ${-z})`}
            />
          );
        })}
      <path class="tray" d="M32,-24 v24 h136 v-24" />
      {cubes.map(({ index, colour, edge, thrown, pose }) => {
        const [x, , z] = pose?.centre ?? [0, 0, 0];
        const [red, green, blue] = PAINT[colour].map((part) => Math.round(255 * part));
        return (
          <rect
            key={index}
            class={thrown ? "thrown" : undefined}
            x={x - edge / 2}
            y={-z - edge / 2}
            width={edge}
            height={edge}
            rx={1}
            fill={`rgb(${red} ${green} ${blue})`}
          />
        );
      })}
    </svg>
  );
}
