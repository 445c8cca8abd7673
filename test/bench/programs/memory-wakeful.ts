import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fsStore } from "../../../adapters/storage/fs/index.ts";
import { createAssistant, memoryStore } from "../../../entry.host.ts";
import { bareModel } from "./bare-model.ts";
import { type MemoryTaken, TEXT, converse, memoryTaken } from "./conversations.ts";

// Memory after conversations on a store, and again after as many more in the same sessions. Arguments: fs|memory, sessions, messages, passes, rest in ms.

const [kind = "fs", sessions = "1000", messages = "10", passes = "1", restMs = "1500"] = process.argv.slice(2);
const root = kind === "fs" ? mkdtempSync(join(tmpdir(), "wakeful-bench-")) : undefined;
try {
  const store = root === undefined ? memoryStore() : await fsStore({ root });
  const assistant = await createAssistant({ model: bareModel(), store });
  await assistant.start();
  const taken: MemoryTaken[] = [];
  for (let pass = 0; pass < Number(passes); pass += 1) {
    await converse(Number(sessions), Number(messages), (index) =>
      assistant.send({ text: TEXT, user: `sdk:person-${index}` }),
    );
    taken.push(await memoryTaken(Number(restMs)));
  }
  console.log(JSON.stringify(taken));
  await assistant.stop();
} finally {
  if (root !== undefined) rmSync(root, { recursive: true, force: true });
}
process.exit(0);
