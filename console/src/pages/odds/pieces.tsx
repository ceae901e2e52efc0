// A unit or a lone leader of `battles` in the form: its kind, its terrain and the choices of its owner.

import { Check, Choice } from "../../parts/inputs";
import { readPairs, writePairs } from "./words";

const UNITS = [
  ["SSp", "samurai spears"],
  ["SB", "samurai bows"],
  ["ASp", "ashigaru spears"],
  ["AB", "ashigaru bows"],
  ["AA", "ashigaru arquebuses"],
  ["LI", "levies"],
  ["SSpC", "samurai spear cavalry"],
  ["SBC", "samurai bow cavalry"],
  ["BG", "bodyguard"],
] as const;
const LONE = [
  ["LF", "a lone foot leader"],
  ["LM", "a lone mounted leader"],
] as const;
const LEADERS = [
  ["", "none"],
  ["LF", "foot leader"],
  ["LM", "mounted leader"],
] as const;
const TERRAINS = [
  ["", "open ground"],
  ["forest", "forest"],
  ["hill", "hill"],
  ["river", "river"],
  ["ford", "ford"],
  ["shallow", "shallow ford"],
  ["bridge", "bridge"],
  ["buildings", "buildings"],
  ["fields", "cultivated fields"],
  ["gorge", "gorge"],
  ["tent", "command tent"],
  ["fence", "fence"],
  ["palisade", "palisade"],
  ["castle", "castle"],
] as const;
const FLAGS = [
  ["", "as many as allowed"],
  ["none", "none"],
  ["1", "at most one"],
] as const;
interface Piece {
  kind: string;
  properties: Record<string, string>;
}

export function readPiece(text: string | undefined): Piece {
  const [kind = "SSp", properties = ""] = (text ?? "").split(":", 2);
  return { kind: kind.trim(), properties: readPairs(properties) };
}

function writePiece({ kind, properties }: Piece): string {
  const known = kind === "LF" || kind === "LM" ? { ...properties, blocks: "", leader: "" } : properties;
  // A unit that may not retreat has room 0, which is not the same as nothing said.
  const { room, ...others } = known;
  const text = [writePairs(others), room === undefined || room === "" ? "" : `room=${room}`]
    .filter(Boolean)
    .join(",");
  return text ? `${kind}:${text}` : kind;
}

interface PieceProps {
  side: "Attacker" | "Defender";
  text: string | undefined;
  onChange: (text: string) => void;
}

export function PieceForm({ side, text, onChange }: PieceProps) {
  const piece = readPiece(text);
  const alone = piece.kind === "LF" || piece.kind === "LM";
  const get = (name: string) => piece.properties[name] ?? "";
  const set = (changes: Record<string, string>) =>
    onChange(writePiece({ ...piece, properties: { ...piece.properties, ...changes } }));
  const check = (name: string, label: string) => (
    <Check
      label={label}
      value={get(name) === "yes"}
      onChange={(value) => set({ [name]: value ? "yes" : "" })}
    />
  );
  return (
    <fieldset class="stack">
      <legend>{side}</legend>
      <div class="fields">
        <Choice
          label="Unit"
          value={piece.kind}
          options={side === "Defender" ? [...UNITS, ...LONE] : UNITS}
          onChange={(kind) => onChange(writePiece({ ...piece, kind }))}
        />
        {!alone && (
          <Choice
            label="Blocks"
            value={get("blocks")}
            options={[["", "all"], ...["1", "2", "3"].map((number) => [number, number] as const)]}
            onChange={(blocks) => set({ blocks })}
          />
        )}
        {!alone && piece.kind !== "BG" && (
          <Choice
            label="Leader"
            value={get("leader")}
            options={LEADERS}
            onChange={(leader) => set({ leader })}
          />
        )}
        <Choice
          label="Terrain"
          value={get("terrain")}
          options={TERRAINS}
          onChange={(terrain) => set({ terrain })}
        />
      </div>
      <div class="fields">
        {check("support", "supported by two neighbours")}
        {check("adjacent_leader", "a leader is adjacent")}
        {check("inspire", "inspired whenever possible")}
      </div>
      <details>
        <summary>What its owner chooses when it has to retreat</summary>
        <div class="fields">
          <Choice
            label="Ignores flags"
            value={get("ignore_flags")}
            options={FLAGS}
            onChange={(flags) => set({ ignore_flags: flags })}
          />
          <Choice
            label="Room to retreat"
            value={get("room")}
            options={[
              ["", "as much as needed"],
              ...["0", "1", "2", "3"].map((hexes) => [hexes, `${hexes} hexes`] as const),
            ]}
            onChange={(room) => set({ room })}
          />
          <Choice
            label="A leader left alone"
            value={get("leader_fate")}
            options={[
              ["", "retreats"],
              ["seppuku", "commits seppuku"],
            ]}
            onChange={(fate) => set({ leader_fate: fate })}
          />
        </div>
      </details>
    </fieldset>
  );
}
