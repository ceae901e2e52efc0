// Who plays which seat, and how strong the bots of the server are.

/** "you", "person" for somebody with a link, or the name of a bot with its options. */
export type Player = string;

export const YOU = "you";
export const PERSON = "person";

/** The bots that a person can choose from, by strength. */
export const STRENGTHS: readonly { bot: string; label: string; help: string }[] = [
  { bot: "random", label: "Beginner", help: "any legal action, all equally likely" },
  { bot: "mix:greedy=60", label: "Easy", help: "plays well three times of five, and at random otherwise" },
  { bot: "greedy", label: "Medium", help: "attacks and builds where the odds are good" },
  { bot: "mcts:iterations=200", label: "Strong", help: "a search of 200 plays before each decision" },
  {
    bot: "mcts:iterations=1000",
    label: "Very strong",
    help: "a search of 1,000 plays: it thinks for a moment",
  },
];

/** The name of a bot for people. */
export function botName(bot: string): string {
  return (
    STRENGTHS.find((strength) => strength.bot === bot)
      ?.label.toLowerCase()
      .concat(" bot") ?? `bot ${bot}`
  );
}

/** The seats at the start of a choice: the person first, then bots of medium strength. */
export function usualSeats(count: number): Player[] {
  return Array.from({ length: count }, (_, seat) => (seat === 0 ? YOU : "greedy"));
}
