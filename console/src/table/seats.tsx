import type { SeatName } from "./seat-names";

interface Props {
  seats: readonly SeatName[];
  /** The person's own seat. */
  mine?: number;
  toAct?: number;
  /** Ranks at the end of the match. */
  ranks?: readonly number[];
  scores?: readonly number[];
}

/** The seats of a match: whose turn it is, and at the end who won. */
export function Seats({ seats, mine, toAct, ranks, scores }: Props) {
  return (
    <ul class="seats">
      {seats.map((seat, at) => (
        <li key={seat.name} class={at === toAct ? "acting" : ""}>
          <span class={`seat-dot seat-${at}`} aria-hidden="true" />
          <span>
            {seat.name} <span class="remark">{at === mine ? "you" : seat.player}</span>
          </span>
          {at === toAct && <span class="tag">to decide</span>}
          {ranks && (
            <span class="tag">
              {ranks[at] === 1 ? "first" : `rank ${ranks[at]}`} · {scores?.[at] ?? 0}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
