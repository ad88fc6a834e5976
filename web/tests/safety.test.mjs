// What a page must never do: run what is stored, ask anyone else, or lock people out.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { payloads } from "./payloads.mjs";
import { storeHandbook, VIEWS, Workbench } from "./workbench.mjs";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let bench;
before(async () => {
  bench = await Workbench.start();
  await storeHandbook(bench);
  await bench.call("remember", { messages: [{ text: "My name is Ada and I live in Porto.", thread: "hello" }, { text: "I moved to Lisbon.", thread: "hello" }] });
  await bench.call("extract_facts", {});
  await bench.call("ask", { query: "When is the lamp lit?", receipt: true });
});
after(() => bench.stop());

/** Every view, and those of a single thing. */
async function places(space) {
  const documents = await bench.call("documents", {}, { space });
  const { facts } = await bench.call("facts", {}, { space });
  const threads = await bench.call("threads", {}, { space });
  const receipts = await bench.call("receipts", { limit: 1 }, { space });
  const one = (view, name) => (name === undefined ? [] : [`${view}/${encodeURIComponent(name)}`]);
  return [
    ...VIEWS,
    ...one("files", documents[0]?.name ?? documents[0]?.path),
    ...one("conversations", threads[0]?.name),
    ...one("facts", facts[0]?.fact),
    ...one("receipts", receipts[0]?.receipt),
  ];
}

for (const theme of ["light", "dark"]) {
  test(`axe finds nothing serious on any view (${theme})`, async () => {
    const page = await bench.page({ theme });
    const check = async (place) => {
      await page.waitForLoadState("networkidle");
      await page.evaluate(AXE);
      const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
      const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
      assert.deepEqual(serious.map(({ id, nodes }) => `${place}: ${id}: ${nodes.map((node) => node.html).join(" ").slice(0, 300)}`), []);
    };
    for (const place of await places()) {
      await bench.open(page, place);
      await check(place);
    }
    // What comes after a question, on every tab, and in dialogs.
    await bench.ask(page, "When is the lamp lit?");
    for (const tab of await page.getByRole("tab").all()) {
      await tab.click();
      await check("an answer");
    }
    await page.getByRole("tab", { name: "What was found" }).click();
    await page.getByRole("button", { name: /^Why/ }).first().click();
    await check("why not");
    await bench.open(page, "compose");
    await page.getByLabel("Your prompt").fill("When is the lamp lit?");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("heading", { name: "The prompt" }).waitFor();
    for (const tab of await page.getByRole("tab").all()) {
      await tab.click();
      await check("a prompt");
    }
    assert.deepEqual(page.mistakes, []);
    await page.context().close();
  });
}

test("200 payloads in everything that is stored run on no view", async () => {
  const space = "user:eve";
  const texts = payloads();
  assert.equal(texts.length, 200);
  const call = (verb, body) => bench.call(verb, body, { space });
  await call("remember", { messages: texts.map((text, at) => ({ text: `${text} My name is ${text}.`, thread: `t-${text.slice(0, 60)}`.trim(), speaker: text.slice(0, 60).trim() || "x", id: `p${at}` })) });
  for (const text of texts.slice(0, 25)) await call("ingest_text", { name: `n ${text.replaceAll("/", "∕").slice(0, 80)}.md`, text: `# ${text}\n\n${text} is the lamp.`, tags: [`t${text.slice(0, 20).replaceAll(/[\s,]/g, "")}`] });
  await call("ingest_text", { name: "all.md", text: texts.map((text) => `# ${text}\n\nThe lamp is ${text}.\n`).join("\n") });
  await call("extract_facts", {});
  for (const kind of ["rules", "project"]) await call("set_standing_text", { kind, text: texts.join("\n") });
  await call("ask", { query: `lamp ${texts[0]}`, receipt: true });
  const page = await bench.page({ space });
  await page.addInitScript(() => {
    window.alert = window.confirm = window.prompt = () => (window.ran = true);
    window.xss = () => (window.ran = true);
  });
  const look = async (place) => {
    await page.waitForLoadState("networkidle");
    for (const tab of await page.getByRole("tab").all()) await tab.click();
    for (const summary of await page.locator("main summary").all()) await summary.click().catch(() => {});
    // Lists draw what can be seen: all of it comes into view once.
    for (const list of await page.locator('main [role="list"]').all()) {
      await list.evaluate(async (box) => {
        for (let top = 0; top < box.scrollHeight; top += box.clientHeight) {
          box.scrollTop = top;
          await new Promise((resolve) => requestAnimationFrame(resolve));
        }
      }).catch(() => {});
    }
    assert.equal(await page.evaluate(() => window.ran === true), false, place);
    // Nothing that is stored became an element, even one that the policy keeps from running.
    assert.deepEqual(await page.evaluate(strangers), [], place);
  };
  for (const place of await places(space)) {
    await bench.open(page, place);
    await look(place);
  }
  await bench.ask(page, `lamp ${texts[0]}`);
  await look("an answer");
  await bench.open(page, "compose");
  await page.getByLabel("Your prompt").fill(texts[0]);
  await page.keyboard.press("Control+Enter");
  await page.getByRole("heading", { name: "The prompt" }).waitFor();
  await look("a prompt");
  assert.deepEqual([...page.hosts], [bench.address]);
  assert.deepEqual(page.mistakes, []);
  await page.context().close();
});

