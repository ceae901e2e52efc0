// Replay files of this tab, by a digest of their text, so that a page with one survives a reload.

const PREFIX = "sengoku.replay.";

/** Keeps a replay and returns its name in addresses. */
export function storeReplay(text: string): string {
  const name = digest(text);
  try {
    sessionStorage.setItem(PREFIX + name, text);
  } catch {
    // Older files make room.
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
    sessionStorage.setItem(PREFIX + name, text);
  }
  return name;
}

export function storedReplay(name: string): string | null {
  return sessionStorage.getItem(PREFIX + name);
}

/** 64 bits of FNV-1a: browsers have SHA-256 only on secure connections, and this is only a name. */
function digest(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, "0");
}
