// Numbers, times and sizes as people read them.

const numbers = new Intl.NumberFormat("en");
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

export function count(value: number): string {
  return numbers.format(value);
}

/** `plural(1, "file")` is "1 file". */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

export function percent(part: number, whole: number): string {
  return whole === 0 ? "0 %" : `${Math.round((100 * part) / whole)} %`;
}

export function bytes(value: number): string {
  if (value < 1000) return plural(value, "byte");
  if (value < 1_000_000) return `${(value / 1000).toFixed(1)} kB`;
  return `${(value / 1_000_000).toFixed(1)} MB`;
}

/** US dollars. Small amounts keep the digits that matter. */
export function usd(value: number): string {
  if (value === 0) return "$0";
  return value < 0.01 ? `$${value.toPrecision(2)}` : `$${value.toFixed(2)}`;
}

export function nanoUsd(value: number): string {
  return usd(value / 1e9);
}

export function milliseconds(value: number): string {
  return value < 1000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(1)} s`;
}

/** A day and a time, in the reader's zone. */
export function time(value: string | null | undefined): string {
  if (value === null || value === undefined || value === "") return "";
  return new Date(value).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}

export function day(value: string): string {
  return new Date(value).toLocaleDateString("en-GB", { dateStyle: "medium" });
}

/** "3 days ago". */
export function ago(value: string, now = Date.now()): string {
  const seconds = (new Date(value).getTime() - now) / 1000;
  const units: [Intl.RelativeTimeFormatUnit, number][] = [
    ["year", 31_536_000],
    ["month", 2_592_000],
    ["day", 86_400],
    ["hour", 3600],
    ["minute", 60],
  ];
  const found = units.find(([, size]) => Math.abs(seconds) >= size);
  return found === undefined ? "just now" : relative.format(Math.round(seconds / found[1]), found[0]);
}

/** `top_k` is "top k". */
export function words(name: string): string {
  return name.replaceAll("_", " ");
}

/** The last part of a path. */
export function baseName(path: string): string {
  return path.split("/").pop() ?? path;
}

/** The beginning of a text, up to a word's end. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), most / 2))}…`;
}
