import {
  AbstractChat,
  DefaultChatTransport,
  uiMessageChunkSchema,
  type ChatState,
  type ChatStatus,
  type UIMessage,
} from "ai";
import { describe, expect, it } from "vitest";
import { AssistantError } from "../../src/errors.ts";
import type { StreamEvent } from "../../src/reply.ts";
import {
  ADA,
  OWNER,
  bodyOf,
  call,
  chunksOf,
  fakeAssistant,
  replyOf,
  type FakeAssistant,
  type Script,
  milestone,
} from "./support.ts";

/** What `useChat` keeps in a framework's state, kept in plain fields. */
class PlainState implements ChatState<UIMessage> {
  status: ChatStatus = "ready";
  error: Error | undefined = undefined;
  messages: UIMessage[] = [];
  pushMessage: (message: UIMessage) => void = (message) => void (this.messages = [...this.messages, message]);
  popMessage = () => void (this.messages = this.messages.slice(0, -1));
  replaceMessage = (index: number, message: UIMessage) => void (this.messages = this.messages.with(index, message));
  snapshot = <T>(thing: T): T => structuredClone(thing);
}

/** A state that tells when the answer begins to show. */
class WatchedState extends PlainState {
  readonly answering = milestone();
  override pushMessage = (message: UIMessage): void => {
    this.messages = [...this.messages, message];
    if (message.role === "assistant") this.answering.reach();
  };
}

class Chat extends AbstractChat<UIMessage> {
  constructor({ app }: FakeAssistant, options: { token?: string; state?: PlainState } = {}) {
    const { token = OWNER, state = new PlainState() } = options;
    super({
      id: "conversation",
      state,
      transport: new DefaultChatTransport({
        api: "http://localhost:8787/api/v1/chat",
        headers: { authorization: `Bearer ${token}` },
        fetch: async (input, init) => app.request(new Request(input, init)),
      }),
    });
  }
}

const twoSteps: Script = function* () {
  yield { type: "text-delta", text: "Let me " };
  yield { type: "text-delta", text: "look." };
  yield { type: "tool-start", callId: "t.0.0", name: "time", input: { timezone: "UTC" } };
  yield { type: "tool-start", callId: "t.0.1", name: "file_read", input: { path: "a" } };
  yield { type: "tool-end", callId: "t.0.0", name: "time", output: { hour: 12 }, durationMs: 2 };
  yield {
    type: "tool-end",
    callId: "t.0.1",
    name: "file_read",
    error: { code: "NOT_FOUND", message: "No file a" },
    durationMs: 1,
  };
  yield { type: "text-delta", text: "It is noon." };
};

/** The body of `useChat` for one user message. */
const chatBody = (text: string, id = "message-1") => ({
  id: "conversation",
  messages: [{ id, role: "user", parts: [{ type: "text", text }] }],
  trigger: "submit-message",
});

const post = ({ app }: FakeAssistant, body: unknown, token = OWNER) =>
  app.request(call("/api/v1/chat", { body, token }));

