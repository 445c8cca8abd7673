import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inMemoryChannel } from "../../src/testing/in-memory-channel.ts";
import type { ChannelAccess } from "../../src/channel.ts";
import type { InboundMessage } from "../../src/message.ts";
import { decideAccess, rolesOf } from "../../src/policy/index.ts";
import { resolveRoute } from "../../src/session/index.ts";
import { HOOK_SECRET, delivery, wholeAssistant } from "./support.ts";
import { webhook } from "../../adapters/channels/webhook/index.ts";
import { testAssistant } from "../support/assistant.ts";

const OWNERS = ["telegram:1"];

function message(id: string, rest: Partial<InboundMessage> = {}): InboundMessage {
  return { channel: "telegram", id: "e", peer: { kind: "direct", id }, sender: { id }, text: "hi", ...rest };
}

/** Ids that a stranger could choose so that they look like 42, the one who is allowed. */
const LOOK_ALIKES = [
  "",
  " ",
  "42 ",
  " 42",
  "42\n",
  "\u00a042",
  "4\u200b2",
  "42\u0000",
  "042",
  "42.0",
  "+42",
  "@42",
  "４２",
  "142",
  "422",
  "telegram:42",
  "42/x",
  "42,43",
  "*",
  "undefined",
  "null",
  "__proto__",
];

describe("being let in hangs on a stable id alone", () => {
  it.each(LOOK_ALIKES)("not on one that looks like it: %j", (id) => {
    for (const allow of [["42"], ["42", ""], ["42", " "]]) {
      const access: ChannelAccess = { dm: "allowlist", allow };
      expect(decideAccess(message(id), access, ["telegram:42", "telegram:"]).verdict).toBe("refuse");
      expect(decideAccess(message(id), { ...access, dm: "pairing" }, []).verdict).toBe("refuse");
    }
    expect(rolesOf(`telegram:${id}`, { ownerIds: ["telegram:42"], roles: { admin: ["telegram:42"] } })).toEqual(
      id === "" ? expect.not.arrayContaining(["owner", "admin"]) : ["user"],
    );
  });

  it.each([
    { what: "a display name", message: message("9", { sender: { id: "9", name: "42" } }) },
    { what: "the name of the owner", message: message("9", { sender: { id: "9", name: "telegram:1" } }) },
    { what: "the id of the chat", message: message("42", { sender: { id: "9" } }) },
    { what: "the id of a thread", message: message("9", { thread: "42" }) },
    { what: "the platform's raw event", message: message("9", { raw: { sender: { id: "42" }, from: { id: "42" } } }) },
    { what: "the same number on another platform", message: message("1", { channel: "slack" }) },
    { what: "what it says of itself", message: message("9", { text: "I am telegram:1", account: "42" }) },
  ])("not on $what", ({ message: sent }) => {
    expect(decideAccess(sent, { dm: "allowlist", allow: ["42"] }, OWNERS).verdict).toBe("refuse");
    expect(decideAccess(sent, { dm: "pairing", allow: ["42"] }, OWNERS).verdict).toBe("refuse");
  });

  it.each([
    ["Ada", "ada"],
    ["ada", "Ada"],
    ["oAb", "oaB"],
    ["\u00e9", "e\u0301"],
  ])("%j is not %j", (allowed, sender) => {
    expect(decideAccess(message(sender), { dm: "allowlist", allow: [allowed] }, []).verdict).toBe("refuse");
    expect(decideAccess(message(sender), {}, [`telegram:${allowed}`]).verdict).toBe("refuse");
  });

  it("and only on an equal one, whatever ids there are", () => {
    const id = fc.string({
      maxLength: 4,
      unit: fc.constantFrom("a", "A", "1", ":", " ", "@", "/", "%", "é", "e\u0301"),
    });
    fc.assert(
      fc.property(id, id, (sender, allowed) => {
        const { verdict } = decideAccess(message(sender), { dm: "allowlist", allow: [allowed] }, []);
        expect(verdict === "let-in").toBe(sender === allowed && sender !== "" && sender === sender.trim());
      }),
    );
  });

  it("a group's id on the list of people opens nothing, nor does a person's in a closed group", () => {
    const inGroup = (sender: string): InboundMessage =>
      message(sender, { peer: { kind: "group", id: "-5" }, mentioned: true });
    expect(decideAccess(message("9"), { dm: "allowlist", allow: ["-5"] }, OWNERS).verdict).toBe("refuse");
    expect(decideAccess(inGroup("42"), { groups: "disabled", allow: ["42", "-5"] }, OWNERS).verdict).toBe("refuse");
    expect(decideAccess(inGroup("1"), { groups: "disabled" }, OWNERS).verdict).toBe("refuse");
    expect(decideAccess(inGroup(""), { groups: "always" }, OWNERS).verdict).toBe("refuse");
    expect(decideAccess(message("-5", { sender: { id: "9" } }), { allow: ["-5"] }, OWNERS).verdict).toBe("refuse");
  });

  it("each account of a channel has its own list", async () => {
    const named = (account: string, allow: readonly string[]) =>
      inMemoryChannel({ name: "memory", access: { account, dm: "allowlist", allow } });
    const [home, work] = [named("home", ["ada"]), named("work", ["bob"])];
    const { assistant } = await testAssistant({
      channels: [home, work],
      queue: { debounceMs: 0 },
    });
    for (const [channel, account] of [
      [home, "home"],
      [work, "work"],
    ] as const) {
      for (const who of ["ada", "bob"]) {
        const sent = { account, peer: { kind: "direct", id: who }, sender: { id: who } } as const;
        const request = channel.request([sent]);
        await assistant.fetch(new Request(`http://localhost/webhooks/memory/${account}`, request));
      }
    }
    const keys = (await assistant.sessions.list()).map(({ key }) => key);
    for (const key of keys) {
      const said = (await assistant.sessions.show(key))?.entries.filter(({ type }) => type === "user");
      expect([key, said?.length]).toEqual([key, 1]);
    }
    expect(keys.toSorted()).toEqual(["agent:main:memory:direct:ada", "agent:main:memory:direct:bob"]);
  });

  it("whoever is almost the owner does not land in the owner's conversation", async () => {
    const { assistant, make, clock } = await wholeAssistant();
    await assistant.stop();
    const channels = [webhook({ secret: HOOK_SECRET, dm: "open", clock })];
    const open = await make({ channels, owner: { ids: ["webhook:boss"] } });
    for (const [n, user] of ["boss ", " boss", "Boss", "BOSS", "boss\u00a0", "boss/", "bo%73s"].entries())
      await open.fetch(await delivery(clock, { id: `${n}`, user, text: "hi" }));
    expect((await open.sessions.list()).map(({ key }) => key)).not.toContain("agent:main:main");
    await open.fetch(await delivery(clock, { id: "right", user: "boss", text: "hi" }));
    expect((await open.sessions.list()).map(({ key }) => key)).toContain("agent:main:main");
    await open.stop();
    // Also where capitals are not told apart.
    const route = (id: string) => resolveRoute(message(id), { owner: { ids: ["telegram:boss"] } }).sessionKey;
    expect([route("boss"), route("Boss"), route("boss ")]).toEqual([
      "agent:main:main",
      "agent:main:telegram:direct:boss",
      "agent:main:telegram:direct:boss",
    ]);
  });
});
