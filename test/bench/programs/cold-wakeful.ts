import { createAssistant } from "../../../mod.ts";
import { bareModel } from "./bare-model.ts";

// A whole process: from nothing to the first reply.
const assistant = await createAssistant({ model: bareModel() });
const { text } = await assistant.send({ text: "Where is the blue folder?" });
console.log(JSON.stringify({ text }));
await assistant.stop();
