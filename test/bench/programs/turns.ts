import process from "node:process";
import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { type ModelMessage, type ToolSet, generateText, jsonSchema, stepCountIs, streamText } from "ai";
import * as v from "valibot";
import { type Assistant, type AssistantOptions, createAssistant, defineTool } from "../../../mod.ts";
import { bareModel, callingModel } from "./bare-model.ts";
import { type Variant, measureCpu } from "./measure-cpu.ts";

// CPU time of a turn beside `generateText` with the very prompt that the turn builds. Arguments: plain|tool|history, rounds.

/** 160 characters. */
const QUESTION =
  "Where did I put the blue folder with the papers of the house, the one that the notary gave me in spring before we went to the sea for a week with the children??";
/** Who speaks in all sessions: a session that names nobody has a memory of its own, and it would be empty. */
const USER = "bench:1";
const SESSIONS = 60;
const TURNS_A_SESSION = 2;
const MEASURED = SESSIONS * TURNS_A_SESSION;

interface Prompt {
  readonly instructions: string;
  readonly messages: ModelMessage[];
  readonly tools: ToolSet;
}

/** An assistant with everything on, whose model can be asked what it was last called with. */
async function awake(model: LanguageModelV4, options: Partial<AssistantOptions> = {}) {
  let asked: LanguageModelV4CallOptions | undefined;
  let looking = false;
  const watched: LanguageModelV4 = {
    ...model,
    doGenerate(call) {
      if (looking) asked ??= call;
      return model.doGenerate(call);
    },
  };
  const assistant = await createAssistant({ model: watched, ...options });
  assistant.events.subscribe("*", () => {}, { name: "bench" });
  await assistant.start();
  await remember(assistant);
  return {
    assistant,
    /** What the next turn of a session asks the model. */
    async promptOf(session: string): Promise<LanguageModelV4CallOptions> {
      asked = undefined;
      looking = true;
      await assistant.send({ text: QUESTION, session, user: USER });
      looking = false;
      const { entries } = await assistant.memory.counts(USER);
      if (entries < MEMORIES) throw new Error(`Expected ${MEMORIES} memories to recall from, found ${entries}`);
      if (asked === undefined) throw new Error("The model was not asked");
      return asked;
    },
  };
}

const MEMORIES = 1000;
const THINGS = ["folder", "notary", "papers", "boat", "garden", "children", "school", "recipe", "letter", "key"];
const PLACES = ["in the blue drawer", "beside the sea", "with the neighbour", "under the stairs", "in the office"];
const SEASONS = ["spring", "summer", "autumn", "winter"];

/** What recall has to search before each turn. */
async function remember({ memory }: Assistant): Promise<void> {
  for (let index = 0; index < MEMORIES; index += 1) {
    const thing = THINGS[index % THINGS.length];
    const place = PLACES[(index * 7) % PLACES.length];
    const season = SEASONS[(index * 3) % SEASONS.length];
    const content = `The ${thing} number ${index} was put ${place} in ${season}, a week after somebody called about it`;
    // Lately and one an hour: what is old, and what says the same, tidying takes out of recall.
    await memory.save({ userId: USER, content, createdAt: Date.now() - (MEMORIES - index) * 3_600_000 });
  }
}

/** Sessions that hold so many messages; the ones of the round before are removed. */
function seededSessions(assistant: Assistant, messages: number, count: number) {
  let round = 0;
  let names: readonly string[] = [];
  const key = (name: string) => `agent:main:sdk:direct:${name}`;
  return {
    names: () => names,
    async prepare() {
      for (const name of names) await assistant.sessions.remove(key(name));
      round += 1;
      names = Array.from({ length: count }, (_, index) => `s${round}-${index}`);
      for (const session of names)
        for (let sent = 0; sent < messages / 2; sent += 1)
          await assistant.send({ text: QUESTION, session, user: USER });
    },
  };
}

function asPrompt({ prompt, tools = [] }: LanguageModelV4CallOptions, execute?: () => object): Prompt {
  const [system, ...rest] = prompt;
  const described = tools.flatMap((tool) =>
    tool.type === "function"
      ? [[tool.name, { description: tool.description, inputSchema: jsonSchema(tool.inputSchema), execute }] as const]
      : [],
  );
  return {
    instructions: system?.role === "system" ? system.content : "",
    messages: rest,
    tools: Object.fromEntries(described) as ToolSet,
  };
}

