// The question of a receipt, to be asked again with the same settings.

import type { Schemas } from "../../lib/app.svelte";

type Arguments = Schemas["RecallArguments"];

export function repeated(receipt: Schemas["Receipt"]): Arguments {
  const { settings } = receipt;
  return {
    query: receipt.query,
    top_k: settings.top_k,
    clip_sentences: settings.clip_sentences,
    max_tokens: settings.max_tokens,
    budget_covers: settings.budget_covers,
    search_type: settings.search_type,
    min_score: settings.min_score,
    filter: receipt.filter ?? [],
    session_id: receipt.session_id,
    also: receipt.spaces.slice(1),
  };
}
