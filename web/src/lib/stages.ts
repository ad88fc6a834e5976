// What the steps of a call do, in a sentence each.

const ABOUT: Readonly<Record<string, string>> = {
  question: "Reads the question: common words are left out, the others are looked up.",
  filter: "Leaves only what the filter allows.",
  hybrid: "Looks for candidates by words and by meaning.",
  keyword: "Looks for candidates by words.",
  semantic: "Looks for candidates by meaning.",
  rank: "Puts the candidates in order by their scores.",
  rerank: "A judge reads the best candidates and corrects their order.",
  gate: "Drops what does not help with the question.",
  relevance: "Decides whether anything found has to do with the question at all.",
  deduplicate: "Drops what says the same as something better.",
  top_k: "Keeps as many as were asked for.",
  interleave: "Mixes the best with the newest.",
  clip: "Shortens long passages to the sentences that matter.",
  budget: "Fills the budget of tokens, and stops when it is full.",
  redact: "Hides personal data.",
  files: "Puts in the files that were injected.",
  eligible: "Drops files that are off, or that are in the prompt already.",
  retrieve: "Looks for passages in the documents.",
  shape: "Reads what is asked for, and in which form.",
  condense: "Condenses passages to cited sentences.",
  audit: "Looks again at what is asked, with the context at hand.",
  conflicts: "Decides between passages that contradict each other.",
  history: "Chooses what was said before and matters now.",
  "history candidates": "Looks for what was said before.",
  facts: "Uses what is known as facts.",
  as_of: "Goes back to what was stored at that time.",
  conditions: "Checks whether anything needs to be looked up at all.",
};

/** What a step does; nothing for one that explains itself. */
export function aboutStage(name: string): string {
  const plain = name.replace(/ \(.*\)$/, "").replace(/ by .*$/, "");
  const where = name.endsWith("(history)") ? " In the conversations." : "";
  return `${ABOUT[plain] ?? ""}${where}`.trim();
}
