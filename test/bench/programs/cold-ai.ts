import { generateText } from "ai";
import { bareModel } from "./bare-model.ts";

// What a whole process that asks a model once costs by itself.
const { text } = await generateText({ model: bareModel(), prompt: "Where is the blue folder?" });
console.log(JSON.stringify({ text }));
