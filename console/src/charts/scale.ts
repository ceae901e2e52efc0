// Scales of charts.

/** A step between ticks: 1, 2 or 5 times a power of ten, so that there are about `ticks` of them. */
export function niceStep(span: number, ticks: number): number {
  const raw = span / Math.max(1, ticks);
  const power = 10 ** Math.floor(Math.log10(raw || 1));
  return power * ([1, 2, 5].find((step) => step * power >= raw * 0.999) ?? 10);
}

/** Ticks from `low` to `high`. */
export function ticks(low: number, high: number, about: number): number[] {
  const step = niceStep(high - low, about);
  const found: number[] = [];
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high + 1e-9 * step; at += 1) found.push(at * step);
  return found;
}
