import { calls, says } from "../../../src/testing/index.ts";
import { OWNER, lastText, openWorld } from "../world.ts";

export const groups = {
  async "a group where it is called"() {
    const t = await openWorld({ access: { dm: "open", groups: "mention" } });
    await t.say("Who brings the cake?", { group: "team", mentioned: false });
    await t.say("I do", { group: "team", from: "43", mentioned: false });
    await t.say("@assistant, who brings it?", { group: "team" });
    await t.say("And the tea?", { group: "team", from: "43", mentioned: false });
    await t.say("@assistant, and now?", { group: "team", from: "43" });
    await t.say("Said in private");
    return t.close();
  },

  async "a group that is always answered, or not at all"() {
    const t = await openWorld({ script: (prompt) => says(lastText(prompt).includes("?") ? "Yes" : "") });
    await t.say("Just talking", { group: "team", mentioned: false });
    await t.say("Is it five?", { group: "team", from: "44", mentioned: false });
    await t.say("Is it six?", { group: "other", thread: "7" });
    await t.say("/new", { group: "team" });
    await t.say("/new", { group: "team", from: OWNER });
    return t.close();
  },

  async "notes and files between messages"() {
    const t = await openWorld();
    await t.say("I meant Tuesday", { kind: "note" });
    await t.say("When?");
    const url = `data:text/plain;base64,${btoa("The plan is to leave at nine.\n")}`;
    await t.say("Read this", { attachments: [{ name: "plan.txt", mediaType: "text/plain", url }] });
    await t.say("What did I send?", { replyTo: "e3" });
    return t.close();
  },

  async "notes about people and groups"() {
    const steps = [
      calls(["acp_context", { action: "append_memory", scope: "peer", aid: "main", content: "Likes tea" }]),
      says("Kept"),
      calls(["acp_context", { action: "read_peer_memory", scope: "peer", aid: "main" }]),
      says("You like tea"),
      calls(["acp_context", { action: "append_memory", scope: "group", aid: "main", content: "Meets on Mondays" }]),
      says("Kept for the group"),
      calls(["acp_context", { action: "update_peer", scope: "peer", aid: "main", section: "Notes", content: "Tall" }]),
      says("As you say"),
    ];
    const t = await openWorld({ script: steps });
    await t.say("Remember that I like tea");
    await t.say("What do I like?");
    await t.say("We meet on Mondays", { group: "team" });
    await t.say("Note that I am tall", { from: OWNER });
    await t.say("When do we meet?", { group: "team" });
    return t.close();
  },
};
