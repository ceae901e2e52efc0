// Strikes of `battles`: one unit attacks another, in melee with battle back or from afar.

import type { BattlesCard, BattlesKind, BattlesPiece, BattlesTerrain } from "../../api/sengoku";
import { Check, Choice, Stepper } from "../../parts/inputs";
import { ATTACKER, DEFENDER, type FormProps, type Kind, OTHER } from "./kinds";
import { PieceForm, readPiece } from "./pieces";
import { python, shellWord, wholeOf } from "./words";

const CARDS = [
  ...[
    "cavalry_charge",
    "first_strike",
    "shogun",
    "ashigaru_attack",
    "courageous_leader",
    "terror_strike",
    "ambush",
  ],
  ...["desperate_charge", "fire_arrows", "cowards", "courage", "volley_by_ranks", "head_collector"],
  ...["followers_of_bishamon", "aikido_training", "panic", "vengeance", "bulletproof_armor"],
];
const BLOCK = ["block", "blocks"] as const;
const MOST_LEVIES = 6;

function Cards({ side, text, onChange }: { side: string; text: string; onChange: (text: string) => void }) {
  const chosen = text.split(",").filter(Boolean);
  const toggle = (card: string, on: boolean) =>
    onChange(CARDS.filter((name) => (name === card ? on : chosen.includes(name))).join(","));
  return (
    <details open={chosen.length > 0}>
      <summary>
        Cards of the {side}
        {chosen.length > 0 && `: ${chosen.length}`}
      </summary>
      <div class="fields">
        {CARDS.map((card) => (
          <Check
            key={card}
            label={card.replaceAll("_", " ")}
            value={chosen.includes(card)}
            onChange={(on) => toggle(card, on)}
          />
        ))}
      </div>
    </details>
  );
}

function Form({ values, change }: FormProps) {
  const ranged = values.ranged === "yes";
  const levies = readPiece(values.attacker).kind === "LI" && !ranged;
  const honor = (name: string, label: string) => (
    <Choice
      label={label}
      value={values[name] ?? ""}
      options={[
        ["", "enough"],
        ...[0, 1, 2, 3, 4, 5, 6, 8, 10].map((number) => [`${number}`, `${number}`] as const),
      ]}
      onChange={(value) => change({ [name]: value })}
    />
  );
  return (
    <div class="stack">
      <PieceForm side="Attacker" text={values.attacker} onChange={(attacker) => change({ attacker })} />
      {levies && (
        <Stepper
          label="Levies that charge together"
          value={Math.max(1, wholeOf(values.levies))}
          least={1}
          most={MOST_LEVIES}
          onChange={(value) => change({ levies: `${value}` })}
        />
      )}
      <PieceForm side="Defender" text={values.defender} onChange={(defender) => change({ defender })} />
      <div class="fields">
        <Choice
          label="Kind of attack"
          value={values.ranged ?? "no"}
          options={[
            ["no", "melee"],
            ["yes", "from afar"],
          ]}
          onChange={(kind) => change({ ranged: kind, distance: "2", moved: "no", battle_back: "yes" })}
        />
        {ranged && (
          <Stepper
            label="Distance"
            value={wholeOf(values.distance)}
            least={2}
            most={4}
            onChange={(value) => change({ distance: `${value}` })}
          />
        )}
        <Stepper
          label="Extra dice"
          value={wholeOf(values.dice_bonus)}
          most={6}
          onChange={(value) => change({ dice_bonus: `${value}` })}
        />
      </div>
      {ranged ? (
        <Check
          label="the shooter moved this turn"
          value={values.moved === "yes"}
          onChange={(on) => change({ moved: on ? "yes" : "no" })}
        />
      ) : (
        <Check
          label="the defender battles back"
          value={values.battle_back !== "no"}
          onChange={(on) => change({ battle_back: on ? "yes" : "no" })}
        />
      )}
      <Cards
        side="attacker"
        text={values.attacker_cards ?? ""}
        onChange={(cards) => change({ attacker_cards: cards })}
      />
      <Cards
        side="defender"
        text={values.defender_cards ?? ""}
        onChange={(cards) => change({ defender_cards: cards })}
      />
      <details>
        <summary>Honor</summary>
        <div class="fields">
          {honor("attacker_honor", "Of the attacking player")}
          {honor("defender_honor", "Of the defending player")}
          {honor("pool", "In the common pool")}
        </div>
      </details>
    </div>
  );
}

