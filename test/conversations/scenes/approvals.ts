import * as v from "valibot";
import { defineTool } from "../../../mod.ts";
import { calls, says } from "../../../src/testing/index.ts";
import { OWNER, type WorldOptions, lastText, openWorld } from "../world.ts";

/** A model that wipes the disk that it is told, and a tool that the owner must allow. */
function wiping(options: WorldOptions = {}): WorldOptions {
  return {
    tools: {
      wipe: defineTool({
        description: "Wipes a disk",
        inputSchema: v.object({ disk: v.string() }),
        execute: ({ disk }) => (disk === "broken" ? Promise.reject(new Error("no such disk")) : { wiped: disk }),
        meta: { dangerous: true, boundTo: () => ({ machine: "here" }) },
      }),
    },
    script(prompt) {
      const text = lastText(prompt);
      const wanted = prompt.at(-1)?.role === "user" ? /^wipe (\w+)/.exec(text) : null;
      return wanted ? calls(["wipe", { disk: wanted[1] }]) : says(`Well: ${text.slice(0, 40)}`);
    },
    ...options,
  };
}

type World = Awaited<ReturnType<typeof openWorld>>;
const codeIn = async (t: World) => (await t.assistant.approvals.list())[0]?.code ?? "none";

export const approvals = {
  async "a call that the owner allows once, by text"() {
    const t = await openWorld(wiping());
    await t.say("wipe sda");
    await t.say(`/approve ${await codeIn(t)}`, { from: "42" });
    await t.say(`/approve ${await codeIn(t)}`, { from: OWNER });
    await t.say("and now?");
    return t.close();
  },

  async "a call that the owner denies"() {
    const t = await openWorld(wiping());
    await t.say("wipe sda", { from: OWNER });
    await t.say(`/deny ${await codeIn(t)} not today`, { from: OWNER });
    await t.say("wipe broken", { from: OWNER });
    await t.say(`/approve ${await codeIn(t)}`, { from: OWNER });
    return t.close();
  },

  async "a call that the owner allows for good"() {
    const t = await openWorld(wiping());
    await t.say("wipe sda", { from: OWNER });
    await t.say(`/approve ${await codeIn(t)} always`, { from: OWNER });
    await t.say("wipe sda", { from: OWNER });
    await t.say("wipe sdb", { from: OWNER });
    await t.http("GET", "/api/v1/approvals/rules");
    const [rule] = await t.assistant.approvals.rules();
    await t.outcome("removed", () => t.assistant.approvals.removeRule(rule?.id ?? ""));
    await t.say("wipe sda", { from: OWNER });
    return t.close();
  },

  async "a request that nobody answers"() {
    const t = await openWorld(wiping({ approvals: { timeoutMinutes: 5 } }));
    await t.say("wipe sda");
    await t.settle(6 * 60_000);
    await t.say("well?");
    return t.close();
  },

  async "a request that outlives the process"() {
    const t = await openWorld(wiping());
    await t.say("wipe sda");
    await t.restart();
    await t.http("GET", "/api/v1/approvals");
    await t.http("POST", `/api/v1/approvals/${await codeIn(t)}`, { answer: "once" });
    await t.settle(60_000);
    await t.restart();
    await t.say("and now?");
    return t.close();
  },

  async "an approval where the tool is not"() {
    const t = await openWorld(wiping());
    await t.say("wipe sda");
    await t.restart({ tools: {} });
    await t.http("POST", `/api/v1/approvals/${await codeIn(t)}`, { answer: "once" });
    await t.settle(60_000);
    await t.restart();
    await t.settle(60_000);
    return t.close();
  },

  async "a call of the host's own that waits"() {
    const t = await openWorld(wiping());
    await t.outcome("run", () => t.assistant.tools.run("wipe", { disk: "sdc" }, { user: `memory:${OWNER}` }));
    await t.outcome("answered", async () =>
      t.assistant.approvals.answer(await codeIn(t), { answer: "once", user: `memory:${OWNER}` }),
    );
    await t.send({ text: "wipe sdd", user: "app:ada" });
    await t.outcome("answered", async () =>
      t.assistant.approvals.answer(await codeIn(t), { answer: "deny", reason: "no", user: `memory:${OWNER}` }),
    );
    return t.close();
  },
};
