// Where someone is: `#/files/handbook.md?version=2`. Back and forward work, and a place can be kept as a bookmark.

class Route {
  #hash = $state(location.hash);

  constructor() {
    addEventListener("hashchange", () => (this.#hash = location.hash));
  }

  /** The parts of the path; the first is the view. */
  get parts(): string[] {
    const path = this.#hash.replace(/^#\/?/, "").split("?")[0] ?? "";
    return path.split("/").map(decoded);
  }

  get view(): string {
    return this.parts[0] ?? "";
  }

  /** Whatever follows the view; empty if nothing does. */
  get rest(): string {
    return this.parts.slice(1).join("/");
  }

  value(name: string): string | undefined {
    const query = this.#hash.split("?")[1] ?? "";
    return new URLSearchParams(query).get(name) ?? undefined;
  }
}

/** An address that someone typed may have a percent sign of its own. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const route = new Route();

/** The address of a place: `href("files", "notes.md", { version: 2 })`. */
export function href(view: string, rest = "", values: Record<string, string | number | undefined> = {}): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  const path = rest === "" ? view : `${view}/${rest.split("/").map(encodeURIComponent).join("/")}`;
  return `#/${path}${query === "" ? "" : `?${query}`}`;
}

export function go(address: string): void {
  location.hash = address;
}
