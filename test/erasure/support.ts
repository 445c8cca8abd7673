import { createButtons } from "../../src/buttons/index.ts";
import { createSkillErasure, openSkills } from "../../src/skills/index.ts";
import { defineTool } from "../../entry.host.ts";
import type { Store } from "../../kit.ts";
import type { SendInput } from "../../mod.ts";
import * as v from "valibot";
import { createAccess } from "../../src/access/index.ts";
import { createArtifacts } from "../../src/artifacts/index.ts";
import type { Engine } from "../../src/engine/index.ts";
import { createMemory } from "../../src/memory/memory.ts";
import { wireErasure } from "../../src/assembly/erasure.ts";
import { createNotifications } from "../../src/notifications/index.ts";
import { createPersona } from "../../src/persona/index.ts";
import { createGoalFiles } from "../../src/goals/index.ts";
import { createPeopleNotes } from "../../src/people/index.ts";
import { createEvidence, createFindings } from "../../src/proactive/index.ts";
import { createMemoryUsers, createSessions } from "../../src/session/index.ts";
import { createAudit, createMetrics, silentLogger } from "../../src/telemetry/index.ts";
import { type FakeClock, fakeClock } from "../../src/testing/fake-clock.ts";
import { type Script, calls, says } from "../../src/testing/scripted-model.ts";
import { createJobErasure, createJobs, createRuns } from "../../src/schedule/index.ts";
import { storeKey } from "../../src/store/index.ts";
import { createAttention } from "../../src/attention/index.ts";
import { createWorkflowErasure, createRuns as createWorkflowRuns } from "../../src/workflow/index.ts";
import { createSubagentErasure, createSubagents } from "../../src/subagents/index.ts";
import { createUsage } from "../../src/usage/index.ts";
import { platform } from "../support/this-platform.ts";
import { testAssistant } from "../support/assistant.ts";

export const OWNER = "memory:1";
/** With signs that keys and file names write otherwise. */
export const ADA = "Ada_7001:Canary";
export const BOB = "bob-8002";
export const GROUP = "-100500";
const LINKED = { lin: ["memory:lin-5005", "other:lin-6006"] };

/** Takes every wake and does nothing. */
const IDLE: Engine = { start: async () => {}, wake: async () => {}, stop: async () => {} };

/** The rooms over a store, as an assistant wires them. */
export function rooms(store: Store, clock: FakeClock = fakeClock(), engine?: Engine) {
  const audit = createAudit({ store, clock });
  const metrics = createMetrics();
  const sessions = createSessions({ store, clock });
  const memory = createMemory({ yaml: platform.yaml, store, clock });
  const people = createMemoryUsers({
    session: { identityLinks: LINKED },
    ownerIds: () => [OWNER],
    keepsCapitals: () => false,
  });
  const access = createAccess({
    store,
    clock,
    audit,
    metrics,
    logger: silentLogger,
    ownerIds: [OWNER],
  });
  const usage = createUsage({ store, clock, timezone: "UTC" });
  const lock = { shared: <R>(work: () => Promise<R>) => work(), exclusive: <R>(work: () => Promise<R>) => work() };
  const erasure = wireErasure(
    { store, clock, audit, logger: silentLogger, engine: engine ?? IDLE, redact: (value) => value },
    {
      sessions,
      users: people,
      memory: { ...memory, forget: memory.entries.forget },
      artifacts: createArtifacts({ store, clock }),
      access,
      usage,
      notes: createPeopleNotes({ store, clock, redact: (value) => value }),
      persona: createPersona({ store, clock, redact: (value) => value }),
      notifications: createNotifications({ store, clock }),
      attention: createAttention({ store, clock, engine: engine ?? IDLE, configOf: () => ({}) }),
      subagents: createSubagentErasure({ store, subagents: createSubagents({ store, clock }) }),
      workflows: createWorkflowErasure({ store, runs: createWorkflowRuns({ store, clock }) }),
      skills: createSkillErasure(
        openSkills(
          { builtIn: false },
          { store, clock, logger: silentLogger, platform, patterns: undefined, channels: [], registries: [] },
        ),
      ),
      buttons: createButtons({ store, clock }),
      evidence: createEvidence({ store, sessions, users: people, redact: (value) => value, clock }),
      findings: createFindings({ store, clock }),
      goals: createGoalFiles({
        store,
        clock,
        yaml: platform.yaml,
        logger: silentLogger,
        cadenceProblem: () => undefined,
      }),
      jobs: createJobErasure({
        store,
        jobs: createJobs({ store, clock, yaml: platform.yaml, logger: silentLogger }),
        runs: createRuns({ store, clock }),
      }),
    },
    { lock, start: async () => {}, stopTurn: () => {} },
  );
  return { ...erasure, sessions, memory, access, usage, audit, people };
}

