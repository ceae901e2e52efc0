// The places of the board that an action names, as pictures mark them with `data-place`.

import type { LegalAction } from "../api/sengoku";

const known = new WeakMap<LegalAction, readonly string[]>();

/** The places of an action: provinces, hexes, cards, slots. */
export function placesOf(action: LegalAction): readonly string[] {
  const before = known.get(action);
  if (before) return before;
  const args = JSON.parse(action.argsJson || "{}") as Record<string, unknown>;
  const places: string[] = [];
  for (const name of ["province", "to", "hex", "card"]) {
    const value = args[name];
    if (typeof value === "string") places.push(value);
  }
  if (typeof args.card === "number") places.push(`favour-${args.card}`);
  if (typeof args.slot === "number") places.push(`slot-${args.slot}`);
  known.set(action, places);
  return places;
}

/** The actions that name all of some places. */
export function actionsAt(actions: readonly LegalAction[], places: readonly string[]): LegalAction[] {
  return actions.filter((action) => places.every((place) => placesOf(action).includes(place)));
}

/** The provinces or hexes of a picture, by name; not its cards and slots. */
export function landOf(svg: string): string[] {
  const places = new Set<string>();
  for (const [, place = ""] of svg.matchAll(/data-place="([^"]+)"/g)) {
    if (!/^([CD]-|slot-|favour-)/.test(place)) places.add(place);
  }
  return [...places].sort((one, other) => one.localeCompare(other, "en", { numeric: true }));
}

/** A place as people call it. */
export function placeName(place: string): string {
  return capital(place.replaceAll(/[_-]/g, " "));
}

/** Words with a capital at their beginning. */
export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The kind of an action as a heading. */
export function kindOf(action: LegalAction): string {
  const name = action.name ?? "";
  return HEADINGS[name] ?? (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll("_", " ");
}

const HEADINGS: Record<string, string> = {
  amount: "Amounts",
  army: "Armies",
  bundle: "Units to buy",
  clan: "Clans",
  command: "Command cards",
  continue: "Go on",
  daimyo: "Daimyo",
  done: "Finish",
  dragon: "Dragon cards",
  favour: "Favours",
  from_army: "Units of the army",
  from_province: "Units of the province",
  hex: "Hexes",
  into_army: "Into an army",
  leader: "Leaders",
  leave: "Leave the board",
  move: "Moves",
  number: "Numbers",
  pass: "Pass",
  province: "Provinces",
  slot: "Slots",
  step: "Steps",
  stop: "Stop",
  sword: "Swords",
  tower_card: "Tower card",
  treasure: "Treasure cards",
  yes: "Yes",
};
