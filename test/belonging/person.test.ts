import { describe, expect, it } from "vitest";
import { calls, says } from "../../src/testing/scripted-model.ts";
import { DAY_MS, remembering } from "../memory/assistant.ts";
import { all, keysIn, textOf } from "./support.ts";

const SAID = [
  "I prefer oat milk in my coffee.",
  "My sister is called Nora.",
  "I live in Bergen.",
  "I am allergic to walnuts.",
  "I decided to learn the cello.",
  "My birthday is on 3 May.",
  "I work at the harbour museum.",
];

/** A person who spoke on Telegram for a week. */
async function afterAWeek() {
  const t = await remembering({
    session: {},
    script: (prompt) => (JSON.stringify(prompt.at(-1)).includes("Look at") ? calls(["time", {}]) : says("Noted")),
  });
  for (const text of SAID) {
    await t.say(text, "telegram:42");
    await t.clock.advance(DAY_MS);
  }
  await t.say("Good morning", "telegram:42");
  await t.say("I collect stamps.", "telegram:4");
  await t.say("I prefer lemon cake.", "telegram:42", { group: "-100" });
  const { assistant, store } = t;
  const user = "telegram:42";
  await assistant.goals.write({ user, goals: { goals: [{ objective: "Play a suite", keyResults: [] }] } });
  await assistant.jobs.create({ schedule: "every day at 3am", task: "water the plants", user });
  await store.put("contexts/main/peers/telegram:42/PEER.md", "# Anna\n\n- calm\n");
  return t;
}

async function exported({ assistant }: Awaited<ReturnType<typeof afterAWeek>>, userId: string): Promise<string> {
  return textOf(await assistant.memory.export({ userId, everything: true }));
}

async function contents({ assistant }: Pick<Awaited<ReturnType<typeof afterAWeek>>, "assistant">, userId: string) {
  const entries = await all(assistant.memory.list(userId));
  return entries.map(({ content }) => content).sort();
}

describe("a person who spoke on Telegram for a week, was linked, and then became the owner", () => {
  it("has one memory, one export, and is forgotten as one", async () => {
    const before = await afterAWeek();
    const lasting = await before.assistant.memory.read("telegram:42", "MEMORY.md");
    const days = await before.assistant.memory.files.days("telegram:42");
    expect(days.length).toBeGreaterThan(5);
    const spoken = await contents(before, "telegram:42");
    expect(spoken).toEqual(expect.arrayContaining(SAID.map((text) => expect.stringContaining(text.slice(0, -1)))));
    await before.assistant.memory.save({ userId: "@owner", content: "The spare key is under the pot" });
    await before.during(before.assistant.stop());

    const { clock, store } = before;
    const t = await remembering({ clock, store, session: { identityLinks: { anna: ["telegram:42", "slack:U1"] } } });
    for (const userId of ["@anna", "telegram:42", "slack:u1"]) {
      expect(await contents(t, userId), userId).toEqual(spoken);
      expect(await t.assistant.memory.read(userId, "MEMORY.md")).toBe(lasting);
      expect(await t.assistant.memory.files.days(userId)).toEqual(days);
    }
    expect(await t.say("What am I allergic to?", "slack:U1")).toContain("allergic to walnuts");
    expect(await t.say("What am I allergic to?", "telegram:4")).not.toContain("allergic to walnuts");

    // Their next message finds what the owner's memory had, and what they have: the claim itself is no turn.
    await t.say(`/owner ${await t.assistant.access.ownerCode()}`, "telegram:42");
    expect(await t.say("Where is the spare key?", "telegram:42")).toContain("under the pot");
    for (const userId of ["@owner", "@anna", "telegram:42"])
      expect(await contents(t, userId), userId).toEqual(
        expect.arrayContaining([...spoken, "The spare key is under the pot"]),
      );
    expect(await all(t.assistant.memory.users())).toEqual(["@anna", "group:telegram:-100", "telegram:4"]);

    const whole = await exported(t, "@anna");
    for (const part of [
      "allergic to walnuts",
      "spare key",
      '"room":"goals"',
      "Play a suite",
      '"room":"jobs"',
      "water the plants",
      "calm",
    ])
      expect(whole).toContain(part);
    expect(
      new Set(
        whole
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line).user_id),
      ),
    ).toEqual(new Set(["@anna"]));
    for (const part of ["stamps", "lemon cake"]) expect(whole).not.toContain(part);
    for (const userId of ["@owner", "telegram:42", "slack:U1"]) expect(await exported(t, userId), userId).toBe(whole);

    await t.during(t.assistant.memory.forget({ userId: "telegram:42" }));
    expect(await keysIn(store, "memory/@")).toEqual([]);
    const rooms = ["memory/", "goals/", "jobs/", "contexts/", "skill-"];
    const left = (await Promise.all(rooms.map((room) => keysIn(store, room)))).flat();
    // An id may hold any letters.
    const named = left.map((key) => key.replace(/[0-9A-Z]{26}/, ""));
    expect(named.filter((key) => /anna|42(?!\d)|owner/i.test(key))).toEqual([]);
    expect(await contents(t, "telegram:4")).toEqual([expect.stringContaining("stamps")]);
  });

  it("is found as the owner at once, though what they said is still being moved", async () => {
    const t = await afterAWeek();
    const spoken = await contents(t, "telegram:42");
    const code = await t.assistant.access.ownerCode();
    const [telegram] = t.channels;
    const peer = { kind: "direct", id: "42" } as const;
    await t.assistant.fetch(telegram!.request([{ id: "claim", text: `/owner ${code}`, peer, sender: { id: "42" } }]));
    expect(await contents(t, "@owner")).toEqual(spoken);
    expect(await contents(t, "telegram:42")).toEqual(spoken);
    const [found] = await t.assistant.memory.recall({ userId: "@owner", text: "allergic walnuts" });
    expect(found?.entry.content).toContain("walnuts");
  });
});
