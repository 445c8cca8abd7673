import { describe, expect, it } from "vitest";
import { createAttention } from "../../src/attention/index.ts";
import { createButtons } from "../../src/buttons/index.ts";
import { createChannels } from "../../src/channels.ts";
import { createConsent } from "../../src/inbox/index.ts";
import { createPassOn } from "../../src/notify/index.ts";
import { createOutbox } from "../../src/outbox/index.ts";
import { createSessions } from "../../src/session/index.ts";
import { AssistantError, memoryStore } from "../../entry.host.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { inMemoryChannel } from "../../src/testing/in-memory-channel.ts";

const ADA = "memory:ada";
const HERS = "agent:main:memory:direct:ada";
const HERE = { channel: "memory", account: "default", chat: "ada" };
const IDLE = { start: async () => {}, wake: async () => {}, stop: async () => {} };

/** The delivery of each part of a message. */
type Became = readonly ("pending" | "sent" | "unknown" | "dead")[];

function setUp(damaged = new Set<string>()) {
  const store = memoryStore();
  const clock = fakeClock();
  const buttons = createButtons({ store, clock });
  const outbox = createOutbox({ store, engine: IDLE, clock });
  const sessions = createSessions({ store, clock });
  const attention = createAttention({ store, engine: IDLE, clock, configOf: () => ({}) });
  const consent = createConsent({
    buttons,
    outbox,
    sessions,
    async lastSaidTo(user) {
      if (damaged.has(user)) throw new AssistantError("STORE_UNSUITABLE", "Cannot read it");
      return (await attention.view(user)).sent.at(-1)?.at;
    },
    clock,
  });
  const passOn = createPassOn({
    channels: createChannels([inMemoryChannel()]),
    enqueue: outbox.enqueue,
    isOwner: () => false,
    keep: async () => {},
    tellHost: async () => {},
    offer: buttons.offer,
    addNote: sessions.addNote,
  });
  /** Asks under a notice, as attention lets it pass, and brings it to its chat. */
  async function ask(id: string, { user = ADA, choices = ["yes", "later", "no"], became = ["sent"] as Became } = {}) {
    const notice = {
      id,
      type: "pattern",
      user,
      channel: user.split(":")[0] ?? "",
      text: `Shall I (${id})?`,
      sessionKey: HERS,
    } as const;
    await attention.take(user, notice);
    await passOn({
      ...notice,
      offer: { kind: "pattern", choices: choices.map((one) => ({ id: one, label: one })), data: {} },
    });
    const queued = await outbox.find(HERE, id);
    for (const [part, delivery] of queued ? became.entries() : [])
      await outbox.mark(HERE, queued?.seq ?? 0, { part, delivery });
  }
  const says = (text: string, source = {}) =>
    consent(text, { sessionKey: HERS, id: "m1", user: ADA, target: HERE, ...source });
  return { store, clock, buttons, outbox, sessions, attention, ask, says };
}

