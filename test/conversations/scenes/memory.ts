import { calls, says } from "../../../src/testing/index.ts";
import { OWNER, openWorld } from "../world.ts";

const DAY_MS = 86_400_000;

export const memory = {
  async "what is written by tools and recalled elsewhere"() {
    const t = await openWorld({
      script: [
        calls(["memory_write", { content: "The gate code is 4711", keywords: ["gate"] }]),
        says("Kept"),
        calls(["memory_recall", { query: "gate code" }]),
        says("4711"),
        says("I know of no gate"),
        calls(["memory_forget", { query: "gate code" }]),
        says("Forgotten"),
        says("No more"),
      ],
    });
    await t.say("Keep the gate code: 4711", { from: OWNER });
    await t.send({ text: "What is the gate code?", user: `memory:${OWNER}`, session: "elsewhere" });
    await t.say("What is the gate code?", { from: "43" });
    await t.say("Forget the gate code", { from: OWNER });
    await t.say("What is the gate code?", { from: OWNER });
    return t.close();
  },

  async "what is captured over some days"() {
    const t = await openWorld({ script: () => says("Noted") });
    for (const text of [
      "I prefer tea to coffee.",
      "My sister Anna lives in Turku.",
      "Remember that I am allergic to nuts.",
    ]) {
      await t.say(text);
      await t.settle(60_000);
    }
    await t.settle(DAY_MS);
    await t.say("I prefer tea to coffee.");
    await t.settle(DAY_MS);
    await t.say("What do I drink, and who is in Turku?");
    await t.say("What does 42 drink?", { from: "43" });
    return t.close();
  },

  async "memory by hand, over HTTP"() {
    const t = await openWorld({ script: () => says("Noted") });
    const user = "memory%3A42";
    await t.outcome("saved", () =>
      t.assistant.memory.save({ userId: "memory:42", id: "violin", content: "Plays the violin", keywords: ["music"] }),
    );
    for (const path of ["/entries", "/entries/violin", "/files", "/counts", "/users", "/problems", "/export"])
      await t.http("GET", `/api/v1/memory${path}?user=${user}`);
    await t.http("GET", `/api/v1/memory/entries?user=${user}&q=violin`);
    await t.http("POST", "/api/v1/memory/entries", { user: "memory:42", content: "Rows on Sundays" });
    await t.http("DELETE", `/api/v1/memory/entries/violin?user=${user}`, undefined, null);
    await t.outcome("recalled", () => t.assistant.memory.recall({ userId: "memory:42", text: "violin" }));
    await t.outcome("updated", () => t.assistant.memory.update("memory:42", "violin", { content: "Plays the cello" }));
    await t.say("What do I play?");
    await t.say("/memory");
    await t.say("/memory", { from: OWNER });
    return t.close();
  },

  async "a person who is forgotten"() {
    const t = await openWorld({ script: () => says("Noted") });
    await t.say("I prefer tea to coffee.");
    await t.say("Hello, team", { group: "team" });
    await t.say("And I coffee", { from: "43" });
    await t.settle(60_000);
    await t.outcome("forgotten", () => t.assistant.memory.forget({ userId: "memory:42" }));
    await t.settle(60_000);
    await t.say("What do I drink?");
    return t.close();
  },
};
