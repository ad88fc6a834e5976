// The only file that does HTTP: one request, sent until there is a reply.

import { RecordarError, errorOfReply } from "./error.js";
import type { Patience } from "./patience.js";

/** A request that may be sent several times: it has the same operation id every time. */
export interface Sending {
  readonly fetch: typeof fetch;
  readonly url: string;
  readonly init: RequestInit;
  /** How often it is sent again. */
  readonly retries: number;
}

/** Statuses of a server that can do it a moment later. */
const PASSING: readonly number[] = [429, 503];
const FIRST_WAIT_MS = 200;
/** A server that asks for a longer wait is not waited for. */
const MAX_WAIT_MS = 30_000;

type Read<T> = (response: Response) => T | Promise<T>;

/** Sends a request until there is a reply, and takes what `read` wants from it. A reply that breaks off is none. */
export async function send<T>(sending: Sending, patience: Patience, read: Read<T>): Promise<T> {
  try {
    for (let attempt = 0; ; attempt++) {
      const outcome = await sendOnce(sending, patience, read);
      if ("value" in outcome) return outcome.value;
      const waitMs = outcome.retryAfterMs ?? FIRST_WAIT_MS * 2 ** attempt * (0.5 + Math.random() / 2);
      const isLast = attempt === sending.retries || waitMs > Math.min(MAX_WAIT_MS, patience.leftMs);
      if (isLast || !outcome.isPassing) throw outcome.error;
      await patience.sleep(waitMs);
    }
  } catch (error) {
    patience.end();
    throw error;
  }
}

type Outcome<T> = { value: T } | { error: unknown; isPassing: boolean; retryAfterMs?: number | undefined };

async function sendOnce<T>({ fetch, url, init }: Sending, patience: Patience, read: Read<T>): Promise<Outcome<T>> {
  try {
    const response = await fetch(url, { ...init, signal: patience.signal });
    if (response.ok) return { value: await read(response) };
    const error = errorOfReply(response, await response.text());
    return { error, isPassing: PASSING.includes(response.status), retryAfterMs: retryAfterMs(response) };
  } catch (failure) {
    const isPassing = !patience.signal.aborted && !(failure instanceof RecordarError);
    return { error: patience.reasonFor(failure), isPassing };
  }
}

/** Seconds, or a date. */
function retryAfterMs(response: Response): number | undefined {
  const value = response.headers.get("retry-after");
  if (value === null) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
