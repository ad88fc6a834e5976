import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Recordar } from "recordar";
import { code } from "./errors.js";
import { type Behaviour, busy, cutReply, dropReply, hold, proxyOf } from "./proxy.js";
import { text, TestServer } from "./server.js";

describe("a server behind a proxy that misbehaves", () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server.stop());

  const through = async (behaviours: Behaviour[], use: (memory: Recordar, seen: readonly unknown[]) => Promise<void>): Promise<void> => {
    const proxy = await proxyOf(server.address, behaviours);
    try {
      await use(new Recordar(proxy.address, { space: "user:proxy" }), proxy.seen);
    } finally {
      await proxy.stop();
    }
  };

  for (const [name, lose] of [["lost", dropReply], ["cut", cutReply]] as const) {
    it(`stores a message once if its reply is ${name}`, () =>
      through([lose], async (memory, seen) => {
        const messages = [{ text: `This reply was ${name}.`, thread: name }];
        const stored = await memory.remember({ messages });
        assert.equal(stored.repeated, true);
        assert.equal(seen.length, 2);
        assert.equal(seen[0], seen[1]);
        assert.equal((await memory.messages({ thread: name })).length, 1);
      }));
  }

  it("fails if a file or a stream breaks off", () =>
    through([cutReply, cutReply], async (memory, seen) => {
      const file = await memory.download("export");
      await assert.rejects(text(file), code("unreachable"));
      await assert.rejects(memory.stream("ask", { query: "Which reply was lost?" }).next(), code("unreachable"));
      assert.equal(seen.length, 2);
    }));

  it("waits for a busy server, as long as it says", () =>
    through([busy(503, "0"), busy(429, new Date(0).toUTCString())], async (memory, seen) => {
      await memory.recall({ query: "anything" });
      assert.equal(seen.length, 3);
      assert.equal(new Set(seen).size, 1);
    }));

  it("retries no more often than it may, and waits no longer", () =>
    through([busy(503, "0"), busy(503, "0"), busy(503, "3600"), busy(400, "0")], async (memory, seen) => {
      await assert.rejects(memory.recall({ query: "anything" }, { retries: 1 }), code("busy"));
      assert.equal(seen.length, 2);
      await assert.rejects(memory.recall({ query: "anything" }), code("busy"));
      assert.equal(seen.length, 3);
      await assert.rejects(memory.recall({ query: "anything" }), code("busy"));
      assert.equal(seen.length, 4);
    }));

  it("gives up a silent server", () =>
    through([hold], async (memory, seen) => {
      await assert.rejects(memory.recall({ query: "anything" }, { timeoutMs: 50 }), code("timeout"));
      assert.equal(seen.length, 1);
    }));

  it("aborts", async () => {
    const controller = new AbortController();
    const proxy = await proxyOf(server.address, [hold], () => controller.abort(new Error("enough")));
    const memory = new Recordar(proxy.address);
    await assert.rejects(memory.recall({ query: "anything" }, { signal: controller.signal }), { message: "enough" });
    await assert.rejects(memory.recall({ query: "anything" }, { signal: controller.signal }), { message: "enough" });
    assert.equal(proxy.seen.length, 1);
    await proxy.stop();
    await assert.rejects(memory.recall({ query: "anything" }, { retries: 0 }), code("unreachable"));
  });
});
