import { describe, expect, it } from "vitest";
import { webhook } from "../../adapters/channels/webhook/index.ts";
import type { WebhookOptions } from "../../adapters/channels/webhook/index.ts";
import { createHmac } from "../../src/guard/hmac.ts";
import { channelContract } from "../../src/testing/channel-contract.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";

const secret = "a-webhook-secret-of-32-characters";
const never = new AbortController().signal;
const target = { channel: "webhook", account: "default", chat: "ada" };
const body = { id: "m-1", user: "ada", text: "Hello" };

interface Posted {
  readonly url: string;
  readonly headers: Headers;
  readonly text: string;
}

function setUp(options: Partial<WebhookOptions> = {}) {
  const clock = fakeClock();
  const posted: Posted[] = [];
  const answers: (() => Response)[] = [];
  const channel = webhook({
    secret,
    replyUrl: "https://app.example/replies",
    clock,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      request.signal.throwIfAborted();
      posted.push({ url: request.url, headers: request.headers, text: await request.text() });
      return answers.shift()?.() ?? new Response("thanks");
    },
    ...options,
  });
  return { clock, channel, posted, answers };
}

interface Signing {
  /** What is signed instead of the body that is sent. */
  readonly signed?: string | Uint8Array<ArrayBuffer>;
  readonly secret?: string;
  readonly timestamp?: string;
  readonly headers?: Record<string, string>;
  readonly query?: string;
}

async function signedRequest(clock: { now(): number }, content: unknown, signing: Signing = {}): Promise<Request> {
  const raw = content instanceof Uint8Array || typeof content === "string" ? content : JSON.stringify(content);
  const { timestamp = String(Math.floor(clock.now() / 1000)) } = signing;
  const bytes = (part: string | Uint8Array) => (typeof part === "string" ? new TextEncoder().encode(part) : part);
  const signature = await createHmac(signing.secret ?? secret).sign(
    join(bytes(`${timestamp}.`), bytes(signing.signed ?? raw)),
  );
  return new Request(`https://assistant.example/webhooks/webhook${signing.query ?? ""}`, {
    method: "POST",
    headers: { "x-timestamp": timestamp, "x-signature": `sha256=${signature}`, ...signing.headers },
    body: raw as BodyInit,
  });
}

function join(left: Uint8Array, right: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(left.length + right.length);
  bytes.set(left);
  bytes.set(right, left.length);
  return bytes;
}

async function without(request: Promise<Request>, header: string): Promise<Request> {
  const stripped = new Request(await request);
  stripped.headers.delete(header);
  return stripped;
}

/** The request again, with its body in pieces and no declared length. */
async function streamed(request: Promise<Request>): Promise<Request> {
  const whole = await request;
  const bytes = new Uint8Array(await whole.arrayBuffer());
  let offset = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (offset >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(offset, (offset += 65_536)));
    },
  });
  return new Request(whole.url, {
    method: "POST",
    headers: whole.headers,
    body: stream,
    duplex: "half",
  } as RequestInit);
}

