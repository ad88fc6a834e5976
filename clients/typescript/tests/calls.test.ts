import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { inspect } from "node:util";
import { Recordar, RecordarError } from "recordar";
import { code } from "./errors.js";
import { text, TestServer } from "./server.js";

describe("a server without keys", () => {
  let server: TestServer;
  let memory: Recordar;
  before(async () => {
    server = await TestServer.start();
    memory = new Recordar(server.address, { space: "user:ada" });
  });
  after(() => server.stop());

  it("remembers and recalls", async () => {
    const stored = await memory.remember({ messages: [{ text: "I take the 8:15 train to Lisbon.", thread: "trip" }] });
    assert.equal(stored.space, "user:ada");
    const found = await memory.recall({ query: "When does my train leave?" });
    assert.match(found.text, /8:15 train/);
    const { recall } = memory;
    assert.deepEqual((await recall({ query: "When does my train leave?" })).text, found.text);
  });

  it("keeps spaces apart", async () => {
    await memory.in("user:bob").remember({ messages: [{ text: "Bob likes olives.", thread: "food" }] });
    assert.doesNotMatch((await memory.recall({ query: "olives" })).text, /olives/);
    assert.match((await memory.recall({ query: "olives" }, { space: "user:bob" })).text, /olives/);
    assert.deepEqual((await memory.spaces()).sort(), ["user:ada", "user:bob"]);
  });

  it("throws what the server says", async () => {
    const wrong = memory.remember({ messages: [] });
    await assert.rejects(wrong, (error) => {
      assert(error instanceof RecordarError);
      assert.equal(error.status, 400);
      assert.equal(error.code, "invalid");
      assert.equal(error.message, "no message was given");
      assert.equal(error.remedy, "give at least one");
      assert.match(error.requestId ?? "", /./);
      assert.deepEqual(error.details, {});
      return true;
    });
    await assert.rejects(memory.item({ item: 987654 }), code("not_found"));
    const untyped = memory as unknown as Record<string, (args?: object) => Promise<unknown>>;
    await assert.rejects(untyped["no_such_verb"]!(), code("no_such_path"));
  });

  it("uses an operation id once, of the options or of the arguments", async () => {
    const message = { messages: [{ text: "Paid the hotel." }] };
    const first = await memory.remember(message, { operation: "payment-17" });
    const again = await memory.remember({ ...message, operation: "payment-17" });
    assert.deepEqual([first.repeated, again.repeated, again.items], [false, true, first.items]);
    const other = memory.remember({ messages: [{ text: "Paid it twice." }] }, { operation: "payment-17" });
    await assert.rejects(other, code("operation_reused"));
    const parts = await memory.operation({ operation: "payment-17" });
    assert.equal(parts[0]?.state, "done");
  });

  it("streams", async () => {
    const types: string[] = [];
    for await (const event of memory.stream("ask", { query: "When does my train leave?" })) {
      types.push(event.type);
      if (event.type === "result") assert.match(event.result.answer, /8:15/);
    }
    assert.equal(types.at(-1), "result");
    await assert.rejects(memory.stream("ask", { query: "" }).next(), (error) => error instanceof RecordarError && error.status === 400);
  });

  it("sends and takes files", async () => {
    const files = [
      { name: "notes/harbour.md", data: "# Harbour\n\nThe harbour opens at nine." },
      { name: "notes/café.md", data: new TextEncoder().encode("# Café\n\nThe café opens at ten.") },
      { name: "notes/tram.md", data: new Blob(["# Tram\n\nThe tram leaves at noon."]) },
    ];
    const papers = memory.in("project:papers");
    const report = await papers.upload("ingest", files, { tags: ["island"] });
    assert.equal(report.totals.added, 3);
    const names = (await papers.documents({})).map((document) => document.path);
    assert.deepEqual(names.sort(), ["notes/café.md", "notes/harbour.md", "notes/tram.md"]);
    assert.equal((await papers.upload("ingest", files, { tags: ["island"] })).totals.unchanged, 3);

    const exported = await text(await papers.download("export"));
    assert(exported.split("\n").length > 3);
    for (const line of exported.trim().split("\n")) JSON.parse(line);
    const elsewhere = await TestServer.start();
    const copy = new Recordar(elsewhere.address, { space: "project:papers" });
    await copy.upload("import", [{ name: "papers.jsonl", data: exported }]);
    assert.match((await copy.recall({ query: "When does the harbour open?" })).text, /nine/);
    assert.equal(await text(await copy.download("export")), exported);
    await elsewhere.stop();

    const streamed = [];
    for await (const event of memory.in("project:more").stream("ingest", {}, { files })) streamed.push(event.type);
    assert.equal(streamed.at(-1), "result");
    const nothing = papers.upload("ingest", []);
    await assert.rejects(nothing, code("invalid"));
    await assert.rejects(papers.upload("import", [{ name: "broken.jsonl", data: exported.slice(0, -20) }]), RecordarError);
  });

  it("starts, shows and cancels", async () => {
    const started = await memory.start("ingest_text", { text: "# Bees\n\nThe bees give honey in June.", name: "bees.md" });
    assert.equal(started.verb, "ingest_text");
    const ended = await until(() => memory.status<"ingest_text">(started.operation), (shown) => shown.state !== "running");
    assert.equal(ended.state, "done");
    assert.equal(ended.result?.totals.added, 1);

    const { operation } = await memory.start("work", { keep_running: true }, { operation: "worker/1?" });
    assert.equal((await memory.status(operation)).state, "running");
    await memory.cancel(operation);
    await until(() => memory.status(operation), (shown) => shown.state !== "running");
    await assert.rejects(memory.cancel(operation), code("not_found"));
    await assert.rejects(memory.status("no-such-operation"), code("not_found"));
  });

  it("aborts a stream, and the server stops", async () => {
    const controller = new AbortController();
    const operation = "worker/2";
    const events = memory.stream("work", { keep_running: true }, { operation, signal: controller.signal });
    const aborted = assert.rejects(events.next(), { name: "AbortError" });
    const isRunning = (): Promise<boolean> => memory.status(operation).then((shown) => shown.state === "running", () => false);
    await until(isRunning, (running) => running);
    controller.abort();
    await aborted;
    await until(isRunning, (running) => !running);
  });

  it("is not called by what only looks at it", async () => {
    assert.equal(await memory, memory);
    assert.equal(JSON.stringify(memory), "{}");
    assert.doesNotMatch(inspect(new Recordar(server.address, { apiKey: "a-secret" }), { showHidden: true, depth: 9 }), /a-secret/);
  });
});

/** Asks until it is so. */
async function until<T>(ask: () => Promise<T>, isSo: (answer: T) => boolean): Promise<T> {
  for (let asked = 0; asked < 10_000; asked++) {
    const answer = await ask();
    if (isSo(answer)) return answer;
  }
  throw new Error("it never became so");
}
