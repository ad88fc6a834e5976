// Server-sent events.

/** One server-sent event. */
export interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

/** Puts server-sent events together from parts of text, which may end anywhere. Pure. */
export class EventParser {
  #rest = "";
  #name = "";
  #data: string[] = [];

  /** The events that are complete with this part. */
  take(part: string): ServerEvent[] {
    const lines = (this.#rest + part).split("\n");
    this.#rest = lines.pop() ?? "";
    return lines.flatMap((line) => this.#line(line.replace(/\r$/, "")));
  }

  #line(line: string): ServerEvent[] {
    if (line === "") {
      const event = { name: this.#name, data: this.#data.join("\n") };
      [this.#name, this.#data] = ["", []];
      return event.data === "" ? [] : [event];
    }
    const colon = line.indexOf(":");
    const [field, value] = colon < 0 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")];
    if (field === "event") this.#name = value;
    if (field === "data") this.#data.push(value);
    return [];
  }
}
