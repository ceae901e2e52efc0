// How long each decision of others is shown. A preference of the tab.

const KEY = "sengoku.pace";

export const PACES: readonly [milliseconds: number, label: string][] = [
  [0, "at once"],
  [250, "quick"],
  [800, "calm"],
  [2000, "slow"],
];

export const pace = {
  milliseconds: (): number => Number(sessionStorage.getItem(KEY) ?? 250),
  set: (milliseconds: number): void => sessionStorage.setItem(KEY, String(milliseconds)),
};
