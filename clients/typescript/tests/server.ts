// A real server with a database of its own.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";

const BINARY = resolve(process.env.RECORDAR_BINARY ?? "../../target/debug/recordar");

export class TestServer {
  readonly #folder = mkdtempSync(join(tmpdir(), "recordar-typescript-"));
  #process: ChildProcess | undefined;
  address = "";

  static async start(): Promise<TestServer> {
    const server = new TestServer();
    const child = spawn(BINARY, ["serve", "--addr", "127.0.0.1:0"], { ...server.#surroundings(), stdio: ["ignore", "pipe", "inherit"] });
    server.#process = child;
    const lines = createInterface(child.stdout);
    const [line] = await Promise.race([once(lines, "line"), once(child, "exit")]);
    const found = /listening on (http:\S+)/.exec(String(line));
    if (found === null) throw new Error(`the server said ${String(line)}`);
    server.address = found[1] ?? "";
    return server;
  }

  /** Runs the command on the same database, and returns what it prints. */
  run(...args: string[]): string {
    return execFileSync(BINARY, args, { ...this.#surroundings(), encoding: "utf8" });
  }

  async stop(): Promise<void> {
    if (this.#process !== undefined && this.#process.exitCode === null) {
      const exited = once(this.#process, "exit");
      this.#process.kill("SIGTERM");
      await exited;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #surroundings() {
    const database = `sqlite:${join(this.#folder, "memory.db")}`;
    const env = { PATH: process.env.PATH, HOME: this.#folder, RECORDAR_DATABASE: database };
    return { cwd: this.#folder, env };
  }
}

/** All of a stream. */
export const text = (stream: ReadableStream<Uint8Array>): Promise<string> => new Response(stream).text();
