// Forces, cubes and pieces as users write them on the command line: the form of the values of an address.

/** Reads NAME=NUMBER, NAME=WORD and NAME, separated by commas. */
export function readPairs(text: string): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (const part of text.split(",")) {
    const [name = "", value = ""] = part.split("=", 2).map((piece) => piece.trim());
    if (name) pairs[name] = value || "yes";
  }
  return pairs;
}

/** Writes them; empty values, "no" and 0 are left out. */
export function writePairs(pairs: Record<string, string | number>): string {
  const parts = Object.entries(pairs).filter(
    ([, value]) => value !== "" && value !== "no" && Number(value) !== 0,
  );
  return parts.map(([name, value]) => (value === "yes" ? name : `${name}=${value}`)).join(",");
}

/** The numbers of named things; what is not named is 0. */
export function readCounts(text: string, names: readonly string[]): Record<string, number> {
  const pairs = readPairs(text);
  return Object.fromEntries(names.map((name) => [name, wholeOf(pairs[name])]));
}

export function wholeOf(text: string | undefined): number {
  const value = Number.parseInt(text ?? "", 10);
  return Number.isFinite(value) && value > 0 ? value : 0;
}

/** An argument of a command, quoted if the shell needs it. */
export function shellWord(text: string): string {
  return /^[\w=,.:/@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A command with an option on each line. */
export function shellLines(command: string, options: readonly (string | false)[]): string {
  return [command, ...options.filter(Boolean)].join(" \\\n    ");
}

/** A value of Python. */
export function python(value: unknown): string {
  if (value === true) return "True";
  if (value === false) return "False";
  if (value === null || value === undefined) return "None";
  if (Array.isArray(value)) return `[${value.map(python).join(", ")}]`;
  if (typeof value === "object") {
    const rows = Object.entries(value).map(([name, each]) => `${python(name)}: ${python(each)}`);
    return `{${rows.join(", ")}}`;
  }
  return JSON.stringify(value);
}
