import { OPTIONS, type Option, type OptionValues } from "./options";

interface Props {
  game: string;
  values: OptionValues;
  change: (values: OptionValues) => void;
}

/** The options of a game as a form. */
export function OptionFields({ game, values, change }: Props) {
  const options = OPTIONS[game] ?? [];
  return (
    <details class="card">
      <summary>
        <h2>Options</h2>
      </summary>
      <div class="options">
        {options.map((option) => (
          <Field
            key={option.name}
            option={option}
            value={values[option.name]}
            change={(value) => change({ ...values, [option.name]: value })}
          />
        ))}
      </div>
    </details>
  );
}

type Value = string | number | boolean;

function Field({ option, value, change }: { option: Option; value?: Value; change: (value: Value) => void }) {
  if (option.kind === "check") {
    return (
      <label class="check">
        <input
          type="checkbox"
          checked={value === true}
          onChange={(event) => change(event.currentTarget.checked)}
        />
        <span>
          {option.label}
          <span class="remark block">{option.help}</span>
        </span>
      </label>
    );
  }
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is inside, of one kind or another
    <label class="field">
      {option.label}
      {option.kind === "number" ? (
        <input
          type="number"
          name={option.name}
          min={option.min}
          max={option.max}
          value={Number(value ?? option.usual)}
          onInput={(event) => change(event.currentTarget.valueAsNumber || option.usual)}
        />
      ) : (
        <select value={String(value ?? "")} onChange={(event) => change(event.currentTarget.value)}>
          {option.values.map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </select>
      )}
      <span class="remark">{option.help}</span>
    </label>
  );
}
