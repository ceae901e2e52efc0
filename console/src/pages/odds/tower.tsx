// Clashes of `tower`: armies thrown into the cube tower with what lies in the tray.

import type { TowerColour, TowerCubes } from "../../api/sengoku";
import { Check, Choice, Stepper } from "../../parts/inputs";
import { ATTACKER, DEFENDER, type FormProps, type Kind, OTHER } from "./kinds";
import { python, readCounts, shellWord, wholeOf, writePairs } from "./words";

export const COLOURS = ["red", "blue", "yellow", "purple", "black", "farmer"] as const;
const PLAYERS = COLOURS.slice(0, 5);
const ARMY = ["army", "armies"] as const;
const SITUATIONS = [
  ["owned", "a province of another player"],
  ["unrest", "the same, with an unrest marker"],
  ["neutral", "a neutral province"],
  ["revolt", "farmers revolt"],
] as const;

export function Cubes({
  legend,
  text,
  onChange,
}: {
  legend: string;
  text: string;
  onChange: (text: string) => void;
}) {
  const counts = readCounts(text, COLOURS);
  return (
    <fieldset>
      <legend>{legend}</legend>
      <div class="steppers">
        {COLOURS.map((colour) => (
          <Stepper
            key={colour}
            label={colour === "farmer" ? "green" : colour}
            value={counts[colour] ?? 0}
            most={colour === "farmer" ? 30 : 62}
            onChange={(value) => onChange(writePairs({ ...counts, [colour]: value }))}
          />
        ))}
      </div>
    </fieldset>
  );
}

function Party({ side, text, onChange }: { side: string; text: string; onChange: (text: string) => void }) {
  const [colour = "red", armies = "1"] = text.split("=");
  const farmers = colour === "farmer";
  return (
    <fieldset>
      <legend>{side}</legend>
      <div class="fields">
        {!farmers && (
          <Choice
            label="Colour"
            value={colour}
            options={PLAYERS.map((name) => [name, name] as const)}
            onChange={(chosen) => onChange(`${chosen}=${armies}`)}
          />
        )}
        <Stepper
          label={farmers ? "Farmers" : "Armies"}
          value={wholeOf(armies)}
          least={1}
          most={20}
          onChange={(value) => onChange(`${colour}=${value}`)}
        />
      </div>
    </fieldset>
  );
}

function Form({ values, change }: FormProps) {
  const situation = values.situation ?? "owned";
  const choose = (next: string) =>
    change({
      situation: next,
      attacker: next === "revolt" ? "farmer=2" : situation === "revolt" ? "blue=4" : (values.attacker ?? ""),
    });
  return (
    <div class="stack">
      <Choice label="Where" value={situation} options={SITUATIONS} onChange={choose} />
      <Party side="Attacker" text={values.attacker ?? ""} onChange={(attacker) => change({ attacker })} />
      {situation !== "neutral" && (
        <Party side="Defender" text={values.defender ?? ""} onChange={(defender) => change({ defender })} />
      )}
      <Cubes
        legend="In the tray, thrown as well"
        text={values.tray ?? ""}
        onChange={(tray) => change({ tray })}
      />
      <div class="fields">
        <Choice
          label="In the tower"
          value={values.contents === "fresh" ? `fresh ${values.players}` : "known"}
          options={[
            ["fresh 3", "a fresh fill, 3 players"],
            ["fresh 4", "a fresh fill, 4 players"],
            ["fresh 5", "a fresh fill, 5 players"],
            ["known", "known cubes"],
          ]}
          onChange={(chosen) =>
            change(
              chosen === "known"
                ? { contents: "red=7,blue=7,yellow=6,farmer=9" }
                : { contents: "fresh", players: chosen.slice(-1) },
            )
          }
        />
      </div>
      {values.contents !== "fresh" && (
        <Cubes
          legend="Cubes in the tower"
          text={values.contents ?? ""}
          onChange={(contents) => change({ contents })}
        />
      )}
      {situation === "owned" && (
        <p class="remark">Farmers that come out help the defender; with an unrest marker they do not.</p>
      )}
      <Check
        label="the tower as fitted to the simulation in 3D, not as the rules describe it"
        value={values.parameters === "fitted"}
        onChange={(value) => change({ parameters: value ? "fitted" : "" })}
      />
    </div>
  );
}

const cubes = (text: string | undefined): TowerCubes => readCounts(text ?? "", COLOURS);

