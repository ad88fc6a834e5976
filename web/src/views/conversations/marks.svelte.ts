// Which messages someone marked as important. The list of a thread does not say, so it is asked for what is on screen.

import { SvelteMap } from "svelte/reactivity";
import { app } from "../../lib/app.svelte";

const MOST = 500;

export class Marks {
  readonly #known = new SvelteMap<number, boolean>();
  readonly #wanted = new Set<number>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  has(item: number): boolean {
    return this.#known.get(item) ?? false;
  }

  /** Asks for the mark of a message, soon and together with others. */
  want(item: number): void {
    if (this.#known.has(item)) return;
    this.#wanted.add(item);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(), 100);
  }

  async set(item: number, isImportant: boolean): Promise<void> {
    const { important } = await app.memory.important({ item, off: !isImportant });
    this.#known.set(item, important);
  }

  async #ask(): Promise<void> {
    const items = [...this.#wanted].slice(-MOST);
    this.#wanted.clear();
    // A mark that cannot be read is shown as none; the list itself says what is wrong.
    const reply = await app.memory.items({ items, limit: MOST }).catch(() => undefined);
    for (const item of reply?.items ?? []) this.#known.set(item.item_id, item.important ?? false);
  }
}
