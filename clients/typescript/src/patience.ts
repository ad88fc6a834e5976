// When to stop waiting.

import { RecordarError, errorHere } from "./error.js";

/** Ends a request when its caller does, or when the server has been silent for too long. */
export class Patience {
  readonly #controller = new AbortController();
  readonly #timeoutMs: number;
  readonly #caller: AbortSignal | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #deadline = Infinity;

  constructor(timeoutMs: number, caller: AbortSignal | undefined) {
    this.#timeoutMs = timeoutMs;
    this.#caller = caller;
    if (caller?.aborted) this.#follow();
    caller?.addEventListener("abort", this.#follow);
    this.start();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The time left. */
  get leftMs(): number {
    return this.#deadline - Date.now();
  }

  /** Gives the server its whole time once more. */
  start(): void {
    this.pause();
    this.#deadline = Date.now() + this.#timeoutMs;
    this.#timer = setTimeout(() => this.#controller.abort(this.#timeout()), this.#timeoutMs);
  }

  /** While nobody waits for the server, no time passes. */
  pause(): void {
    clearTimeout(this.#timer);
    this.#deadline = Infinity;
  }

  end(): void {
    this.pause();
    this.#caller?.removeEventListener("abort", this.#follow);
  }

  /** Waits, unless it ends meanwhile. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const { signal } = this;
      const finish = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", finish);
        if (signal.aborted) reject(signal.reason);
        else resolve();
      };
      const timer = setTimeout(finish, ms);
      signal.addEventListener("abort", finish);
      if (signal.aborted) finish();
    });
  }

  /** The error for a caller: a failure after the end is only its consequence. */
  reasonFor(failure: unknown): unknown {
    if (this.signal.aborted) return this.signal.reason;
    if (failure instanceof RecordarError) return failure;
    const why = failure instanceof Error && failure.cause instanceof Error ? failure.cause.message : String(failure);
    const remedy = "check that the server runs and that the address is right, and try again";
    return errorHere("unreachable", `the connection to the server failed: ${why}`, remedy, { cause: failure });
  }

  readonly #follow = (): void => this.#controller.abort(this.#caller?.reason);

  #timeout(): RecordarError {
    const what = `the server did not reply within ${this.#timeoutMs} ms`;
    return errorHere("timeout", what, "raise timeoutMs, or use start() and status() for long work");
  }
}