function party(text: string | undefined) {
  const [colour = "red", armies] = (text ?? "").split("=");
  return { colour: `TOWER_COLOUR_${colour.toUpperCase()}` as TowerColour, cubes: wholeOf(armies) };
}

function pythonParty(text: string | undefined): string {
  const [colour = "red", armies = "1"] = (text ?? "").split("=");
  return `(${python(colour)}, ${armies})`;
}

function pythonCubes(text: string | undefined): string {
  return python(Object.fromEntries(Object.entries(cubes(text)).filter(([, number]) => number)));
}

export const tower: Kind = {
  game: "tower",
  title: "Clash of tower",
  explanation:
    "Both sides throw their armies into the cube tower. Some stay inside, some of earlier throws fall out, and whoever has more cubes in the tray holds the province.",
  defaults: {
    situation: "owned",
    attacker: "blue=4",
    defender: "yellow=3",
    tray: "",
    contents: "fresh",
    players: "4",
    parameters: "",
  },
  presets: [
    { name: "Four against three", values: {} },
    { name: "A province with unrest", values: { situation: "unrest", tray: "red=2,farmer=3" } },
    { name: "A neutral province", values: { situation: "neutral", attacker: "purple=3" } },
    { name: "A revolt", values: { situation: "revolt", attacker: "farmer=2", defender: "yellow=3" } },
    { name: "A tower full of friends", values: { contents: "blue=12,yellow=2,farmer=6" } },
  ],
  Form,
  request: (values) => ({
    towerClash: {
      attacker: party(values.attacker),
      defender: values.situation === "neutral" ? undefined : party(values.defender),
      farmersStayOut: values.situation === "unrest",
      neutral: values.situation === "neutral",
      revolt: values.situation === "revolt",
      tray: cubes(values.tray),
      contents: values.contents === "fresh" ? undefined : cubes(values.contents),
      players: wholeOf(values.players),
      parametersJson: values.parameters ? JSON.stringify(values.parameters) : "",
    },
  }),
  answer: ({ towerOdds: odds = {} }) => {
    const error = odds.standardError ?? 0;
    const share = (label: string, value: number | undefined, colour: string) => ({
      label,
      value: value ?? 0,
      colour,
      error,
    });
    return {
      heading: "Who holds the province",
      shares: [
        share("Attacker", odds.attackerWins, ATTACKER),
        share("Defender", odds.defenderWins, DEFENDER),
        share("Nobody: it becomes neutral", odds.none, OTHER),
      ],
      distributions: [
        {
          title: "Armies left to the attacker",
          values: odds.attackerArmiesLeft ?? [],
          colour: ATTACKER,
          nouns: ARMY,
        },
        {
          title: "Armies left to the defender",
          values: odds.defenderArmiesLeft ?? [],
          colour: DEFENDER,
          nouns: ARMY,
        },
      ],
      error,
      samples: Number(odds.samples ?? 0),
      remarks: odds.neglected
        ? [`What was left out has a probability of ${odds.neglected.toExponential(0)}.`]
        : [],
    };
  },
  python: (values) => {
    const lines = [
      pythonParty(values.attacker),
      values.situation !== "neutral" && pythonParty(values.defender),
      values.situation === "unrest" && "farmers_defend=False",
      values.situation === "neutral" && "neutral=True",
      values.situation === "revolt" && "revolt=True",
      values.tray && `tray=${pythonCubes(values.tray)}`,
      values.contents === "fresh"
        ? values.players !== "4" && `players=${values.players}`
        : `contents=${pythonCubes(values.contents)}`,
      values.parameters && `parameters=${python(values.parameters)}`,
    ].filter(Boolean);
    return `tower.Clash(\n${lines.map((line) => `    ${line},\n`).join("")})`;
  },
  options: (values) => [
    `--attacker ${values.attacker}`,
    values.situation !== "neutral" && `--defender ${values.defender}`,
    values.situation === "unrest" && "--unrest",
    values.situation === "neutral" && "--neutral",
    values.situation === "revolt" && "--revolt",
    values.tray !== "" && `--tray ${shellWord(values.tray ?? "")}`,
    values.contents === "fresh"
      ? values.players !== "4" && `--players ${values.players}`
      : `--contents ${shellWord(values.contents || "''")}`,
    values.parameters !== "" && `--parameters ${values.parameters}`,
  ],
};
