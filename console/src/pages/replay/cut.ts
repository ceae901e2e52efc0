/**
 * A replay that ends after a number of decisions, with bots of its own. The digest and the draws of bots belong to the
 * end of the match and are left out, and so is what was said after it.
 */
export function cutReplay(text: string, decisions: number, bots: Record<string, string>): string {
  const lines: string[] = [];
  for (const line of text.split("\n")) {
    const [word = ""] = line.split(" ", 1);
    if (LEFT_OUT.has(word)) continue;
    if (/^\d+$/.test(word) && Number(word) > decisions) break;
    lines.push(line);
    if (word === "setup") lines.push(`bots ${JSON.stringify(bots)}`);
  }
  return `${lines.join("\n")}\n`;
}

const LEFT_OUT = new Set(["bots", "choices", "digest"]);