channelContract(
  { describe, it, expect },
  {
    name: "webhook()",
    async open() {
      const { clock, channel, posted, answers } = setUp();
      const statuses = { "rate-limited": 429, unavailable: 503, refused: 410 };
      const taken: { text: string; idempotencyKey: string | null }[] = [];
      const send = channel.send.bind(channel);
      return {
        // The receiver answers after it has read: what it refuses it has not taken.
        channel: {
          ...channel,
          async send(to, message, signal) {
            const sent = await send(to, message, signal);
            const last = posted.at(-1);
            if (last)
              taken.push({
                text: (JSON.parse(last.text) as { text: string }).text,
                idempotencyKey: last.headers.get("idempotency-key"),
              });
            return sent;
          },
        },
        target,
        secrets: [secret],
        request: ({ id, text }) => signedRequest(clock, { ...body, id, text }),
        edited: ({ id, of, text }) => signedRequest(clock, { ...body, id, edited: of, text }),
        deleted: ({ id, of }) => signedRequest(clock, { id, user: body.user, deleted: of }),
        forged: async () => ({
          "another secret": await signedRequest(clock, body, { secret: "another" }),
          "an altered byte": await signedRequest(clock, body, {
            signed: JSON.stringify(body).replace("Hello", "Hullo"),
          }),
          "no signature": await without(signedRequest(clock, body), "x-signature"),
          "no timestamp": await without(signedRequest(clock, body), "x-timestamp"),
        }),
        malformed: async () => ({
          "not JSON": await signedRequest(clock, "{"),
          "not UTF-8": await signedRequest(clock, new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d])),
          nothing: await signedRequest(clock, ""),
          "a list": await signedRequest(clock, [body]),
          "no id": await signedRequest(clock, { user: "ada", text: "hi" }),
          "an empty id": await signedRequest(clock, { ...body, id: "" }),
          "an id that is a number": await signedRequest(clock, { ...body, id: 1 }),
          "an empty user": await signedRequest(clock, { ...body, user: "" }),
          "a user with a blank before it": await signedRequest(clock, { ...body, user: " ada" }),
          "a session with a blank behind it": await signedRequest(clock, { ...body, session: "s " }),
          "no text": await signedRequest(clock, { id: "1", user: "ada" }),
          "a blank text and no attachments": await signedRequest(clock, { ...body, text: "  " }),
          "an edit without a text": await signedRequest(clock, { ...body, edited: "m-0", text: " " }),
          "an edit that is a deletion": await signedRequest(clock, { ...body, edited: "m-0", deleted: "m-0" }),
          "attachments that are no list": await signedRequest(clock, { ...body, attachments: {} }),
        }),
        oversized: () => streamed(signedRequest(clock, { ...body, text: "x".repeat(1_100_000) })),
        answerNext: (answer) =>
          void answers.push(() => {
            if (answer === "unreachable") throw new TypeError("fetch failed");
            return new Response(null, {
              status: statuses[answer],
              headers: answer === "rate-limited" ? { "retry-after": "7" } : {},
            });
          }),
        sends: () => posted.length,
        taken: () => taken,
      };
    },
  },
);

describe("webhook()", () => {
  it.each([
    { title: "no secret", options: { secret: "" } },
    { title: "a replyUrl that is no address", options: { secret, replyUrl: "app.example" } },
    { title: "a replyUrl of another scheme", options: { secret, replyUrl: "file:///etc/passwd" } },
    { title: "a replyUrl with a password", options: { secret, replyUrl: "https://user:pass@app.example/" } },
    { title: "an origin that is none", options: { secret, replyOrigins: ["*"] } },
  ])("refuses $title", ({ options }) => {
    expect(() => webhook(options)).toThrow(expect.objectContaining({ code: "OPTION_INVALID" }));
  });
});

