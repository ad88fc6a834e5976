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

  recalled = new Task<Schemas["RecallReply"]>();
  asked = new Task<Schemas["AskReply"]>();
  /** The settings of what is shown, for "why not?". */
  settings = $state<Settings>();

  async ask(): Promise<void> {
    if (this.query.trim() === "") return;
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
    const recalling = this.recalled.run((signal) => app.memory.recall({ ...settings, receipt: false }, { signal }));
    const asking = this.asked.run((signal) => app.memory.ask({ ...settings, receipt: app.mayWrite }, { signal }));
    await Promise.all([recalling, asking]);
  }

  whyNot(item: number): Promise<Schemas["WhyNotReply"]> {
    return app.memory.why_not({ ...(this.settings ?? { query: this.query }), item });
  }
}
