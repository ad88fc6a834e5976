// Messages as people read them.

import type { Schemas } from "../../lib/app.svelte";

type Said = Pick<Schemas["MessageView"], "speaker" | "role">;

export function speakerOf(message: Said): string {
  return message.speaker ?? message.role ?? "unknown";
}

/** Whether it was written in another chat. */
export function isExternal(source: string | null | undefined): boolean {
  return source?.startsWith("external") ?? false;
}
