// Battles of `swords`: forces of units, a building, and when the attacker calls off.

import type { SwordsForce, SwordsFort, SwordsUnit } from "../../api/sengoku";
import { Check, Choice, Stepper } from "../../parts/inputs";
import { ATTACKER, DEFENDER, type FormProps, type Kind, OTHER } from "./kinds";
import { python, readCounts, readPairs, shellWord, wholeOf, writePairs } from "./words";

const UNITS = ["daimyo", "bow", "gun", "sword", "spear", "ronin"] as const;
const UNIT = ["unit", "units"] as const;
const NAMES: Record<string, string> = {
  daimyo: "Daimyo",
  bow: "Bows",
  gun: "Guns",
  sword: "Swords",
  spear: "Spears",
  ronin: "Ronin",
};
const MOST: Record<string, number> = { daimyo: 1, bow: 30, gun: 30, sword: 30, spear: 30, ronin: 30 };
const ORDERS = [
  ["cheapest", "cheapest first"],
  ["hired_first", "ronin first"],
] as const;
const HIRED: SwordsUnit[] = [
  "SWORDS_UNIT_RONIN",
  "SWORDS_UNIT_SPEAR",
  "SWORDS_UNIT_GUN",
  "SWORDS_UNIT_SWORD",
  "SWORDS_UNIT_BOW",
];

function Force({
  legend,
  text,
  onChange,
}: {
  legend: string;
  text: string;
  onChange: (text: string) => void;
}) {
  const counts = readCounts(text, UNITS);
  const disrupted = "disrupted" in readPairs(text);
  const write = (changes: Record<string, string | number>) =>
    onChange(writePairs({ ...counts, disrupted: disrupted ? "yes" : "", ...changes }));
  return (
    <fieldset>
      <legend>{legend}</legend>
      <div class="steppers">
        {UNITS.map((unit) => (
          <Stepper
            key={unit}
            label={NAMES[unit] ?? unit}
            value={counts[unit] ?? 0}
            most={MOST[unit]}
            onChange={(value) => write({ [unit]: value })}
          />
        ))}
      </div>
      {legend !== "Attacker" && (
        <Check
          label="its daimyo was assassinated this round"
          value={disrupted}
          onChange={(value) => write({ disrupted: value ? "yes" : "" })}
        />
      )}
    </fieldset>
  );
}

function Form({ values, change }: FormProps) {
  const has = (name: string) => values[name] !== "";
  const number = (name: string, label: string, most: number) => (
    <Stepper
      label={label}
      value={wholeOf(values[name])}
      most={most}
      onChange={(value) => change({ [name]: `${value}` })}
    />
  );
  return (
    <div class="stack">
      <Force legend="Attacker" text={values.attacker ?? ""} onChange={(attacker) => change({ attacker })} />
      <Force legend="Defender" text={values.defender ?? ""} onChange={(defender) => change({ defender })} />
      <Check
        label="a second force defends, too: an army and a provincial force"
        value={has("second")}
        onChange={(value) => change({ second: value ? "spear=1" : "" })}
      />
      {has("second") && (
        <Force
          legend="Second defender"
          text={values.second ?? ""}
          onChange={(second) => change({ second })}
        />
      )}
      <div class="fields">
        <Choice
          label="Building"
          value={values.fort ?? ""}
          options={[
            ["none", "none"],
            ["castle", "castle"],
            ["fortress", "fortress"],
          ]}
          onChange={(fort) => change({ fort, fort_lost: "0" })}
        />
        {values.fort !== "none" &&
          number("fort_lost", "Its bonus units lost", values.fort === "castle" ? 4 : 5)}
        <Choice
          label="Attacker loses"
          value={values.attacker_losses ?? ""}
          options={ORDERS}
          onChange={(order) => change({ attacker_losses: order })}
        />
        <Choice
          label="Defender loses"
          value={values.defender_losses ?? ""}
          options={ORDERS}
          onChange={(order) => change({ defender_losses: order })}
        />
        {number("break_off_below", "Call off below (units)", 40)}
        {number("break_off_after", "Call off after (rounds)", 40)}
      </div>
      <Check
        label="the attack comes by sea, so that the defender strikes first"
        value={values.naval === "yes"}
        onChange={(value) => change({ naval: value ? "yes" : "no" })}
      />
    </div>
  );
}

function force(text: string | undefined): SwordsForce {
  return { ...readCounts(text ?? "", UNITS), disrupted: "disrupted" in readPairs(text ?? "") };
}

function pythonForce(text: string | undefined): string {
  const parts = Object.entries(readPairs(text ?? ""));
  return `swords.Force(${parts.map(([name, value]) => `${name}=${value === "yes" ? "True" : value}`).join(", ")})`;
}

