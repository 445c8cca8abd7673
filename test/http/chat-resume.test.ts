import { AbstractChat, type ChatState, DefaultChatTransport, type UIMessage, safeValidateUIMessages } from "ai";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineTool } from "../../entry.host.ts";
import { type Script, calls, fails, says } from "../../src/testing/scripted-model.ts";
import { OWNER_TOKEN, type TestAssistantOptions, testAssistant } from "../support/assistant.ts";
import { until } from "../support/until.ts";
import { milestone } from "./support.ts";

const ADA = "ada-token-01234567890";
const BEN = "ben-token-01234567890";

/** What `useChat` keeps in a framework's state, kept in plain fields. */
class PlainState implements ChatState<UIMessage> {
  status: ChatState<UIMessage>["status"] = "ready";
  error: Error | undefined = undefined;
  messages: UIMessage[];
  constructor(messages: UIMessage[] = []) {
    this.messages = messages;
  }
  pushMessage: (message: UIMessage) => void = (message) => void (this.messages = [...this.messages, message]);
  popMessage = () => void (this.messages = this.messages.slice(0, -1));
  replaceMessage = (index: number, message: UIMessage) => void (this.messages = this.messages.with(index, message));
  snapshot = <T>(thing: T): T => structuredClone(thing);
}

class Chat extends AbstractChat<UIMessage> {}

async function setUp(script: Script, options: TestAssistantOptions = {}) {
  const held = milestone();
  const begun = milestone();
  const resumed = milestone();
  const look = defineTool({
    description: "Looks for a while",
    inputSchema: v.object({ at: v.string() }),
    async execute({ at }) {
      begun.reach();
      await held.reached;
      return { seen: at };
    },
  });
  const t = await testAssistant({
    script,
    channels: [],
    tools: { look },
    server: {
      token: OWNER_TOKEN,
      tokens: [
        { token: ADA, role: "user", user: "app:ada" },
        { token: BEN, role: "user", user: "app:ben" },
      ],
    },
    ...options,
  });
  const history = async (token = OWNER_TOKEN, query = ""): Promise<UIMessage[]> => {
    const response = await t.call(`/chat/trip${query}`, { token });
    expect(response.status).toBe(200);
    return (await response.json()) as UIMessage[];
  };
  /** A program that shows the chat, with what was said before. */
  const chat = (messages: UIMessage[] = [], token = OWNER_TOKEN) =>
    new Chat({
      id: "trip",
      state: new PlainState(messages),
      transport: new DefaultChatTransport({
        api: "http://localhost/api/v1/chat",
        headers: { authorization: `Bearer ${token}` },
        async fetch(input, init) {
          const request = new Request(input, init);
          const response = await t.assistant.fetch(request);
          if (request.method === "GET") resumed.reach();
          return response;
        },
      }),
    });
  return { t, history, chat, begun: begun.reached, resumed: resumed.reached, release: held.reach };
}

const looks: Script = [calls("Let me look.", ["look", { at: "the sea" }]), says("It is calm.")];

const hasText = (record: unknown, text: string) =>
  typeof record === "object" && record !== null && "text" in record && record.text === text;

/** What a person sees of messages. */
const seen = (messages: readonly UIMessage[]) =>
  messages.map(({ role, parts }) => [
    role,
    ...parts.flatMap((part) => {
      if (part.type === "text") return [part.text];
      if (part.type === "file") return [`${part.mediaType} ${part.filename} ${part.url}`];
      return part.type === "dynamic-tool" ? [`${part.toolName} ${part.state}`] : [];
    }),
  ]);

