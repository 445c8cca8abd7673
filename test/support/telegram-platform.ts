/** What the platform does with a call, when it does not just take it. */
export type Answer =
  | {
      readonly kind: "status";
      readonly status: number;
      readonly description?: string;
      readonly retryAfterSeconds?: number;
      readonly migrateTo?: number;
    }
  /** The connection breaks without an answer. */
  | { readonly kind: "drop" }
  /** Taken, and then the connection breaks. */
  | { readonly kind: "taken-then-drop" }
  /** No answer for so long, then taken. */
  | { readonly kind: "delay"; readonly ms: number }
  /** Never an answer. */
  | { readonly kind: "hang" };

export interface TakenMessage {
  readonly id: number;
  readonly chat: string;
  /** As a reader sees it. */
  readonly text: string;
  readonly idempotencyKey: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface PlatformCall {
  readonly method: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly idempotencyKey: string | null;
}

/** What `getFile` tells of a file, and what its path then gives. */
export interface PlatformFile {
  readonly path: unknown;
  readonly body?: string | ReadableStream<Uint8Array>;
  readonly size?: number;
  /** Instead of 200. */
  readonly status?: number;
  /** The connection breaks without an answer. */
  readonly drop?: boolean;
  /** The connection breaks after the body. */
  readonly breaks?: boolean;
}

export interface PlatformUpdate {
  readonly update_id: number;
  readonly [field: string]: unknown;
}

export interface TelegramPlatform {
  /** By `file_id`. */
  readonly files: Record<string, PlatformFile>;
  /** The paths that were asked for, in order. */
  readonly fetched: readonly string[];
  readonly calls: readonly PlatformCall[];
  /** Messages that sendMessage took, in order. */
  readonly sent: readonly TakenMessage[];
  /** Answers to the next calls; `null` takes one as usual. `method` counts only calls of that method. */
  script(answers: readonly (Answer | null)[], options?: { method?: string }): void;
  /** A new update, for whoever asks next. */
  push(...updates: readonly PlatformUpdate[]): void;
  /** Updates that nobody has confirmed, the oldest first. */
  readonly waiting: readonly PlatformUpdate[];
  /** How often each update was handed out, by its id. */
  readonly handedOut: ReadonlyMap<number, number>;
  /** What `getWebhookInfo` tells; with a `url` nobody may ask for updates. */
  webhookInfo: Record<string, unknown>;
  me: Record<string, unknown>;
  reset(): void;
  /** The answer to one call; throws what stands for a broken connection. */
  handle(path: string, body: string, idempotencyKey: string | null, signal?: AbortSignal): Promise<Response>;
  /** For the option `fetch` of the channel. */
  readonly fetch: typeof globalThis.fetch;
}

const ok = (result: unknown) => Response.json({ ok: true, result });
const failed = (error_code: number, description: string, parameters?: object) =>
  Response.json({ ok: false, error_code, description, ...(parameters && { parameters }) }, { status: error_code });

/** A Bot API in memory, as strict as the real one about texts: what it refuses, Telegram refuses. Runs on every runtime. */
export function telegramPlatform({
  token,
  sleep,
}: {
  token: string;
  sleep?: (ms: number) => Promise<void>;
}): TelegramPlatform {
  const calls: PlatformCall[] = [];
  const sent: TakenMessage[] = [];
  const files: Record<string, PlatformFile> = {};
  const fetched: string[] = [];
  let waiting: readonly PlatformUpdate[] = [];
  const handedOut = new Map<number, number>();
  let endPoll = (_how: "new" | "terminated") => {};
  let scripts: { method: string | undefined; left: (Answer | null)[] }[] = [];

  function nextAnswer(method: string): Answer | null {
    const script = scripts.find(
      (entry) => entry.left.length > 0 && (entry.method === undefined || entry.method === method),
    );
    return script?.left.shift() ?? null;
  }

  /** Source: https://core.telegram.org/bots/api#getupdates. */
  async function giveUpdates(payload: PlatformCall["payload"], signal?: AbortSignal): Promise<Response> {
    const { offset, limit = 100, timeout = 0 } = payload as { offset?: number; limit?: number; timeout?: number };
    const { url } = platform.webhookInfo;
    if (url !== "" && url !== undefined)
      return failed(
        409,
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
      );
    endPoll("terminated");
    if (offset !== undefined) waiting = waiting.filter(({ update_id }) => update_id >= offset);
    if (waiting.length === 0 && timeout > 0) {
      const ended = new Promise<"new" | "terminated" | "late">((resolve, reject) => {
        endPoll = resolve;
        signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
        void sleep?.(timeout * 1000).then(() => resolve("late"));
      });
      if ((await ended) === "terminated")
        return failed(
          409,
          "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
        );
    }
    const given = waiting.slice(0, limit);
    for (const { update_id } of given) handedOut.set(update_id, (handedOut.get(update_id) ?? 0) + 1);
    return ok(given);
  }

  function take({ method, payload, idempotencyKey }: PlatformCall, signal?: AbortSignal): Response | Promise<Response> {
    switch (method) {
      case "getUpdates":
        return giveUpdates(payload, signal);
      case "setWebhook": {
        const { url, allowed_updates } = payload;
        if (!String(url).startsWith("https://"))
          return failed(400, "Bad Request: bad webhook: An HTTPS URL must be provided for webhook");
        platform.webhookInfo = { url, allowed_updates, pending_update_count: waiting.length };
        endPoll("terminated");
        return ok(true);
      }
      case "deleteWebhook":
        platform.webhookInfo = { url: "", has_custom_certificate: false, pending_update_count: waiting.length };
        return ok(true);
      case "answerCallbackQuery":
        return ok(true);
      case "getMe":
        return ok(platform.me);
      case "getWebhookInfo":
        return ok(platform.webhookInfo);
      case "sendChatAction":
        return ok(true);
      case "getFile": {
        const file = files[String(payload["file_id"])];
        if (!file) return failed(400, "Bad Request: invalid file_id");
        return ok({ file_id: payload["file_id"], file_unique_id: "u", file_path: file.path, file_size: file.size });
      }
      case "sendMessage":
      case "editMessageText": {
        const text = visibleText(payload);
        if (typeof text !== "string") return failed(400, text.refusal);
        if (method === "editMessageText") return ok({ message_id: payload["message_id"] });
        const id = sent.length + 1;
        sent.push({ id, chat: String(payload["chat_id"]), text, idempotencyKey, payload });
        return ok({ message_id: id, date: 1_767_600_000, chat: { id: payload["chat_id"], type: "private" }, text });
      }
      default:
        return failed(404, "Not Found: method not found");
    }
  }

  async function handle(
    path: string,
    body: string,
    idempotencyKey: string | null,
    signal?: AbortSignal,
  ): Promise<Response> {
    const method = path.startsWith(`/bot${token}/`) ? path.slice(`/bot${token}/`.length) : null;
    if (method === null) return failed(401, "Unauthorized");
    const call = { method, payload: JSON.parse(body) as Record<string, unknown>, idempotencyKey };
    calls.push(call);
    const answer = nextAnswer(method);
    if (answer === null) return take(call, signal);
    switch (answer.kind) {
      case "status":
        return failed(answer.status, answer.description ?? `answered ${answer.status}`, {
          ...(answer.retryAfterSeconds !== undefined && { retry_after: answer.retryAfterSeconds }),
          ...(answer.migrateTo !== undefined && { migrate_to_chat_id: answer.migrateTo }),
        });
      case "drop":
        throw new TypeError(`fetch failed: connection reset (https://api.telegram.org${path})`);
      case "taken-then-drop":
        await take(call);
        throw new TypeError(`fetch failed: connection reset (https://api.telegram.org${path})`);
      case "delay":
        await sleep?.(answer.ms);
        return take(call);
      default:
        return new Promise((_resolve, reject) =>
          signal?.addEventListener("abort", () => reject(signal.reason), { once: true }),
        );
    }
  }

  /** Source: https://core.telegram.org/bots/api#getfile. */
  function giveFile(path: string): Response {
    fetched.push(path);
    const file = Object.values(files).find((one) => one.path === path);
    if (!file) return failed(404, "Not Found");
    const broken = () => new TypeError(`terminated (https://api.telegram.org/file/bot${token}/${path})`);
    if (file.drop) throw broken();
    const { status = 200, body = "" } = file;
    if (status !== 200) return new Response("x", { status, headers: { location: "http://127.0.0.1/" } });
    const headers = { "content-type": "application/octet-stream" };
    if (typeof body !== "string" || !file.breaks) return new Response(body, { headers });
    const parts = [new TextEncoder().encode(body)];
    const half = new ReadableStream<Uint8Array>({
      pull(controller) {
        const part = parts.shift();
        if (part) controller.enqueue(part);
        else controller.error(broken());
      },
    });
    return new Response(half, { headers });
  }

  const platform: TelegramPlatform = {
    files,
    fetched,
    push(...updates) {
      waiting = [...waiting, ...updates];
      endPoll("new");
    },
    get waiting() {
      return waiting;
    },
    handedOut,
    calls,
    sent,
    me: {
      id: Number(/^\d+/.exec(token)?.[0] ?? 0),
      is_bot: true,
      first_name: "Wakeful",
      username: "wakeful_bot",
      can_read_all_group_messages: false,
    },
    webhookInfo: { url: "", has_custom_certificate: false, pending_update_count: 0 },
    script: (answers, { method } = {}) => void scripts.push({ method, left: [...answers] }),
    reset() {
      calls.length = 0;
      fetched.length = 0;
      sent.length = 0;
      waiting = [];
      handedOut.clear();
      scripts = [];
    },
    handle,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      request.signal.throwIfAborted();
      const { pathname } = new URL(request.url);
      const filePath = `/file/bot${token}/`;
      if (pathname.startsWith(filePath)) return giveFile(pathname.slice(filePath.length));
      return handle(pathname, await request.text(), request.headers.get("idempotency-key"), init?.signal ?? undefined);
    },
  };
  return platform;
}

