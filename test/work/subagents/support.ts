import type { Subagent } from "../../../src/subagents/index.ts";
import { type ScriptedStep, calls, says } from "../../../src/testing/scripted-model.ts";
import { type TestAssistant, type TestAssistantOptions, testAssistant } from "../../support/assistant.ts";

export type Prompt = readonly { readonly role: string; readonly content: unknown }[];

/** What the newest message says to the model. */
export const lastOf = (prompt: Prompt) => JSON.stringify(prompt.at(-1)?.content ?? "");
export const isTask = (text: string) => text.includes("You are a sub-agent");
export const isResult = (prompt: Prompt) => prompt.at(-1)?.role === "tool";

/** What an owner writes is a call of a tool, as JSON, and sub-agents answer their tasks by `task`. */
export function setUp(
  task: (text: string, prompt: Prompt) => ScriptedStep = () => says("the result"),
  options: TestAssistantOptions = {},
) {
  return testAssistant({
    owner: { ids: ["memory:42"] },
    session: { ownerMain: false },
    queue: { debounceMs: 0 },
    memory: { enabled: false },
    script(prompt) {
      const first = JSON.stringify(prompt.find(({ role }) => role === "user")?.content ?? "");
      if (isTask(first)) return task(first, prompt);
      if (isResult(prompt)) return says(`Told: ${lastOf(prompt)}`);
      const text = lastOf(prompt);
      const call = /CALL (\w+) (.*?) END/.exec(JSON.parse(text)?.at?.(-1)?.text ?? "");
      return call ? calls([call[1] ?? "", JSON.parse(call[2] ?? "{}")]) : says("ok");
    },
    ...options,
  });
}

export const call = (tool: string, input: object) => `CALL ${tool} ${JSON.stringify(input)} END`;
/** Everybody may have sub-agents. */
export const ALL = { version: 1, profiles: [{ name: "default", match: {}, policy: {} }] } as never;
export const HOME = "agent:main:memory:direct:42";

export async function documents(t: TestAssistant) {
  const found: Subagent[] = [];
  for await (const { key } of t.store.list("subagents/"))
    if (/sa-\w+\.json$/.test(key)) found.push((await t.store.get(key))?.value as unknown as Subagent);
  return found;
}
