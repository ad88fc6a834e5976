// What is read from a reply.

import { errorHere } from "./error.js";
import type { Patience } from "./patience.js";

/** A whole reply. */
export async function jsonOf<T>(response: Response, patience: Patience): Promise<T> {
  const text = await response.text();
  patience.end();
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    const remedy = "check the address, and any proxy in front of the server; use download() for a verb that writes a file";
    throw errorHere("unexpected_reply", "the reply is not JSON", remedy, { cause });
  }
}

/** The parts of a reply as they come. Silence between two of them has a limit; the time that the reader takes has none. */
export function partsOf(response: Response, patience: Patience): ReadableStream<Uint8Array> {
  if (response.body === null) {
    throw errorHere("unexpected_reply", "the reply is empty", "check any proxy in front of the server");
  }
  patience.pause();
  const reader = response.body.getReader();
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    try {
      patience.start();
      const { done, value } = await reader.read();
      patience.pause();
      if (!done) return controller.enqueue(value);
      patience.end();
      controller.close();
    } catch (failure) {
      patience.end();
      controller.error(patience.reasonFor(failure));
    }
  };
  const cancel = (reason: unknown): Promise<void> => {
    patience.end();
    return reader.cancel(reason);
  };
  // Nothing is read before someone asks for it.
  return new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
}
