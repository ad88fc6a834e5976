// Large things on the page. Times are printed, not asserted: machines are noisy. What is asserted is that lists draw only what can be seen.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Workbench } from "./workbench.mjs";

const SOAK = process.env.RECORDAR_SOAK === "1";
const MESSAGES = SOAK ? 100_000 : 5_000;
const FILES = SOAK ? 4_000 : 200;
const MOST_ROWS = 150;

let bench;
before(async () => {
  bench = await Workbench.start("[enrichment]\nenabled = false\n");
});
after(() => bench.stop());

/** A page that notes its long tasks. */
async function watched() {
  const page = await bench.page();
  await page.addInitScript(() => {
    window.longTasks = [];
    new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map((entry) => Math.round(entry.duration)))).observe({ type: "longtask", buffered: true });
  });
  return page;
}

/** How long it takes from a reply to what it shows, and the longest task while something is typed. */
async function measure(what, page, path, reply, shown, field) {
  let arrived;
  page.on("response", async (response) => {
    if (!response.url().includes(`/v1/${reply}?`)) return;
    await response.finished();
    arrived = Date.now();
  });
  await bench.open(page, path);
  await shown().first().waitFor({ timeout: 120_000 });
  assert.ok(arrived !== undefined, `no reply of ${reply} came`);
  const took = Date.now() - arrived;
  await page.evaluate(() => (window.longTasks.length = 0));
  const rows = await page.locator('[role="listitem"], [role="treeitem"]').count();
  if (field !== undefined) await field().pressSequentially("lamp 12", { delay: 40 });
  await page.waitForTimeout(300);
  const longest = Math.max(0, ...(await page.evaluate(() => window.longTasks)));
  console.log(`${what}: shown ${took} ms after its data, longest task while typing ${longest} ms, ${rows} rows drawn`);
  assert.ok(rows <= MOST_ROWS, `${rows} rows`);
  assert.deepEqual(page.mistakes, []);
}

test(`a space of ${MESSAGES} items`, async () => {
  for (let at = 0; at < MESSAGES; at += 1000) {
    await bench.call("remember", { messages: Array.from({ length: 1000 }, (_, n) => ({ text: `Message ${at + n}: the lamp was lit at dusk.`, thread: "log" })) });
  }
  const page = await watched();
  await measure("a conversation", page, "conversations/log", "messages", () => page.getByText(/the lamp was lit/), () => page.getByLabel("Find"));
  await bench.ask(page, "When was the lamp lit?");
  await page.context().close();
});

test(`${FILES} files`, async () => {
  // Every name is a word of its own.
  const word = (at) => [at % 20, Math.floor(at / 20) % 20, Math.floor(at / 400) % 20].map((n) => "bcdfghjklmnprstvwxyz"[n] + "aeiou"[n % 5]).join("");
  for (let at = 0; at < FILES; at += 50) {
    const form = new FormData();
    for (let n = at; n < Math.min(at + 50, FILES); n += 1) {
      const text = `# ${word(n)} ${word(n + 3000)}\n\nThe keeper writes about ${word(n)} and ${word(n + 5000)}.\n`;
      form.append("file", new Blob([text]), `${word(7000 + (n % 25))}/${word(n)}.md`);
    }
    const response = await fetch(`${bench.address}/v1/ingest?space=user:default`, { method: "POST", body: form });
    assert.equal(response.status, 200, await response.text());
  }
  const page = await watched();
  await measure("the files", page, "files", "documents", () => page.getByText(/\w+\.md/), () => page.getByRole("searchbox"));
  await measure("the files of a prompt", page, "compose", "documents", () => page.getByRole("switch", { name: /^Use / }), () => page.getByRole("searchbox"));
  await page.context().close();
});

test("a tree of 2,000 names", async () => {
  // The built-in method makes fewer categories than that of any number of files, so the reply is made up.
  const page = await watched();
  let id = 0;
  const make = (level, name) => ({ id: ++id, name, level, chunks: 3, children: level === 3 ? [] : Array.from({ length: level === 1 ? 9 : 5 }, (_, n) => make(level + 1, `${name} ${n}`)) });
  await page.route("**/v1/tree?*", async (route) => {
    id = 0;
    const roots = Array.from({ length: 37 }, (_, n) => make(1, `lamp ${n}`));
    const levels = [1, 2, 3].map((level) => ({ level, categories: 37, limit: 1000 }));
    await route.fulfill({ json: { space: "user:default", depth: 3, categories: id, chunks: 3 * id, unclassified: 0, levels, roots } });
  });
  await measure("the tree", page, "tree", "tree", () => page.getByRole("treeitem"), () => page.getByRole("searchbox"));
  assert.ok(id >= 2000, String(id));
  await page.context().close();
});

test("a document of 5 MB", async () => {
  const line = "The lamp is lit half an hour before sunset and put out half an hour after sunrise.\n";
  await bench.call("ingest_text", { name: "long.md", text: line.repeat(Math.ceil((SOAK ? 5_000_000 : 500_000) / line.length)), classify: false });
  const page = await watched();
  await measure("a long document", page, "files/long.md", "document_text", () => page.getByText(/half an hour before sunset/));
  await page.context().close();
});

test("a trace of 500 candidates", async () => {
  const page = await watched();
  await page.route("**/v1/ask?*", async (route) => {
    const reply = await (await route.fetch()).json();
    const rank = reply.trace.stages.find((stage) => stage.name === "rank");
    rank.decisions = Array.from({ length: 500 }, (_, at) => ({ ...rank.decisions[0], detail: `rank ${at + 1}` }));
    await route.fulfill({ json: reply });
  });
  await bench.ask(page, "When is the lamp lit?");
  await page.getByRole("tab", { name: "Step by step" }).click();
  await page.getByRole("button", { name: /^rank 500/ }).click();
  const rows = await page.getByRole("listitem").count();
  assert.ok(rows > 0 && rows <= MOST_ROWS, `${rows} rows`);
  console.log(`a trace of 500: longest task ${Math.max(0, ...(await page.evaluate(() => window.longTasks)))} ms`);
  await page.context().close();
});

test("how large the page is, and how fast it begins", async () => {
  const page = await bench.page();
  await bench.open(page);
  const paint = await page.evaluate(() => Math.round(performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0));
  const sizes = await page.evaluate(() => performance.getEntriesByType("resource").filter(({ name }) => /assets/.test(name)).map(({ decodedBodySize }) => decodedBodySize));
  console.log(`first paint after ${paint} ms; ${sizes.reduce((sum, size) => sum + size, 0)} bytes of script and style, not compressed`);
  assert.equal(sizes.length, 2);
  await page.context().close();
});