const PAIRED = /^(?:b|strong|i|em|u|ins|s|strike|del|code|pre|a|blockquote|tg-spoiler)$/;
const TOKENS = /<(\/?)([a-z-]+)((?:\s+[a-z-]+="[^"<>]*")*)\s*>|&(?:lt|gt|amp|quot|#\d+|#x[0-9a-f]+);|[^<>&]+|[<>&]/gi;

/** The text that a reader sees, or why Telegram refuses it. Source: https://core.telegram.org/bots/api#html-style. */
export function visibleText(payload: Readonly<Record<string, unknown>>): string | { readonly refusal: string } {
  const { text, parse_mode: mode } = payload;
  if (typeof text !== "string") return { refusal: "Bad Request: message text is empty" };
  const visible = mode === "HTML" ? readHtml(text) : text;
  if (typeof visible !== "string") return visible;
  if (visible.trim() === "") return { refusal: "Bad Request: message text is empty" };
  return visible.length > 4096 ? { refusal: "Bad Request: message is too long" } : visible;
}

function readHtml(html: string): string | { readonly refusal: string } {
  const refuse = (why: string) => ({ refusal: `Bad Request: can't parse entities: ${why}` });
  const open: string[] = [];
  let visible = "";
  for (const [token, slash, name = ""] of html.matchAll(TOKENS)) {
    if (token.startsWith("<") && token.length > 1) {
      if (!PAIRED.test(name)) return refuse(`Unsupported start tag "${name}"`);
      if (slash === "/") {
        if (open.pop() !== name) return refuse(`Unexpected end tag "${name}"`);
      } else {
        if (name === "blockquote" && open.includes(name)) return refuse("Nested blockquote");
        if (open.includes("pre") && !(name === "code" && open.at(-1) === "pre")) return refuse(`"${name}" inside pre`);
        open.push(name);
      }
    } else if (token === "<" || token === ">" || token === "&") {
      return refuse(`Unescaped "${token}"`);
    } else {
      visible += token.startsWith("&") ? decode(token) : token;
    }
  }
  return open.length === 0 ? visible : refuse(`Can't find end tag corresponding to start tag "${open.at(-1) ?? ""}"`);
}

function decode(entity: string): string {
  return { "&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"' }[entity] ?? entity;
}
