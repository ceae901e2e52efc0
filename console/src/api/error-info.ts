// google.rpc.ErrorInfo in its binary form, the only binary message that the console reads.

export interface ErrorInfo {
  reason: string;
  metadata: Record<string, string>;
}

/** Reads the message from base64, as the details of an error carry it. */
export function errorInfo(base64: string): ErrorInfo {
  const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const info: ErrorInfo = { reason: "", metadata: {} };
  for (const [field, value] of texts(bytes)) {
    if (field === 1) info.reason = utf8(value);
    if (field === 3) {
      const entry = new Map(texts(value));
      info.metadata[utf8(entry.get(1))] = utf8(entry.get(2));
    }
  }
  return info;
}

const LENGTH_DELIMITED = 2;

/** The fields of a message that has only texts and messages, with their numbers. */
function* texts(bytes: Uint8Array): Generator<[number, Uint8Array]> {
  let at = 0;
  const varint = () => {
    let [value, shift] = [0, 0];
    for (;;) {
      const byte = bytes[at++] ?? 0;
      value |= (byte & 127) << shift;
      shift += 7;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const key = varint();
    if ((key & 7) !== LENGTH_DELIMITED) return;
    const length = varint();
    yield [key >> 3, bytes.subarray(at, at + length)];
    at += length;
  }
}

function utf8(bytes: Uint8Array | undefined): string {
  return new TextDecoder().decode(bytes);
}