describe("useChat against POST /api/v1/chat", () => {
  it("shows streamed text, tool calls with their outputs and errors, and steps", async () => {
    const fake = fakeAssistant({ script: twoSteps });
    const chat = new Chat(fake);
    await chat.sendMessage({ text: "What time is it?" });
    expect([chat.status, chat.error]).toEqual(["ready", undefined]);
    expect(chat.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(chat.messages[1]?.parts).toMatchObject([
      { type: "step-start" },
      { type: "text", text: "Let me look.", state: "done" },
      {
        type: "dynamic-tool",
        toolName: "time",
        toolCallId: "t.0.0",
        state: "output-available",
        input: { timezone: "UTC" },
        output: { hour: 12 },
      },
      { type: "dynamic-tool", toolName: "file_read", state: "output-error", errorText: "NOT_FOUND: No file a" },
      { type: "step-start" },
      { type: "text", text: "It is noon.", state: "done" },
    ]);
    expect(chat.messages[1]?.metadata).toMatchObject({
      turn_id: "turn-1",
      session_key: "agent:main:web:direct:conversation",
      usage: { input_tokens: 12, output_tokens: 7 },
    });
  });

  it("goes on in one session, and only the last user message is read", async () => {
    const fake = fakeAssistant();
    const chat = new Chat(fake);
    await chat.sendMessage({ text: "one" });
    await chat.sendMessage({ text: "two" });
    expect(fake.inputs).toMatchObject([
      { text: "one", session: "conversation", channel: "web", asOwner: true },
      { text: "two", session: "conversation", channel: "web", asOwner: true },
    ]);
    expect(fake.inputs.map(({ id }) => id)).toEqual(
      chat.messages.filter(({ role }) => role === "user").map(({ id }) => id),
    );
    expect([...fake.transcripts.keys()]).toEqual(["agent:main:web:direct:conversation"]);
  });

  it("gives the same reply again to regenerate(), and runs nothing twice", async () => {
    const fake = fakeAssistant({ script: twoSteps });
    const chat = new Chat(fake);
    await chat.sendMessage({ text: "What time is it?" });
    await chat.regenerate();
    expect(fake.turns()).toBe(1);
    expect([chat.status, chat.messages.length]).toEqual(["ready", 2]);
    const shown = chat.messages[1]?.parts.filter(({ type }) => type !== "step-start");
    expect(shown).toMatchObject([
      { type: "dynamic-tool", toolName: "time", state: "output-available" },
      { type: "dynamic-tool", toolName: "file_read", state: "output-error" },
      { type: "text", text: "It is noon." },
    ]);
  });

  it("stops watching with stop(), while the turn goes on into the log", async () => {
    const { reached: gate, reach: finish } = milestone();
    const fake = fakeAssistant({
      async *script() {
        yield { type: "text-delta", text: "Begun" };
        await gate;
        yield { type: "text-delta", text: " and ended" };
      },
    });
    const state = new WatchedState();
    const chat = new Chat(fake, { state });
    const sending = chat.sendMessage({ text: "go" });
    await state.answering.reached;
    await chat.stop();
    await sending;
    finish();
    await fake.clock.advance(0);
    expect(fake.transcripts.get("agent:main:web:direct:conversation")).toMatchObject([
      { type: "user" },
      { type: "assistant", text: "Begun and ended" },
    ]);
  });

  it("sends files along as attachments", async () => {
    const fake = fakeAssistant();
    const chat = new Chat(fake);
    const url = "data:image/png;base64,iVBORw0KGgo=";
    await chat.sendMessage({ text: "Look", files: [{ type: "file", mediaType: "image/png", filename: "a.png", url }] });
    expect(fake.inputs[0]).toMatchObject({
      text: "Look",
      attachments: [{ mediaType: "image/png", name: "a.png", url }],
    });
  });

  it.each([
    { whose: "the owner", token: OWNER, why: "All models failed" },
    { whose: "a user", token: ADA, why: "I cannot answer now" },
  ])("tells $whose that a turn failed: $why", async ({ token, why }) => {
    const error = { code: "MODEL_UNAVAILABLE", message: "All models failed" };
    const fake = fakeAssistant({
      script: () => [{ type: "reply", reply: replyOf({ text: "I cannot answer now", error }) }],
    });
    const chat = new Chat(fake, { token });
    await chat.sendMessage({ text: "hi" });
    expect([chat.status, chat.error?.message]).toEqual(["error", why]);
    expect(chat.messages[1]?.parts).toMatchObject([
      { type: "step-start" },
      { type: "text", text: "I cannot answer now" },
    ]);
  });

  it("fails with the problem document when the call is refused", async () => {
    const chat = new Chat(fakeAssistant(), { token: "wrong" });
    await chat.sendMessage({ text: "hi" });
    expect(chat.status).toBe("error");
    expect(chat.error?.message).toContain("urn:wakeful:error:UNAUTHORIZED");
  });
});

describe("POST /api/v1/chat", () => {
  const scripts: { title: string; script: Script; types: string[] }[] = [
    {
      title: "text",
      script: () => [{ type: "text-delta", text: "hi" }],
      types: ["start", "start-step", "text-start", "text-delta", "text-end", "finish-step", "finish", "[DONE]"],
    },
    {
      title: "tools, text after them being a step of its own",
      script: twoSteps,
      types:
        "start start-step text-start text-delta text-delta text-end tool-input-available tool-input-available tool-output-available tool-output-error finish-step start-step text-start text-delta text-end finish-step finish [DONE]".split(
          " ",
        ),
    },
    {
      title: "a reply that was not streamed",
      script: () => [{ type: "reply", reply: replyOf({ text: "whole" }) }],
      types: ["start", "start-step", "text-start", "text-delta", "text-end", "finish-step", "finish", "[DONE]"],
    },
    {
      title: "silence",
      script: () => [{ type: "reply", reply: replyOf({ silent: true }) }],
      types: ["start", "start-step", "finish-step", "finish", "[DONE]"],
    },
    {
      title: "an approval",
      script: () => [{ type: "approval", id: "a1", code: "1234", name: "bash", input: { command: "ls" } }],
      types: ["start", "start-step", "data-approval", "finish-step", "finish", "[DONE]"],
    },
    {
      title: "an error, once",
      script: () => [
        { type: "error", code: "MODEL_UNAVAILABLE", message: "All models failed" },
        { type: "reply", reply: replyOf({ error: { code: "MODEL_UNAVAILABLE", message: "All models failed" } }) },
      ],
      types: ["start", "start-step", "error", "finish-step", "finish", "[DONE]"],
    },
    {
      title: "an error after the text that says it to people",
      script: () => [
        { type: "error", code: "MODEL_UNAVAILABLE", message: "All models failed" },
        { type: "reply", reply: replyOf({ text: "I cannot", error: { code: "MODEL_UNAVAILABLE", message: "All" } }) },
      ],
      types: "start start-step text-start text-delta text-end error finish-step finish [DONE]".split(" "),
    },
    {
      title: "an error without a reply",
      script: () => {
        throw new AssistantError("STORE_UNAVAILABLE", "The store does not answer");
      },
      types: ["start", "start-step", "error", "finish-step", "finish", "[DONE]"],
    },
    {
      title: "a turn that breaks in the middle of a tool",
      script: function* (): Iterable<StreamEvent> {
        yield { type: "tool-start", callId: "t.0.0", name: "time", input: {} };
        throw new AssistantError("STOPPED", "The assistant stops");
      },
      types: [
        "start",
        "start-step",
        "tool-input-available",
        "error",
        "tool-output-error",
        "finish-step",
        "finish",
        "[DONE]",
      ],
    },
  ];

  it.each(scripts)("streams $title in chunks that the AI SDK's schema takes", async ({ script, types }) => {
    const response = await post(fakeAssistant({ script }), chatBody("hi"));
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    expect(response.headers.get("x-vercel-ai-ui-message-stream")).toBe("v1");
    const chunks = await chunksOf(response);
    expect(chunks.map(({ type }) => type)).toEqual(types);
    const { validate } = uiMessageChunkSchema();
    for (const chunk of chunks.slice(0, -1)) expect(await validate?.(chunk)).toMatchObject({ success: true });
  });

  it("streams the same to POST /messages that accepts events", async () => {
    const { app } = fakeAssistant();
    const headers = { accept: "text/event-stream" };
    const chunks = await chunksOf(await app.request(call("/api/v1/messages", { body: { text: "hi" }, headers })));
    expect(chunks.flatMap(({ delta }) => delta ?? [])).toEqual(["You ", "said: ", "hi"]);
  });

  it("adds only what of the reply was not streamed", async () => {
    const script: Script = () => [
      { type: "text-delta", text: "It is " },
      { type: "reply", reply: replyOf({ text: "It is noon" }) },
    ];
    const chunks = await chunksOf(await post(fakeAssistant({ script }), chatBody("hi")));
    expect(chunks.filter(({ type }) => type === "text-delta").map(({ delta }) => delta)).toEqual(["It is ", "noon"]);
    expect(chunks.filter(({ type }) => type === "text-start").length).toBe(1);
  });

  it("tells nothing of an unknown failure, and logs it", async () => {
    const fake = fakeAssistant({
      script: () => {
        throw new Error("password is hunter2");
      },
    });
    const text = await (await post(fake, chatBody("hi"))).text();
    expect(text).toContain('"type":"error"');
    expect(text).not.toContain("hunter2");
    expect(fake.errors).toEqual(["A stream failed"]);
  });

  it("keeps the connection open with comments while nothing happens", async () => {
    const fake = fakeAssistant({
      async *script() {
        await fake.clock.sleep(40_000);
        yield { type: "text-delta", text: "at last" };
      },
    });
    const response = await post(fake, chatBody("hi"));
    const reading = response.text();
    await fake.clock.advance(40_000);
    const text = await reading;
    expect(text.split(": still here\n\n").length - 1).toBe(2);
    expect(text).toContain("at last");
    expect(fake.clock.pending).toBe(0);
  });

  it("keeps a user's conversations apart from everybody's of the same name", async () => {
    const fake = fakeAssistant();
    await (await post(fake, chatBody("mine"))).text();
    await (await post(fake, chatBody("mine too"), ADA)).text();
    expect(fake.inputs).toMatchObject([
      { session: "conversation", asOwner: true },
      { session: "app:%41da/conversation", user: "app:Ada" },
    ]);
    expect(fake.turns()).toBe(2);
  });

  const user = { id: "m", role: "user", parts: [{ type: "text", text: "hi" }] };
  it.each([
    { title: "no conversation", body: { messages: [user] }, field: "id" },
    { title: "no messages", body: { id: "c" }, field: "messages" },
    { title: "an empty list", body: { id: "c", messages: [] }, field: "messages" },
    {
      title: "no message of the user",
      body: { id: "c", messages: [{ ...user, role: "assistant" }] },
      field: "messages",
    },
    {
      title: "a message without an id",
      body: { id: "c", messages: [user, { role: "user", parts: user.parts }] },
      field: "messages.1.id",
    },
    {
      title: "a message without content",
      body: { id: "c", messages: [{ ...user, parts: [{ type: "text", text: " " }] }] },
      field: "messages.0.parts",
    },
    { title: "an unknown role", body: { id: "c", messages: [{ ...user, role: "root" }] }, field: "messages.0.role" },
    {
      title: "a file without its kind",
      body: { id: "c", messages: [{ ...user, parts: [{ type: "file", url: "data:," }] }] },
      field: "messages.0.parts.0.mediaType",
    },
  ])("refuses $title by the field's name", async ({ body, field }) => {
    const response = await post(fakeAssistant(), body);
    const problem = await bodyOf(response);
    expect([response.status, problem["code"]]).toEqual([400, "OPTION_INVALID"]);
    expect((problem["errors"] as { field: string }[]).map((error) => error.field)).toEqual([field]);
  });

  it("reads past what came before the last user message and parts that are not for the assistant", async () => {
    const fake = fakeAssistant();
    const messages = [
      {
        id: "a",
        role: "assistant",
        parts: [{ type: "step-start" }, { type: "dynamic-tool", toolName: "x", state: "output-available" }],
      },
      {
        id: "b",
        role: "user",
        parts: [
          { type: "text", text: "one" },
          { type: "data-note", data: 1 },
          { type: "text", text: "two" },
        ],
      },
      { id: "c", role: "assistant", parts: [] },
    ];
    await (await post(fake, { id: "c", messages, trigger: "regenerate-message", extra: true })).text();
    expect(fake.inputs).toMatchObject([{ id: "b", text: "one\ntwo" }]);
  });
});