export const swords: Kind = {
  game: "swords",
  title: "Battle of swords",
  explanation:
    "Two forces fight in rounds: bows and guns shoot first, then all strike with twelve-sided dice, until one side is gone or the attacker calls off.",
  defaults: {
    attacker: "daimyo=1,bow=1,gun=1,sword=1,spear=3",
    defender: "bow=1,gun=1,spear=3",
    second: "",
    fort: "none",
    fort_lost: "0",
    naval: "no",
    attacker_losses: "cheapest",
    defender_losses: "cheapest",
    break_off_below: "0",
    break_off_after: "0",
  },
  presets: [
    { name: "An army against a province", values: {} },
    {
      name: "A castle by sea",
      values: {
        attacker: "daimyo=1,bow=2,gun=3,sword=2,spear=4",
        defender: "bow=1,spear=4",
        fort: "castle",
        naval: "yes",
        break_off_below: "3",
      },
    },
    {
      name: "Army against army",
      values: {
        attacker: "daimyo=1,bow=2,gun=2,sword=2,spear=3",
        defender: "daimyo=1,bow=2,gun=2,sword=2,spear=3",
      },
    },
    {
      name: "Fortress with a garrison",
      values: {
        attacker: "daimyo=1,bow=2,gun=5,sword=2,spear=5,ronin=7",
        defender: "daimyo=1,bow=2,sword=2,gun=3,spear=3",
        second: "bow=1,spear=4,ronin=4",
        fort: "fortress",
      },
    },
  ],
  Form,
  request: (values) => ({
    swordsBattle: {
      attacker: force(values.attacker),
      defenders: [force(values.defender), ...(values.second ? [force(values.second)] : [])],
      fort: (values.fort === "none" ? undefined : `SWORDS_FORT_${values.fort?.toUpperCase()}`) as SwordsFort,
      fortLost: values.fort === "none" ? 0 : wholeOf(values.fort_lost),
      naval: values.naval === "yes",
      attackerLosses: values.attacker_losses === "hired_first" ? HIRED : [],
      defenderLosses: values.defender_losses === "hired_first" ? HIRED : [],
      breakOffBelow: wholeOf(values.break_off_below),
      breakOffAfter: wholeOf(values.break_off_after),
    },
  }),
  answer: ({ swordsOdds: odds = {} }) => {
    const error = odds.standardError ?? 0;
    const share = (label: string, value: number | undefined, colour: string) => ({
      label,
      value: value ?? 0,
      colour,
      error,
    });
    return {
      heading: "How it ends",
      shares: [
        share("Attacker wins", odds.attackerWins, ATTACKER),
        share("Defender wins", odds.defenderWins, DEFENDER),
        share("Both are eliminated", odds.bothEliminated, OTHER),
        ...(odds.calledOff ? [share("Attacker calls off", odds.calledOff, OTHER)] : []),
      ],
      distributions: [
        {
          title: "Units left to the attacker",
          values: odds.attackerUnitsLeft ?? [],
          colour: ATTACKER,
          nouns: UNIT,
        },
        {
          title: "Units left to the defender",
          values: odds.defenderUnitsLeft ?? [],
          colour: DEFENDER,
          nouns: UNIT,
        },
      ],
      error,
      samples: Number(odds.samples ?? 0),
      remarks: [`The battle takes ${(odds.roundsMean ?? 0).toFixed(2)} rounds on average.`],
    };
  },
  python: (values) => {
    const second = values.second ? `[${pythonForce(values.defender)}, ${pythonForce(values.second)}]` : "";
    const extra = [
      values.fort !== "none" && `fort=${python(values.fort)}`,
      values.fort !== "none" && wholeOf(values.fort_lost) > 0 && `fort_lost=${values.fort_lost}`,
      values.naval === "yes" && "naval=True",
      values.attacker_losses !== "cheapest" && `attacker_losses=${python(values.attacker_losses)}`,
      values.defender_losses !== "cheapest" && `defender_losses=${python(values.defender_losses)}`,
      wholeOf(values.break_off_below) > 0 && `break_off_below=${values.break_off_below}`,
      wholeOf(values.break_off_after) > 0 && `break_off_after=${values.break_off_after}`,
    ].filter(Boolean);
    const lines = [pythonForce(values.attacker), second || pythonForce(values.defender), ...extra];
    return `swords.Battle(\n${lines.map((line) => `    ${line},\n`).join("")})`;
  },
  options: (values) => [
    `--attacker ${shellWord(values.attacker ?? "")}`,
    `--defender ${shellWord(values.defender ?? "")}`,
    values.second !== "" && `--defender ${shellWord(values.second ?? "")}`,
    values.fort !== "none" && `--fort ${values.fort}`,
    values.fort !== "none" && wholeOf(values.fort_lost) > 0 && `--fort-lost ${values.fort_lost}`,
    values.naval === "yes" && "--naval",
    values.attacker_losses !== "cheapest" && `--attacker-losses ${values.attacker_losses}`,
    values.defender_losses !== "cheapest" && `--defender-losses ${values.defender_losses}`,
    wholeOf(values.break_off_below) > 0 && `--break-off-below ${values.break_off_below}`,
    wholeOf(values.break_off_after) > 0 && `--break-off-after ${values.break_off_after}`,
  ],
};
