// Files that someone takes away.

/** Saves a text under a name. */
export function saveText(name: string, text: string, type = "text/markdown"): void {
  saveBlob(name, new Blob([text], { type }));
}

export function saveBlob(name: string, blob: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Copies a text, where the browser allows it: not on pages without TLS, except on this machine. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** An answer to take away, with its sources. */
export function answerFile(answer: {
  query: string;
  answer: string;
  sources: readonly { number: number; name: string }[];
  model?: string | null | undefined;
  receipt?: string | null | undefined;
}): string {
  const sources = answer.sources.map(({ number, name }) => `[${number}] ${name}`).join("\n");
  const notes = [answer.model && `Model: ${answer.model}`, answer.receipt && `Receipt: ${answer.receipt}`].filter(Boolean).join("\n");
  return `# ${answer.query}\n\n${answer.answer}\n\n## Sources\n\n${sources || "(none)"}\n\n${notes}\n`;
}
