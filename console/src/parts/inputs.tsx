// Inputs of forms: numbers with buttons, choices, switches, and text to copy.

import { useEffect, useId, useRef, useState } from "preact/hooks";

interface NumberProps {
  label: string;
  value: number;
  least?: number;
  most?: number;
  onChange: (value: number) => void;
}

/** A small whole number with buttons for one less and one more. */
export function Stepper({ label, value, least = 0, most = 99, onChange }: NumberProps) {
  const id = useId();
  const set = (wanted: number) => onChange(Math.min(most, Math.max(least, Math.round(wanted))));
  return (
    <div class="stepper">
      <label for={id}>{label}</label>
      <span>
        <button
          type="button"
          aria-label={`one ${label} less`}
          disabled={value <= least}
          onClick={() => set(value - 1)}
        >
          −
        </button>
        <input
          id={id}
          type="number"
          inputMode="numeric"
          min={least}
          max={most}
          value={value}
          onInput={(event) => {
            const wanted = event.currentTarget.valueAsNumber;
            if (Number.isFinite(wanted)) set(wanted);
          }}
        />
        <button
          type="button"
          aria-label={`one ${label} more`}
          disabled={value >= most}
          onClick={() => set(value + 1)}
        >
          +
        </button>
      </span>
    </div>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  /** Values with their words. */
  options: readonly (readonly [string, string])[];
  onChange: (value: string) => void;
}

/** One of some values. */
export function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <label class="field">
      {label}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Something that is or is not. */
export function Check({
  label,
  value,
  onChange,
}: {
  label: string;
  value: boolean;
  onChange: (value: boolean) => void;
}) {
  return (
    <label class="check">
      <input type="checkbox" checked={value} onChange={(event) => onChange(event.currentTarget.checked)} />
      {label}
    </label>
  );
}

interface TextProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  type?: "text" | "number";
  hint?: string;
}

/** A line of text or a large number. */
export function Text({ label, value, onChange, type = "text", hint }: TextProps) {
  return (
    <label class="field">
      {label}
      <input
        type="text"
        inputMode={type === "number" ? "numeric" : "text"}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      {hint && <span class="remark">{hint}</span>}
    </label>
  );
}

/** Texts of which one is shown at a time, each with a button that copies it. */
export function Copies({ label, texts }: { label: string; texts: Readonly<Record<string, string>> }) {
  const names = Object.keys(texts);
  const [shown, setShown] = useState(names[0] ?? "");
  const [said, setSaid] = useState("");
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const text = texts[shown] ?? "";
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid("Copied");
    } catch {
      setSaid("Select the text and copy it");
    }
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setSaid(""), 2500);
  };
  return (
    <section class="copies" aria-label={label}>
      <div class="row spread">
        <div class="row">
          {names.map((name) => (
            <button type="button" key={name} aria-pressed={name === shown} onClick={() => setShown(name)}>
              {name}
            </button>
          ))}
        </div>
        <span class="row">
          <span role="status" class="remark">
            {said}
          </span>
          <button type="button" onClick={copy}>
            Copy
          </button>
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled with the keys */}
      <pre tabIndex={0}>{text}</pre>
    </section>
  );
}
