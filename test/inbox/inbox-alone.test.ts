import { describe, expect, it } from "vitest";
import type { Channel } from "../../src/channel.ts";
import type { Arrived, NewMessage } from "../../src/inbox/arrivals.ts";
import { createChannelMessages } from "../../src/inbox/channel-messages.ts";
import { type InboxDeps, createInbox } from "../../src/inbox/inbox.ts";
import type { InboundMessage } from "../../src/message.ts";
import type { AccessDecision } from "../../src/policy/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";

// What becomes of a message at the door, with fakes of what the inbox is closed over: no store, no session, no assistant.

const LET_IN: AccessDecision = { verdict: "let-in", reason: "allowed" };
const NOT_ADDRESSED: AccessDecision = { verdict: "ignore", reason: "not addressed" };
const STRANGER: AccessDecision = { verdict: "refuse", reason: "not known", tell: true, mayAsk: false };
const CHANNEL = { name: "memory", access: {} } as Channel;
const OWNER = "memory:owner";

function setUp(decision: AccessDecision = LET_IN, given: Partial<InboxDeps> = {}) {
  const happened: string[] = [];
  const appended: NewMessage[] = [];
  const arrived = (what: string): Arrived => {
    happened.push(what);
    return { outcome: "accepted", sessionKey: "s", turnId: "t", reply: () => Promise.reject(new Error("not asked")) };
  };
  const inbox = createInbox({
    admission: {
      answerClaim: async () => null,
      decide: async () => decision,
      refuse: async (_, { reason }) => (happened.push("refused"), { outcome: "refused", reason }),
    },
    messages: createChannelMessages({
      router: { route: () => ({ agentId: "main", sessionKey: "s", mainSessionKey: "m", matchedBy: "default" }) },
      owners: { rolesOf: (user) => (user === OWNER ? ["owner", "user"] : ["user"]) },
      clock: fakeClock(),
    }),
    arrivals: { append: async (_, message) => (appended.push(message), arrived("appended")) },
    overheard: {
      hear: async () => (happened.push("heard"), { outcome: "kept", sessionKey: "s" }),
      note: async () => (happened.push("noted"), { outcome: "kept", sessionKey: "s" }),
    },
    changes: { take: async () => (happened.push("changed"), { outcome: "kept", sessionKey: "s" }) },
    approvals: {
      mayAnswer: (user) => user === OWNER,
      obey: async ({ code }) => arrived(`answered ${code}`),
      refuseProgram: ({ code }) => arrived(`a program may not answer ${code}`),
    },
    commands: {
      obey: async ({ name }) => arrived(`obeyed /${name}`),
      refuseFlood: async () => (happened.push("counted"), undefined),
    },
    signs: {
      press: async () => ({ outcome: "refused", reason: "no such button" }),
      word: () => null,
      react: async () => ({ outcome: "refused", reason: "no reaction" }),
    },
    submissions: { describe: () => ({ sessionKey: "s", record: { ...RECORD } }) },
    ...given,
  });
  return { inbox, happened, appended };
}

const RECORD: NewMessage = {
  type: "in",
  id: "send:1",
  turn: "t",
  text: "",
  user: "sdk",
  roles: ["user"],
  channel: "sdk",
  account: "default",
  peer: { kind: "direct", id: "sdk" },
  sender: { id: "sdk" },
};

function message(text: string, more: Partial<InboundMessage> = {}): InboundMessage {
  const peer = { kind: "direct", id: "ada" } as const;
  return { channel: "memory", id: "1", peer, sender: { id: "ada" }, text, ...more };
}

const BY_OWNER = { sender: { id: "owner" } };

