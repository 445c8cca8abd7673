import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { fixCrypto } from "./fixed-crypto.ts";
import { scenes } from "./scenes.ts";

// What `npm run conversations` runs: scripted conversations on a fixed clock, each compared with what was recorded of it: prompts byte for byte, events,
// replies, the whole store. Whatever changes shows as a difference, so a change of the structure alone has none.
// `--record` writes down what is seen now (read the difference before it is committed); arguments are parts of names.

const recorded = join(import.meta.dirname, "recorded");
const blocks = join(recorded, "blocks");
/** Lines of a difference that are printed. */
const SHOWN_LINES = 12;

const { values, positionals } = parseArgs({
  options: { record: { type: "boolean", default: false } },
  allowPositionals: true,
});
const wanted = Object.entries(scenes).filter(
  ([name]) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
);
if (values.record && positionals.length === 0) rmSync(recorded, { recursive: true, force: true });
if (values.record) mkdirSync(blocks, { recursive: true });

const fixed = fixCrypto();
let failed = 0;
for (const [name, play] of wanted) {
  fixed.reset();
  const seen = await play();
  const file = join(recorded, `${name.replaceAll(/[^a-zA-Z0-9]+/g, "-")}.txt`);
  const texts = [[file, seen.text], ...[...seen.blocks].map(([block, text]) => [join(blocks, `${block}.txt`), text])];
  if (values.record) for (const [path = "", text = ""] of texts) writeFileSync(path, text);
  const differences = texts.flatMap(([path = "", text = ""]) => difference(path, text));
  if (differences.length > 0) failed += 1;
  console.log([`${differences.length === 0 ? "ok    " : "FAILED"} ${name}`, ...differences].join("\n"));
}
console.log(`\n${wanted.length - failed} passed, ${failed} failed`);
// Those that died in a conversation never stopped, and an assistant that was started keeps its process.
process.exit(failed === 0 && wanted.length > 0 ? 0 : 1);

/** The first lines that are not as they were. */
function difference(path: string, text: string): readonly string[] {
  const before = existsSync(path) ? readFileSync(path, "utf8") : "";
  if (before === text) return [];
  const [old, now] = [before.split("\n"), text.split("\n")];
  const first = now.findIndex((line, index) => line !== old[index]);
  const shown = (lines: readonly string[], sign: string) =>
    lines.slice(first, first + SHOWN_LINES).map((line) => `  ${sign} ${line.slice(0, 300)}`);
  return [`  ${path}, line ${first + 1}`, ...shown(old, "-"), ...shown(now, "+")];
}