function turns(assistant: Assistant, names: () => readonly string[]) {
  return async (count: number) => {
    const sessions = names();
    for (let turn = 0; turn < count; turn += 1) {
      const session = sessions[turn % sessions.length] as string;
      await assistant.send({ text: QUESTION, session, user: USER });
    }
  };
}

function calls(model: LanguageModelV4, prompt: Prompt) {
  return async (count: number) => {
    for (let call = 0; call < count; call += 1) {
      const { text } = await generateText({ model, ...prompt, maxRetries: 0 });
      if (text === "") throw new Error("No answer");
    }
  };
}

async function plain(): Promise<readonly Variant[]> {
  const model = bareModel();
  const { assistant, promptOf } = await awake(model);
  const seeded = seededSessions(assistant, 10, SESSIONS);
  const streamSeeded = seededSessions(assistant, 10, SESSIONS);
  await seeded.prepare();
  const prompt = asPrompt(await promptOf(seeded.names()[0] as string));
  return [
    { name: "turn", count: MEASURED, prepare: seeded.prepare, run: turns(assistant, seeded.names) },
    { name: "generateText", count: MEASURED, run: calls(model, prompt) },
    {
      name: "streamed turn",
      count: MEASURED,
      prepare: streamSeeded.prepare,
      async run(count) {
        const names = streamSeeded.names();
        for (let turn = 0; turn < count; turn += 1) {
          const session = names[turn % names.length] as string;
          let deltas = 0;
          for await (const event of assistant.stream({ text: QUESTION, session, user: USER }))
            if (event.type === "text-delta") deltas += 1;
          if (deltas < 2) throw new Error("Nothing was streamed");
        }
      },
    },
    {
      name: "streamText",
      count: MEASURED / 4,
      async run(count) {
        for (let call = 0; call < count; call += 1) {
          const { textStream } = streamText({ model, ...prompt, maxRetries: 0 });
          for await (const _delta of textStream);
        }
      },
    },
  ];
}

async function tool(): Promise<readonly Variant[]> {
  const weather = { city: "Oslo", celsius: 4, sky: "snow" };
  const model = callingModel("weather", { city: "Oslo" });
  const { assistant, promptOf } = await awake(model, {
    tools: {
      weather: defineTool({
        description: "The weather of a city, now.",
        inputSchema: v.object({ city: v.pipe(v.string(), v.maxLength(80)) }),
        execute: () => weather,
      }),
    },
  });
  const seeded = seededSessions(assistant, 10, SESSIONS);
  await seeded.prepare();
  const prompt = asPrompt(await promptOf(seeded.names()[0] as string), () => weather);
  return [
    { name: "turn", count: MEASURED, prepare: seeded.prepare, run: turns(assistant, seeded.names) },
    {
      name: "generateText",
      count: MEASURED,
      async run(count) {
        for (let call = 0; call < count; call += 1) {
          const { steps } = await generateText({ model, ...prompt, stopWhen: stepCountIs(5), maxRetries: 0 });
          if (steps.length !== 2) throw new Error("The tool was not called");
        }
      },
    },
  ];
}

async function history(): Promise<readonly Variant[]> {
  const model = bareModel();
  const { assistant, promptOf } = await awake(model, { context: { historyTokens: 4000 } });
  const unlimited = await awake(model, { context: { historyTokens: 1_000_000 } });
  const short = seededSessions(assistant, 10, SESSIONS);
  const long = seededSessions(assistant, 1000, 1);
  const whole = seededSessions(unlimited.assistant, 1000, 1);
  await short.prepare();
  await long.prepare();
  await whole.prepare();
  const few = asPrompt(await promptOf(short.names()[0] as string));
  const many = asPrompt(await unlimited.promptOf(whole.names()[0] as string));
  return [
    { name: "turn at 10", count: MEASURED, prepare: short.prepare, run: turns(assistant, short.names) },
    { name: "turn at 1,000", count: MEASURED, run: turns(assistant, long.names) },
    { name: "generateText with 10", count: MEASURED, run: calls(model, few) },
    { name: "generateText with 1,000", count: MEASURED / 6, run: calls(model, many) },
  ];
}

const kinds: Record<string, () => Promise<readonly Variant[]>> = { plain, tool, history };
const [kind = "plain", rounds = "25"] = process.argv.slice(2);
const variants = await (kinds[kind] ?? plain)();
console.log(JSON.stringify(await measureCpu(variants, Number(rounds))));
process.exit(0);
