// What all views share: who is signed in, which space is open, and the client of the HTTP API. The page uses nothing else.

import { Recordar, RecordarError, type components } from "recordar";

export type Schemas = components["schemas"];

/** Whoever is signed in, as `GET /session` has it. */
export interface Session {
  key: string | null;
  name?: string;
  admin: boolean;
  read: string[];
  write: string[];
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
  /** The open space; empty for the one that the server has configured. */
  space = $state("");
  /** Counts changes of what is stored, so that views can look again. */
  changes = $state(0);

  /** The client for the open space. */
  get memory(): Recordar {
    return new Recordar(location.origin, { space: this.space === "" ? undefined : this.space, retries: 1, timeoutMs: 600_000 });
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
    await fetch("/session", { method: "DELETE" });
    location.reload();
  }

  /** Opens another space. */
  open(space: string): void {
    this.space = space;
    localStorage.setItem("space", space);
    this.changes += 1;
  }

  changed(): void {
    this.changes += 1;
  }

  async #begin(session: Session): Promise<void> {
    this.spaces = await new Recordar(location.origin).spaces().catch(() => []);
    const last = localStorage.getItem("space") ?? "";
    const own = [...session.write, ...session.read].find((pattern) => !pattern.includes("*"));
    const mayOpen = (space: string) => space !== "" && (session.admin || [...session.write, ...session.read].some((pattern) => matches(pattern, space)));
    this.space = mayOpen(last) ? last : (own ?? this.spaces.find((space) => space === "user:default") ?? this.spaces[0] ?? "user:default");
    // Last, so that no view is drawn before its space is known.
    this.session = session;
    this.needsKey = false;
  }
}

export const app = new App();

function matches(pattern: string, space: string): boolean {
  return pattern.endsWith("*") ? space.startsWith(pattern.slice(0, -1)) : pattern === space;
}

export function problemOf(error: unknown): Problem {
  if (error instanceof RecordarError) return { what: error.message, remedy: error.remedy ?? "", code: error.code ?? "" };
  if (error instanceof TypeError) return { what: "the server does not answer", remedy: "check that `recordar serve` still runs", code: "unreachable" };
  return { what: error instanceof Error ? error.message : String(error), remedy: "try again", code: "unknown" };
}

/** Something that is being loaded or done: what a view shows meanwhile, after it, or if it fails. The last call counts. */
export class Task<T> {
  value = $state<T>();
  problem = $state<Problem>();
  isRunning = $state(false);
  #stop: AbortController | undefined;

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
    this.isRunning = false;
  }
}
