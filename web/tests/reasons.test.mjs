// What people come for: an answer and its reasons, another day, a corrected fact, a receipt beside today, files by drag and drop.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { storeHandbook, Workbench } from "./workbench.mjs";

let bench;
before(async () => {
  bench = await Workbench.start();
  await storeHandbook(bench);
  await bench.call("remember", { messages: [{ text: "My name is Ada and I live in Porto.", thread: "hello" }] });
  await bench.call("extract_facts", {});
});
after(() => bench.stop());

test("an answer names its sources, and says why something else was not used", async () => {
  const page = await bench.page();
  await bench.ask(page, "When is the lamp lit?");
  assert.match(await page.getByTestId("answer").textContent(), /half an hour before sunset/);
  await page.getByRole("button", { name: /lamp\.md/ }).first().waitFor();
  await page.getByText("Options", { exact: true }).click();
  await page.getByLabel("Least score").fill("0.95");
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByRole("button", { name: "Why not?" }).first().click();
  const dialog = page.getByRole("dialog", { name: /used or not/ });
  await dialog.getByText(/It was dropped/).waitFor();
  await page.keyboard.press("Escape");
  assert.deepEqual(page.mistakes, []);
  await page.context().close();
});

test("what was known before is shown as of then", async () => {
  const page = await bench.page();
  await bench.open(page, "ask");
  await page.getByText("Options", { exact: true }).click();
  await page.getByLabel("Exact time").fill("2020-01-01T00:00");
  await page.getByLabel("Your question").fill("When is the lamp lit?");
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByText(/has to do with this/).waitFor();
  await page.getByRole("button", { name: "Now", exact: true }).click();
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByTestId("answer").getByText(/half an hour/).waitFor();
  await page.context().close();
});

test("a fact is corrected, and its history says so", async () => {
  const { facts } = await bench.call("facts", {});
  const porto = facts.find((fact) => fact.value === "Porto");
  const page = await bench.open(await bench.page(), `facts/${porto.fact}`);
  await page.getByRole("button", { name: "Correct", exact: true }).click();
  await page.getByRole("textbox", { name: /value|correct/i }).last().fill("Braga");
  await page.getByRole("button", { name: /save|correct/i }).last().click();
  await page.getByRole("heading", { name: "Braga" }).waitFor();
  assert.ok((await bench.call("facts", {})).facts.some((fact) => fact.value === "Braga"));
  assert.deepEqual(page.mistakes, []);
  await page.context().close();
});

test("a receipt is proved, and shown beside today", async () => {
  const { receipt } = await bench.call("compose", { query: "How long is a blast of the fog signal?", receipt: true });
  await bench.call("ingest_text", { name: "fog.md", text: "# The fog signal\n\nIn fog, start the fog signal, one blast of nine seconds each minute.\n" });
  const page = await bench.open(await bench.page(), `receipts/${receipt}`);
  await page.getByText(/identical, byte for byte/).waitFor();
  await page.locator(".added").getByText(/nine seconds/).waitFor();
  await page.locator(".removed").getByText(/four seconds/).waitFor();
  await page.context().close();
});

test("files are added by drag and drop, and what became of each is said", async () => {
  const page = await bench.open(await bench.page(), "files");
  const data = await page.evaluateHandle(() => {
    const files = new DataTransfer();
    files.items.add(new File(["# Tide\n\nHigh water is at noon."], "tide.md", { type: "text/markdown" }));
    files.items.add(new File(["Low water is at six."], "low.txt", { type: "text/plain" }));
    return files;
  });
  await page.dispatchEvent("main", "dragover", { dataTransfer: data });
  await page.dispatchEvent("main", "drop", { dataTransfer: data });
  await page.getByRole("link", { name: "tide.md" }).first().waitFor();
  const names = (await bench.call("documents")).map((document) => document.name ?? document.path);
  assert.ok(names.some((name) => name.endsWith("tide.md")) && names.some((name) => name.endsWith("low.txt")), String(names));
  assert.deepEqual(page.mistakes, []);
  await page.context().close();
});

test("a category is renamed", async () => {
  await bench.call("classify", {});
  const page = await bench.open(await bench.page(), "tree");
  await page.getByRole("treeitem").first().click();
  await page.getByRole("button", { name: /rename/i }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").first().fill("Lighthouse things");
  await dialog.getByRole("button", { name: /rename/i }).last().click();
  await page.getByRole("treeitem", { name: /Lighthouse things/ }).first().waitFor();
  await page.context().close();
});
