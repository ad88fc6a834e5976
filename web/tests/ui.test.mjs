// UI-01 to UI-10, and the acceptance criteria of the workbench that need a page.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { storeHandbook, withModel, Workbench } from "./workbench.mjs";

let bench;
before(async () => {
  bench = await Workbench.start(withModel());
  await storeHandbook(bench);
  await bench.call("remember", { messages: [{ text: "We saw the lamp flicker last night.", thread: "watch" }, { text: "Our NVH report is due.", thread: "watch" }] });
});
after(() => bench.stop());

async function compose(page, query = "When is the lamp lit?") {
  await page.getByLabel("Your prompt").fill(query);
  await page.keyboard.press("Control+Enter");
  await page.getByRole("heading", { name: "The prompt" }).waitFor();
}

const show = (page, tab) => page.getByRole("tab", { name: tab }).click();
const prompt = (page) => page.getByLabel("The prompt as it will be sent").inputValue();

test("ui_01 a prompt, files, the lock, the shaper, agents and a model picker", async () => {
  const page = await bench.open(await bench.page(), "compose");
  await page.getByRole("switch", { name: "Use lamp.md" }).waitFor();
  await page.getByRole("switch", { name: /Exact File Lock/ }).waitFor();
  for (const agent of ["a1", "a2", "a3", "a4"]) await page.getByLabel(`Agent ${agent},`).waitFor();
  await page.getByPlaceholder(process.env.RECORDAR_TEST_LLM_MODEL).and(page.getByLabel("Model that answers")).waitFor();
  await page.getByLabel("Task", { exact: true }).fill("a report");
  await page.getByLabel("Mode", { exact: true }).fill("terse");
  await page.getByLabel("Agent a4,").selectOption("off");
  await compose(page);
  const text = await prompt(page);
  assert.match(text, /a report/);
  assert.match(text, /terse/);
  assert.deepEqual(page.mistakes, []);
  await page.context().close();
});

test("ui_01 the lock uses only what is injected", async () => {
  const page = await bench.open(await bench.page(), "compose");
  await page.getByRole("button", { name: "Inject boat.md" }).click();
  await page.getByRole("switch", { name: /Exact File Lock/ }).check();
  await compose(page);
  const text = await prompt(page);
  assert.match(text, /first Tuesday/);
  assert.doesNotMatch(text, /half an hour before sunset/);
  await page.context().close();
});

