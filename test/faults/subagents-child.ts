/**
 * An assistant whose conversations hand tasks on, made to be killed: what it says unasked is a line of a file, and each effect of a task a line of another. Its
 * arguments are the store's folder and these files.
 */
import { appendFileSync } from "node:fs";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import * as v from "valibot";
import { fsStore } from "../../adapters/storage/fs/index.ts";
import { createAssistant, defineTool, systemClock } from "../../entry.host.ts";
import { calls, delayed, says, scriptedModel } from "../../src/testing/index.ts";
import { EACH, PEOPLE, taskName } from "./subagents-script.ts";

const [, , root = "", told = "", effects = ""] = process.argv;
process.stdin.on("end", () => process.exit(0)).resume();

const clock = systemClock();
const assistant = await createAssistant({
  store: await fsStore({ root }),
  model: scriptedModel(
    (prompt) => {
      const first = JSON.stringify(prompt.find(({ role }) => role === "user"));
      const isAnswered = prompt.at(-1)?.role === "tool";
      if (first.includes("You are a sub-agent")) {
        const name = /task \d+-\d+/.exec(first)?.[0] ?? "task of nobody";
        return isAnswered ? delayed(200, says(`result of ${name}.`)) : delayed(200, calls(["effect", { name }]));
      }
      if (isAnswered) return says("Handed on");
      const person = Number(/hand on (\d+)/.exec(JSON.stringify(prompt.at(-1)))?.[1]);
      const tasks = Array.from({ length: EACH }, (_, index) => ({ task: taskName(person, index) }));
      return calls(...tasks.map((task) => ["bg_dispatch", task] as const));
    },
    { clock },
  ),
  memory: { enabled: false },
  queue: { maxConcurrent: 8, debounceMs: 0 },
  policy: { version: 1, profiles: [{ name: "default", match: {}, policy: {} }] } as never,
  tools: {
    effect: defineTool({
      description: "Has an effect",
      inputSchema: v.object({ name: v.string() }),
      async execute({ name }, { callId }) {
        appendFileSync(effects, `${JSON.stringify({ id: callId, text: name })}\n`);
        // So long that most kills fall into some of them.
        await sleep(400);
        return "done";
      },
      meta: { idempotent: true },
    }),
  },
  async deliver({ id, text }) {
    appendFileSync(told, `${JSON.stringify({ id, text })}\n`);
    return { id };
  },
});
await assistant.start({ listen: false });
process.stdout.write("ready\n");
// Whoever was killed does not know what was taken, and asks for all of it again.
for (let person = 0; person < PEOPLE; person += 1)
  assistant
    .send({ id: `ask-${person}`, user: `app:person-${person}`, text: `hand on ${person}` })
    .catch((error: unknown) => console.error(error));
