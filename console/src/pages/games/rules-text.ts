// The rules of the games, from the files that `sengoku rules` and the documentation print.

/** Loads the text of a game when it is first wanted. */
export const RULES: Record<string, () => Promise<{ default: string }>> = {
  swords: () => import("../../../../python/sengoku/rules/swords.md"),
  tower: () => import("../../../../python/sengoku/rules/tower.md"),
  battles: () => import("../../../../python/sengoku/rules/battles.md"),
};

export interface Paragraph {
  text: string;
  /** Ids of the rules that it states. */
  ids: string[];
}

export interface Section {
  title: string;
  /** Its name in addresses. */
  name: string;
  paragraphs: Paragraph[];
}

const CITED = / \[((?:[A-Z][A-Z0-9-]*(?:, )?)+)\]$/;

/** Splits a text into sections; the first is the introduction, under the name of the game. */
export function sectionsOf(markdown: string): Section[] {
  const parts = markdown.split(/^#+ (.+)\n+/m).slice(1);
  return parts.flatMap((title, at) => (at % 2 === 0 ? [sectionOf(title, parts[at + 1] ?? "")] : []));
}

function sectionOf(title: string, text: string): Section {
  const paragraphs = text.trim().split(/\n\n+/).map(paragraphOf);
  // The same names as in the documentation: "War, phase A: declare" is "war-phase-a-declare".
  const name = title
    .toLowerCase()
    .replace(/[^\w\s-]/g, "")
    .replace(/\s+/g, "-");
  return { title, name, paragraphs };
}

function paragraphOf(text: string): Paragraph {
  const ids = CITED.exec(text)?.[1]?.split(", ") ?? [];
  return { text: text.replace(CITED, ""), ids };
}
