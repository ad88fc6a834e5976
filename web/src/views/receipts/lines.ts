// Two texts beside each other: which lines only one of them has.

export interface Line {
  text: string;
  isOwn: boolean;
}

/** The lines of a text, each marked if the other text has no such line. */
export function marked(text: string, other: string): Line[] {
  const known = new Set(other.split("\n"));
  return text.split("\n").map((line) => ({ text: line, isOwn: line.trim() !== "" && !known.has(line) }));
}
