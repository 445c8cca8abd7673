import type * as Wakeful from "../../../entry.host.ts";
import { bareModel } from "./bare-model.ts";

// A whole process: from nothing to the first reply, with the package as it is published (its entry point is the first argument).
const { createAssistant } = (await import(process.argv[2] ?? "")) as typeof Wakeful;
const assistant = await createAssistant({ model: bareModel() });
const { text } = await assistant.send({ text: "Where is the blue folder?" });
console.log(JSON.stringify({ text }));
await assistant.stop();
