import type { Game } from "../../api/sengoku";
import { PERSON, type Player, STRENGTHS, YOU } from "./seats";

interface Props {
  game: Game;
  /** Names of the seats. */
  names: string[];
  seats: Player[];
  change: (seats: Player[]) => void;
}

/** Who plays which seat. */
export function SeatChoice({ game, names, seats, change }: Props) {
  const [min, max] = [game.minSeats ?? 2, game.maxSeats ?? 2];
  const set = (seat: number, player: Player) => {
    // One seat is the person's: who takes another one gives the old one to a bot.
    const others = seats.map((old, at) =>
      at === seat ? player : old === YOU && player === YOU ? "greedy" : old,
    );
    change(others);
  };
  const resize = (count: number) =>
    change(Array.from({ length: count }, (_, seat) => seats[seat] ?? "greedy"));
  const nobody = seats.every((player) => player !== YOU && player !== PERSON);
  return (
    <section class="card stack">
      <h2>Seats</h2>
      {max > min && (
        <label class="field">
          Players
          <select
            name="players"
            value={seats.length}
            onChange={(event) => resize(Number(event.currentTarget.value))}
          >
            {Array.from({ length: max - min + 1 }, (_, more) => (
              <option key={more} value={min + more}>
                {min + more}
              </option>
            ))}
          </select>
        </label>
      )}
      {seats.map((player, seat) => (
        <label class="field seat" key={seat}>
          <span>
            <span class={`seat-dot seat-${seat}`} aria-hidden="true" /> {names[seat] ?? `Seat ${seat}`}
          </span>
          <select
            name={`seat-${seat}`}
            value={player}
            onChange={(event) => set(seat, event.currentTarget.value)}
          >
            <option value={YOU}>You</option>
            <optgroup label="Bots">
              {STRENGTHS.map((strength) => (
                <option key={strength.bot} value={strength.bot} title={strength.help}>
                  {strength.label} bot
                </option>
              ))}
            </optgroup>
            <option value={PERSON}>Another person, by link</option>
          </select>
        </label>
      ))}
      {nobody && (
        <p class="remark">Take a seat, or leave one to a person: bots alone are watched in tournaments.</p>
      )}
    </section>
  );
}
