import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import * as v from "valibot";
import { fsStore } from "../../../adapters/storage/fs/index.ts";
import { defineTool } from "../../../entry.host.ts";
import type { Store } from "../../../kit.ts";
import { fakeClock } from "../../../src/testing/fake-clock.ts";
import { inMemoryChannel } from "../../../src/testing/in-memory-channel.ts";
import { testAssistant } from "../../support/assistant.ts";

// Data that the version before capitals counted wrote: `app:ole` and `app:Ada` spoke, `app:Bob` and `app:BOB` did, a conversation was called Notes, another
// one Plans by `app:ole`; a request of Ada's is open, a message of hers is not answered, and a reply to telegram:7 could not be sent.
export const FIXTURES = join(import.meta.dirname, "fixtures");
/** Ten minutes after. */
export const LATER = Date.parse("2026-01-05T08:10:00Z");
export const ADA = "agent:main:app:direct:%41da";

/** A folder that is removed when the test has ended. */
export async function temporary(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "wakeful-before-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

export async function fsBefore(): Promise<() => Promise<Store>> {
  const root = join(await temporary(), "data");
  await cp(join(FIXTURES, "fs"), root, { recursive: true });
  return () => fsStore({ root });
}

/** An assistant a little later. */
export async function awake(store: Store) {
  const clock = fakeClock(LATER);
  const telegram = inMemoryChannel({ name: "telegram" });
  let wiped = 0;
  const t = await testAssistant({
    script: () => "Here I am.",
    store,
    clock,
    channel: telegram,
    start: false,
    owner: { ids: ["telegram:1"] },
    queue: { debounceMs: 0 },
    tools: {
      wipe: defineTool({
        description: "Wipes a disk",
        inputSchema: v.object({ disk: v.string() }),
        execute: () => `wiped ${(wiped += 1)}`,
        meta: { dangerous: true },
      }),
    },
  });
  const { assistant, model, during } = t;
  const send = (input: Parameters<typeof assistant.send>[0]) => during(assistant.send(input));
  const prompts = () => model.requests.map(({ prompt }) => JSON.stringify(prompt));
  await during(assistant.start());
  return { ...t, telegram, send, prompts, wiped: () => wiped };
}

export async function logOf(store: Store, key: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const [, agent, ...rest] = key.split(":");
  const records = [];
  for await (const { record } of store.read(`sessions/${agent}/${rest.join(":").replaceAll("%", "%25")}/log.jsonl`))
    records.push(record);
  return records;
}

export async function keysOf(store: Store): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list("")) keys.push(key);
  return keys.filter((key) => /^(?:sessions|memory|contexts|artifacts|approvals|migrations)\//.test(key));
}