describe("createConsent()", () => {
  it("takes nothing for an answer when what was said to the person cannot be read", async () => {
    const damaged = new Set<string>();
    const { ask, says } = setUp(damaged);
    await ask("a");
    damaged.add(ADA);
    expect(await says("yes")).toBeNull();
    damaged.clear();
    expect(await says("yes")).not.toBeNull();
  });

  it.each([
    ["yes", "yes"],
    ["好", "yes"],
    ["not now", "later"],
    ["no", "no"],
    ["less of this", "less"],
  ])("takes %j for the button %s of the offer that was said last", async (text, choice) => {
    const t = setUp();
    await t.ask("a");
    expect(await t.says(text)).toMatch(new RegExp(`^b:\\w{12}:${choice}$`));
  });

  it("takes a plain yes for the first choice, whatever it is called", async () => {
    const t = setUp();
    await t.ask("a", { choices: ["make", "no"] });
    expect(await t.says("ok")).toMatch(/:make$/);
  });

  it.each([
    [["yes", "later", "never"], "不用了", "never"],
    [["yes", "later", "never"], "Never!", "never"],
    [["good", "bad"], "no", "bad"],
    [["good", "bad"], "👎", "bad"],
  ])("takes a plain no for the one of %j that says so", async (choices, text, choice) => {
    const t = setUp();
    await t.ask("a", { choices });
    expect(await t.says(text)).toMatch(new RegExp(`:${choice}$`));
  });

  it("leaves a plain no to the model where no choice says so", async () => {
    const t = setUp();
    await t.ask("a", { choices: ["make", "edit"] });
    expect(await t.says("no")).toBeNull();
  });

  it("leaves everything else to the model without a look at the store", async () => {
    const t = setUp();
    await t.ask("a");
    expect(t.says("yes, but at ten")).toBeNull();
  });

  it("leaves a yes to the model where there is no offer", async () => {
    expect(await setUp().says("yes")).toBeNull();
  });

  it("means the newest of two offers", async () => {
    const t = setUp();
    await t.ask("a");
    await t.clock.advance(60_000);
    await t.ask("b");
    const [, id = ""] = /^b:(\w+):/.exec((await t.says("yes")) ?? "") ?? [];
    expect((await t.buttons.newestOf(ADA))?.id).toBe(id);
    expect((await t.buttons.newestOf(ADA))?.shown).toMatchObject({ messageId: "b" });
  });

  it("is bound to the person: another person's yes starts nothing", async () => {
    const t = setUp();
    await t.ask("a");
    expect(await t.says("yes", { user: "memory:bob", target: { ...HERE, chat: "bob" } })).toBeNull();
  });

  it("is bound to the chat: a yes elsewhere starts nothing", async () => {
    const t = setUp();
    await t.ask("a");
    expect(await t.says("yes", { target: { ...HERE, chat: "other" } })).toBeNull();
    expect(await t.says("yes", { target: undefined })).toBeNull();
  });

  it.each([false, true])(
    "starts nothing when something else was said in the chat since (arrived: %j)",
    async (arrived) => {
      const t = setUp();
      await t.ask("a");
      await t.outbox.enqueue(HERE, { message: { id: "answer:1", text: "Shall I delete it?" } });
      const said = await t.outbox.find(HERE, "answer:1");
      if (arrived) await t.outbox.mark(HERE, said?.seq ?? 0, { part: 0, delivery: "sent" });
      expect(await t.says("yes")).toBeNull();
    },
  );

  it.each<{ title: string; became: Became }>([
    { title: "was not tried yet", became: [] },
    { title: "waits for its platform", became: ["pending"] },
    { title: "was given up", became: ["dead"] },
    { title: "may not have arrived", became: ["unknown"] },
    { title: "has arrived but for its end", became: ["sent", "pending"] },
  ])("starts nothing when the question $title", async ({ became }) => {
    const t = setUp();
    await t.ask("a", { became });
    expect(await t.says("yes")).toBeNull();
  });

  it("starts nothing when a reply was given since, also where nothing is in an outbox", async () => {
    const t = setUp();
    await t.ask("a", { user: "app:ada" });
    const source = { user: "app:ada", target: undefined };
    expect(await t.says("yes", source)).toMatch(/:yes$/);
    await t.clock.advance(1000);
    const message = {
      type: "in",
      id: "x",
      turn: "t1",
      text: "delete it",
      user: "app:ada",
      roles: ["user"],
      channel: "app",
      account: "default",
      peer: { kind: "direct", id: "ada" },
      sender: { id: "ada" },
    } as const;
    await t.sessions.append(HERS, message);
    expect(await t.says("yes", source)).toBeNull();
    const session = await t.sessions.open(HERS);
    await t.sessions.appendTurn(session, {
      type: "out",
      turn: "t1",
      of: ["x"],
      text: "Shall I?",
      parts: ["Shall I?"],
      silent: false,
      toolCalls: [],
      usage: { inputTokens: 1, outputTokens: 1 },
      steps: 0,
    } as never);
    t.sessions.release(HERS);
    expect(await t.says("yes", source)).toBeNull();
  });

  it("starts nothing when another notice was said since", async () => {
    const t = setUp();
    await t.ask("a", { user: "app:ada" });
    await t.clock.advance(1000);
    await t.attention.take("app:ada", {
      id: "job",
      type: "job",
      user: "app:ada",
      channel: "app",
      text: "Done",
      sessionKey: HERS,
      requested: true,
    });
    expect(await t.says("yes", { user: "app:ada", target: undefined })).toBeNull();
  });

  it("starts nothing when it was answered or is too old", async () => {
    const t = setUp();
    await t.ask("a");
    const offer = await t.buttons.newestOf(ADA);
    await t.buttons.press({ offerId: offer?.id ?? "", choice: "yes", user: ADA, id: "m1" });
    expect(await t.says("yes", { id: "m2" })).toBeNull();
    const other = setUp();
    await other.ask("a");
    await other.clock.advance(8 * 86_400_000);
    expect(await other.says("yes")).toBeNull();
  });

  it("is the same answer when its platform delivers it again", async () => {
    const t = setUp();
    await t.ask("a");
    const button = await t.says("yes");
    const offer = await t.buttons.newestOf(ADA);
    await t.buttons.press({ offerId: offer?.id ?? "", choice: "yes", user: ADA, id: "m1" });
    await t.outbox.enqueue(HERE, { message: { id: "answer:m1", text: "Done" } });
    expect(await t.says("yes")).toBe(button);
  });
});
