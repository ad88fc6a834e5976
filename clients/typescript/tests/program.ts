// A program of a user. It is only type-checked: what is wrong must be an error.

import { Recordar, RecordarError, type Arguments, type Reply, type StreamEvent, type Verb } from "recordar";

export async function program(memory: Recordar, signal: AbortSignal): Promise<string> {
  const stored: Reply<"remember"> = await memory.remember({ messages: [{ text: "Hello." }] }, { operation: "hello-1", signal });
  const first: number | undefined = stored.items[0];
  const question: Arguments<"recall"> = { query: "Hello?" };
  const found = await memory.in("user:ada").recall(question);
  const spaces: string[] = await memory.spaces();
  const names: Verb[] = ["recall", "remember", "ingest_text"];

  // @ts-expect-error: there is no such verb.
  await memory.rembember({ messages: [] });
  // @ts-expect-error: there is no such argument.
  await memory.recall({ query: "Hello?", tpo_k: 3 });
  // @ts-expect-error: an argument has another type.
  await memory.recall({ query: 5 });
  // @ts-expect-error: an argument is missing.
  await memory.recall({});
  // @ts-expect-error: the arguments are missing.
  await memory.recall();
  // @ts-expect-error: there is no such field in a reply.
  found.txet;
  // @ts-expect-error: there is no such option.
  await memory.spaces({}, { speace: "user:ada" });
  // @ts-expect-error: a short verb has no events.
  memory.stream("spaces");
  // @ts-expect-error: this verb reads no files.
  await memory.upload("remember", []);
  // @ts-expect-error: files are sent, so none is named.
  await memory.upload("ingest", [{ name: "a.md", data: "A" }], { paths: ["a.md"] });
  // @ts-expect-error: a file is named, and so none is taken.
  await memory.download("export", { file: "all.jsonl" });
  // @ts-expect-error: a file of the server must be named.
  await memory.export({});

  await memory.upload("ingest", [{ name: "a.md", data: new Uint8Array([65]) }, { name: "b.md", data: new Blob(["B"]) }], { tags: ["letters"] });
  await memory.stream("ingest", { tags: ["letters"] }, { files: [{ name: "a.md", data: "A" }] }).next();
  await memory.start("ingest", { paths: ["a.md"] });
  const file: ReadableStream<Uint8Array> = await memory.download("export");
  await file.cancel();
  const running = await memory.start("ingest_text", { text: "A", name: "a.md" });
  const ended = await memory.status<"ingest_text">(running.operation);
  const added: number | undefined = ended.result?.totals.added;

  try {
    for await (const event of memory.stream("ask", { query: "Hello?" })) {
      const same: StreamEvent<"ask"> = event;
      if (same.type === "text") return same.text;
    }
  } catch (error) {
    if (error instanceof RecordarError) return `${error.status} ${error.code} ${error.message} ${error.remedy} ${error.requestId}`;
  }
  return [found.text, first, added, ...spaces, ...names].join();
}
