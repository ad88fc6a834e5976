// The options of a client, checked once.

export interface RecordarOptions {
  /** A key of the server: `recordar keys new` makes one. A server of this machine that has no keys needs none. */
  apiKey?: string | undefined;
  /** The space of every call, such as `user:ada`. By default, the only one of the key, or the one that the server has configured. */
  space?: string | undefined;
  /** Used instead of the global `fetch`. */
  fetch?: typeof fetch | undefined;
  /** How long to wait for a reply, with all retries, or for the next part of a stream. Default: 120,000. */
  timeoutMs?: number | undefined;
  /** How often a call is sent again if the connection fails or the server is busy (0 to 10). Default: 2. */
  retries?: number | undefined;
}

/** Options that were checked, with their defaults. */
export interface Settings extends Limits {
  readonly address: string;
  readonly apiKey: string | undefined;
  readonly space: string | undefined;
  readonly fetch: typeof fetch;
}

export interface Limits {
  readonly timeoutMs: number;
  readonly retries: number;
}

/** The longest time of a timer. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;
const MAX_RETRIES = 10;

export function settingsOf(address: string, options: RecordarOptions): Settings {
  const { apiKey, space, fetch = globalThis.fetch, timeoutMs = 120_000, retries = 2 } = options;
  return { address: checked(address), apiKey, space, fetch, ...limited({ timeoutMs, retries }) };
}

function checked(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`${JSON.stringify(address)} is not the address of a server; use one such as "http://127.0.0.1:7343"`);
  }
  return url.href.replace(/\/+$/, "");
}

export function limited({ timeoutMs, retries }: Limits): Limits {
  if (!(timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS)) {
    throw new RangeError(`timeoutMs is ${timeoutMs}; use a number from 1 to ${MAX_TIMEOUT_MS}`);
  }
  if (!(Number.isInteger(retries) && retries >= 0 && retries <= MAX_RETRIES)) {
    throw new RangeError(`retries is ${retries}; use a whole number from 0 to ${MAX_RETRIES}`);
  }
  return { timeoutMs, retries };
}
