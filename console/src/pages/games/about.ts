// The three games in a few words, for people who do not know them.

export interface About {
  title: string;
  /** What it is, in two sentences. */
  what: string;
  /** How a round goes, step by step. */
  steps: readonly (readonly [string, string])[];
  /** How combat is decided. */
  combat: string;
  /** How it ends. */
  end: string;
}

export const ABOUT: Record<string, About> = {
  swords: {
    title: "Swords",
    what: "The whole of Japan: 68 provinces, and a clan with three armies for each player. Koku buys troops, castles, ronin and a ninja; whoever owns 35 provinces wins.",
    steps: [
      ["Plan", "all clans secretly divide their koku"],
      ["Swords", "the highest bid chooses its place in the turn order"],
      ["Build, levy, hire", "castles, units, ronin, and a ninja for the highest bidder"],
      ["War", "clan by clan: move, declare battles, fight, move again"],
      ["Koku", "one for every three provinces"],
    ],
    combat:
      "In each combat round every unit rolls a twelve-sided die: bowmen and gunners first, then casualties, then daimyo, swordsmen, ronin and spearmen. The attacker may call off after each round.",
    end: "35 provinces, or the last clan with a daimyo.",
  },
  tower: {
    title: "Tower",
    what: "Two years of planning in 45 provinces. Ten actions are planned in secret each season, and battles are decided by cubes that fall through a tower, or stay inside.",
    steps: [
      ["Cards", "ten actions in random order, five of them open"],
      ["Plan and bid", "secretly: a province for each action, and a bid for the turn order"],
      ["Event", "one of the open events counts this season"],
      ["Ten actions", "build, tax, collect rice, place armies, move and fight"],
      ["Winter", "rice feeds the provinces; then points are counted"],
    ],
    combat:
      "All cubes of both sides and what lies in the tray go into the cube tower. Only what comes out counts; farmers help the defender, and a tie makes the province neutral.",
    end: "After the second winter: points for provinces, buildings and majorities in the regions.",
  },
  battles: {
    title: "Battles",
    what: "Forty battles between two armies on a field of hexes. Command cards order units, dragon cards surprise, and honor keeps an army together.",
    steps: [
      ["Command", "a card that says how many units may be ordered, and where"],
      ["Orders", "the units and leaders that act"],
      ["Movement", "one piece at a time"],
      ["Battle", "melee or from afar; who survives a melee strikes back"],
      ["End", "a new command card, then a dragon card or honor"],
    ],
    combat:
      "A unit rolls as many dice as its kind has. Symbols and swords hit, flags make the enemy retreat, and retreating costs honor. A unit fights at full strength until its last block falls.",
    end: "The banners that the battle requires, for eliminated units and leaders and for aims of the battle.",
  },
};
