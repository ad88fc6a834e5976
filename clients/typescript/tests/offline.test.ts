import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Recordar } from "recordar";
import { code } from "./errors.js";

describe("without a server", () => {
  const replying = (parts: Uint8Array[], type: string): typeof fetch => {
    const stream = () => new ReadableStream({ start: (to) => (parts.forEach((part) => to.enqueue(part)), to.close()) });
    return async () => new Response(stream(), { headers: { "Content-Type": type } });
  };
  const events = async (sent: string) => {
    const bytes = new TextEncoder().encode(sent);
    const memory = new Recordar("http://localhost", { fetch: replying(Array.from(bytes, (byte) => Uint8Array.of(byte)), "text/event-stream") });
    const got = [];
    for await (const event of memory.stream("ask", { query: "?" })) got.push(event);
    return got;
  };

  it("puts events together from single bytes", async () => {
    const got = await events(': hello\r\n\r\nevent: text\r\ndata: {"text":\ndata: "Olá ☂"}\n\nevent: later\ndata: 1\n\nevent: result\ndata: {"a": 1}\n\n');
    assert.deepEqual(got, [{ type: "text", text: "Olá ☂" }, { type: "result", result: { a: 1 } }]);
  });

  it("says that a stream broke off, or what went wrong", async () => {
    await assert.rejects(events('event: text\ndata: {"text": "a"}\n\n'), code("broken_off"));
    const problem = { status: 502, code: "model_away", detail: "it is away", remedy: "wait", request_id: "r-1" };
    await assert.rejects(events(`event: problem\ndata: ${JSON.stringify(problem)}\n\n`), { code: "model_away", requestId: "r-1" });
  });

  it("knows a reply of something else", async () => {
    const page = replying([new TextEncoder().encode("<html>")], "text/html");
    await assert.rejects(new Recordar("http://localhost", { fetch: page }).spaces(), code("unexpected_reply"));
    const missing: typeof fetch = async () => new Response("<html>", { status: 404 });
    await assert.rejects(new Recordar("http://localhost", { fetch: missing }).spaces(), { code: "unexpected_reply", status: 404 });
  });

  it("builds addresses", async () => {
    const urls: string[] = [];
    const noted: typeof fetch = async (url) => (urls.push(String(url)), Response.json({}));
    await new Recordar("http://localhost/memory/", { fetch: noted, space: "user:a b" }).spaces();
    await new Recordar("http://localhost", { fetch: noted }).status("a/b?");
    assert.deepEqual(urls, ["http://localhost/memory/v1/spaces?space=user%3Aa%20b", "http://localhost/v1/operations/a%2Fb%3F"]);
  });

  it("refuses options that make no sense", async () => {
    assert.throws(() => new Recordar("localhost"), TypeError);
    assert.throws(() => new Recordar("localhost:7343"), TypeError);
    assert.throws(() => new Recordar("http://localhost", { timeoutMs: Infinity }), RangeError);
    assert.throws(() => new Recordar("http://localhost", { retries: 11 }), RangeError);
    await assert.rejects(new Recordar("http://localhost").spaces({}, { timeoutMs: 0 }), RangeError);
  });
});