describe("webhook().receive()", () => {
  it("never gives two pairs of user and session one conversation", async () => {
    const { channel, clock } = setUp({});
    const pairs = [
      { user: "a/b" },
      { user: "a", session: "b" },
      { user: "a%2Fb" },
      { user: "a", session: "%2Fb" },
      { user: "a%2F", session: "b" },
    ];
    const ids = new Set<string>();
    for (const pair of pairs) {
      const { messages } = await channel.receive(await signedRequest(clock, { ...body, ...pair }));
      ids.add(messages[0]?.peer.id ?? "");
    }
    expect(ids.size).toBe(pairs.length);
  });

  it("reads a signed message", async () => {
    const { channel, clock } = setUp({ account: "second" });
    const content = {
      ...body,
      session: "ticket-7",
      attachments: [
        { name: "a.pdf", media_type: "application/pdf", url: "https://app.example/a.pdf", size_bytes: 10 },
        {},
      ],
      reply_url: "https://app.example/replies/7?x=1",
    };
    expect(await channel.receive(await signedRequest(clock, content))).toEqual({
      messages: [
        {
          channel: "webhook",
          account: "second",
          id: "m-1",
          messageId: "m-1",
          peer: { kind: "direct", id: "ada/ticket-7" },
          sender: { id: "ada" },
          text: "Hello",
          attachments: [
            { name: "a.pdf", mediaType: "application/pdf", url: "https://app.example/a.pdf", sizeBytes: 10 },
            { mediaType: "application/octet-stream" },
          ],
          mentioned: true,
          replyTo: "https://app.example/replies/7?x=1",
          raw: content,
        },
      ],
    });
  });

  it("verifies the bytes that came, not a JSON text made again from them", async () => {
    const { channel, clock } = setUp();
    const raw = '{ "text":"h\\u00e9llo 👩‍👩‍👧",\n"user":"ada", "id":"m-1","extra":1e2 }';
    expect((await channel.receive(await signedRequest(clock, raw))).messages[0]?.text).toBe("héllo 👩‍👩‍👧");
  });

  it("agrees with a signature made by another program", async () => {
    // printf '1767600000.{"id":"1","user":"ada","text":"hi"}' | openssl dgst -sha256 -hmac key
    const { channel } = setUp({ secret: "key", clock: { now: () => 1_767_600_000_000 } });
    const request = new Request("https://assistant.example/webhooks/webhook", {
      method: "POST",
      headers: {
        "X-Timestamp": "1767600000",
        "X-Signature": "sha256=592170e57e3091ad690807e44592e3aa49f1d54d1a1364af171064fc761f58b1",
      },
      body: '{"id":"1","user":"ada","text":"hi"}',
    });
    expect((await channel.receive(request)).messages).toHaveLength(1);
  });

  it.each([
    { title: "now", offset: 0, accepted: true },
    { title: "five minutes old", offset: -300, accepted: true },
    { title: "older", offset: -301, accepted: false },
    { title: "five minutes ahead", offset: 300, accepted: true },
    { title: "further ahead", offset: 301, accepted: false },
  ])("takes a time stamp that is $title: $accepted", async ({ offset, accepted }) => {
    const { channel, clock } = setUp();
    const timestamp = String(clock.now() / 1000 + offset);
    const receipt = channel.receive(await signedRequest(clock, body, { timestamp }));
    if (accepted) expect((await receipt).messages).toHaveLength(1);
    else await expect(receipt).rejects.toMatchObject({ code: "CHANNEL_REJECTED" });
  });

  it.each([
    { title: "milliseconds", timestamp: (now: number) => String(now) },
    { title: "a fraction", timestamp: (now: number) => `${now / 1000}.5` },
    { title: "a sign", timestamp: (now: number) => `+${now / 1000}` },
    { title: "two joined", timestamp: (now: number) => `${now / 1000}, ${now / 1000}` },
    { title: "hexadecimal", timestamp: (now: number) => `0x${(now / 1000).toString(16)}` },
  ])("refuses a time stamp of $title, rightly signed", async ({ timestamp }) => {
    const { channel, clock } = setUp();
    const request = await signedRequest(clock, body, { timestamp: timestamp(clock.now()) });
    await expect(channel.receive(request)).rejects.toMatchObject({ code: "CHANNEL_REJECTED" });
  });

  it.each([
    { title: "upper-case digits", change: (signature: string) => `sha256=${signature.toUpperCase()}` },
    { title: "no prefix", change: (signature: string) => signature },
    { title: "an upper-case prefix", change: (signature: string) => `SHA256=${signature}` },
    {
      title: "two joined, the right one last",
      change: (signature: string) => `sha256=${"0".repeat(64)}, sha256=${signature}`,
    },
    {
      title: "two joined, the right one first",
      change: (signature: string) => `sha256=${signature}, sha256=${"0".repeat(64)}`,
    },
    { title: "a digit too many", change: (signature: string) => `sha256=${signature}0` },
    { title: "nothing", change: () => "sha256=" },
  ])("refuses a signature with $title", async ({ change }) => {
    const { channel, clock } = setUp();
    const request = await signedRequest(clock, body);
    const signature = request.headers.get("x-signature")?.slice("sha256=".length) ?? "";
    request.headers.set("x-signature", change(signature));
    await expect(channel.receive(request)).rejects.toMatchObject({ code: "CHANNEL_REJECTED" });
  });

  it("refuses a boundary that was shifted between time stamp and body", async () => {
    const { channel, clock } = setUp();
    const seconds = String(clock.now() / 1000);
    const request = await signedRequest(clock, "5.{}", { timestamp: seconds.slice(0, -1), signed: "" });
    await expect(channel.receive(request)).rejects.toMatchObject({ code: "CHANNEL_REJECTED" });
  });

  it("reads no body before the headers are in order", async () => {
    const { channel, clock } = setUp();
    const request = await without(signedRequest(clock, body), "x-signature");
    await expect(channel.receive(request)).rejects.toMatchObject({ code: "CHANNEL_REJECTED" });
    expect(request.bodyUsed).toBe(false);
  });

  it.each([
    { title: "the origin of replyUrl", reply_url: "https://app.example/other", allowed: true },
    { title: "a listed origin", reply_url: "http://other.example:8080/x", allowed: true },
    { title: "another port", reply_url: "https://app.example:444/", allowed: false },
    { title: "another scheme", reply_url: "http://app.example/", allowed: false },
    { title: "another host", reply_url: "https://app.example.evil.example/", allowed: false },
    { title: "the metadata service", reply_url: "http://169.254.169.254/latest", allowed: false },
    { title: "a user name in front", reply_url: "https://app.example@evil.example/", allowed: false },
    { title: "credentials", reply_url: "https://a:b@app.example/", allowed: false },
    { title: "a file", reply_url: "file:///etc/passwd", allowed: false },
    { title: "no address", reply_url: "app.example/replies", allowed: false },
  ])("lets a message name a reply_url with $title: $allowed", async ({ reply_url, allowed }) => {
    const { channel, clock } = setUp({ replyOrigins: ["http://other.example:8080/ignored/path"] });
    const receipt = channel.receive(await signedRequest(clock, { ...body, reply_url }));
    if (allowed) expect((await receipt).messages[0]?.replyTo).toBe(reply_url);
    else await expect(receipt).rejects.toMatchObject({ code: "OPTION_INVALID" });
  });

  it.each([
    [{}, "id: Expected this field, but it is missing; user: Expected this field, but it is missing"],
    ["7", "Expected an object"],
    [{ ...body, id: 7 }, "id: Expected a text"],
    [{ ...body, user: "" }, "user: Expected a text of 1 to 512 characters"],
    [{ ...body, user: " ada" }, "user: Expected no spaces around it"],
    [{ ...body, text: null }, "text: Expected a text"],
    [{ ...body, attachments: {} }, "attachments: Expected a list"],
    [{ ...body, attachments: ["a"] }, "attachments.0: Expected an object"],
    [{ ...body, attachments: [{ size_bytes: 1.5 }] }, "attachments.0.size_bytes: Expected a whole number of 0 or more"],
  ])("says in plain words what is wrong with the body %j", async (wrong, told) => {
    const { channel, clock } = setUp();
    const receipt = channel.receive(await signedRequest(clock, wrong));
    await expect(receipt).rejects.toMatchObject({ code: "OPTION_INVALID", message: `Cannot read the body: ${told}` });
  });

  it("lets no message name a reply_url when nothing is configured", async () => {
    const channel = webhook({ secret, clock: fakeClock() });
    const request = await signedRequest(fakeClock(), { ...body, reply_url: "https://app.example/" });
    await expect(channel.receive(request)).rejects.toMatchObject({ code: "OPTION_INVALID" });
  });

  it("waits with the response when asked to, and posts nothing then", async () => {
    const { channel, clock, posted } = setUp();
    const receipt = await channel.receive(await signedRequest(clock, body, { query: "?wait=true" }));
    expect(receipt.wait).toBe(true);
    const replyTo = receipt.messages[0]?.replyTo;
    await channel.send(
      { ...target, ...(replyTo !== undefined && { replyTo }) },
      { text: "hi", idempotencyKey: "t.0" },
      never,
    );
    expect(posted).toEqual([]);
    expect((await channel.receive(await signedRequest(clock, body, { query: "?wait=1" }))).wait).toBeUndefined();
  });
});

