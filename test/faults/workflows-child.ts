/** An assistant with a workflow that is made to be killed. Its arguments are the store's folder and the address that effects go to. */
import process from "node:process";
import { fsStore } from "../../adapters/storage/fs/index.ts";
import { createAssistant } from "../../entry.host.ts";
import { scriptedModel } from "../../src/testing/index.ts";
import { DEFINITION, START, effectTool } from "./workflow-script.ts";

const [, , root = "", url = ""] = process.argv;
process.stdin.on("end", () => process.exit(0)).resume();

const assistant = await createAssistant({
  store: await fsStore({ root }),
  model: scriptedModel(() => "said"),
  memory: { enabled: false },
  queue: { debounceMs: 0 },
  tools: { effect: effectTool(url) },
});
await assistant.start();
process.stdout.write("ready\n");
await assistant.workflows.run(DEFINITION, { id: START });