function pieceOf(text: string | undefined): BattlesPiece {
  const { kind, properties } = readPiece(text);
  const flags = properties.ignore_flags;
  return {
    kind: `BATTLES_KIND_${kind.toUpperCase()}` as BattlesKind,
    blocks: wholeOf(properties.blocks),
    leader: properties.leader ? (`BATTLES_KIND_${properties.leader}` as BattlesKind) : undefined,
    terrain: properties.terrain
      ? (`BATTLES_TERRAIN_${properties.terrain.toUpperCase()}` as BattlesTerrain)
      : undefined,
    support: properties.support === "yes",
    adjacentLeader: properties.adjacent_leader === "yes",
    inspire: properties.inspire === "yes",
    ignoreFlags: flags && flags !== "all" ? wholeOf(flags) : undefined,
    room: properties.room ? wholeOf(properties.room) : undefined,
    seppuku: properties.leader_fate === "seppuku",
  };
}

function attackers<T>(values: Record<string, string>, piece: (text: string | undefined) => T): T[] {
  const { kind } = readPiece(values.attacker);
  const number = kind === "LI" && values.ranged !== "yes" ? Math.max(1, wholeOf(values.levies)) : 1;
  return Array.from({ length: number }, () => piece(values.attacker));
}

const cardsOf = (text: string | undefined) =>
  (text ?? "")
    .split(",")
    .filter(Boolean)
    .map((card) => `BATTLES_CARD_${card.toUpperCase()}` as BattlesCard);

function pythonPiece(text: string | undefined): string {
  const { kind, properties } = readPiece(text);
  const parts = Object.entries(properties).map(([name, value]) => {
    if (value === "yes") return `${name}=True`;
    return /^\d+$/.test(value) ? `${name}=${value}` : `${name}=${python(value)}`;
  });
  return parts.length ? `battles.Piece(${[python(kind), ...parts].join(", ")})` : python(kind);
}

const HONOR = ["attacker_honor", "defender_honor", "pool"] as const;

