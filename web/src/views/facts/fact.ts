// Facts as people read them.

import type { Schemas } from "../../lib/app.svelte";

type Fact = Schemas["FactView"];

const STATES: Record<string, { word: string; mark: string; about: string }> = {
  holds: { word: "holds", mark: "good", about: "" },
  ended: { word: "ended", mark: "", about: "A newer statement took its place." },
  overruled: { word: "corrected", mark: "warn", about: "A person said otherwise." },
  retired: { word: "retired", mark: "bad", about: "A person retired it: it no longer counts." },
  ahead: { word: "later", mark: "accent", about: "It begins later." },
};

export function stateOf(fact: Fact): { word: string; mark: string; about: string } {
  return STATES[fact.state] ?? { word: fact.state, mark: "", about: "" };
}

export function methodOf(fact: Fact): string {
  if (fact.method === "person") return "a person's word";
  return fact.method === "model" ? "found by the language model" : "found by the built-in method";
}

/** A day as the API takes it: its end in the reader's zone, so that the day itself counts. */
export function endOfDay(day: string): string {
  return new Date(`${day}T23:59:59`).toISOString();
}
