// Numbers and times in words.

/** A probability in percent, with as many digits as tell it from 0 and 1. */
export function percent(value: number, digits = 1): string {
  if (value > 0 && value < 0.5 * 10 ** -(digits + 2)) return `<${(10 ** -digits).toFixed(digits)} %`;
  if (value < 1 && value > 1 - 0.5 * 10 ** -(digits + 2))
    return `>${(100 - 10 ** -digits).toFixed(digits)} %`;
  return `${(100 * value).toFixed(digits)} %`;
}

/** A standard error in percentage points, with two digits. */
export function pointsOfError(error: number): string {
  const points = 100 * error;
  return `±${points >= 1 ? points.toFixed(1) : points.toPrecision(2)} %`;
}

const WHOLE = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const SHORT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** A count with separators: 12,345. */
export function count(value: number | string | undefined): string {
  return WHOLE.format(typeof value === "string" ? BigInt(value) : (value ?? 0));
}

/** A large number in short: 12.3K. */
export function short(value: number): string {
  return SHORT.format(value);
}

/** A number and its noun: "1 match", "3 matches". */
export function counted(value: number | string | undefined, one: string, more = `${one}s`): string {
  return `${count(value)} ${Number(value ?? 0) === 1 ? one : more}`;
}

/** Seconds in words: "3 s", "2 min 5 s", "4 h 10 min". */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  if (whole < 172_800) return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
  return `${Math.floor(whole / 86_400)} days`;
}

/** Seconds of a duration of the server, e.g. "12.5s". */
export function seconds(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number.parseFloat(text);
}

/** The time of day, with the date if it was not today. */
export function moment(time: string | undefined): string {
  if (!time) return "";
  const when = new Date(time);
  const today = when.toDateString() === new Date().toDateString();
  const clock: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit" };
  return when.toLocaleString("en-GB", today ? clock : { day: "numeric", month: "short", ...clock });
}

/** A number with at most this many digits after the point. */
export function decimal(value: number, digits = 1): string {
  return value.toLocaleString("en", { maximumFractionDigits: digits, minimumFractionDigits: digits });
}
