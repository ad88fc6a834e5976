// The code of docs/typescript.md prints what the page says.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { TestServer } from "./server.js";

const page = process.env.RECORDAR_PAGE;

it("runs the page", { skip: page === undefined && "RECORDAR_PAGE is not set" }, async () => {
  const server = await TestServer.start();
  try {
    // scripts/test-typescript puts the code of the page here.
    const program = fileURLToPath(new URL("page.js", import.meta.url));
    writeFileSync(program, readFileSync(program, "utf8").replaceAll("http://127.0.0.1:7343", server.address));
    const { stdout } = await promisify(execFile)(process.execPath, [program]);
    const expected = [...readFileSync(page ?? "", "utf8").matchAll(/^```text\n(.*?)^```$/gms)].flatMap((block) => (block[1] ?? "").trim().split("\n"));
    assert(expected.length > 5);
    let rest = stdout.split("\n");
    for (const line of expected) {
      const at = rest.findIndex((printed) => appears(line, printed));
      assert(at >= 0, `the page says ${line}, but this was printed:\n${stdout}`);
      rest = rest.slice(at + 1);
    }
  } finally {
    await server.stop();
  }
});

/** Whether a line was printed; `…` stands for anything. */
function appears(line: string, printed: string): boolean {
  const parts = line.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(parts.join(".*")).test(printed);
}
