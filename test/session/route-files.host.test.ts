import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { placeOf } from "../../adapters/storage/fs/file-name.ts";
import { createArtifacts } from "../../src/artifacts/index.ts";
import {
  type DirectScope,
  createSessions,
  createSummaries,
  namedSessionKey,
  resolveRoute,
} from "../../src/session/index.ts";
import { memoryStore } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { compact } from "./support.ts";
import { runs } from "../support/thorough.ts";
import { anyCharacter } from "../support/any-character.ts";

const CHANNELS = ["telegram", "slack", "discord", "web", "sdk", "direct", "group", "main"] as const;
const CASE_SENSITIVE: readonly string[] = ["slack"];
/** One person each, by the ids that they have on channels. */
const LINKS: Readonly<Record<string, readonly string[]>> = { Alice: ["telegram:7", "slack:U1"], "bob:x": ["web:%3a"] };

/** Who is written to, from where, as an attacker would choose it: made of what keys, file names and encodings are made of. */
interface Chat {
  readonly agentId: string;
  readonly channel: (typeof CHANNELS)[number];
  readonly account: string;
  readonly kind: "direct" | "group" | "channel" | "named";
  readonly id: string;
  readonly thread: string | undefined;
}

const hostileId = fc.oneof(
  fc
    .array(
      fc.constantFrom(
        ..."a A 7 u1 U1 : % %3a %40 @ @alice alice bob / .. . ~ ~2e + = _ é e\u0301 ß SS ſ İ ı K 界 \ud800 con MEMORY.md log.jsonl summary.jsonl thread: direct: main".split(
          " ",
        ),
        " ",
      ),
      { maxLength: 4 },
    )
    .map((pieces) => pieces.join("")),
  fc.constantFrom("7", "U1", "%3a", "@alice", "x".repeat(250), `${"x".repeat(250)}y`, "é:".repeat(120)),
  fc.string({ maxLength: 6, unit: anyCharacter }),
);
const chat: fc.Arbitrary<Chat> = fc.record({
  agentId: fc.constantFrom("main", "Work", "a:b", "%41"),
  channel: fc.constantFrom(...CHANNELS),
  account: fc.constantFrom("default", "A", "a", "group", "direct:x"),
  kind: fc.constantFrom("direct", "group", "channel", "named"),
  id: hostileId,
  thread: fc.option(hostileId, { nil: undefined }),
});
const SCOPES: readonly DirectScope[] = ["main", "per-peer", "per-channel-peer", "per-account-channel-peer"];

function keyOf({ agentId, channel, account, kind, id, thread }: Chat, dmScope: DirectScope): string {
  if (kind === "named") return namedSessionKey(agentId, channel === "web" ? "web" : "sdk", id);
  return resolveRoute(
    {
      channel,
      account,
      id: "1",
      peer: { kind, id },
      sender: { id },
      text: "",
      ...(thread !== undefined && { thread }),
    },
    {
      agents: [{ id: agentId }],
      session: { dmScope, identityLinks: LINKS },
      owner: { ids: ["discord:owner"] },
      caseSensitiveChannels: CASE_SENSITIVE,
    },
  ).sessionKey;
}

/** Whose conversation it is, in the fields that its scope names. Two chats share a session when this is the same, and only then. */
function ownerOf({ agentId, channel, account, kind, id, thread }: Chat, dmScope: DirectScope): string {
  const small = (text: string) => text.trim().toLowerCase() || "unknown";
  const plain = (text: string) =>
    CASE_SENSITIVE.includes(channel) || kind === "named" ? text.trim() || "unknown" : small(text);
  const agent = small(agentId);
  if (kind === "named") return JSON.stringify([agent, "chat", channel === "web" ? "web" : "sdk", plain(id)]);
  if (kind !== "direct")
    return JSON.stringify([agent, kind, channel, plain(id), ...(thread === undefined ? [] : [plain(thread)])]);
  if (dmScope === "main") return JSON.stringify([agent, "main"]);
  const linked = Object.keys(LINKS).find((name) =>
    LINKS[name]?.some((user) => user.startsWith(`${channel}:`) && plain(user.slice(channel.length + 1)) === plain(id)),
  );
  if (linked !== undefined) return JSON.stringify([agent, "person", small(linked)]);
  if (dmScope === "per-peer") return JSON.stringify([agent, "peer", plain(id)]);
  const from = dmScope === "per-channel-peer" ? [] : [small(account)];
  return JSON.stringify([agent, from.length === 0 ? "chat" : "account chat", channel, ...from, plain(id)]);
}

