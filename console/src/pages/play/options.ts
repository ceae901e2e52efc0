// The setup options of the games that a person may want to change. Files and positions are for programs.

export type Option =
  | { name: string; label: string; help: string; kind: "check" }
  | { name: string; label: string; help: string; kind: "number"; min: number; max: number; usual: number }
  | {
      name: string;
      label: string;
      help: string;
      kind: "choice";
      values: readonly [value: string, text: string][];
    };

export type OptionValues = Record<string, string | number | boolean>;

export const OPTIONS: Record<string, readonly Option[]> = {
  swords: [
    {
      name: "long_game",
      label: "Long game",
      help: "Victory is checked only at the end of a round.",
      kind: "check",
    },
    {
      name: "two_player_early_attacks",
      label: "Early attacks with two players",
      help: "Two players may attack armies in round 1 already.",
      kind: "check",
    },
    {
      name: "max_rounds",
      label: "Rounds at most",
      help: "The match ends without a result after this many rounds.",
      kind: "number",
      min: 1,
      max: 100,
      usual: 100,
    },
  ],
  tower: [
    {
      name: "court",
      label: "The court",
      help: "Plays with the expansion: officers and favours.",
      kind: "check",
    },
    {
      name: "mode",
      label: "Provinces",
      help: "How provinces are given out at the start.",
      kind: "choice",
      values: [
        ["", "as usual for the board"],
        ["draft", "by draft"],
      ],
    },
    {
      name: "reveal",
      label: "Planned cards",
      help: "When planned cards are turned up.",
      kind: "choice",
      values: [
        ["", "player by player"],
        ["per_action", "all before each action"],
      ],
    },
    {
      name: "favour_deck",
      label: "Favour deck",
      help: "Whether the top card of the favour deck is seen.",
      kind: "choice",
      values: [
        ["", "top card open"],
        ["hidden", "face down"],
      ],
    },
    {
      name: "allow_zero_move",
      label: "Armies may stay",
      help: "A player may choose not to move in a battle action.",
      kind: "check",
    },
    {
      name: "max_rounds",
      label: "Seasons at most",
      help: "The match ends after this many seasons, winters included; a whole match has 8.",
      kind: "number",
      min: 1,
      max: 8,
      usual: 8,
    },
  ],
  battles: [
    {
      name: "max_rounds",
      label: "Rounds at most",
      help: "The battle ends without a result after this many rounds.",
      kind: "number",
      min: 1,
      max: 1000,
      usual: 1000,
    },
  ],
};

/** The options as the server takes them: those that differ from what is usual. */
export function setupOf(game: string, values: OptionValues): Record<string, unknown> {
  const setup: Record<string, unknown> = {};
  for (const option of OPTIONS[game] ?? []) {
    const value = values[option.name];
    if (value === undefined || value === "" || value === false) continue;
    if (option.kind === "number" && value === option.usual) continue;
    setup[option.name] = value;
  }
  return setup;
}
