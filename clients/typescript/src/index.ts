// The client: every verb of the server as a method, and what is not a verb. It knows the paths and the headers, and does no I/O of its own.

import { jsonOf, partsOf } from "./body.js";
import { RecordarError, errorHere } from "./error.js";
import { EventParser } from "./events.js";
import { Patience } from "./patience.js";
import { send } from "./send.js";
import { type RecordarOptions, type Settings, limited, settingsOf } from "./settings.js";
import type {
  CallOptions,
  DownloadCall,
  DownloadVerb,
  LongCall,
  LongVerb,
  OperationOptions,
  Reply,
  Running,
  StreamEvent,
  UploadCall,
  UploadFile,
  UploadVerb,
  Verb,
  Verbs,
} from "./types.js";

export { RecordarError } from "./error.js";
export type { components } from "./schema.js";
export type { RecordarOptions } from "./settings.js";
export type * from "./types.js";

/** A client of a Recordar server. Every verb of the server is a method: `await memory.recall({ query: "…" })`. */
export interface Recordar extends Verbs {}

export class Recordar {
  readonly #settings: Settings;

  static {
    // Whatever is not a method here is a verb, so that none needs a line of its own.
    const get = (none: object, name: string | symbol, memory: Recordar): unknown =>
      isVerb(name) ? (args?: object, options?: CallOptions) => memory.#call(name, args, options) : Reflect.get(none, name);
    Object.setPrototypeOf(Recordar.prototype, new Proxy({}, { get }));
  }

  /** @param address Where the server is, such as `http://127.0.0.1:7343`. */
  constructor(address: string, options: RecordarOptions = {}) {
    this.#settings = settingsOf(address, options);
  }

  /** The same client for another space. */
  in(space: string): Recordar {
    return new Recordar(this.#settings.address, { ...this.#settings, space });
  }

  /** Calls a verb, and yields its progress, its text while it is written, and at last its result. */
  async *stream<V extends LongVerb>(verb: V, ...call: LongCall<V>): AsyncGenerator<StreamEvent<V>, void, undefined> {
    const [args, options] = call;
    const parts = await this.#post({ verb, args, options, headers: { Accept: "text/event-stream" } }, partsOf);
    const [reader, parser, decoder] = [parts.getReader(), new EventParser(), new TextDecoder()];
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) throw errorHere("broken_off", "the stream ended without a result", "send it again with the same operation id");
        for (const { name, data } of parser.take(decoder.decode(value, { stream: true }))) {
          const event = JSON.parse(data);
          if (name === "problem") throw new RecordarError(event);
          if (name === "progress" || name === "text") yield { type: name, ...event };
          if (name === "result") return yield { type: name, result: event };
        }
      }
    } finally {
      // A server whose client is gone cancels the call.
      await reader.cancel();
    }
  }

  /** Sends files to a verb that reads them. */
  upload<V extends UploadVerb>(verb: V, files: readonly UploadFile[], ...call: UploadCall<V>): Promise<Reply<V>> {
    const [args, options] = call;
    return this.#post({ verb, args, options: { ...options, files }, headers: ACCEPT_JSON }, jsonOf<Reply<V>>);
  }

  /** Takes the file that a verb writes, as lines of JSON, while it is written. */
  download<V extends DownloadVerb>(verb: V, ...call: DownloadCall<V>): Promise<ReadableStream<Uint8Array>> {
    const [args, options] = call;
    return this.#post({ verb, args, options, headers: { Accept: "application/x-ndjson" } }, partsOf);
  }

  /** Starts a verb without waiting for it. `status` has its outcome. */
  start<V extends LongVerb>(verb: V, ...call: LongCall<V>): Promise<Running<V>> {
    const [args, options] = call;
    return this.#post({ verb, args, options, headers: { ...ACCEPT_JSON, Prefer: "respond-async" } }, jsonOf<Running<V>>);
  }

  /** How far a call is, or its outcome, by its operation id. */
  status<V extends Verb = Verb>(operation: string, options: OperationOptions = {}): Promise<Running<V>> {
    return this.#send(`operations/${encodeURIComponent(operation)}`, { method: "GET" }, options, jsonOf<Running<V>>);
  }

  /** Cancels a call that runs, by its operation id. It stops soon, and nothing more is stored. */
  cancel<V extends Verb = Verb>(operation: string, options: OperationOptions = {}): Promise<Running<V>> {
    return this.#send(`operations/${encodeURIComponent(operation)}`, { method: "DELETE" }, options, jsonOf<Running<V>>);
  }

  #call(verb: Verb, args: object | undefined, options: CallOptions | undefined): Promise<unknown> {
    return this.#post({ verb, args, options, headers: ACCEPT_JSON }, jsonOf);
  }

  async #post<T>({ verb, args = {}, options = {}, headers }: Call, read: Read<T>): Promise<T> {
    // The server takes the id from the arguments too, and refuses two that differ.
    const hasId = "operation" in args && typeof args.operation === "string";
    const operation = options.operation ?? (hasId ? undefined : newId());
    const all = new Headers(headers);
    if (operation !== undefined) all.set("Idempotency-Key", operation);
    // The type of a form has its boundary, which `fetch` chooses.
    if (options.files === undefined) all.set("Content-Type", "application/json");
    const body = options.files === undefined ? JSON.stringify(args) : formOf(args, options.files);
    return this.#send(verb, { method: "POST", body, headers: all }, options, read);
  }

  async #send<T>(path: string, request: RequestInit, options: OperationOptions, read: Read<T>): Promise<T> {
    const { address, apiKey, fetch } = this.#settings;
    const space = options.space ?? this.#settings.space;
    const { timeoutMs, retries } = limited({
      timeoutMs: options.timeoutMs ?? this.#settings.timeoutMs,
      retries: options.retries ?? this.#settings.retries,
    });
    const url = `${address}/v1/${path}${space === undefined ? "" : `?space=${encodeURIComponent(space)}`}`;
    const headers = new Headers(request.headers);
    if (apiKey !== undefined) headers.set("Authorization", `Bearer ${apiKey}`);
    const patience = new Patience(timeoutMs, options.signal);
    return send({ fetch, url, init: { ...request, headers }, retries }, patience, (response) => read(response, patience));
  }
}

/** What to take from a reply. It ends the patience when it has all of it. */
type Read<T> = (response: Response, patience: Patience) => T | Promise<T>;

/** A call of a verb. */
interface Call {
  readonly verb: Verb;
  readonly args: object | undefined;
  readonly options: (CallOptions & { readonly files?: readonly UploadFile[] }) | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

const ACCEPT_JSON = { Accept: "application/json" };

function formOf(args: object, files: readonly UploadFile[]): FormData {
  const form = new FormData();
  form.append("arguments", new Blob([JSON.stringify(args)], { type: "application/json" }));
  for (const { name, data } of files) {
    form.append("file", data instanceof Blob ? data : new Blob([data as BlobPart]), name);
  }
  return form;
}

/** `then` is what `await` looks for. */
function isVerb(name: string | symbol): name is Verb {
  return typeof name === "string" && /^[a-z]+(_[a-z]+)*$/.test(name) && name !== "then";
}

/** Pages that are not from a secure origin have no `randomUUID`. */
function newId(): string {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
