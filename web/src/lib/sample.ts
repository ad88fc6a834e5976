// Sample data for a first visit: a handbook with an earlier version, a conversation, and facts.

import type { Recordar } from "recordar";

const LAMP = (flashes: string) => `# The lamp

The lamp is lit half an hour before sunset and put out half an hour after sunrise. Its rhythm is ${flashes} flashes every fifteen seconds.

## The lens

The lens is cleaned with the soft cloth from the blue drawer and nothing else. Spirits make it blind.
`;

const SUPPLIES = `# Supplies

The boat comes on the first and the third Tuesday of the month, weather permitting. Order lamp parts from Marisol at the harbour office, and food from the cooperative.

Keep water for at least twenty days. The keeper must never let the stock fall below ten days.
`;

const FOG = `# The fog signal

When the island of Las Gaviotas can no longer be seen, start the fog signal: one blast of four seconds each minute. Write the beginning and the end into the log, with the wind.
`;

const MESSAGES = [
  { role: "user", text: "My name is Ada and I live in Porto.", daysAgo: 40 },
  { role: "assistant", text: "Welcome, Ada. What shall we look after today?", daysAgo: 40 },
  { role: "user", text: "The new lens arrives with the boat on the third Tuesday.", daysAgo: 12 },
  { role: "user", text: "I moved to Lisbon.", daysAgo: 3 },
] as const;
const DAY = 86_400_000;

export const SAMPLE_QUESTION = "When is the lamp lit?";

/** Stores the sample in a space. Doing it twice changes nothing. */
export async function storeSample(memory: Recordar, told: (what: string) => void): Promise<void> {
  told("Storing the handbook");
  const store = (name: string, text: string) => memory.ingest_text({ name, text, tags: ["sample"] });
  const known = await memory.document_versions({ name: "lamp.md" }).catch(() => []);
  if (known.length < 2) {
    await store("lamp.md", LAMP("two"));
    await store("lamp.md", LAMP("three"));
  }
  await store("supplies.md", SUPPLIES);
  await store("fog.md", FOG);
  told("Storing a conversation");
  const messages = MESSAGES.map(({ role, text, daysAgo }, at) => {
    const time = new Date(Date.now() - daysAgo * DAY + at * 60_000).toISOString();
    return { role, text, time, thread: "harbour", title: "At the harbour", id: `sample-${at + 1}` };
  });
  await memory.remember({ messages: messages });
  told("Extracting facts");
  await memory.extract_facts({});
}
