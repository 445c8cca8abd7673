/** An assistant with jobs that is made to be killed: what it says unasked is a line of a file. Its arguments are the store's folder and that file. */
import { appendFileSync } from "node:fs";
import process from "node:process";
import { fsStore } from "../../adapters/storage/fs/index.ts";
import { createAssistant } from "../../entry.host.ts";
import { scriptedModel } from "../../src/testing/index.ts";

const [, , root = "", told = ""] = process.argv;
process.stdin.on("end", () => process.exit(0)).resume();

const assistant = await createAssistant({
  store: await fsStore({ root }),
  model: scriptedModel((prompt) => `done ${/job-\d+/.exec(JSON.stringify(prompt.at(-1)))?.[0] ?? "nothing"}`),
  memory: { enabled: false },
  queue: { maxConcurrent: 16, debounceMs: 0 },
  async deliver({ id, text }) {
    appendFileSync(told, `${JSON.stringify({ id, text })}\n`);
    return { id };
  },
});
await assistant.start();
process.stdout.write("ready\n");