test("ui_02 the super-prompt can be edited, and what is sent is what was edited; ui_07 the answer can be exported", async () => {
  const page = await bench.open(await bench.page(), "compose");
  await compose(page);
  const field = page.getByLabel("The prompt as it will be sent");
  await field.fill(`${await field.inputValue()}\n\nAnswer with one word.`);
  await page.getByText("edited").waitFor();
  await page.getByRole("button", { name: "Send to the model" }).click();
  await page.getByRole("button", { name: "Export with sources" }).waitFor({ timeout: 60_000 });
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export with sources" }).click()]);
  const saved = await readFile(await download.path(), "utf8");
  assert.match(saved, /# When is the lamp lit\?/);
  assert.match(saved, /## Sources/);
  const [receipt] = await bench.call("receipts", { limit: 1 });
  const why = await bench.call("why", { receipt: receipt.receipt });
  assert.match(why.body.compose.sent.edited, /Answer with one word\.$/);
  assert.deepEqual(page.mistakes, []);
  await page.context().close();
});

test("ui_03 every step says what it kept and dropped, and why", async () => {
  const page = await bench.open(await bench.page(), "compose");
  await page.getByText("Retrieval and limits").click();
  await page.getByLabel("Strictness of the gate").fill("1");
  await compose(page);
  await show(page, "Kept and dropped");
  await page.getByRole("button", { name: /^rank \d/ }).click();
  const list = page.getByRole("list", { name: "Decisions of rank", exact: true });
  await list.getByText(/rank 1, score/).first().waitFor();
  await page.getByRole("button", { name: /^gate \d/ }).click();
  await page.getByLabel("Show").selectOption("dropped");
  const dropped = page.getByRole("list", { name: "Decisions of gate", exact: true });
  await dropped.getByText("dropped", { exact: true }).first().waitFor();
  assert.equal(await dropped.getByText("kept", { exact: true }).count(), 0);
  await page.context().close();
});

test("ui_04 ❖ FILES and S_ctx are shown exactly as composed", async () => {
  const page = await bench.open(await bench.page(), "compose");
  await page.getByRole("button", { name: "Inject fog.md" }).click();
  const replies = [];
  page.on("response", async (response) => response.url().includes("/v1/compose?") && replies.push(await response.json()));
  await compose(page);
  const text = await prompt(page);
  assert.equal(text, replies[0].prompt);
  for (const [tab, id, name] of [["❖ FILES", "files-section", "❖ FILES"], ["S_ctx", "context-section", "S_ctx"]]) {
    await show(page, tab);
    const shown = await page.getByTestId(id).textContent();
    assert.ok(text.includes(shown) && shown.startsWith(`## [${name}]`) && shown.length > 40, shown);
  }
  await page.context().close();
});

test("ui_05 the cost is shown before sending, and a prompt over its ceiling is refused", async () => {
  const page = await bench.open(await bench.page(), "compose");
  await compose(page);
  assert.match(await page.getByTestId("estimate").textContent(), /\d+ tokens/);
  await page.getByText("Retrieval and limits").click();
  await page.getByLabel("Most tokens of the prompt").fill("50");
  await page.getByRole("button", { name: "Compose", exact: true }).click();
  const alert = page.getByRole("alert");
  await alert.waitFor();
  assert.match(await alert.textContent(), /50/);
  assert.ok(await page.getByRole("button", { name: "Send to the model" }).isDisabled());
  await page.context().close();
});

test("ui_06 the last turns, the budget of earlier history, and what is important", async () => {
  const page = await bench.open(await bench.page(), "compose");
  await page.getByLabel("Conversation").selectOption("watch");
  await compose(page);
  assert.match(await prompt(page), /flicker/);
  await page.getByLabel("Last turns, word for word").fill("0");
  await page.getByLabel("Tokens of earlier history").fill("0");
  await page.getByRole("button", { name: "Compose", exact: true }).click();
  await page.waitForFunction(() => !document.querySelector("textarea.prompt")?.value.includes("flicker"));
  await bench.open(page, "conversations/watch");
  await page.getByText("We saw the lamp flicker").first().waitFor();
  await page.getByRole("button", { name: /important/i }).first().click();
  await eventually(async () => {
    const { items } = await bench.call("items", { kind: "message", limit: 10 });
    assert.ok(items.some((item) => item.important));
  });
  await page.context().close();
});

test("ui_06 ch_03_7 synonyms bring in what was said in other words", async () => {
  const page = await bench.open(await bench.page(), "compose");
  await page.getByLabel("Synonyms, a line").fill("NVH = vehicle acoustics");
  await compose(page, "When is the report about vehicle acoustics due?");
  assert.match(await prompt(page), /NVH report is due/);
  await page.context().close();
});

test("ui_08 ui_09 ch_12 a pasted reply goes to the history, marked as external", async () => {
  const page = await bench.open(await bench.page(), "compose");
  await page.getByLabel("Conversation").selectOption("watch");
  await page.getByLabel("Reply from another chat").fill("The flicker comes from a loose wick.");
  await page.getByRole("button", { name: "Send to History" }).click();
  await page.getByText(/^stored/).waitFor();
  const messages = await bench.call("messages", { thread: "watch" });
  const external = messages.find((message) => message.text.includes("loose wick"));
  assert.equal(external.source, "external");
  await page.context().close();
});

test("ui_10 a file that is off is in no step", async () => {
  const page = await bench.open(await bench.page(), "compose");
  await page.getByRole("switch", { name: "Use lamp.md" }).uncheck();
  const replies = [];
  page.on("response", async (response) => response.url().includes("/v1/compose?") && replies.push(await response.json()));
  await compose(page);
  assert.doesNotMatch(await prompt(page), /half an hour before sunset/);
  // In no step after it was left out is one of its chunks kept.
  const [lamp] = (await bench.call("documents")).filter(({ path }) => path === "lamp.md");
  const { items } = await bench.call("items", { kind: "chunk", limit: 100 });
  const chunks = items.filter((item) => item.document === lamp.path).map((item) => item.item_id);
  assert.ok(chunks.length > 0 && lamp.live);
  for (const { name, decisions } of replies[0].trace.stages) {
    const kept = decisions.filter(({ action, subject }) => action === "kept" && chunks.some((id) => subject.endsWith(`item ${id}`)));
    assert.deepEqual(kept, [], name);
  }
  await page.context().close();
});

test("a file, its versions, and what changed between them", async () => {
  const page = await bench.open(await bench.page(), "files/lamp.md");
  await page.getByText(/three flashes/).first().waitFor();
  await page.getByRole("button", { name: /version 1/i }).first().click();
  await page.getByText(/two flashes/).first().waitFor();
  await page.getByLabel(/^Compare/).selectOption({ index: 1 });
  await page.locator(".added, .removed").first().waitFor();
  assert.deepEqual(page.mistakes, []);
  await page.context().close();
});

async function eventually(check, timeout = 10_000) {
  const end = Date.now() + timeout;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