describe("createInbox()", () => {
  it.each([
    { title: "appends what somebody says", decision: LET_IN, given: message("Hello"), becomes: ["appended"] },
    { title: "refuses a stranger", decision: STRANGER, given: message("Hello"), becomes: ["refused"] },
    { title: "refuses a stranger's answer", decision: STRANGER, given: message("/approve ABC"), becomes: ["refused"] },
    { title: "hears what a group says", decision: NOT_ADDRESSED, given: message("Hello"), becomes: ["heard"] },
    {
      title: "takes the owner's answer where nobody addressed it",
      decision: NOT_ADDRESSED,
      given: message("/approve ABC", BY_OWNER),
      becomes: ["answered ABC"],
    },
    {
      title: "hears an answer of whoever may not answer",
      decision: NOT_ADDRESSED,
      given: message("/approve ABC"),
      becomes: ["heard"],
    },
    {
      title: "counts a command before it obeys it",
      decision: LET_IN,
      given: message("/new"),
      becomes: ["counted", "obeyed /new"],
    },
    {
      title: "counts an answer of whoever may not answer",
      decision: LET_IN,
      given: message("/approve ABC"),
      becomes: ["counted", "answered ABC"],
    },
    {
      title: "takes no command from an edit",
      decision: LET_IN,
      given: message("/new", { kind: "edit", messageId: "1" }),
      becomes: ["changed"],
    },
    {
      title: "takes no answer from an edit",
      decision: LET_IN,
      given: message("/approve ABC", { ...BY_OWNER, kind: "edit", messageId: "1" }),
      becomes: ["changed"],
    },
    {
      title: "takes an edit that addresses nobody, as what it changes may have",
      decision: NOT_ADDRESSED,
      given: message("Hello", { kind: "edit", messageId: "1" }),
      becomes: ["changed"],
    },
    {
      title: "refuses a stranger's edit",
      decision: STRANGER,
      given: message("Hello", { kind: "edit", messageId: "1" }),
      becomes: ["refused"],
    },
    { title: "notes a note", decision: LET_IN, given: message("/new", { kind: "note" }), becomes: ["noted"] },
    {
      title: "does nothing for a button that it does not know",
      decision: LET_IN,
      given: message("other", { kind: "press" }),
      becomes: ["counted"],
    },
  ])("$title", async ({ decision, given, becomes }) => {
    const { inbox, happened } = setUp(decision);
    await inbox.accept(CHANNEL, given);
    expect(happened).toEqual(becomes);
  });

  it("gives a message the roles of the configuration, and an id of its platform and account", async () => {
    const { inbox, appended } = setUp();
    const sender = { id: "owner", roles: ["none"] };
    await inbox.accept(CHANNEL, message("Hello", { sender, account: "second", id: "77" }));
    expect(appended).toMatchObject([{ id: "memory:second:77", user: OWNER, roles: ["owner", "user"] }]);
    expect(appended[0]?.sender).toEqual({ id: "owner" });
  });

  it("takes no claim of ownership from an edit", async () => {
    const { inbox, happened } = setUp(LET_IN, {
      admission: {
        answerClaim: async () => ({ outcome: "refused", reason: "a claim" }),
        decide: async () => LET_IN,
        refuse: async () => ({ outcome: "refused", reason: "" }),
      },
    });
    await inbox.accept(CHANNEL, message("the code", { kind: "edit", messageId: "1" }));
    expect(happened).toEqual(["changed"]);
  });

  it("stops at a claim of ownership", async () => {
    const claimed = { outcome: "refused", reason: "a claim" } as const;
    const { inbox, happened } = setUp(LET_IN, {
      admission: {
        answerClaim: async () => claimed,
        decide: () => Promise.reject(new Error("decided")),
        refuse: () => Promise.reject(new Error("refused")),
      },
    });
    expect(await inbox.accept(CHANNEL, message("/owner CODE"))).toBe(claimed);
    expect(happened).toEqual([]);
  });

  it.each([
    { title: "a person's answer", input: { text: "/approve ABC" }, becomes: ["answered ABC"] },
    {
      title: "a program's answer",
      input: { text: "/approve ABC", isProgram: true },
      becomes: ["a program may not answer ABC"],
    },
    { title: "a command", input: { text: "/new" }, becomes: ["obeyed /new"] },
    { title: "a message", input: { text: "Hello" }, becomes: ["appended"] },
  ])("submits $title", async ({ input, becomes }) => {
    const { inbox, happened } = setUp();
    await inbox.submit(input);
    expect(happened).toEqual(becomes);
  });
});
