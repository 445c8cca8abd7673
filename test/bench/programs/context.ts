import process from "node:process";
import { systemClock } from "../../../mod.ts";
import type { ContextOptions } from "../../../src/channel.ts";
import { buildContext, createContextSources, estimatePrompt, promptFits } from "../../../src/context/index.ts";
import type { InRecord, LoggedTurn, Sequenced } from "../../../src/session/index.ts";
import { measureCpu } from "./measure-cpu.ts";

// CPU time of one prompt: `full` with 50 parts of the size of a skill and 10 earlier turns, each prompt one turn after the one before; `lite`; and
// `full` when one of the parts says something new each time. Argument: rounds.

const PARTS = 50;
const TURNS = 10;
const BUILDS = 200;
/** 160 characters. */
const QUESTION =
  "Where did I put the blue folder with the papers of the house, the one that the notary gave me in spring before we went to the sea for a week with the children??";
/** Some 120 tokens. */
const SKILL = `Use this when somebody asks where a thing of the house is kept. Look into the list of drawers first, then into the notes of the last weeks,
then ask who moved it last. Answer with the drawer, the room and the day when it was seen there, and say how sure that is. Never guess: when nothing is
found, say which places were looked at and offer to look again tomorrow. Keys, passports and papers of the bank are told to the owner alone, and never
in a group. A thing that was lent stands in the list of loans with the name of whoever has it and the day on which it should come back.`;

const clock = systemClock();
const usage = { inputTokens: 10, outputTokens: 5 };
let seq = 0;

function inbound(): Sequenced<InRecord> {
  seq += 1;
  return {
    v: 1,
    type: "in",
    seq,
    at: clock.now(),
    id: `m${seq}`,
    turn: `t${seq}`,
    text: `${seq} ${QUESTION}`,
    user: "telegram:42",
    roles: ["owner"],
    channel: "telegram",
    account: "default",
    peer: { kind: "direct", id: "42" },
    sender: { id: "42", name: "Ada" },
  };
}

function finished(): LoggedTurn {
  const message = inbound();
  const text = `${message.seq} ${QUESTION}`;
  const common = { v: 1, at: message.at, turn: message.turn, seq: message.seq, text, usage } as const;
  const answer = { role: "assistant", content: [{ type: "text", text }] };
  return {
    id: message.turn,
    inputs: [message],
    steps: [{ ...common, type: "step", step: 0, message: answer, calls: [], finish: "stop", model: "m" }],
    tools: [],
    out: { ...common, type: "out", of: [message.id], silent: false, parts: [], toolCalls: [], steps: 1 },
  };
}

function builder(options: ContextOptions, isChanging = false) {
  let version = 0;
  const sources = createContextSources(
    Array.from({ length: PARTS }, (_, index) => {
      const standing = { text: `${index} ${SKILL}`, source: `skills/${index}` };
      const read = () => (isChanging && index === 0 ? { ...standing, text: `${version} ${SKILL}` } : standing);
      return { name: `skill-${index}`, order: index, budgetTokens: 200, data: true, read };
    }),
  );
  const history = Array.from({ length: TURNS }, finished);
  const session = { key: "agent:main:telegram:direct:42", history, complete: true, summary: undefined };
  const agent = { id: "main" };
  return (isNewTurn: boolean) => {
    version += 1;
    if (isNewTurn) {
      history.shift();
      history.push(finished());
    }
    return buildContext({ session, agent, options, sources, inputs: [inbound()], timezone: "Europe/Stockholm", clock });
  };
}

let chars = 0;
const each = (count: number, build: () => { readonly instructions: string; readonly messages: readonly unknown[] }) => {
  for (let index = 0; index < count; index += 1) {
    const { instructions, messages } = build();
    chars += instructions.length + messages.length;
  }
  return Promise.resolve();
};
const full = builder({});
const lite = builder({ strategy: "lite" });
const changed = builder({}, true);
const standing = full(true);
estimatePrompt(standing, [], []);
const cpu = await measureCpu(
  [
    { name: "full", count: BUILDS, run: (count) => each(count, () => full(true)) },
    { name: "lite", count: BUILDS, run: (count) => each(count, () => lite(true)) },
    { name: "changed", count: BUILDS, run: (count) => each(count, () => changed(true)) },
    {
      name: "estimate",
      count: BUILDS,
      run(count) {
        for (let index = 0; index < count; index += 1) chars += estimatePrompt(standing, [], []);
        return Promise.resolve();
      },
    },
    {
      name: "fits",
      count: BUILDS,
      run(count) {
        for (let index = 0; index < count; index += 1) chars += promptFits(full(true), [], [], 27_000) ? 1 : 0;
        return Promise.resolve();
      },
    },
  ],
  Number(process.argv[2] ?? 40),
);
if (chars < 1000) throw new Error("Nothing was built");
console.log(JSON.stringify({ cpu, tokens: standing.instructionsTokens }));
process.exit(0);
