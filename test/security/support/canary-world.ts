import * as v from "valibot";
import { type AssistantOptions, createAssistant, defineTool, memoryStore } from "../../../entry.host.ts";
import type { DirectScope } from "../../../src/session/index.ts";
import { type InMemoryChannel, inMemoryChannel } from "../../../src/testing/in-memory-channel.ts";
import { type ScriptedModel, calls, says, scriptedModel } from "../../../src/testing/scripted-model.ts";
import { ADA, OWNER } from "../support.ts";

/** What a canary was put into. */
export type CanaryKind = "text" | "heard" | "name" | "file" | "note" | "tool" | "reply" | "summary" | "lite";

/** Somewhere to say something. Several places may be one conversation: a linked person's chats, the owner's. */
export interface Place {
  readonly kind: "direct" | "group" | "sdk" | "web";
  /** Whose it is, worked out from the rules alone and not by the program. */
  readonly conversation: string;
  /** Resolves when it was answered, or kept. */
  say(text: string, how?: Saying): Promise<unknown>;
}

interface Saying {
  readonly heard?: boolean;
  readonly note?: boolean;
  readonly file?: string;
  readonly name?: string;
  readonly asOwner?: boolean;
  readonly lite?: boolean;
}

const CANARY = /ZQ-\d{9}/g;
const BOSS = "boss";
/** Ids that are made of what keys are made of; no two are one, whatever their case. */
const ODD_IDS = ["1:2", "1%3a2", "@ann", "ann", "%40ann", "group:g1", "main", "memory:direct:1", "two:direct:1", "sdk"];
const ODD_GROUPS = ["g1:thread:2", "g1%3athread%3a2", "1", "@ann", "main"];
const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1));

/** The same numbers each time. */
export function random(seed: number) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
  return { below: (count: number) => Math.floor(next() * count), chance: (part: number) => next() < part };
}

/** Canaries, and to which conversation each belongs. */
function createCanaries(seed: number) {
  const dice = random(seed);
  const owners = new Map<string, { readonly conversation: string; readonly kind: CanaryKind }>();
  return {
    make(conversation: string, kind: CanaryKind): string {
      for (;;) {
        const canary = `ZQ-${100_000_000 + dice.below(900_000_000)}`;
        if (owners.has(canary)) continue;
        owners.set(canary, { conversation, kind });
        return canary;
      }
    },
    find: (text: string) => [...new Set(text.match(CANARY))].map((canary) => ({ canary, ...owners.get(canary) })),
  };
}

