// All documents of the open space, page by page, and what someone looks for among them.

import { app, Task, type Schemas } from "../../lib/app.svelte";
import { baseName } from "../../lib/format";

type DocumentView = Schemas["DocumentView"];

/** A document as the list shows it. */
export interface Entry {
  document: DocumentView;
  name: string;
  folder: string;
  tags: string[];
  /** What is searched, in lower case. */
  words: string;
}

export const ORDERS = { stored: "when first added", newest: "newest version", name: "name", tokens: "tokens" } as const;
export type Order = keyof typeof ORDERS;

export const MOST_DOCUMENTS = 100_000;
const PAGE = 1000;

export class Library {
  entries = $state.raw<Entry[]>([]);
  /** Whether every page was loaded once. */
  isComplete = $state(false);
  sought = $state("");
  order = $state<Order>("stored");
  readonly task = new Task<void>();

  /** Sorting waits until all are there, or every page would sort them again. */
  readonly sorted = $derived(this.isComplete ? sortedBy(this.order, this.entries) : this.entries);
  readonly found = $derived(matching(this.sought, this.sorted));
  /** Whether there are more than are loaded. */
  isCut = $state(false);
  #namesakes = new Map<string, number>();

  load(): void {
    this.task.run(async (signal) => {
      const entries: Entry[] = [];
      const namesakes = new Map<string, number>();
      let isLast = false;
      while (!isLast && entries.length < MOST_DOCUMENTS) {
        const after = entries.at(-1)?.document.document_id ?? 0;
        const page = await app.memory.documents({ limit: PAGE, after }, { signal });
        entries.push(...page.map(entryOf));
        for (const { filename } of page) namesakes.set(filename, (namesakes.get(filename) ?? 0) + 1);
        isLast = page.length < PAGE;
        // Someone who has the whole list keeps it until there is a new one.
        if (!this.isComplete) this.#take(entries.slice(), namesakes);
      }
      this.#take(entries, namesakes);
      const after = entries.at(-1)?.document.document_id ?? 0;
      this.isCut = !isLast && (await app.memory.documents({ limit: 1, after }, { signal })).length > 0;
      this.isComplete = true;
    });
  }

  #take(entries: Entry[], namesakes: Map<string, number>): void {
    this.#namesakes = namesakes;
    this.entries = entries;
  }

  /** What a document is called in addresses: its name, unless others have the same. */
  addressOf({ document }: Entry): string {
    // A later page may have another of its name.
    void this.entries;
    const name = document.name ?? document.path;
    const isClear = this.#namesakes.get(document.filename) === 1 && !name.startsWith("/") && !/^\d+$/.test(name);
    return isClear ? name : `id:${document.document_id}`;
  }
}

/** The tags that someone gave it: the first is only the kind of document. */
export function ownTags(document: Pick<DocumentView, "kind">, version: Schemas["VersionView"]): string[] {
  return version.tags.filter((tag) => tag !== document.kind);
}

function entryOf(document: DocumentView): Entry {
  const path = document.name ?? document.path;
  const name = baseName(path);
  const tags = ownTags(document, document.version);
  const folder = path.slice(0, -name.length - 1);
  return { document, name, folder, tags, words: [path, document.collection ?? "", ...tags].join("\n").toLowerCase() };
}

function matching(sought: string, entries: Entry[]): Entry[] {
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean);
  return words.length === 0 ? entries : entries.filter((entry) => words.every((word) => entry.words.includes(word)));
}

function sortedBy(order: Order, entries: Entry[]): Entry[] {
  if (order === "stored") return entries;
  const key = {
    newest: (entry: Entry) => -Date.parse(entry.document.version.ingested_at),
    name: (entry: Entry) => entry.name.toLowerCase(),
    tokens: (entry: Entry) => -entry.document.version.tokens,
  }[order];
  const keyed = entries.map((entry) => ({ entry, key: key(entry) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ entry }) => entry);
}
