import type { Frame } from "../api/sengoku";
import type { SeatName } from "./seat-names";

/** An event that people want to see fall: dice of either kind, or cubes thrown into the tower. */
type Fall =
  | { kind: "numbers"; who: string; dice: number[]; hits?: number }
  | { kind: "faces"; who: string; faces: string[] }
  | { kind: "cubes"; thrown: number[]; out: number[] };

const COLOURS = ["red", "blue", "yellow", "purple", "black", "farmers"];

/** Dice and cubes of a decision. */
export function Dice({ frame, names }: { frame: Frame; names: readonly SeatName[] }) {
  const falls = (frame.eventsJson ?? []).flatMap((text) =>
    fallOf(JSON.parse(text) as Record<string, unknown>, names),
  );
  if (falls.length === 0) return null;
  return (
    // The key starts the animation again with each decision.
    <div class="falls" key={frame.decision} role="status">
      {falls.slice(-4).map((fall, at) => (
        <FallView key={at} fall={fall} />
      ))}
    </div>
  );
}

/** The sides of a battle, in the order of their seats. */
const SIDES = ["top", "bottom"];

function fallOf(event: Record<string, unknown>, names: readonly SeatName[]): Fall[] {
  switch (event.event) {
    case "dice":
      return [
        {
          kind: "numbers",
          who: String(event.role),
          dice: event.dice as number[],
          hits: event.hits as number,
        },
      ];
    case "assassination":
    case "revenge":
      return [{ kind: "numbers", who: "ninja", dice: [event.die as number], hits: event.success ? 1 : 0 }];
    case "rolled":
      return [
        {
          kind: "faces",
          who: names[SIDES.indexOf(String(event.side))]?.name ?? "",
          faces: event.faces as string[],
        },
      ];
    case "thrown":
      return [{ kind: "cubes", thrown: event.cubes as number[], out: event.tray as number[] }];
    case "tower_filled":
      return [{ kind: "cubes", thrown: event.thrown as number[], out: event.out as number[] }];
    default:
      return [];
  }
}

function FallView({ fall }: { fall: Fall }) {
  if (fall.kind === "cubes") {
    return (
      <p class="fall">
        <span class="remark">thrown</span> <Cubes counts={fall.thrown} />
        <span class="remark">in the tray</span> <Cubes counts={fall.out} />
      </p>
    );
  }
  const dice = fall.kind === "numbers" ? fall.dice : fall.faces;
  return (
    <p class="fall">
      <span class="remark">{fall.who}</span>{" "}
      {dice.map((die, at) => (
        <span class={`die face-${die}`} key={at} title={String(die)}>
          {typeof die === "number" ? die : <Face face={die} />}
        </span>
      ))}
      {fall.kind === "numbers" && fall.hits !== undefined && (
        <span class="remark">{fall.hits === 1 ? "1 hit" : `${fall.hits} hits`}</span>
      )}
    </p>
  );
}

/** The six faces of the die of `battles`. */
function Face({ face }: { face: string }) {
  const signs: Record<string, string> = {
    circle: "M8 3a5 5 0 1 0 .01 0z",
    triangle: "M8 3l5.5 10h-11z",
    square: "M3 3h10v10H3z",
    flag: "M4 2v12M4 3l9 3-9 3",
    honor: "M8 2l1.8 4 4.2.4-3.2 2.8 1 4.3L8 11.2l-3.8 2.3 1-4.3L2 6.4 6.2 6z",
    swords: "M3 3l10 10M13 3L3 13",
  };
  return (
    <>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d={signs[face] ?? "M3 8h10"} />
      </svg>
      <span class="hidden">{face}</span>
    </>
  );
}

function Cubes({ counts }: { counts: number[] }) {
  return (
    <span class="cubes">
      {counts.map((count, colour) =>
        count === 0 ? null : (
          <span class="cube-count" key={COLOURS[colour]} title={`${count} ${COLOURS[colour]}`}>
            <span class={`cube cube-${COLOURS[colour]}`} aria-hidden="true" />
            {count}
            <span class="hidden"> {COLOURS[colour]}</span>
          </span>
        ),
      )}
    </span>
  );
}
