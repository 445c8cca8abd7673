import { type Script, calls, says } from "../../../src/testing/index.ts";
import { OWNER, lastText, openWorld } from "../world.ts";

/** Answers at some length, and writes summaries. */
const talks: Script = (prompt) => {
  const text = JSON.stringify(prompt);
  if (text.includes("Write the new summary now.")) return says("They planned a trip by boat and spoke of the weather.");
  return says(`${lastText(prompt).slice(0, 40)}: that is good to know, and I shall think about it for a while.`);
};
const PLACES = ["Oslo", "Bergen", "Turku", "Tartu", "Visby", "Malmö", "Lund", "Kiel"];

export const longOnes = {
  async "a conversation that is summed up"() {
    const t = await openWorld({
      script: talks,
      context: { historyTokens: 150 },
      compaction: { keepLastTurns: 1, flush: false },
    });
    for (const place of PLACES)
      await t.say(`We decided to sail to ${place} on 2026-06-0${place.length}. Todo: book berth 4711.`);
    await t.restart();
    await t.say("Where do we sail?");
    return t.close();
  },

  async "a summary that the owner asks for, and edits"() {
    const t = await openWorld({ script: talks, compaction: { keepLastTurns: 1, flush: false } });
    for (const place of PLACES.slice(0, 4)) await t.say(`We may sail to ${place}`, { from: OWNER });
    await t.say("/compact", { from: OWNER });
    const key = "agent:main:main";
    await t.outcome("summaries", () => t.assistant.sessions.summaries(key));
    await t.outcome("edited", () => t.assistant.sessions.editSummary(key, "They sail to Bergen only."));
    await t.say("Where to?", { from: OWNER });
    return t.close();
  },

  async "what is kept before a summary"() {
    const t = await openWorld({
      script(prompt) {
        const text = JSON.stringify(prompt);
        if (text.includes("Write the new summary now.")) return says("They spoke of boats.");
        const isAsked = text.includes("Keep now what will matter later.") && prompt.at(-1)?.role === "user";
        return isAsked ? calls(["memory_write", { content: "They sail in June" }]) : says("I see.");
      },
      compaction: { keepLastTurns: 1 },
      memory: { autoCapture: false },
    });
    for (const place of PLACES.slice(0, 4))
      await t.send({ text: `We may sail to ${place}`, user: "telegram:1", session: "trip" });
    await t.send({ text: "/compact", user: "telegram:1", session: "trip" });
    await t.send({ text: "And now?", user: "telegram:1", session: "trip" });
    return t.close();
  },

  async "a session that is left and begun anew"() {
    const t = await openWorld({ script: talks, session: { idleMinutes: 30 } });
    await t.say("before");
    await t.settle(40 * 60_000);
    await t.say("after");
    await t.outcome("exported", async () => {
      let text = "";
      for await (const piece of (await t.assistant.sessions.export("agent:main:memory:direct:42")) ?? []) text += piece;
      return text.split("\n");
    });
    await t.outcome("configured", () =>
      t.assistant.sessions.configure("agent:main:memory:direct:42", { queueMode: "steer" } as never),
    );
    await t.outcome("removed", () => t.assistant.sessions.remove("agent:main:memory:direct:42"));
    await t.say("anew");
    return t.close();
  },
};