/** Everything that can hold something of a person, by use. */
export async function live(store: Store, clock: FakeClock = fakeClock()) {
  const script: Script = (prompt) => {
    const last = prompt.at(-1);
    const text = JSON.stringify(last?.content ?? "");
    if (last?.role === "user" && text.includes("wipe")) return calls(["wipe", { disk: text.slice(0, 200) }]);
    if (last?.role === "user" && text.includes("note it")) return calls(["keep", { what: text.slice(-200) }]);
    return says(last?.role === "tool" ? `done with ${text.slice(0, 300)}` : `you said ${text.slice(-300)}`);
  };
  const echo = { inputSchema: v.looseObject({}), execute: (input: unknown) => ({ kept: JSON.stringify(input) }) };
  const t = await testAssistant({
    store,
    clock,
    script,
    channel: { access: { dm: "pairing", groups: "always" } },
    owner: { ids: [OWNER] },
    session: { identityLinks: LINKED },
    queue: { debounceMs: 0 },
    tools: {
      keep: defineTool({ description: "keeps", ...echo }),
      wipe: defineTool({ description: "wipes", ...echo, meta: { dangerous: true } }),
    },
  });
  const { assistant } = t;
  /** What somebody says, and waits until they (or the group) got an answer. */
  function say(from: string, text: string, more: { group?: string; attachments?: { url: string }[] } = {}) {
    const attachments = more.attachments?.map(({ url }) => ({
      url,
      kind: "file" as const,
      mediaType: "text/plain",
      name: "a.txt",
    }));
    return t.say(text, {
      from,
      name: `Name of ${from}`,
      ...(more.group !== undefined && { group: more.group }),
      ...(attachments && { attachments }),
    });
  }
  async function letIn(id: string) {
    await say(id, "let me in");
    const asked = (await assistant.access.list()).pending.find((one) => one.id === id);
    if (asked) await assistant.access.approve(asked.code, { user: "cli" });
  }
  return { ...t, say, letIn };
}

/** A store in which she, Bob and a group did everything. */
export async function used(store: Store, clock: FakeClock) {
  const { assistant, say, letIn, during } = await live(store, clock);
  const send = (message: SendInput) => during(assistant.send(message));
  for (const id of [ADA, BOB]) await letIn(id);
  for (const id of [ADA, BOB]) {
    const word = id === ADA ? "canary" : "robin";
    await say(id, `I prefer ${word} milk in my coffee`);
    await say(id, `note it: the ${word} code`);
    await say(id, `wipe the ${word} disk`);
    await say(id, `look at this ${word}`, { attachments: [{ url: `data:text/plain,${word}-attachment` }] });
    await say(id, "/whoami");
    await say(id, `second ${word} thing`);
    await say(id, "/compact");
    await say(id, `after the ${word} summary`);
  }
  const group = { group: GROUP };
  await say(BOB, "Who brings robin cake to the party?", group);
  await say(ADA, "I bring canary cake to the party", group);
  await say(BOB, "What did she bring?", group);
  await say(ADA, "note it: canary in the group", group);
  await say(BOB, "Thanks for the robin", group);
  await say(BOB, "/compact", group);
  // Two ids that read alike without her.
  for (const user of [`memory:${ADA}`, `MEMORY:${ADA.toLowerCase()}`])
    await send({ text: "canary order", user: `memory:${ADA}`, session: "shop", id: `order of ${user}` });
  await send({ text: "robin order", user: `memory:${BOB}`, session: "shop", id: "order 3" });
  await say("1", "note it: what the owner does");
  await say("lin-5005", "let me in");
  await assistant.stop();
}

/** What is remembered, as capture and the context tool would have it. */
export async function remembered(store: Store) {
  const { memory, people } = rooms(store);
  for (const [id, word] of [
    [ADA, "canary"],
    [BOB, "robin"],
  ] as const) {
    const userId = people.canonicalUser(`memory:${id}`);
    const saved = await memory.save({ userId, content: `Prefers ${word} milk`, keywords: [word] });
    const old = await memory.save({ userId, content: `Old ${word} milk`, slots: { session_id: `of ${userId}` } });
    await memory.archive(userId, [old.id]);
    await store.put(storeKey("memory", userId, "MEMORY.md"), `- ${word}\n`);
    await store.put(storeKey("memory", userId, "daily", "2026-01-04.md"), `- ${word}\n`);
    await store.put(storeKey("contexts", "main", "peers", userId, "PEER.md"), `${word}\n`);
    if ((await memory.recall({ userId, text: word })).length === 0) throw new Error(`Nothing is found of ${saved.id}`);
  }
  const group = `group:memory:${GROUP}`;
  await memory.save({ userId: group, content: "Bring canary cake to the party" });
  await memory.save({ userId: group, content: "Thanks for the robin" });
  await store.put(storeKey("memory", group, "MEMORY.md"), "# Group\n- I bring canary cake\n- robin cake is fine\n");
  await store.put(storeKey("contexts", "main", "groups", `memory:${GROUP}`, "MEMORY.md"), `memory:${ADA} joined\n`);
  await memory.settled();
  await memory.close();
}
