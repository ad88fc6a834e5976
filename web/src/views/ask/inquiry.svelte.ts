// One question: what was asked for, what was found, and the answer.

import { app, Task, type Schemas } from "../../lib/app.svelte";

type Settings = Pick<Schemas["RecallArguments"], "query" | "top_k" | "search_type" | "min_score" | "max_tokens" | "as_of" | "rerank">;

export class Inquiry {
  query = $state("");
  topK = $state(8);
  searchType = $state<"hybrid" | "keyword" | "semantic">("hybrid");
  minScore = $state<number>();
  maxTokens = $state(1500);
  rerank = $state("");
  asOf = $state("");

  recalled = new Task<Schemas["RecallReply"]>(true);
  asked = new Task<Schemas["AskReply"]>(true);
  /** The settings of what is shown, for "why not?". */
  settings = $state<Settings>();

  get isRunning(): boolean {
    return this.asked.isRunning || this.recalled.isRunning;
  }

  cancel(): void {
    this.asked.cancel();
    this.recalled.cancel();
  }

  async ask(): Promise<void> {
    if (this.query.trim() === "" || this.isRunning) return;
    // An old answer under a new question would mislead.
    this.asked.value = undefined;
    this.recalled.value = undefined;
    const settings: Settings = {
      query: this.query,
      top_k: this.topK,
      search_type: this.searchType,
      min_score: this.minScore ?? null,
      max_tokens: this.maxTokens,
      rerank: this.rerank === "" ? null : this.rerank,
      as_of: this.asOf === "" ? null : this.asOf,
    };
    this.settings = settings;
    const asking = this.asked.run((signal) => app.memory.ask({ ...settings, receipt: app.mayWrite }, { signal }));
    const recalling = this.recalled.run(async (signal) => {
      const recalled = await app.memory.recall({ ...settings, receipt: false }, { signal });
      await asking;
      // Where nothing is configured, an answer is judged and a recall is not. What is shown is what the answer was made from.
      const isUnlike = this.asked.value?.confidence.judged === true && (recalled.metadata.config.rerank ?? "off") === "off";
      if (!isUnlike) return recalled;
      this.settings = { ...settings, rerank: "judge" };
      return app.memory.recall({ ...this.settings, receipt: false }, { signal });
    });
    await Promise.all([recalling, asking]);
  }

  /** Takes over settings that would let something in, and asks again. */
  async apply(changes: readonly Schemas["SettingChange"][]): Promise<void> {
    for (const { setting, value } of changes) {
      if (setting === "top_k") this.topK = Number(value);
      if (setting === "min_score") this.minScore = Number(value);
      if (setting === "max_tokens") this.maxTokens = Number(value);
    }
    await this.ask();
  }

  whyNot(item: number): Promise<Schemas["WhyNotReply"]> {
    return app.memory.why_not({ ...(this.settings ?? { query: this.query }), item });
  }
}
