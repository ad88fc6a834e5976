// What all views share: who is signed in, which space is open, and the client of the HTTP API. The page uses nothing else.

import { getAllContexts, onDestroy } from "svelte";
import { Recordar, RecordarError, type components } from "recordar";

export type Schemas = components["schemas"];

/** Whoever is signed in, as `GET /session` has it. */
export interface Session {
  key: string | null;
  name?: string;
  admin: boolean;
  read: string[];
  write: string[];
  /** The space of calls that name none; absent if the key is for several. */
  space?: string | null;
}

/** Something that went wrong, for people. */
export interface Problem {
  what: string;
  remedy: string;
  code: string;
}

class App {
  session = $state<Session>();
  /** Whether someone must sign in before anything can be shown. */
  needsKey = $state(false);
  /** Why the server cannot be reached, or refuses. */
  problem = $state<Problem>();
  spaces = $state<string[]>([]);
  /** The open space. */
  space = $state("");
  /** Counts changes of what is stored, so that views can look again. */
  changes = $state(0);

  /** The client for the open space. */
  get memory(): Recordar {
    return new Recordar(location.origin, { space: this.space, fetch: this.#fetch, retries: 1, timeoutMs: 600_000 });
  }

  /** Whether the key may do everything. A server without keys lets everyone on its machine in, but makes nobody an administrator. */
  get isAdmin(): boolean {
    return this.session?.admin ?? false;
  }

  /** Whether anything can be stored in the open space. */
  get mayWrite(): boolean {
    const patterns = this.session?.write ?? [];
    return this.isAdmin || patterns.some((pattern) => matches(pattern, this.space));
  }

  /** A key that was revoked or has expired leads back to signing in. */
  #fetch: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (response.status === 401) this.needsKey = true;
    return response;
  };

  async start(): Promise<void> {
    this.problem = undefined;
    try {
      const response = await fetch("/session");
      if (response.status === 401) {
        this.needsKey = true;
        return;
      }
      if (!response.ok) throw new RecordarError(await response.json());
      await this.#begin(await response.json());
    } catch (error) {
      this.problem = problemOf(error);
    }
  }

  async signIn(key: string): Promise<void> {
    const headers = { "Content-Type": "application/json" };
    const response = await fetch("/session", { method: "POST", headers, body: JSON.stringify({ key }) });
    const body = await response.json();
    if (!response.ok) throw new RecordarError(body);
    await this.#begin(body);
  }

  async signOut(): Promise<void> {
    await fetch("/session", { method: "DELETE" }).catch(() => undefined);
    location.reload();
  }

  /** Opens another space. The ids in an address are those of one space, so only its view stays. */
  open(space: string): void {
    this.space = space;
    localStorage.setItem("space", space);
    location.hash = location.hash.split(/[/?]/).slice(0, 2).join("/");
    this.changes += 1;
  }

  /** Something was stored. A space that had nothing is listed from then on. */
  changed(): void {
    this.changes += 1;
    if (!this.spaces.includes(this.space)) void this.#list();
  }

  async #list(): Promise<void> {
    this.spaces = await new Recordar(location.origin).spaces().catch(() => this.spaces);
  }

  async #begin(session: Session): Promise<void> {
    await this.#list();
    const last = localStorage.getItem("space") ?? "";
    const own = session.space ?? [...session.write, ...session.read].find((pattern) => !pattern.includes("*"));
    const mayOpen = (space: string) => space !== "" && (session.admin || [...session.write, ...session.read].some((pattern) => matches(pattern, space)));
    this.space = mayOpen(last) ? last : (own ?? this.spaces[0] ?? "user:default");
    // Last, so that no view is drawn before its space is known.
    this.session = session;
    this.needsKey = false;
  }
}

export const app = new App();

function matches(pattern: string, space: string): boolean {
  return pattern.endsWith("*") ? space.startsWith(pattern.slice(0, -1)) : pattern === space;
}

/** A store, or a space, that nothing was put into yet: that is how everything starts. */
const EMPTY: Problem = { code: "empty", what: "nothing is stored here yet", remedy: "add your own files under Files, or sample data under Ask" };

function isEmpty(error: RecordarError): boolean {
  return error.code === "no_database" || (error.code === "not_found" && /\bno space /.test(error.message));
}

export function problemOf(error: unknown): Problem {
  if (error instanceof RecordarError && isEmpty(error)) return EMPTY;
  if (error instanceof RecordarError) return { what: error.message, remedy: error.remedy ?? "", code: error.code ?? "" };
  // What `fetch` throws in all browsers; a mistake of ours says more.
  if (error instanceof TypeError && /fetch|network|load failed/i.test(error.message)) return { what: "the server does not answer", remedy: "check that `recordar serve` still runs", code: "unreachable" };
  return { what: error instanceof Error ? error.message : String(error), remedy: "try again", code: "unknown" };
}

/** Something that is being loaded or done: what a view shows meanwhile, after it, or if it fails. The last call counts. */
export class Task<T> {
  // Replies are replaced as a whole, and may be large.
  value = $state.raw<T>();
  problem = $state.raw<Problem>();
  isRunning = $state(false);
  #stop: AbortController | undefined;

  /** @param isKept Whether it outlives the view that made it. Of others nobody sees the end, so they are cancelled with their view. */
  constructor(isKept = false) {
    if (!isKept && inView()) onDestroy(() => this.cancel());
  }

  /** Runs it. The result, or nothing if it failed or was overtaken. */
  async run(work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    this.#stop?.abort();
    const stop = new AbortController();
    this.#stop = stop;
    this.isRunning = true;
    this.problem = undefined;
    try {
      const value = await work(stop.signal);
      if (this.#stop !== stop) return undefined;
      this.value = value;
      return value;
    } catch (error) {
      if (this.#stop === stop && !stop.signal.aborted) this.problem = problemOf(error);
      return undefined;
    } finally {
      if (this.#stop === stop) this.isRunning = false;
    }
  }

  cancel(): void {
    this.#stop?.abort();
    this.#stop = undefined;
    this.isRunning = false;
  }
}

/** Whether a view is being made: only then can its end be waited for. */
function inView(): boolean {
  try {
    getAllContexts();
    return true;
  } catch {
    return false;
  }
}