describe("GET /api/v1/chat/:id", () => {
  it("gives a chat as useChat showed it: the same parts, ids and metadata", async () => {
    const { t, history, chat, release } = await setUp(looks);
    release();
    const live = chat();
    await t.during(live.sendMessage({ text: "How is the sea?" }));
    const [question, answer] = await history();
    expect(question).toEqual({ id: live.messages[0]?.id, role: "user", parts: live.messages[0]?.parts });
    expect(answer?.parts).toEqual(live.messages[1]?.parts);
    expect(answer?.metadata).toEqual(live.messages[1]?.metadata);
    expect(answer?.metadata).toMatchObject({ session_key: "agent:main:web:direct:trip", steps: 2 });
    expect((await safeValidateUIMessages({ messages: await history() })).success).toBe(true);
  });

  it("goes on where it was: a message sent after it is the next one, and the same one sent again is not said twice", async () => {
    const { t, history, chat } = await setUp((_, call) => says(`Answer ${call + 1}`));
    await t.during(chat().sendMessage({ text: "one" }));
    const again = chat(await history());
    await t.during(again.sendMessage({ text: "two" }));
    await t.during(again.regenerate());
    expect(seen(await history())).toEqual([
      ["user", "one"],
      ["assistant", "Answer 1"],
      ["user", "two"],
      ["assistant", "Answer 2"],
    ]);
    expect(seen(await history(OWNER_TOKEN, "?limit=1"))).toEqual([["assistant", "Answer 2"]]);
  });

  it("keeps the newest messages whole, however many calls a turn made", async () => {
    const { t, history, chat, release } = await setUp((_, call) =>
      call % 8 === 7 ? says(`Answer ${(call + 1) / 8}`) : calls("Let me look.", ["look", { at: "the sea" }]),
    );
    release();
    await t.during(chat().sendMessage({ text: "one" }));
    await t.during(chat(await history()).sendMessage({ text: "two" }));
    const all = await history();
    expect(all.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
    for (const limit of [1, 2, 3, 4, 5])
      expect(await history(OWNER_TOKEN, `?limit=${limit}`)).toEqual(all.slice(-limit));
  });

  it("has files where they can be read, and no commands", async () => {
    const { t, history, chat } = await setUp(() => says("Nice"));
    const file = { type: "file", mediaType: "text/plain", filename: "a.txt", url: "data:text/plain,hello" } as const;
    await t.during(chat().sendMessage({ text: "Look", files: [file] }));
    await t.call("/chat/trip/stream", { method: "DELETE" });
    const messages = await history();
    expect(messages).toHaveLength(2);
    const part = messages[0]?.parts.find(({ type }) => type === "file") as { url: string };
    expect(part).toMatchObject({ mediaType: "text/plain", filename: "a.txt" });
    expect(await (await t.call(part.url.replace("/api/v1", ""))).text()).toBe("hello");
  });

  it("has the name of a file that could not be kept", async () => {
    const { t, history, chat } = await setUp(() => says("Too long"), { artifacts: { maxBytes: 4 } });
    const file = { type: "file", mediaType: "text/plain", filename: "a.txt", url: "data:text/plain,hello" } as const;
    await t.during(chat().sendMessage({ files: [file] }));
    expect(seen(await history())[0]).toEqual(["user", "a.txt"]);
    expect((await safeValidateUIMessages({ messages: await history() })).success).toBe(true);
  });

  it("shows a call that waits for the owner as useChat does, so that it can be answered after a reload, and how it ended", async () => {
    const wipe = defineTool({
      description: "wipes",
      inputSchema: v.object({}),
      execute: () => "wiped",
      meta: { dangerous: true },
    });
    const script: Script = [calls(["wipe", {}]), says("I asked"), says("It is clean")];
    const { t, history, chat } = await setUp(script, { tools: { wipe } });
    await t.during(chat().sendMessage({ text: "Wipe it" }));
    const reloaded = chat(await history());
    const waiting = reloaded.messages[1]?.parts.find((part) => part.type === "dynamic-tool");
    expect(waiting).toMatchObject({ toolName: "wipe", state: "approval-requested" });
    expect((await safeValidateUIMessages({ messages: await history() })).success).toBe(true);
    await reloaded.addToolApprovalResponse({ id: waiting?.approval?.id ?? "", approved: true });
    await t.during(reloaded.sendMessage());
    expect(seen(await history())).toEqual([
      ["user", "Wipe it"],
      ["assistant", "wipe output-available", "I asked"],
      ["assistant", "It is clean"],
    ]);
    expect((await safeValidateUIMessages({ messages: await history() })).success).toBe(true);
  });

  it("is empty before anything is said, and says why a turn failed to the owner alone", async () => {
    const { t, history, chat } = await setUp(() => fails(401));
    expect(await history()).toEqual([]);
    for (const token of [OWNER_TOKEN, ADA]) await t.during(chat([], token).sendMessage({ text: "hi" }));
    const failure = async (token: string) => JSON.stringify((await history(token))[1]?.metadata);
    expect(await failure(OWNER_TOKEN)).toContain("answered 401");
    expect(await failure(ADA)).not.toContain("401");
  });

  it("shows what a silent turn did, and not the sign that it ends with", async () => {
    const { t, history, chat, release } = await setUp([
      says("NO_REPLY"),
      calls(["look", { at: "the sea" }]),
      says("NO_REPLY"),
    ]);
    release();
    await t.during(chat().sendMessage({ text: "one" }));
    await t.during(chat().sendMessage({ text: "two" }));
    expect(seen(await history())).toEqual([
      ["user", "one"],
      ["user", "two"],
      ["assistant", "look output-available"],
    ]);
  });

  it("is each person's own, also under one name", async () => {
    const { t, history, chat } = await setUp(() => says("Hello"));
    await t.during(chat([], ADA).sendMessage({ text: "I am Ada" }));
    expect(seen(await history(ADA))).toEqual([
      ["user", "I am Ada"],
      ["assistant", "Hello"],
    ]);
    expect([await history(BEN), await history()]).toEqual([[], []]);
  });
});

describe("GET /api/v1/chat/:id/stream", () => {
  it("gives a running answer from its beginning to a program that was reloaded, and both see its end", async () => {
    const { t, history, chat, begun, resumed, release } = await setUp(looks);
    const first = chat();
    const sending = first.sendMessage({ text: "How is the sea?" });
    await t.during(begun);
    // The answer is not in the history while it runs: it would be shown twice.
    const reloaded = chat(await history());
    expect(seen(reloaded.messages)).toEqual([["user", "How is the sea?"]]);
    const resuming = reloaded.resumeStream();
    await t.during(resumed);
    release();
    await t.during(Promise.all([sending, resuming]));
    const whole = [
      ["user", "How is the sea?"],
      ["assistant", "Let me look.", "look output-available", "It is calm."],
    ];
    expect([seen(first.messages), seen(reloaded.messages), seen(await history())]).toEqual([whole, whole, whole]);
    expect(reloaded.messages[1]?.parts).toEqual(first.messages[1]?.parts);
  });

  it("also when nobody was left who watched, and to a message that is sent again", async () => {
    const { t, history, chat, begun, release } = await setUp(looks);
    const first = chat();
    const sending = first.sendMessage({ text: "How is the sea?" });
    await t.during(begun);
    await first.stop();
    await sending;
    const reloaded = chat(await history());
    const again = chat(await history());
    const both = [reloaded.resumeStream(), again.regenerate()];
    const shows = ({ messages }: Chat) => seen(messages).flat().includes("look input-available");
    await until(t.clock, () => shows(reloaded) && shows(again));
    release();
    await t.during(Promise.all(both));
    const whole = ["assistant", "Let me look.", "look output-available", "It is calm."];
    expect([seen(reloaded.messages)[1], seen(again.messages)[1]]).toEqual([whole, whole]);
    expect(t.model.callCount).toBe(2);
  });

  it("waits for a message whose turn has not begun", async () => {
    const script: Script = (_, call) => (call === 0 ? calls(["look", { at: "the sea" }]) : says("Hello"));
    const { t, chat, begun, resumed, release } = await setUp(script, { queue: { maxConcurrent: 1 } });
    const before = chat([], ADA).sendMessage({ text: "How is the sea?" });
    await t.during(begun);
    const first = chat();
    const sending = first.sendMessage({ text: "hi" });
    await until(t.clock, async () => (await t.records("sessions/")).some((record) => hasText(record, "hi")));
    const reader = chat();
    const resuming = reader.resumeStream();
    await t.during(resumed);
    release();
    await t.during(Promise.all([before, sending, resuming]));
    expect(seen(reader.messages)).toEqual([["assistant", "Hello"]]);
    expect(seen(first.messages).slice(1)).toEqual([["assistant", "Hello"]]);
  });

  it("is 204 when nothing is to be answered: before, after, and once it was stopped", async () => {
    const { t, chat, begun } = await setUp([says("Hello"), calls(["look", { at: "the sea" }])]);
    const status = async () => (await t.call("/chat/trip/stream")).status;
    expect(await status()).toBe(204);
    await t.during(chat().sendMessage({ text: "hi" }));
    expect(await status()).toBe(204);
    const sending = chat().sendMessage({ text: "again" });
    await t.during(begun);
    await t.call("/chat/trip/stream", { method: "DELETE" });
    await t.during(sending);
    expect(await status()).toBe(204);
  });

  it("is nobody else's", async () => {
    const { t, chat, begun, release } = await setUp(looks);
    const sending = chat([], ADA).sendMessage({ text: "How is the sea?" });
    await t.during(begun);
    for (const token of [BEN, OWNER_TOKEN]) expect((await t.call("/chat/trip/stream", { token })).status).toBe(204);
    expect((await t.call("/chat/trip/stream", { token: "nobody" })).status).toBe(401);
    release();
    await t.during(sending);
  });
});
