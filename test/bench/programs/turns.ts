import process from "node:process";
import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { type ModelMessage, type ToolSet, generateText, jsonSchema, stepCountIs, streamText } from "ai";
import * as v from "valibot";
import { type Assistant, type AssistantOptions, createAssistant, defineTool } from "../../../entry.host.ts";
import type { SkillSource } from "../../../kit.ts";
import { bareModel, callingModel } from "./bare-model.ts";
import { madeUpWords } from "./made-up-words.ts";
import { type Variant, measureCpu } from "./measure-cpu.ts";

// CPU time of a turn beside `generateText` with the very prompt that the turn builds. Arguments: plain|tool|history|skills|proactive|jobs|workflows|prompt, rounds. `prompt` is what a turn
// is told alone: its parts, memories and skills, without the call of the model.

/** What is said turn after turn, in about 160 characters each: nobody asks the same eleven times. */
const QUESTIONS = [
  "Where did I put the blue folder with the papers of the house, the one that the notary gave me in spring before we went to the sea for a week with the children?",
  "Which train do we take on Friday when we visit my sister in the mountains, and did I already reserve the seats at the window or should I still call the station?",
  "What was the name of that small restaurant near the harbour where Peter ordered the fish soup and we celebrated his birthday with the whole office last autumn?",
  "Can you remind me how much flour and butter my grandmother used for her apple cake, and whether the oven was set to the lower or to the higher temperature then?",
  "Did the doctor say that I have to take the yellow tablets in the morning with breakfast, or were those the ones against the allergy that I only need in summer?",
  "How far did I run on Sunday along the river, and was that faster than the training in March when my knee was hurting and the new shoes had not arrived from Spain?",
  "Who offered to water the plants and to feed the cat while we are travelling in August, the neighbour with the red car or the student who lives above the bakery?",
  "When does the contract with the electricity company end, and what did they write about the price of the kilowatt in the letter that came together with the meter?",
  "I would like to give Anna a book about astronomy or a puzzle for her tenth birthday, so please look up what she told me about the telescope and the moon in class.",
  "The landlord wants to repair the bathroom tiles next month, so tell me what we wrote about the noise, the key for the workers and the lower rent for that time.",
  "Please compare the two offers for the garage door: the one from the carpenter in town with the wooden panels, and the cheaper steel one with the electric motor.",
  "Our team moved the deadline of the report again, so which chapters did Martin promise to finish, and who checks the tables and the figures before the client sees it?",
];
let asked = 0;
const nextQuestion = () => QUESTIONS[asked++ % QUESTIONS.length] as string;

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
async function awake(model: LanguageModelV4, options: Partial<AssistantOptions> = {}, memories = MEMORIES) {
  let called: LanguageModelV4CallOptions | undefined;
  let looking = false;
  const watched: LanguageModelV4 = {
    ...model,
    doGenerate(call) {
      if (looking) called ??= call;
      return model.doGenerate(call);
    },
  };
  const assistant = await createAssistant({ model: watched, ...options });
  assistant.events.subscribe("*", () => {}, { name: "bench" });
  await assistant.start();
  await remember(assistant, memories);
  return {
    assistant,
    /** What the next turn of a session asks the model. */
    async promptOf(session: string): Promise<LanguageModelV4CallOptions> {
      called = undefined;
      looking = true;
      await assistant.send({ text: nextQuestion(), session, user: USER });
      looking = false;
      const { entries } = await assistant.memory.counts(USER);
      if (entries < memories) throw new Error(`Expected ${memories} memories to recall from, found ${entries}`);
      if (called === undefined) throw new Error("The model was not asked");
      return called;
    },
  };
}

const MEMORIES = 1000;
/** Lately: what is old, and what says the same, tidying takes out of recall. */
const REMEMBERED_MS = 1000 * 3_600_000;
/**
 * What recall has to search before each turn: notes of 14 words, three of which some question has, so that a question shares a word with about a fifth of
 * them. (Of the lines of a real conversation a question shares a word with one in ten, names apart.)
 */
