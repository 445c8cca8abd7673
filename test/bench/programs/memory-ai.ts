import process from "node:process";
import { generateText } from "ai";
import { bareModel } from "./bare-model.ts";
import { TEXT, converse, memoryTaken } from "./conversations.ts";

// Memory of a program that keeps its conversations in a Map and asks a model. Arguments: sessions, messages.

const [sessions = "1000", messages = "10"] = process.argv.slice(2);
const model = bareModel();
const conversations = new Map<number, { role: "user" | "assistant"; content: string }[]>();
await converse(Number(sessions), Number(messages), async (index) => {
  const conversation = conversations.get(index) ?? [];
  conversation.push({ role: "user", content: TEXT });
  const { text } = await generateText({ model, messages: conversation });
  conversation.push({ role: "assistant", content: text });
  conversations.set(index, conversation);
});
console.log(JSON.stringify([await memoryTaken()]));
process.exit(0);