/** Elements that no view of ours has, and attributes that run something. */
function strangers() {
  const ours = "img[src='favicon.svg']";
  const all = [...document.querySelectorAll("#app *")];
  const isStrange = (element) =>
    element.matches(`script, iframe, object, embed, svg, math, base, link, meta, video, audio, marquee, body, img:not(${ours})`) ||
    [...element.attributes].some(({ name, value }) => name.startsWith("on") || /^javascript:/i.test(value));
  return all.filter(isStrange).map((element) => element.outerHTML.slice(0, 200));
}

test("the policy is strict, and the page asks nobody else", async () => {
  const response = await fetch(bench.address);
  const policy = response.headers.get("content-security-policy");
  for (const part of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"]) {
    assert.ok(policy.includes(part), policy);
  }
  assert.ok(!/unsafe|\*|data:|blob:/.test(policy), policy);
  const page = await bench.page();
  for (const view of VIEWS) await bench.open(page, view);
  assert.deepEqual([...page.hosts], [bench.address]);
  assert.deepEqual(page.mistakes, []);
  await page.context().close();
});

test("the keyboard leads to every view, and to the list of shortcuts", async () => {
  const page = await bench.open(await bench.page());
  const keys = { c: "Compose", f: "Files", m: "Conversations", a: "Facts", t: "Categories", p: "Receipts", u: "Rules and memory", v: "Vocabulary", s: "System", q: "Ask" };
  for (const [key, title] of Object.entries(keys)) {
    await page.locator("body").press("g");
    await page.locator("body").press(key);
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
  }
  await page.locator("body").press("?");
  await page.getByRole("dialog", { name: "Shortcuts" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.context().close();
});

test("a server that is gone is told, and what was written stays", async () => {
  const page = await bench.open(await bench.page(), "ask");
  await page.getByLabel("Your question").fill("When is the lamp lit?");
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByRole("alert").first().waitFor({ timeout: 60_000 });
  assert.equal(await page.getByLabel("Your question").inputValue(), "When is the lamp lit?");
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByTestId("answer").waitFor();
  await page.context().close();
});

test("a server without a database yet is as welcoming", async () => {
  const fresh = await Workbench.start();
  try {
    const page = await fresh.page();
    for (const view of VIEWS) {
      await fresh.open(page, view);
      await page.waitForLoadState("networkidle");
      assert.equal(await page.getByRole("alert").count(), 0, view);
    }
    await fresh.open(page, "ask");
    await page.getByRole("button", { name: "Add sample data" }).click();
    await page.waitForFunction(() => document.querySelector("main textarea")?.value.includes("lamp"));
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.getByTestId("answer").getByText(/half an hour before sunset/).waitFor();
    assert.deepEqual(page.mistakes, []);
  } finally {
    await fresh.stop();
  }
});

test("a first visit explains itself, and offers sample data that answers a question", async () => {
  const page = await bench.open(await bench.page({ space: "user:default" }));
  await page.getByLabel("Space").selectOption({ label: "another…" });
  await page.getByLabel("New space").fill("user:new");
  await page.getByRole("button", { name: "Open" }).click();
  await page.getByRole("button", { name: "Add sample data" }).click();
  await page.getByLabel("Your question").waitFor();
  await page.waitForFunction(() => document.querySelector("main textarea")?.value.includes("lamp"));
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByTestId("answer").getByText(/half an hour before sunset/).waitFor();
  await page.context().close();
});

test("where keys are on, one signs in, and scripts cannot read the key", async () => {
  const key = (await bench.run("keys", "new", "reader", "--read", "user:default")).trim();
  await new Promise((resolve) => setTimeout(resolve, 1100));
  const page = await bench.page();
  await page.goto(bench.address);
  await page.getByLabel("Key").fill("rk_wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").waitFor();
  await page.getByLabel("Key").fill(key);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1 }).waitFor();
  assert.ok(!(await page.evaluate(() => document.cookie)).includes("rk_"));
  assert.ok(!(await page.evaluate(() => JSON.stringify(localStorage))).includes("rk_"));
  // It may only read.
  await page.goto(`${bench.address}/#/rules`);
  await page.getByText("Your key may only read this space.").waitFor();
  await page.goto(`${bench.address}/#/system`);
  await page.getByText(/administrator/).first().waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Key").waitFor();
  await page.context().close();
});