/** Every file that a session comes to have, as a file system sees it that ignores letter case and Unicode forms. */
async function filesOf(sessionKey: string): Promise<ReadonlySet<string>> {
  const store = memoryStore();
  const clock = fakeClock();
  const sessions = createSessions({ store, clock });
  await sessions.append(sessionKey, compact(1));
  const { summary } = await sessions.load(sessionKey);
  if (summary) await createSummaries({ store }).add(sessionKey, summary);
  // The id of an artifact is the same for everybody here: only the session's key tells them apart.
  const artifacts = createArtifacts({ store, clock });
  await artifacts.write(sessionKey, { name: "a.txt", content: "x", user: "u" });
  const files = new Set<string>();
  for await (const { key } of store.list("")) {
    const { folders, file } = placeOf(sameId(key), key.endsWith(".jsonl") ? "log" : "document");
    files.add(folded([...folders, file].map(({ name }) => name).join("/")));
  }
  return files;
}

const sameId = (key: string) => key.replace(/\/content\/[^/]+$/, "/content/01ARZ3NDEKTSV4RRFFQ69G5FAV");

function folded(path: string): string {
  return path.normalize("NFKD").toLowerCase().normalize("NFKC").toUpperCase().toLowerCase();
}

describe("two chats", () => {
  it("share a key exactly when no field that the scope names tells them apart", () => {
    fc.assert(
      fc.property(chat, chat, fc.constantFrom(...SCOPES), (one, other, dmScope) => {
        const same = ownerOf(one, dmScope) === ownerOf(other, dmScope);
        expect([keyOf(one, dmScope) === keyOf(other, dmScope), one, other]).toEqual([same, one, other]);
      }),
      { numRuns: runs(3000) },
    );
  });

  it("that differ in one field only share a key exactly when the scope does not name it", () => {
    const change = fc.constantFrom("agentId", "channel", "account", "kind", "id", "thread" as const);
    fc.assert(
      fc.property(chat, chat, change, fc.constantFrom(...SCOPES), (one, from, field, dmScope) => {
        const other = { ...one, [field]: from[field] };
        const same = ownerOf(one, dmScope) === ownerOf(other, dmScope);
        expect([keyOf(one, dmScope) === keyOf(other, dmScope), one, other]).toEqual([same, one, other]);
      }),
      { numRuns: runs(3000) },
    );
  });

  it.each(SCOPES)("whose ids pose as other parts of a key are told apart in scope %s", (dmScope) => {
    const words = ["direct", "group", "channel", "thread", "main", "x", "@alice", "7"];
    const owners = new Map<string, string>();
    const keys = new Map<string, string>();
    for (const channel of CHANNELS)
      for (const account of ["default", "direct", "group", "thread"])
        for (const kind of ["direct", "group", "channel", "named"] as const)
          for (const id of words)
            for (const thread of [undefined, "direct", "thread", "x"]) {
              const one = { agentId: "main", channel, account, kind, id, thread };
              const [key, owner] = [keyOf(one, dmScope), ownerOf(one, dmScope)];
              expect([owners.get(key) ?? owner, keys.get(owner) ?? key]).toEqual([owner, key]);
              owners.set(key, owner);
              keys.set(owner, key);
            }
  });

  it("never share a file when they do not share a key, whatever the file system makes of names", async () => {
    await fc.assert(
      fc.asyncProperty(chat, chat, fc.constantFrom(...SCOPES), async (one, other, dmScope) => {
        const keys = [keyOf(one, dmScope), keyOf(other, dmScope)] as const;
        const [mine, theirs] = [await filesOf(keys[0]), await filesOf(keys[1])];
        expect(mine.size).toBe(4);
        const shared = [...mine].filter((file) => theirs.has(file));
        expect([shared.length, ...keys]).toEqual([keys[0] === keys[1] ? 4 : 0, ...keys]);
        // Nor does one's file stand where the other has a folder.
        const inside = [...mine].filter((file) => [...theirs].some((their) => their.startsWith(`${file}/`)));
        expect(inside).toEqual([]);
      }),
      { numRuns: runs(500) },
    );
  });

  it("never pass for a linked person by an id", () => {
    const linkedKeys = Object.keys(LINKS).map((name) => keyOf(linked(name), "per-peer"));
    expect(linkedKeys).toEqual(["agent:main:direct:@alice", "agent:main:direct:@bob%3ax"]);
    fc.assert(
      fc.property(chat, fc.constantFrom(...SCOPES), (one, dmScope) => {
        const isPerson = ownerOf(one, dmScope).includes('"person"');
        expect([linkedKeys.includes(keyOf({ ...one, agentId: "main" }, dmScope)), one]).toEqual([isPerson, one]);
      }),
      { numRuns: runs(3000) },
    );
  });
});

function linked(name: string): Chat {
  const [channel = "", id = ""] = LINKS[name]?.[0]?.split(/:(.*)/s) ?? [];
  const known = CHANNELS.find((one) => one === channel) ?? "telegram";
  return { agentId: "main", channel: known, account: "default", kind: "direct", id, thread: undefined };
}