export const battles: Kind = {
  game: "battles",
  title: "Strike of battles",
  explanation:
    "A unit rolls dice against a unit or a lone leader: hits take blocks, flags make it retreat. Who holds a melee strikes back.",
  defaults: {
    attacker: "SSp",
    levies: "1",
    defender: "ASp",
    ranged: "no",
    distance: "2",
    moved: "no",
    dice_bonus: "0",
    battle_back: "yes",
    attacker_cards: "",
    defender_cards: "",
    attacker_honor: "",
    defender_honor: "",
    pool: "",
  },
  presets: [
    { name: "Spears against ashigaru", values: {} },
    {
      name: "Cavalry into the forest",
      values: { attacker: "SSpC:leader=LM", defender: "ASp:terrain=forest,support" },
    },
    {
      name: "Arquebuses behind a palisade",
      values: { attacker: "SSpC", defender: "AA:terrain=palisade,support" },
    },
    {
      name: "Bows at three hexes",
      values: { attacker: "SB:terrain=hill", defender: "LI", ranged: "yes", distance: "3" },
    },
    { name: "A charge of levies", values: { attacker: "LI", levies: "3", defender: "SSp" } },
    { name: "An attack on a leader", values: { attacker: "SBC", defender: "LF" } },
  ],
  Form,
  request: (values) => ({
    battlesStrike: {
      attackers: attackers(values, pieceOf),
      defender: pieceOf(values.defender),
      ranged: values.ranged === "yes",
      distance: values.ranged === "yes" ? wholeOf(values.distance) : 0,
      moved: values.ranged === "yes" && values.moved === "yes",
      diceBonus: wholeOf(values.dice_bonus),
      attackerCards: cardsOf(values.attacker_cards),
      defenderCards: cardsOf(values.defender_cards),
      noBattleBack: values.battle_back === "no",
      attackerHonor: values.attacker_honor ? wholeOf(values.attacker_honor) : undefined,
      defenderHonor: values.defender_honor ? wholeOf(values.defender_honor) : undefined,
      pool: values.pool ? wholeOf(values.pool) : undefined,
    },
  }),
  answer: ({ battlesOdds: odds = {} }) => {
    const error = odds.standardError ?? 0;
    const rows = [
      ["Defender eliminated", odds.defenderEliminated, ATTACKER],
      ["Defender retreats", odds.defenderRetreats, ATTACKER],
      ["Defender’s leader falls", odds.defenderLeaderEliminated, ATTACKER],
      ["Ground may be taken", odds.takesGround, ATTACKER],
      ["Attacker eliminated", odds.attackerEliminated, DEFENDER],
      ["Attacker retreats", odds.attackerRetreats, DEFENDER],
      ["Attacker’s leader falls", odds.attackerLeaderEliminated, DEFENDER],
    ] as const;
    const left = (side: string, values: number[] | undefined, colour: string) => ({
      title: `Blocks left to the ${side}`,
      values: values ?? [],
      colour,
      nouns: BLOCK,
    });
    const roll = (title: string, values: number[] | undefined, noun: string) => ({
      title: `${title} of the attack roll`,
      values: values ?? [],
      colour: OTHER,
      nouns: [noun, `${noun}s`] as const,
    });
    return {
      heading: "What comes of it",
      shares: rows.map(([label, value, colour]) => ({ label, value: value ?? 0, colour, error })),
      distributions: [
        left("attacker", odds.attackerBlocksLeft, ATTACKER),
        left("defender", odds.defenderBlocksLeft, DEFENDER),
        roll("Hits", odds.hits, "hit"),
        roll("Flags", odds.flags, "flag"),
      ],
      error,
      samples: Number(odds.samples ?? 0),
      remarks: [],
    };
  },
  python: (values) => {
    const pieces = attackers(values, pythonPiece);
    const cards = (name: string) =>
      values[name] ? `${name}=${python((values[name] ?? "").split(",").filter(Boolean))}` : false;
    const ranged = values.ranged === "yes";
    const lines = [
      pieces.length > 1 ? `[${pieces.join(", ")}]` : pieces[0],
      pythonPiece(values.defender),
      ranged && "ranged=True",
      ranged && `distance=${values.distance}`,
      ranged && values.moved === "yes" && "moved=True",
      wholeOf(values.dice_bonus) > 0 && `dice_bonus=${values.dice_bonus}`,
      cards("attacker_cards"),
      cards("defender_cards"),
      values.battle_back === "no" && "battle_back=False",
      ...HONOR.map((name) => values[name] !== "" && `${name}=${values[name]}`),
    ].filter(Boolean);
    return `battles.Strike(\n${lines.map((line) => `    ${line},\n`).join("")})`;
  },
  options: (values) => {
    const ranged = values.ranged === "yes";
    const cards = (name: string) => values[name] !== "" && `--${name.replace("_", "-")} ${values[name]}`;
    return [
      ...attackers(values, (text) => `--attacker ${shellWord(text ?? "")}`),
      `--defender ${shellWord(values.defender ?? "")}`,
      ranged && "--ranged",
      ranged && `--distance ${values.distance}`,
      ranged && values.moved === "yes" && "--moved",
      wholeOf(values.dice_bonus) > 0 && `--dice-bonus ${values.dice_bonus}`,
      cards("attacker_cards"),
      cards("defender_cards"),
      values.battle_back === "no" && "--no-battle-back",
      ...HONOR.map((name) => values[name] !== "" && `--${name.replace("_", "-")} ${values[name]}`),
    ];
  },
};
