// Calls of the server under the Connect protocol with JSON: one request and one response, or a stream of responses.

import { errorInfo } from "./error-info";
import { session } from "./session";

/** What went wrong with a call, as the server says it. */
export class ApiError extends Error {
  constructor(
    /** The status code, e.g. "not_found"; "unreachable" if the server gave no answer. */
    readonly code: string,
    message: string,
    /** The reason code of the server, e.g. "MATCH_NOT_FOUND"; empty if it gave none. */
    readonly reason = "",
    /** Details by name, e.g. the field and its limit. */
    readonly details: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** How to make one call. */
export interface CallOptions {
  signal?: AbortSignal;
}

export type Unary<Request, Response> = (request: Request, options?: CallOptions) => Promise<Response>;
export type ServerStream<Request, Response> = (
  request: Request,
  options?: CallOptions,
) => AsyncGenerator<Response, void, void>;

/** A method with one response. */
export function unary<Request, Response>(path: string): Unary<Request, Response> {
  return async (request, options = {}) => {
    const answer = await send(path, "application/json", JSON.stringify(request), options);
    if (!answer.ok) throw await refusal(answer);
    return (await answer.json()) as Response;
  };
}

/** A method with a stream of responses. Leaving the loop over them ends the call. */
export function serverStream<Request, Response>(path: string): ServerStream<Request, Response> {
  return async function* (request, options = {}) {
    const stop = new AbortController();
    const signal = options.signal ? AbortSignal.any([stop.signal, options.signal]) : stop.signal;
    try {
      const body = envelope(JSON.stringify(request));
      const answer = await send(path, "application/connect+json", body, { signal });
      if (!answer.ok || !answer.body) throw await refusal(answer);
      for await (const [flags, text] of frames(answer.body)) {
        if ((flags & END_OF_STREAM) === 0) {
          yield JSON.parse(text) as Response;
          continue;
        }
        const end = JSON.parse(text) as { error?: ErrorBody };
        if (end.error) throw apiError(end.error);
        return;
      }
      throw new ApiError("unreachable", "the connection ended in the middle of a stream");
    } finally {
      stop.abort();
    }
  };
}

/** Whether an error says that the call was ended by this page. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

const END_OF_STREAM = 2;

interface ErrorBody {
  code?: string;
  message?: string;
  details?: { type?: string; value?: string }[];
}

async function send(path: string, type: string, body: BodyInit, options: CallOptions): Promise<Response> {
  const headers: Record<string, string> = { "Content-Type": type, "Connect-Protocol-Version": "1" };
  const token = session.token();
  if (token) headers.Authorization = `Bearer ${token}`;
  try {
    return await fetch(`/${path}`, {
      method: "POST",
      headers,
      body,
      signal: options.signal,
      cache: "no-store",
    });
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new ApiError("unreachable", "the server gave no answer");
  }
}

async function refusal(answer: Response): Promise<ApiError> {
  let body: ErrorBody = {};
  try {
    body = (await answer.json()) as ErrorBody;
  } catch {
    // A proxy may answer with a page of its own.
  }
  const error = apiError({ code: CODES[answer.status] ?? "unknown", message: answer.statusText, ...body });
  if (error.code === "unauthenticated") session.refused();
  return error;
}

const CODES: Record<number, string> = {
  400: "internal",
  401: "unauthenticated",
  403: "permission_denied",
  404: "unimplemented",
  429: "unavailable",
  502: "unavailable",
  503: "unavailable",
  504: "unavailable",
};

function apiError(body: ErrorBody): ApiError {
  const packed = body.details?.find((detail) => detail.type === "google.rpc.ErrorInfo");
  const info = packed?.value ? errorInfo(packed.value) : undefined;
  return new ApiError(body.code ?? "unknown", body.message ?? "", info?.reason, info?.metadata);
}

/** A message with its flags and length before it. */
function envelope(text: string): Uint8Array<ArrayBuffer> {
  const message = new TextEncoder().encode(text);
  const out = new Uint8Array(5 + message.length);
  new DataView(out.buffer).setUint32(1, message.length);
  out.set(message, 5);
  return out;
}

/** The flags and the text of each message of a stream. */
async function* frames(body: ReadableStream<Uint8Array>): AsyncGenerator<[number, string], void, void> {
  const decoder = new TextDecoder();
  let held = new Uint8Array();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const joined = new Uint8Array(held.length + value.length);
      joined.set(held);
      joined.set(value, held.length);
      held = joined;
      while (held.length >= 5) {
        const length = new DataView(held.buffer, held.byteOffset).getUint32(1);
        if (held.length < 5 + length) break;
        yield [held[0] ?? 0, decoder.decode(held.subarray(5, 5 + length))];
        held = held.subarray(5 + length);
      }
    }
  } finally {
    reader.releaseLock();
  }
}
