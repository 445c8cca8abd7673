import * as v from "valibot";
import { defineTool, memoryStore } from "../../entry.host.ts";
import type { Store } from "../../kit.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { type Script, calls, says } from "../../src/testing/scripted-model.ts";
import type { Life } from "../support/life.ts";
import { type TestAssistantOptions, testAssistant } from "../support/assistant.ts";

export const OWNER = "memory:1";
const TOKEN = "owner-token";

interface Process {
  readonly store?: Store;
  readonly clock?: ReturnType<typeof fakeClock>;
  readonly life?: Life;
  /** Whether this process has the tool. */
  readonly has?: boolean;
  readonly start?: boolean;
  readonly more?: TestAssistantOptions;
}

export function wipeTool(ran: string[]) {
  return defineTool({
    description: "wipes a disk",
    inputSchema: v.object({ disk: v.string() }),
    execute: ({ disk }) => (ran.push(disk), { wiped: disk }),
    meta: { dangerous: true },
  });
}

/** A program on a store. */
export async function processOf({
  store = memoryStore(),
  clock = fakeClock(),
  life,
  has = true,
  start = true,
  more,
}: Process = {}) {
  const ran: string[] = [];
  /** What its model was asked last, each time. */
  const seen: string[] = [];
  const script: Script = (prompt) => {
    const last = prompt.at(-1);
    const text = JSON.stringify(last?.content ?? "");
    seen.push(text);
    const wanted = /wipe (\w+)/.exec(text);
    if (last?.role === "user" && wanted && !text.includes("wakeful-note"))
      return calls(["wipe", { disk: wanted[1] ?? "" }]);
    return says(last?.role === "tool" ? "I asked" : "ok");
  };
  const t = await testAssistant({
    clock,
    store,
    ...(life && { life }),
    script,
    start,
    owner: { ids: [OWNER] },
    queue: { debounceMs: 0 },
    server: { token: TOKEN },
    ...(has && { tools: { wipe: wipeTool(ran) } }),
    ...more,
  });
  const write = (text: string) => t.receive(text, { from: "1" });
  /** By the app itself: `fetch` would start the assistant. */
  const post = async (path: string, body: object) =>
    t.assistant.app.request(`http://localhost/api/v1${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const all = async () => (await t.assistant.approvals.list({ all: true }))[0];
  return { ...t, ran, seen, write, post, all };
}

/** A program asked for a call and was stopped. */
export async function askedAndStopped() {
  const program = await processOf();
  await program.assistant.send({ text: "wipe sda", user: OWNER });
  const code = (await program.all())?.code ?? "";
  await program.assistant.stop();
  return { code, store: program.store, clock: program.clock };
}

/** What the owner's conversation holds. */
export const entriesOf = async ({ assistant }: Awaited<ReturnType<typeof processOf>>) => {
  const found = await assistant.sessions.show("agent:main:main");
  return found?.entries.map((entry) => JSON.stringify(entry)) ?? [];
};
