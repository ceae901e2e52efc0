// The values of a form, kept in the fragment of the address, so that the address can be shared and survives a reload.

import { useCallback, useMemo } from "preact/hooks";
import { navigate, useFragment } from "../router";

export type Values = Record<string, string>;

/** Reads the values of a fragment; those that it does not name are the defaults. */
export function readValues<T extends Values>(fragment: string, defaults: T): T {
  const given = new URLSearchParams(fragment);
  const known = Object.keys(defaults).map((name) => [name, given.get(name) ?? defaults[name]]);
  return Object.fromEntries(known) as T;
}

/** Writes the values that differ from the defaults, in the order of the defaults. */
export function writeValues(values: Values, defaults: Values): string {
  const changed = Object.keys(defaults).filter((name) => values[name] !== defaults[name]);
  const parts = changed.map((name) => `${name}=${encodeURIComponent(values[name] ?? "")}`);
  // Commas, colons, semicolons and equals signs are harmless in a fragment, and addresses stay readable with them.
  return parts
    .join("&")
    .replaceAll("%2C", ",")
    .replaceAll("%3D", "=")
    .replaceAll("%3A", ":")
    .replaceAll("%3B", ";");
}

/** The values of a form and how to change some of them; a change replaces the address and leaves no step back. */
export function useHashState<T extends Values>(defaults: T): [T, (changes: Partial<T>) => void] {
  const fragment = useFragment();
  const values = useMemo(() => readValues(location.hash.slice(1), defaults), [fragment, defaults]);
  const change = useCallback(
    (changes: Partial<T>) => {
      const now = { ...readValues(location.hash.slice(1), defaults), ...changes };
      const text = writeValues(now, defaults);
      navigate(location.pathname + (text && `#${text}`), { replace: true });
    },
    [defaults],
  );
  return [values, change];
}