describe("webhook().send()", () => {
  it.each([{ user: "ada" }, { user: "a/b%2F%25", session: "trip/2 %2F" }, { user: "/" }])(
    "says whom it is for, also when nobody asked: %j",
    async (who) => {
      const { channel, clock, posted } = setUp();
      const { messages } = await channel.receive(await signedRequest(clock, { id: "m", text: "hi", ...who }));
      await channel.send({ ...target, chat: messages[0]!.peer.id }, { text: "Drink", idempotencyKey: "job.0" }, never);
      expect(JSON.parse(posted[0]?.text ?? "")).toEqual({ id: "job.0", in_reply_to: null, text: "Drink", ...who });
    },
  );

  it("posts the reply, signed as it wants requests to be", async () => {
    const { channel, clock, posted } = setUp();
    const sent = await channel.send(target, { text: "**Hi** 你好", idempotencyKey: "turn.0", inReplyTo: "m-1" }, never);
    expect(sent).toEqual({ id: "turn.0" });
    const [reply] = posted;
    expect(reply?.url).toBe("https://app.example/replies");
    expect(JSON.parse(reply?.text ?? "")).toEqual({
      id: "turn.0",
      in_reply_to: "m-1",
      text: "**Hi** 你好",
      user: target.chat,
    });
    expect(reply?.headers.get("idempotency-key")).toBe("turn.0");
    const timestamp = reply?.headers.get("x-timestamp") ?? "";
    expect(timestamp).toBe(String(clock.now() / 1000));
    expect(reply?.headers.get("x-signature")).toBe(
      `sha256=${await createHmac(secret).sign(`${timestamp}.${reply?.text}`)}`,
    );
  });

  it("posts to the message's own reply_url", async () => {
    const { channel, posted } = setUp();
    await channel.send({ ...target, replyTo: "https://app.example/7" }, { text: "hi" }, never);
    expect(posted[0]?.url).toBe("https://app.example/7");
  });

  it("says that there is nowhere to post a reply to", async () => {
    const channel = webhook({ secret });
    await expect(channel.send(target, { text: "hi" }, never)).rejects.toMatchObject({
      retryable: false,
      message: expect.stringContaining("replyUrl"),
    });
  });

  it.each([
    { status: 302, headers: { location: "https://evil.example/" }, retryable: false },
    { status: 404, headers: {}, retryable: false },
    { status: 408, headers: {}, retryable: true },
    { status: 500, headers: {}, retryable: true },
    { status: 503, headers: { "retry-after": "Mon, 05 Jan 2026 08:00:30 GMT" }, retryable: true, retryAfterMs: 30_000 },
    { status: 429, headers: { "retry-after": "soon" }, retryable: true },
  ])("finds an answer of $status worth a retry: $retryable", async ({ status, headers, retryable, ...rest }) => {
    const { channel, answers, posted } = setUp();
    answers.push(() => new Response(null, { status, headers: headers as Record<string, string> }));
    const error = await channel.send(target, { text: "hi" }, never).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ name: "ChannelSendError", retryable });
    expect((error as { retryAfterMs?: number }).retryAfterMs).toBe(
      "retryAfterMs" in rest ? rest.retryAfterMs : undefined,
    );
    expect(posted).toHaveLength(1);
  });
});

describe("webhook().verifySetup()", () => {
  it("says how to make a better secret", async () => {
    expect((await webhook({ secret: "short" }).verifySetup({ signal: never })).find(({ ok }) => !ok)?.remedy).toContain(
      "openssl rand",
    );
  });
});
