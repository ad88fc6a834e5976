import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Recordar, RecordarError } from "recordar";
import { text, TestServer } from "./server.js";

describe("a server with keys", () => {
  let server: TestServer;
  let [admin, confined] = ["", ""];
  before(async () => {
    server = await TestServer.start();
    admin = server.run("keys", "new", "admin", "--admin").trim();
    confined = server.run("keys", "new", "app", "--write", "user:ada").trim();
  });
  after(() => server.stop());

  it("refuses a missing or a wrong key", async () => {
    const refused = (error: unknown) => error instanceof RecordarError && error.status === 401 && error.code === "unauthorized";
    await assert.rejects(new Recordar(server.address).spaces(), refused);
    await assert.rejects(new Recordar(server.address, { apiKey: "wrong" }).spaces(), refused);
  });

  it("confines a key to its space", async () => {
    const memory = new Recordar(server.address, { apiKey: confined });
    const stored = await memory.remember({ messages: [{ text: "Ada collects lamps." }] });
    assert.equal(stored.space, "user:ada");
    const denied = (error: unknown) => error instanceof RecordarError && error.status === 403 && error.code === "out_of_reach";
    await assert.rejects(memory.in("user:bob").recall({ query: "lamps" }), denied);
    await assert.rejects(memory.in("user:bob").remember({ messages: [{ text: "Not mine." }] }), denied);
    await assert.rejects(memory.download("backup"), denied);
    await assert.rejects(memory.ingest({ paths: ["/etc/hostname"] }), denied);
  });

  it("lets an administrator back up and restore", async () => {
    const memory = new Recordar(server.address, { apiKey: admin });
    const backup = await text(await memory.download("backup"));
    await memory.in("user:ada").remember({ messages: [{ text: "Written after the backup." }] });
    await memory.upload("restore", [{ name: "backup.jsonl", data: backup }]);
    assert.equal(await text(await memory.download("backup")), backup);
  });
});
