import { useState } from "preact/hooks";
import { PACES, pace } from "./pace";

/** How long each decision of others is shown. */
export function Pace() {
  const [speed, setSpeed] = useState(pace.milliseconds());
  const change = (value: number) => {
    pace.set(value);
    setSpeed(value);
  };
  return (
    <label class="field pace">
      Show decisions of others
      <select value={speed} onChange={(event) => change(Number(event.currentTarget.value))}>
        {PACES.map(([milliseconds, label]) => (
          <option key={milliseconds} value={milliseconds}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
