import * as v from "valibot";
import { defineTool } from "../../entry.host.ts";
import type { Store } from "../../kit.ts";
import { type Script, calls, says } from "../../src/testing/scripted-model.ts";
import { type TestAssistantOptions, type Writing, testAssistant } from "../support/assistant.ts";

export const OWNER = "memory:1";

type Options = TestAssistantOptions & {
  readonly saved?: Store;
  readonly wipes?: (disk: string, signal: AbortSignal) => unknown;
  readonly boundTo?: () => { readonly [name: string]: string };
  readonly account?: string;
};

/** An assistant with one dangerous tool; its model wipes the disks that a message names. */
export async function setUp({ saved, wipes, boundTo, account, ...options }: Options = {}) {
  const ran: string[] = [];
  const seen: string[] = [];
  const script: Script = (prompt) => {
    const last = prompt.at(-1);
    const text = JSON.stringify(last?.content ?? "");
    seen.push(text);
    const disks = [...text.matchAll(/wipe (\w+)/g)].map(([, disk = ""]) => disk);
    if (last?.role !== "user" || text.includes("wakeful-note") || disks.length === 0) return says("ok");
    return calls(...disks.map((disk): [string, unknown] => ["wipe", { disk }]));
  };
  const wipe = defineTool({
    description: "wipes",
    inputSchema: v.object({ disk: v.string() }),
    execute({ disk }, { signal }) {
      ran.push(disk);
      return wipes ? wipes(disk, signal) : { wiped: disk };
    },
    meta: { dangerous: true, ...(boundTo && { boundTo }) },
  });
  const t = await testAssistant({
    script,
    channel: { access: { dm: "open", groups: "mention", ...(account !== undefined && { account }) } },
    ...(saved && { store: saved }),
    owner: { ids: [OWNER] },
    tools: { wipe },
    queue: { debounceMs: 0 },
    ...options,
  });
  const receive = (text: string, from = "1", where: Writing = {}) =>
    t.receive(text, { from, ...(account !== undefined && { account }), ...where });
  const run = (disk: string, user = OWNER) => t.assistant.tools.run("wipe", { disk }, { user });
  const open = () => t.assistant.approvals.list();
  return { ...t, ran, seen, receive, run, open };
}
