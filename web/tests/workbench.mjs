// A real server with a real database, and a real browser that looks at its page.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

const BINARY = process.env.RECORDAR_BINARY ?? "recordar";
const FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

export const VIEWS = ["ask", "compose", "files", "conversations", "facts", "tree", "receipts", "rules", "vocabulary", "system"];

export class Workbench {
  /** @param settings Lines of the configuration. */
  static async start(settings = "") {
    const folder = await mkdtemp(join(tmpdir(), "recordar-page-"));
    const home = join(folder, "home", "recordar");
    await mkdir(home, { recursive: true });
    await writeFile(join(home, "recordar.toml"), settings);
    const bench = new Workbench();
    bench.folder = folder;
    bench.environment = { ...process.env, XDG_CONFIG_HOME: join(folder, "home"), RECORDAR_DATABASE: "sqlite:memory.db" };
    await bench.serve();
    bench.browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
    return bench;
  }

  async serve() {
    this.server = spawn(BINARY, ["serve", "--addr", "127.0.0.1:0"], { cwd: this.folder, env: this.environment, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    this.server.stderr.on("data", (data) => (said += data));
    for await (const line of createInterface({ input: this.server.stdout })) {
      this.address = /http:\S+/.exec(line)?.[0];
      if (this.address !== undefined) return;
    }
    await once(this.server, "close");
    throw new Error(`the server did not start: ${said}`);
  }

  /** Runs a command of Recordar on the same database; what it prints. */
  async run(...words) {
    const child = spawn(BINARY, words, { cwd: this.folder, env: this.environment, stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    child.stdout.on("data", (data) => (text += data));
    const [status] = await once(child, "close");
    if (status !== 0) throw new Error(`recordar ${words.join(" ")} ended with ${status}`);
    return text;
  }

  async call(verb, body = {}, { space = "user:default", key } = {}) {
    const headers = { "Content-Type": "application/json", ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }) };
    const response = await fetch(`${this.address}/v1/${verb}?space=${encodeURIComponent(space)}`, { method: "POST", headers, body: JSON.stringify(body) });
    const reply = await response.json();
    if (!response.ok) throw new Error(`${verb}: ${JSON.stringify(reply)}`);
    return reply;
  }

  /** A page of its own, with what went wrong in it, and where it sent requests. */
  async page({ theme = "light", width = 1280, height = 900, space = "user:default" } = {}) {
    const context = await this.browser.newContext({ viewport: { width, height }, acceptDownloads: true, reducedMotion: "reduce" });
    const page = await context.newPage();
    page.mistakes = [];
    page.hosts = new Set();
    page.on("pageerror", (error) => page.mistakes.push(error.message));
    page.on("console", (message) => message.type() === "error" && !/status of 4\d\d/.test(message.text()) && page.mistakes.push(message.text()));
    page.on("request", (request) => page.hosts.add(new URL(request.url()).origin));
    await page.addInitScript(([theme, space]) => {
      // A blank page has no storage.
      if (!location.protocol.startsWith("http")) return;
      localStorage.setItem("theme", theme);
      localStorage.setItem("space", space);
    }, [theme, space]);
    return page;
  }

  async open(page, view = "") {
    await page.goto("about:blank");
    await page.goto(`${this.address}/#/${view}`);
    await page.locator("h1").waitFor();
    return page;
  }

  /** Asks something on the page, and waits for the answer. */
  async ask(page, query) {
    await this.open(page, "ask");
    await page.getByLabel("Your question").fill(query);
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.getByTestId("answer").waitFor({ timeout: 60_000 });
    await page.getByRole("heading", { name: "Why this answer" }).waitFor();
  }

  async stop() {
    await this.browser?.close();
    this.server.kill("SIGKILL");
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** The settings of the small language model that `scripts/test-llm` serves. */
export function withModel() {
  const { RECORDAR_TEST_LLM_URL: url, RECORDAR_TEST_LLM_MODEL: model } = process.env;
  if (url === undefined) throw new Error("run it as scripts/test-web does: with a language model");
  return `[llm]\nprovider = "compatible"\nmodel = "${model}"\nbase_url = "${url}"\napi_key = "sk-test-page-0123456789"\nmax_output_tokens = 64\n[enrichment]\nenabled = false\n`;
}

/** The handbook of a lighthouse: small files with something to find in each. */
export async function storeHandbook(bench) {
  const store = (name, text) => bench.call("ingest_text", { name, text, classify: false });
  await store("lamp.md", "# The lamp\n\nThe lamp is lit half an hour before sunset. Its rhythm is two flashes every fifteen seconds.\n");
  await store("lamp.md", "# The lamp\n\nThe lamp is lit half an hour before sunset. Its rhythm is three flashes every fifteen seconds.\n");
  await store("fog.md", "# The fog signal\n\nIn fog, the lamp is not enough: start the fog signal, one blast of four seconds each minute.\n");
  await store("boat.md", "# The boat\n\nThe boat comes on the first Tuesday of the month. The boat must never land in fog.\n");
}
