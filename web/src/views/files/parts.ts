// Long texts in parts that a browser can draw at once, and what is found in them.

const PART = 100_000;
export const MOST_MATCHES = 1000;

/** Where the parts of a text begin: after a line if possible, and never inside a character. */
export function partsOf(text: string): number[] {
  const starts = [0];
  let end = PART;
  while (end < text.length) {
    const line = text.lastIndexOf("\n", end - 1) + 1;
    let start = line > end - PART / 2 ? line : end;
    const unit = text.charCodeAt(start);
    if (unit >= 0xdc00 && unit <= 0xdfff) start -= 1;
    starts.push(start);
    end = start + PART;
  }
  return starts;
}

/** Where some words occur, whatever their case; the first of them if there are many. */
export function findAll(text: string, sought: string): number[] {
  const words = sought.trim();
  if (words === "") return [];
  // Folding the case of the whole text could change its length.
  const pattern = new RegExp(words.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&"), "gi");
  const found: number[] = [];
  for (const match of text.matchAll(pattern)) {
    found.push(match.index);
    if (found.length === MOST_MATCHES) break;
  }
  return found;
}
