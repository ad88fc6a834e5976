// Pictures of the main views: in light, in dark, and as on a phone. To be looked at.

import { storeHandbook, VIEWS, Workbench } from "./workbench.mjs";

const folder = process.argv[2] ?? ".";
const FORMS = [
  ["light", { theme: "light" }],
  ["dark", { theme: "dark" }],
  ["phone", { theme: "light", width: 390, height: 844 }],
];

const bench = await Workbench.start();
try {
  await storeHandbook(bench);
  await bench.call("classify", {});
  const said = ["My name is Ada and I live in Porto.", "I moved to Lisbon.", "The new lens comes with the boat on Tuesday.", "We saw the lamp flicker last night."];
  await bench.call("remember", { messages: said.map((text) => ({ text, thread: "watch" })) });
  await bench.call("extract_facts", {});
  await bench.call("set_standing_text", { kind: "rules", text: "Answer in English.\nCite every source." });
  await bench.call("compose", { query: "When is the lamp lit?", receipt: true });
  const { facts } = await bench.call("facts", {});
  const [receipt] = await bench.call("receipts", { limit: 1 });
  const places = [...VIEWS, "answer", "files/lamp.md", "conversations/watch", `facts/${facts[0].fact}`, `receipts/${receipt.receipt}`];
  for (const [form, options] of FORMS) {
    const page = await bench.page(options);
    for (const place of places) {
      if (place === "answer") await bench.ask(page, "When is the lamp lit?");
      else await bench.open(page, place);
      await page.waitForTimeout(800);
      if (place === "compose") {
        await page.getByLabel("Your prompt").fill("When is the lamp lit?");
        await page.keyboard.press("Control+Enter");
        await page.getByRole("heading", { name: "The prompt" }).waitFor();
      }
      const name = place.replaceAll(/[^a-z0-9]+/gi, "-").replace(/-$/, "");
      await page.screenshot({ path: `${folder}/${name}-${form}.png`, fullPage: true });
    }
    await page.context().close();
  }
  const page = await bench.page({ space: "user:new" });
  await bench.open(page);
  await page.getByText("Welcome to Recordar").waitFor();
  await page.screenshot({ path: `${folder}/welcome-light.png`, fullPage: true });
  console.log(`the pictures are in ${folder}`);
} finally {
  await bench.stop();
}
