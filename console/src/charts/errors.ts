/** Standard error of a share of wins: half a win and half a loss are added, as in reports. */
export function shareError(wins: number, matches: number): number {
  const rate = (wins + 0.5) / (matches + 1);
  return Math.sqrt((rate * (1 - rate)) / matches);
}
