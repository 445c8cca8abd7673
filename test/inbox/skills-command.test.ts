import { describe, expect, it } from "vitest";
import { createButtons } from "../../src/buttons/index.ts";
import { AssistantError } from "../../src/errors.ts";
import { skillCommands } from "../../src/inbox/index.ts";
import type { CommandSource } from "../../src/inbox/chat-commands.ts";
import { type Language, type Session, createMemoryUsers } from "../../src/session/index.ts";
import { createSuggestions } from "../../src/skills/index.ts";
import { memoryStore } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { ADA, BOB, GROUP, HERS, learnt } from "../skills/support.ts";

function setUp({ skills = ["research"], unknown = false }: { skills?: readonly string[]; unknown?: boolean } = {}) {
  const store = memoryStore();
  const clock = fakeClock();
  const suggestions = createSuggestions({ store, clock });
  const buttons = createButtons({ store, clock });
  const happened: unknown[] = [];
  const commands = skillCommands({
    offered: async () => skills.map((name) => ({ name, description: `Does\n${name}` })),
    suggestions,
    answers: {
      accept: async (user, name) => (happened.push(["accept", user, name]), "skill-a-2"),
      decline: async (user, name) => (await suggestions.decide(user, name, "declined")).name,
      putOff: async (_user, name) => name,
    },
    async giveFeedback(given) {
      if (unknown) throw new AssistantError("NOT_FOUND", "none");
      happened.push(given);
      return ["research"];
    },
    users: createMemoryUsers({ session: {}, ownerIds: () => [], keepsCapitals: () => false }),
    buttons,
  });
  async function give(argument: string, { user = ADA, group = false, target = true, language = ENGLISH } = {}) {
    const id = user.slice(user.indexOf(":") + 1);
    const peer = group ? ({ kind: "group", id: "-100" } as const) : ({ kind: "direct", id } as const);
    const source: CommandSource = {
      sessionKey: group ? GROUP : HERS,
      message: {
        type: "in",
        id: "m1",
        turn: "t",
        text: `/skills ${argument}`,
        user,
        roles: ["user"],
        channel: "telegram",
        account: "default",
        peer,
        sender: { id },
        ...(target && { target: { channel: "telegram", account: "default", chat: peer.id } }),
      },
    };
    const outcome = await commands["skills"]?.(argument, source, {} as Session, language);
    return outcome?.kind === "say" ? outcome : expect.fail("expected words");
  }
  return { suggestions, buttons, happened, give };
}

const ENGLISH: Language = "en";

describe("/skills", () => {
  it("lists what is offered", async () => {
    const t = setUp({ skills: ["research", "briefing"] });
    const { text, buttons } = await t.give("");
    expect(text).toMatch(/^Skills:\nresearch: Does research\nbriefing: Does briefing\n\n\/skills good/);
    expect(buttons).toBeUndefined();
    expect((await setUp({ skills: [] }).give("")).text).toBe("There are no skills yet.");
    expect((await t.give("", { language: "zh" })).text).toMatch(/^技能：/);
  });

  it("names some of many", async () => {
    const t = setUp({ skills: Array.from({ length: 23 }, (_, at) => `s${at}`) });
    expect((await t.give("")).text).toContain("\nand 3 more");
  });

  it("shows the suggestion that is open, with buttons for its person", async () => {
    const t = setUp();
    await t.suggestions.add(ADA, [learnt("a")]);
    const { text, buttons = [] } = await t.give("");
    expect(text).toContain("skill-a: What a does (web_search → save_a; 4 times)");
    expect(buttons.map(({ label }) => label)).toEqual(["Yes", "Not now", "Never"]);
    const [, offerId = "", choice = ""] = (buttons[0]?.id ?? "").split(":");
    expect(await t.buttons.press({ offerId, choice, user: BOB, id: "p" })).toMatchObject({ why: "not-yours" });
    expect(await t.buttons.press({ offerId, choice, user: ADA, id: "p" })).toMatchObject({
      outcome: "taken",
      offer: { data: { user: ADA, suggestion: "a" }, shown: { messageId: "answer:m1" } },
    });
  });

  it("has no buttons for several suggestions, nor where nothing is sent", async () => {
    const t = setUp();
    await t.suggestions.add(ADA, [learnt("a")]);
    expect((await t.give("", { target: false })).buttons).toEqual([]);
    await t.suggestions.add(ADA, [learnt("b")]);
    const { text, buttons } = await t.give("");
    expect(text).toMatch(/skill-a.*\nskill-b/);
    expect(buttons).toBeUndefined();
  });

  it("shows a group, and another person, nothing of what somebody does often", async () => {
    const t = setUp();
    await t.suggestions.add(ADA, [learnt("a")]);
    expect((await t.give("", { group: true })).text).not.toContain("skill-a");
    expect((await t.give("", { user: BOB })).text).not.toContain("skill-a");
  });

  it("takes a yes and a no by name", async () => {
    const t = setUp();
    await t.suggestions.add(ADA, [learnt("a")]);
    expect((await t.give("accept skill-a")).text).toBe("✓ Saved as the skill skill-a-2.");
    expect(t.happened).toEqual([["accept", ADA, "skill-a"]]);
    expect((await t.give("decline Skill-A")).text).toBe("✗ Declined: skill-a will not be suggested again.");
    expect((await t.give("", { language: "en" })).text).not.toContain("skill-a");
  });

  it.each([
    { argument: "accept", says: "Which one? Open: skill-a." },
    { argument: "accept other", says: "There is no suggestion with that name. /skills lists the open ones." },
    { argument: "decline other", says: "There is no suggestion with that name. /skills lists the open ones." },
    { argument: "what", says: expect.stringContaining("Write /skills, /skills accept NAME") as string },
    { argument: "accept skill-a please not", says: expect.stringContaining("Write /skills") as string },
  ])("answers $argument", async ({ argument, says }) => {
    const t = setUp();
    await t.suggestions.add(ADA, [learnt("a")]);
    expect((await t.give(argument)).text).toEqual(says);
    expect(t.happened).toEqual([]);
  });

  it("takes no answer of another person, and none in a group", async () => {
    const t = setUp();
    await t.suggestions.add(ADA, [learnt("a")]);
    expect((await t.give("accept skill-a", { user: BOB })).text).toContain("There is no suggestion with that name");
    expect((await t.give("accept skill-a", { group: true })).text).toContain("direct chat");
    expect(t.happened).toEqual([]);
  });

  it("takes a verdict of whoever speaks, also in a group", async () => {
    const t = setUp();
    expect((await t.give("good")).text).toBe("👍 Thank you, noted.");
    await t.give("bad Research", { group: true });
    expect(t.happened).toEqual([
      { user: ADA, session: HERS, helpful: true, via: "command" },
      { user: ADA, session: GROUP, skill: "research", helpful: false, via: "command" },
    ]);
    expect((await setUp({ unknown: true }).give("good")).text).toBe(
      "I have not used such a skill for you here recently.",
    );
  });
});
