// One composition: what was chosen, what came out of it, and what the model answered.

import { app, Task, type Schemas } from "../../lib/app.svelte";

/** Who does the work of an agent; absent if it does not run. */
export type Worker = "rules" | "judge" | "model" | "off";

export interface Agent {
  name: "a1" | "a2" | "a3" | "a4";
  title: string;
  about: string;
  workers: readonly Worker[];
}

export const AGENTS: readonly Agent[] = [
  { name: "a1", title: "Files", about: "injects the files you choose", workers: ["rules"] },
  { name: "a2", title: "Shaper", about: "reads what is asked, and looks again at the end", workers: ["rules", "model"] },
  { name: "a3", title: "Gate", about: "drops passages that do not help", workers: ["rules", "judge", "model"] },
  { name: "a4", title: "Condenser", about: "condenses passages to cited sentences", workers: ["rules", "model"] },
];

type Arguments = Schemas["ComposeArguments"];

export class Composition {
  query = $state("");
  thread = $state("");
  task = $state("");
  mode = $state("");
  model = $state("");
  /** Files that may not be used, by name. */
  off = $state<string[]>([]);
  /** Files that are injected, by name. */
  injected = $state<string[]>([]);
  isLocked = $state(false);
  isPacked = $state(false);
  workers = $state<Record<Agent["name"], Worker>>({ a1: "rules", a2: "rules", a3: "rules", a4: "rules" });
  k = $state(20);
  theta = $state<number>();
  turns = $state(4);
  historyTokens = $state(800);
  contextTokens = $state(1500);
  maxTokens = $state(8000);
  maxUsd = $state<number>();
  synonyms = $state("");
  asOf = $state("");
  keepsReceipt = $state(true);

  composed = new Task<Schemas["ComposeReply"]>(true);
  sending = new Task<Schemas["ComposeReply"]>(true);
  /** The prompt as it is shown, and as it will be sent. */
  prompt = $state("");
  /** The answer while it comes in. */
  written = $state("");

  /** What the shown prompt was composed from. */
  #asked = $state("");

  /** Whether the shown prompt is what the fields ask for. Only such a one is sent: nobody sends what they have not seen. */
  get isCurrent(): boolean {
    return this.composed.value !== undefined && this.#asked === JSON.stringify(this.#arguments());
  }

  /** Whether some agent runs: none at all would mean the configured ones. */
  get hasAgents(): boolean {
    return AGENTS.some(({ name }) => this.workers[name] !== "off");
  }

  /** Why it cannot be composed as it is. */
  get obstacle(): string {
    if (!this.hasAgents) return "Turn on at least one agent.";
    if (this.isLocked && this.injected.length === 0) return "The Exact File Lock is on, and no file is injected: choose one with ❖.";
    return "";
  }

  get isEdited(): boolean {
    return this.composed.value !== undefined && this.prompt !== this.composed.value.prompt;
  }

  async compose(): Promise<void> {
    if (this.query.trim() === "" || this.obstacle !== "") return;
    this.written = "";
    this.sending.cancel();
    this.sending.value = undefined;
    const receipt = this.keepsReceipt && app.mayWrite;
    const asked = this.#arguments();
    const composed = await this.composed.run((signal) => app.memory.compose({ ...asked, receipt }, { signal }));
    if (composed !== undefined) {
      this.prompt = composed.prompt;
      this.#asked = JSON.stringify(asked);
    }
    // What was refused cannot be sent, and what was composed before it is not what was asked for.
    else if (this.composed.problem !== undefined) this.composed.value = undefined;
  }

  /** Sends the prompt as it is shown. The answer is shown while it is written. */
  async send(): Promise<void> {
    this.written = "";
    const edited = this.isEdited ? { prompt: this.prompt } : {};
    const receipt = this.keepsReceipt && app.mayWrite;
    await this.sending.run(async (signal) => {
      for await (const event of app.memory.stream("compose", { ...this.#arguments(), ...edited, send: true, receipt }, { signal })) {
        if (event.type === "text") this.written += event.text;
        if (event.type === "result") return event.result;
      }
      throw new Error("the server ended the answer too early");
    });
  }

  cancel(): void {
    this.composed.cancel();
    this.sending.cancel();
  }

  toggle(list: "off" | "injected", name: string): void {
    const names = this[list];
    this[list] = names.includes(name) ? names.filter((other) => other !== name) : [...names, name];
  }

  #arguments(): Arguments {
    const optional = (text: string) => (text.trim() === "" ? null : text.trim());
    return {
      query: this.query,
      thread: optional(this.thread),
      task: optional(this.task),
      mode: optional(this.mode),
      model: optional(this.model),
      off: this.off,
      file: this.injected,
      lock: this.isLocked,
      pack: this.isPacked,
      agents: AGENTS.filter(({ name }) => this.workers[name] !== "off").map(({ name }) => this.#agent(name)),
      k: this.k,
      theta: this.theta ?? null,
      turns: this.turns,
      history_tokens: this.historyTokens,
      context_tokens: this.contextTokens,
      max_tokens: this.maxTokens,
      max_usd: this.maxUsd ?? null,
      synonyms: this.synonyms.split("\n").filter((line) => line.trim() !== ""),
      as_of: optional(this.asOf),
    };
  }

  #agent(name: Agent["name"]): string {
    return this.workers[name] === "rules" ? name : `${name}=${this.workers[name]}`;
  }
}

/** One section of a prompt, exactly as it was composed. */
export function section(prompt: string, name: string): string {
  // Stored lines begin with a mark, so only a heading of ours is a whole line.
  const begin = prompt.indexOf(`\n## [${name}]\n`);
  if (begin < 0) return "";
  const end = prompt.indexOf("\n## [", begin + 1);
  return prompt.slice(begin + 1, end < 0 ? undefined : end).trimEnd();
}
