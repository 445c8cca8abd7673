import * as v from "valibot";
import { defineTool } from "../../../mod.ts";
import { calls, says } from "../../../src/testing/index.ts";
import { OWNER, lastText, openWorld } from "../world.ts";

/** A turn of three calls of tools, one of which must not be run twice. */
async function dies(writes: number, user: string) {
  const t = await openWorld({
    tools: {
      look: defineTool({
        description: "Looks",
        inputSchema: v.object({}),
        execute: () => "seen",
        meta: { idempotent: true },
      }),
      pay: defineTool({ description: "Pays", inputSchema: v.object({}), execute: () => "paid" }),
    },
    script(prompt) {
      const last = prompt.at(-1);
      if (last?.role === "user" && lastText(prompt).includes("pay")) return calls(["look", {}]);
      if (JSON.stringify(last).includes("seen") && !JSON.stringify(prompt).includes("paid"))
        return calls(["pay", {}], ["look", {}]);
      return says("It is done");
    },
  });
  await t.say("hello", { from: user });
  await t.mortal(writes);
  await t.arrive("please pay", { from: user });
  await t.settle(10_000);
  await t.resume();
  await t.say("and now?", { from: user });
  return t.close();
}

const deaths = Object.fromEntries(
  [1, 2, 4, 6, 8, 10, 13].map((writes) => [`a death after ${writes} writes of a turn`, () => dies(writes, "42")]),
);

export const crashes = {
  ...deaths,

  async "a death while an approved call runs"() {
    const t = await openWorld({
      tools: {
        wipe: defineTool({
          description: "Wipes",
          inputSchema: v.object({}),
          execute: () => "wiped",
          meta: { dangerous: true },
        }),
      },
      script: (prompt) => (lastText(prompt) === "wipe" ? calls(["wipe", {}]) : says("Well")),
    });
    await t.say("wipe", { from: OWNER });
    const [request] = await t.assistant.approvals.list();
    await t.mortal(4);
    await t.arrive(`/approve ${request?.code ?? "none"}`, { from: OWNER });
    await t.settle(10_000);
    await t.resume();
    return t.close();
  },
};