async function remember({ memory }: Assistant, count: number): Promise<void> {
  const { random, sentence } = madeUpWords();
  const words = QUESTIONS.join(" ").match(/[a-z]{4,}/gi) ?? [];
  const asked = () => words[Math.floor(random() * words.length)] as string;
  for (let index = 0; index < count; index += 1) {
    const content = [sentence(4), asked(), sentence(4), asked(), sentence(3), asked()].join(" ");
    const ageMs = ((count - index) / count) * REMEMBERED_MS;
    await memory.save({ userId: USER, content, createdAt: Date.now() - ageMs });
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
          await assistant.send({ text: nextQuestion(), session, user: USER });
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
      await assistant.send({ text: nextQuestion(), session, user: USER });
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
          for await (const event of assistant.stream({ text: nextQuestion(), session, user: USER }))
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

const SKILLS = 50;

/** Skills with triggers of which none fits the questions: what is measured is looking. */
function manySkills(): SkillSource {
  const { sentence } = madeUpWords();
  const names = Array.from({ length: SKILLS }, (_, index) => `skill-${index}`);
  const textOf = (name: string) => {
    const [one, two] = [sentence(1), sentence(1)];
    return `---\nname: ${name}\ndescription: ${sentence(12)}\ntriggers:\n  intent_patterns: ["${one}|${two}", "${one}.*报告"]\n  context_signals: { keywords: ["${two}"] }\n---\n${sentence(200)}\n`;
  };
  const texts = new Map(names.map((name) => [name, textOf(name)]));
  return {
    name: "bench",
    list: async () => names.map((name) => ({ name, version: "1" })),
    read: async (name) => texts.get(name) ?? null,
  };
}

async function skills(): Promise<readonly Variant[]> {
  const model = bareModel();
  const on = await awake(model, { skills: { builtIn: false, sources: [manySkills()] } });
  const off = await awake(model, { skills: { enabled: false } });
  const withSkills = seededSessions(on.assistant, 10, SESSIONS);
  const without = seededSessions(off.assistant, 10, SESSIONS);
  await withSkills.prepare();
  await without.prepare();
  const offered = await on.assistant.skills.list({ user: USER });
  if (offered.length !== SKILLS) throw new Error(`Expected ${SKILLS} skills, found ${offered.length}`);
  return [
    {
      name: "with 50 skills",
      count: MEASURED,
      prepare: withSkills.prepare,
      run: turns(on.assistant, withSkills.names),
    },
    { name: "without", count: MEASURED, prepare: without.prepare, run: turns(off.assistant, without.names) },
  ];
}

/** What a turn is told, by the call that explains it, with memories and skills to look through. */
async function prompt(): Promise<readonly Variant[]> {
  const variant = async (memories: number): Promise<Variant> => {
    const skills = { builtIn: false, sources: [manySkills()] };
    const { assistant, promptOf } = await awake(bareModel(), { skills }, memories);
    const seeded = seededSessions(assistant, 10, 1);
    await seeded.prepare();
    const session = `agent:main:sdk:direct:${seeded.names()[0]}`;
    await promptOf(seeded.names()[0] as string);
    return {
      name: `${memories} memories`,
      count: MEASURED,
      async run(count) {
        let tokens = 0;
        for (let built = 0; built < count; built += 1)
          tokens += (await assistant.explainContext({ session, text: nextQuestion() })).totalTokens;
        if (tokens < count) throw new Error("Nothing was built");
      },
    };
  };
  return [await variant(1000), await variant(10_000)];
}

/** What notices and decides by itself, on and off: patterns, initiative, alerts and the limits of attention. */
function proactive(): Promise<readonly Variant[]> {
  return onAndOff("noticing", {
    proactive: { patterns: { enabled: false }, initiative: { enabled: false } },
    alerts: { enabled: false },
    attention: { enabled: false },
  });
}

/** What keeps appointments, on and off: jobs, and goals with their reviews. */
function jobs(): Promise<readonly Variant[]> {
  return onAndOff("with jobs", { scheduler: { enabled: false }, goals: { enabled: false } });
}

/** What takes long, on and off: workflows and sub-agents. */
function workflows(): Promise<readonly Variant[]> {
  return onAndOff("with workflows", { workflow: { enabled: false }, subagents: { enabled: false } });
}

/** The same turns with everything, and with `without` switched off. */
async function onAndOff(name: string, without: Partial<AssistantOptions>): Promise<readonly Variant[]> {
  const variant = async (variantName: string, options: Partial<AssistantOptions>): Promise<Variant> => {
    const { assistant } = await awake(bareModel(), options);
    const seeded = seededSessions(assistant, 10, SESSIONS);
    await seeded.prepare();
    return { name: variantName, count: MEASURED, prepare: seeded.prepare, run: turns(assistant, seeded.names) };
  };
  return [await variant(name, {}), await variant("without", without)];
}

const kinds: Record<string, () => Promise<readonly Variant[]>> = {
  plain,
  tool,
  history,
  skills,
  proactive,
  jobs,
  workflows,
  prompt,
};
const [kind = "plain", rounds = "25"] = process.argv.slice(2);
const variants = await (kinds[kind] ?? plain)();
console.log(JSON.stringify(await measureCpu(variants, Number(rounds))));
process.exit(0);
