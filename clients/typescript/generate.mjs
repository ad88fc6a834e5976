// Makes src/schema.ts from the server's OpenAPI document. With --check, it only fails if the file is out of date.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";

const FILE = new URL("src/schema.ts", import.meta.url);
const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

const binary = process.env.RECORDAR_BINARY ?? fileURLToPath(new URL("../../target/debug/recordar", import.meta.url));
const document = JSON.parse(execFileSync(binary, ["openapi"], { encoding: "utf8", maxBuffer: MAX_DOCUMENT_BYTES }));
const schema = await schemaOf(document);

if (!process.argv.includes("--check")) {
  writeFileSync(FILE, schema);
} else if (readFileSync(FILE, "utf8") !== schema) {
  console.error("src/schema.ts is not what the server's OpenAPI document gives; run `npm run generate`");
  process.exit(1);
}

async function schemaOf(document) {
  // An argument that has a default may be left out.
  const nodes = await openapiTS(document, { defaultNonNullable: false });
  const operations = nodes.find((node) => ts.isInterfaceDeclaration(node) && node.name.text === "operations");
  operations.members.forEach((operation) => describe(operation, document.paths[`/v1/${operation.name.text}`]?.post));
  return `// Generated from the server's OpenAPI document by \`npm run generate\`. Do not edit.\n\n${astToString(nodes)}`;
}

/** Says what a verb does where editors look for it. */
function describe(operation, verb) {
  if (verb === undefined) return;
  const text = `${verb.summary} ${verb.description}`.replaceAll("*/", "*\\/");
  ts.addSyntheticLeadingComment(operation, ts.SyntaxKind.MultiLineCommentTrivia, `* ${text} `, true);
}