/** One assistant on two platforms, one of them with two accounts, whose model and tools repeat what they read. */
export function canaryWorld(
  dmScope: Exclude<DirectScope, "main">,
  { ids = 30, seed = 7, chatsOnly = false, memory = false } = {},
) {
  const canaries = createCanaries(seed);
  const dice = random(seed + 1);
  const leaks: string[] = [];
  const kinds = new Set<CanaryKind>();
  const counts = { turns: 0, summaries: 0, joined: 0, canaries: 0, recalled: 0 };
  const keyOf = new Map<string, string>();
  const placeOf = new Map<string, string>();
  const store = memoryStore();
  const access = { dm: "open", groups: "mention" } as const;
  const channels: Record<string, InMemoryChannel> = {
    memory: inMemoryChannel({ access }),
    "memory/two": inMemoryChannel({ access: { ...access, account: "two", queue: { mode: "steer" } } }),
    other: inMemoryChannel({ name: "other", access: { ...access, queue: { mode: "interrupt" } } }),
  };

  /** Conversations that may know of each other: each by itself, unless one person or group remembers what was said in several. */
  function circleOf(conversation: string | undefined): string | undefined {
    if (!memory || conversation === undefined) return conversation;
    if (conversation === "main" || conversation.startsWith("web owner ")) return "the owner";
    if (conversation.startsWith("web ada ")) return "ada";
    return conversation.startsWith("group ") ? conversation.split(" ").slice(0, 3).join(" ") : conversation;
  }

  /** Everything in the text belongs to one conversation: to this one, if it is named. */
  function check(where: string, text: string, conversation?: string): string | undefined {
    const found = canaries.find(text);
    counts.canaries += found.length;
    const whose = new Set([
      ...found.map((one) => circleOf(one.conversation)),
      ...(conversation === undefined ? [] : [circleOf(conversation)]),
    ]);
    if (whose.size > 1 || whose.has(undefined)) leaks.push(`${where}: ${JSON.stringify([...whose])}`);
    return found.at(-1)?.conversation;
  }

  /** A conversation has one key, and a key one conversation. */
  function pair(key: string, conversation: string): void {
    if ((keyOf.get(conversation) ?? key) !== key || (placeOf.get(key) ?? conversation) !== conversation)
      leaks.push(`${key} is of ${placeOf.get(key)} and of ${conversation}, which has ${keyOf.get(conversation)}`);
    keyOf.set(conversation, key);
    placeOf.set(key, conversation);
  }

  const model: ScriptedModel = scriptedModel(async (prompt) => {
    const text = JSON.stringify(prompt);
    const found = canaries.find(text);
    const conversation = check("a prompt", text) ?? "nobody's";
    if (text.includes("# From memory")) counts.recalled += 1;
    for (const { kind } of found) if (kind) kinds.add(kind);
    const repeated = found.map(({ canary }) => canary);
    const [system] = prompt;
    if (system?.role === "system" && system.content.startsWith("You write the summary")) {
      counts.summaries += 1;
      return says(`They talked about ${repeated.slice(-12).join(", ")} and ${canaries.make(conversation, "summary")}.`);
    }
    counts.turns += 1;
    const key = /\[place (.+?) place\]/.exec(system?.role === "system" ? system.content : "")?.[1];
    if (key !== undefined && !memory) pair(key, conversation);
    // Others speak meanwhile.
    if (dice.chance(0.3)) await new Promise((resolve) => setTimeout(resolve, 0));
    const last = prompt.at(-1);
    if (last?.role === "user" && JSON.stringify(last).includes("look it up"))
      return calls(["look", { of: repeated.at(-1) ?? "", long: dice.chance(0.5) }]);
    if (last?.role === "user" && prompt.at(-2)?.role === "tool") counts.joined += 1;
    return says(`I see, ${repeated.slice(-2).join(" and ")}: ${canaries.make(conversation, "reply")}`);
  });

  const options: AssistantOptions = {
    model,
    store,
    channels: Object.values(channels),
    workspace: false,
    memory: { enabled: memory },
    owner: { ids: [`memory:${BOSS}`, `other:${BOSS}`] },
    session: { dmScope, identityLinks: { ann: ["memory:ann-1", "other:ann-2"] } },
    queue: { debounceMs: 0, maxConcurrent: 16 },
    context: {
      historyTokens: 300,
      parts: [{ name: "place", text: ({ sessionKey }) => `[place ${sessionKey} place]` }],
    },
    compaction: { keepLastTurns: 2, summaryTokens: 500 },
    artifacts: { thresholdBytes: 1024 },
    server: { token: OWNER, tokens: [{ token: ADA, role: "user", user: "app:ada" }], rateLimit: { enabled: false } },
    tools: {
      look: defineTool({
        description: "Looks something up",
        inputSchema: v.object({ of: v.string(), long: v.boolean() }),
        async execute({ of, long }) {
          const [asked] = canaries.find(of);
          // Meanwhile others speak.
          await new Promise((resolve) => setTimeout(resolve, 1));
          const found = canaries.make(asked?.conversation ?? "nobody's", "tool");
          return long ? `${found} ${"and more of it, ".repeat(80)}` : found;
        },
      }),
    },
  };

  let assistant: Awaited<ReturnType<typeof createAssistant>>;
  let count = 0;

  function chat(
    name: string,
    peer: { kind: "direct" | "group"; id: string },
    conversation: string,
    thread?: string,
  ): Place {
    const channel = channels[name]!;
    const senders = [1, 2, 3].map((sender) => String(sender));
    const names = new Map(senders.map((sender) => [sender, `Nim ${canaries.make(conversation, "name")}`]));
    const place = JSON.stringify([name, peer.id, thread]);
    chats.set(place, [...(chats.get(place) ?? []), conversation]);
    return {
      kind: peer.kind,
      conversation,
      async say(text, { heard = false, note = false, file, asOwner = false } = {}) {
        const id = peer.kind === "direct" ? peer.id : asOwner ? BOSS : senders[dice.below(3)]!;
        const request = channel.request(
          [
            {
              id: `e${(count += 1)}`,
              ...(channel.access.account !== undefined && { account: channel.access.account }),
              peer,
              sender: { id, name: names.get(id) ?? names.get("1")! },
              text,
              mentioned: !heard,
              ...(thread !== undefined && { thread }),
              ...(note && { kind: "note" as const }),
              ...(file !== undefined && { attachments: [fileNamed(file)] }),
            },
          ],
          { wait: true },
        );
        const url = `http://localhost/webhooks/${name}?wait=true`;
        const response = await assistant.fetch(new Request(url, request));
        check(`the answer at ${conversation}`, await response.text(), conversation);
      },
    };
  }

  function named(session: string): Place {
    const conversation = `sdk ${session}`;
    return {
      kind: "sdk",
      conversation,
      async say(text, { file, lite } = {}) {
        const reply = await assistant.send({
          text,
          session,
          ...(lite && { context: { strategy: "lite" } }),
          ...(file !== undefined && { attachments: [fileNamed(file)] }),
        });
        check(`the reply at ${conversation}`, JSON.stringify(reply), conversation);
      },
    };
  }

  function page(id: string, token: string): Place {
    const conversation = `web ${token === ADA ? "ada" : "owner"} ${id}`;
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    return {
      kind: "web",
      conversation,
      async say(text, { file } = {}) {
        const files = file === undefined ? [] : [{ type: "file", filename: file, ...urlOf(fileNamed(file)) }];
        const message = { id: `m${(count += 1)}`, role: "user", parts: [{ type: "text", text }, ...files] };
        const body = JSON.stringify({ id, messages: [message] });
        const response = await assistant.fetch(
          new Request("http://localhost/api/v1/chat", { method: "POST", headers, body }),
        );
        check(`the stream at ${conversation}`, await response.text(), conversation);
      },
    };
  }

  /** Whose a chat is, for what is sent to it: a group and a person of one id cannot be told apart there. */
  const chats = new Map<string, readonly string[]>();
  const ofDirect = (name: string, id: string) => {
    const [channel] = name.split("/");
    if (dmScope === "per-peer") return `direct ${id}`;
    return dmScope === "per-channel-peer" ? `direct ${channel} ${id}` : `direct ${name} ${id}`;
  };
  const direct = (name: string, id: string, conversation = ofDirect(name, id)) =>
    chat(name, { kind: "direct", id }, conversation);
  const group = (name: string, id: string, thread?: string) =>
    chat(name, { kind: "group", id }, `group ${name.split("/")[0]} ${id} ${thread ?? ""}`, thread);
  const groups = ["memory", "other"].flatMap((name) =>
    [...numbers(16).map((id) => `g${id}`), ...ODD_GROUPS].map((id) => [name, id] as const),
  );
  const places: readonly Place[] = [
    ...Object.keys(channels).flatMap((name) => [...ODD_IDS, ...numbers(ids)].map((id) => direct(name, id))),
    ...Object.keys(channels).map((name) => direct(name, BOSS, "main")),
    direct("memory", "ann-1", "person ann"),
    direct("memory/two", "ann-1", "person ann"),
    direct("other", "ann-2", "person ann"),
    ...(chatsOnly ? [] : elsewhere()),
  ];

  function elsewhere(): readonly Place[] {
    return [
      ...groups.map(([name, id]) => group(name, id)),
      ...["g1", "g2"].map((id) => group("memory/two", id)),
      ...["memory", "other"].flatMap((name) =>
        ["g1", "g2", "g3", "1"].flatMap((id) => ["2", "3", "g1"].map((thread) => group(name, id, thread))),
      ),
      ...[...numbers(20), ...ODD_IDS].map(named),
      ...[OWNER, ADA].flatMap((token) => [...numbers(8), "@ann", "main"].map((id) => page(id, token))),
    ];
  }

  return {
    canaries,
    channels,
    check,
    counts,
    dice,
    keyOf,
    kinds,
    leaks,
    model,
    pair,
    placeOf,
    places,
    store,
    get assistant() {
      return assistant;
    },
    async start() {
      assistant = await createAssistant(options);
      await assistant.start();
    },
    /** What went out went to a chat of the conversation that it is of. */
    checkSent() {
      for (const [name, { sent }] of Object.entries(channels)) {
        for (const { target, message } of sent) {
          const whose = chats.get(JSON.stringify([name, target.chat, target.thread])) ?? [];
          const one = check(`what was sent to ${target.chat}`, message.text);
          if (one !== undefined && !whose.map(circleOf).includes(circleOf(one)))
            leaks.push(`${target.chat} was sent what is of ${one}`);
        }
      }
    },
  };
}

function fileNamed(name: string) {
  return { name, mediaType: "text/plain", url: `data:text/plain;base64,${btoa(name)}` };
}

function urlOf({ mediaType, url }: ReturnType<typeof fileNamed>) {
  return { mediaType, url };
}
