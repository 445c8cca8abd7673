import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type InboundMessage, type Peer } from "../../src/message.ts";
import { type DirectScope, type RouteOptions, namedSessionKey, resolveRoute } from "../../src/session/index.ts";

function message(overrides: Partial<InboundMessage> = {}): InboundMessage {
  return {
    channel: "telegram",
    id: "1",
    peer: { kind: "direct", id: "42" },
    sender: { id: "42" },
    text: "hi",
    ...overrides,
  };
}
const group: Peer = { kind: "group", id: "-100" };

describe("resolveRoute()", () => {
  it.each<{ title: string; scope: DirectScope; key: string }>([
    { title: "main", scope: "main", key: "agent:main:main" },
    { title: "per-peer", scope: "per-peer", key: "agent:main:direct:42" },
    { title: "per-channel-peer", scope: "per-channel-peer", key: "agent:main:telegram:direct:42" },
    {
      title: "per-account-channel-peer",
      scope: "per-account-channel-peer",
      key: "agent:main:telegram:default:direct:42",
    },
  ])("keys a direct chat by $title", ({ scope, key }) => {
    expect(resolveRoute(message(), { session: { dmScope: scope } }).sessionKey).toBe(key);
  });

  it("keeps people apart by channel and peer when nothing is configured", () => {
    expect(resolveRoute(message()).sessionKey).toBe("agent:main:telegram:direct:42");
  });

  it.each<{ title: string; given: Partial<InboundMessage>; options?: RouteOptions; key: string }>([
    { title: "a group by its id", given: { peer: group }, key: "agent:main:telegram:group:-100" },
    {
      title: "a broadcast channel by its id",
      given: { peer: { kind: "channel", id: "C1" } },
      key: "agent:main:telegram:channel:c1",
    },
    { title: "a thread apart", given: { peer: group, thread: "7" }, key: "agent:main:telegram:group:-100:thread:7" },
    {
      title: "threads together when asked",
      given: { peer: group, thread: "7" },
      options: { session: { threads: "together" } },
      key: "agent:main:telegram:group:-100",
    },
    {
      title: "an id with colons escaped",
      given: { peer: { kind: "direct", id: "a:b" } },
      key: "agent:main:telegram:direct:a%3ab",
    },
    {
      title: "an id that looks escaped",
      given: { peer: { kind: "direct", id: "a%3ab" } },
      key: "agent:main:telegram:direct:a%253ab",
    },
    {
      title: "an id that poses as a linked name",
      given: { peer: { kind: "direct", id: "@alice" } },
      key: "agent:main:telegram:direct:%40alice",
    },
    {
      title: "blanks and capitals evenly",
      given: { peer: { kind: "direct", id: " U1 " } },
      key: "agent:main:telegram:direct:u1",
    },
    {
      title: "an empty id as unknown",
      given: { peer: { kind: "direct", id: " " } },
      key: "agent:main:telegram:direct:unknown",
    },
    {
      title: "capitals escaped where the channel tells them apart",
      given: { peer: { kind: "direct", id: "oAb" } },
      options: { caseSensitiveChannels: ["telegram"] },
      key: "agent:main:telegram:direct:o%41b",
    },
  ])("keys $title", ({ given, options, key }) => {
    expect(resolveRoute(message(given), options).sessionKey).toBe(key);
  });

  it.each<DirectScope>(["per-peer", "per-channel-peer", "per-account-channel-peer"])(
    "gives a linked person one session in scope %s",
    (dmScope) => {
      const session = { dmScope, identityLinks: { Alice: ["telegram:42", "slack:U1"] } };
      const onSlack = message({ channel: "slack", account: "work", peer: { kind: "direct", id: "u1" } });
      expect(resolveRoute(message(), { session }).sessionKey).toBe("agent:main:direct:@alice");
      expect(resolveRoute(onSlack, { session }).sessionKey).toBe("agent:main:direct:@alice");
      expect(resolveRoute(message({ peer: { kind: "direct", id: "43" } }), { session }).sessionKey).not.toContain(
        "@alice",
      );
    },
  );

  it("leaves a linked person's group messages in the group", () => {
    const session = { identityLinks: { alice: ["telegram:42"] } };
    expect(resolveRoute(message({ peer: group }), { session }).sessionKey).toBe("agent:main:telegram:group:-100");
  });

  it("puts the owner's direct chats on all channels into the main session, unless told not to", () => {
    const owner = { ids: ["telegram:42", "slack:U1"] };
    const onSlack = message({ channel: "slack", peer: { kind: "direct", id: "U1" } });
    expect(resolveRoute(message(), { owner }).sessionKey).toBe("agent:main:main");
    expect(resolveRoute(onSlack, { owner }).sessionKey).toBe("agent:main:main");
    expect(resolveRoute(message(), { owner, session: { ownerMain: false } }).sessionKey).toBe(
      "agent:main:telegram:direct:42",
    );
    expect(resolveRoute(message({ channel: "discord" }), { owner }).sessionKey).toBe("agent:main:discord:direct:42");
  });

  describe("bindings", () => {
    const agents = [{ id: "main" }, { id: "work" }, { id: "home" }];
    const from = (match: NonNullable<RouteOptions["bindings"]>[number]["match"]) => ({ agentId: "work", match });
    const inThread = message({
      peer: { kind: "group", id: "t1" },
      parentPeer: { kind: "channel", id: "c1" },
      guild: "g",
      team: "tm",
      account: "a2",
    });

    it.each<{ title: string; match: NonNullable<RouteOptions["bindings"]>[number]["match"]; matchedBy: string }>([
      {
        title: "the peer",
        match: { channel: "telegram", account: "*", peer: { kind: "group", id: "T1" } },
        matchedBy: "binding.peer",
      },
      {
        title: "the parent peer",
        match: { channel: "telegram", account: "a2", peer: { kind: "channel", id: "c1" } },
        matchedBy: "binding.parent",
      },
      { title: "the guild", match: { channel: "telegram", account: "*", guild: "g" }, matchedBy: "binding.guild" },
      { title: "the team", match: { channel: "telegram", account: "*", team: "tm" }, matchedBy: "binding.team" },
      { title: "the account", match: { channel: "telegram", account: "a2" }, matchedBy: "binding.account" },
      {
        title: "the channel on every account",
        match: { channel: "telegram", account: "*" },
        matchedBy: "binding.channel",
      },
      { title: "nothing: another channel", match: { channel: "slack", account: "*" }, matchedBy: "default" },
      { title: "nothing: only the default account is meant", match: { channel: "telegram" }, matchedBy: "default" },
      {
        title: "nothing: one of two fields differs",
        match: { channel: "telegram", account: "*", guild: "g", team: "other" },
        matchedBy: "default",
      },
      {
        title: "nothing: a peer of another kind",
        match: { channel: "telegram", account: "*", peer: { kind: "direct", id: "t1" } },
        matchedBy: "default",
      },
    ])("match by $title", ({ match, matchedBy }) => {
      const route = resolveRoute(inThread, { agents, bindings: [from(match)] });
      expect(route.matchedBy).toBe(matchedBy);
      expect(route.agentId).toBe(matchedBy === "default" ? "main" : "work");
      expect(route.mainSessionKey).toBe(`agent:${route.agentId}:main`);
    });

    it("the most specific one wins wherever it stands, the first among equals", () => {
      const bindings = [
        { agentId: "home", match: { channel: "telegram", account: "*" } },
        { agentId: "work", match: { channel: "telegram", account: "*", guild: "g" } },
        { agentId: "home", match: { channel: "telegram", account: "*", guild: "g" } },
      ];
      expect(resolveRoute(inThread, { agents, bindings }).agentId).toBe("work");
    });
  });

  it("never gives two tuples that differ in a field of the scope one key, nor an id a linked person's key", () => {
    const idText = fc.oneof(
      fc.string({ minLength: 1, maxLength: 6, unit: fc.constantFrom("a", "B", ":", "%", "@", "3", "/", " ") }),
      fc.string({ maxLength: 8 }),
    );
    const normal = (id: string) => id.trim().toLowerCase() || "unknown";
    fc.assert(
      fc.property(idText, idText, idText, idText, (accountA, idA, accountB, idB) => {
        const session = {
          dmScope: "per-account-channel-peer" as const,
          identityLinks: { alice: ["telegram:linked-id"] },
        };
        const keyOf = (account: string, id: string) =>
          resolveRoute(message({ account, peer: { kind: "direct", id } }), { session }).sessionKey;
        const same = normal(accountA) === normal(accountB) && normal(idA) === normal(idB);
        expect(keyOf(accountA, idA) === keyOf(accountB, idB)).toBe(same);
        expect(keyOf(accountA, idA)).not.toBe("agent:main:direct:@alice");
      }),
    );
  });
});

describe("namedSessionKey()", () => {
  it("is the same whoever calls, escapes the name and keeps its capitals", () => {
    expect(namedSessionKey("main", "sdk", "Trip: Oslo")).toBe("agent:main:sdk:direct:%54rip%3a %4fslo");
  });
});
