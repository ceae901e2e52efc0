// How fast a match goes: preferences of the tab.

const KEY = "sengoku.pace";
const ONLY_KEY = "sengoku.only";

export const PACES: readonly [milliseconds: number, label: string][] = [
  [0, "at once"],
  [250, "quick"],
  [800, "calm"],
  [2000, "slow"],
];

/** How long each decision of others is shown. */
export const pace = {
  milliseconds: (): number => Number(sessionStorage.getItem(KEY) ?? 250),
  set: (milliseconds: number): void => sessionStorage.setItem(KEY, String(milliseconds)),
};

/** Whether an action without an alternative is played by itself; null until the person has chosen. */
export const onlyAction = {
  get: (): boolean | null => {
    const chosen = sessionStorage.getItem(ONLY_KEY);
    return chosen === null ? null : chosen === "yes";
  },
  set: (plays: boolean): void => sessionStorage.setItem(ONLY_KEY, plays ? "yes" : "no"),
};
