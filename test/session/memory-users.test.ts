import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type MemorySpeaker, createMemoryUsers } from "../../src/session/memory-users.ts";
import { runs } from "../support/thorough.ts";

const people = createMemoryUsers({
  session: { identityLinks: { Alice: ["telegram:1", "slack:U1"], boss: ["telegram:9"] } },
  ownerIds: () => ["telegram:9", "line:OwnerX"],
  keepsCapitals: (channel) => channel === "line",
});
const unlinked = createMemoryUsers({ session: {}, ownerIds: () => ["telegram:9"], keepsCapitals: () => false });
const apart = createMemoryUsers({
  session: { dmScope: "per-account-channel-peer", identityLinks: { alice: ["telegram:1"] } },
  ownerIds: () => [],
  keepsCapitals: () => false,
});

function speaker(user: string, given: Partial<MemorySpeaker> = {}): MemorySpeaker {
  const [channel = "", id = channel] = user.split(/:(.*)/s);
  return { user, channel, peer: { kind: "direct", id }, roles: ["user"], ...given };
}

describe("isTheirs()", () => {
  const roles = ["owner", "user"];
  it.each([
    ["web", { roles }, { user: "sdk", roles: ["user"] }, true],
    ["web", { roles }, { user: "cli", roles }, true],
    ["web", { roles }, { user: "telegram:9", roles: ["user"] }, true],
    ["telegram:9", { roles }, { user: "web", roles, session: "agent:main:web:direct:mine" }, true],
    ["cli", { roles }, { user: "line:OwnerX", roles: ["user"] }, true],
    // Whoever the program lets speak there.
    ["web", { roles }, { user: "sdk", roles: ["user"], session: "agent:main:sdk:direct:shop-7" }, false],
    ["web", { roles }, { user: "telegram:42", roles: ["user"] }, false],
    ["telegram:42", {}, { user: "sdk", roles: ["user"] }, false],
    ["cli", { roles: ["user"] }, { user: "telegram:9", roles }, false],
    ["slack:U1", {}, { user: "telegram:1", roles: ["user"] }, true],
    ["sdk", {}, { user: "sdk", roles: ["user"] }, true],
    ["sdk", {}, { user: "web", roles }, false],
  ] as const)("of %s %j, %j: %s", (user, given, begun, expected) => {
    expect(people.isTheirs(speaker(user, given), begun)).toBe(expected);
  });
});

describe("memoryUserOf()", () => {
  it.each([
    ["telegram:42", {}, "telegram:42"],
    ["telegram:1", {}, "@alice"],
    ["slack:u1", {}, "@alice"],
    ["telegram:9", { roles: ["owner", "user"] }, "@boss"],
    ["cli", { roles: ["owner", "user"] }, "@boss"],
    ["sdk", {}, "sdk"],
    ["sdk", { peer: { kind: "direct", id: "shop-7" } }, "sdk:shop-7"],
    ["app:ada", { peer: { kind: "direct", id: "ada" }, channel: "sdk" }, "app:ada"],
    ["line:AbC", {}, "line:AbC"],
    ["telegram:AbC ", {}, "telegram:abc"],
    ["telegram:1", { peer: { kind: "group", id: "-5" } }, "group:telegram:-5"],
    ["telegram:42", { account: "work" }, "telegram:42"],
    ["@alice", {}, "%@alice"],
    ["group:telegram:-5", {}, "%group:telegram:-5"],
    ["cli", { roles: ["user"] }, "%cli"],
  ] as const)("of %s %j is %s", (user, given, expected) => {
    expect(people.memoryUserOf(speaker(user, given))).toBe(expected);
  });

  it("of a group is found under its id however that is written", () => {
    const ids = [
      ["slack", "C0ABC"],
      ["line", "CabC"],
      ["slack", "a:B@c"],
    ] as const;
    for (const [channel, id] of ids) {
      const found = people.memoryUserOf(speaker(`${channel}:U1`, { channel, peer: { kind: "group", id } }));
      expect(people.canonicalUser(`group:${channel}:${id}`)).toBe(found);
      expect(people.canonicalUser(found)).toBe(found);
    }
    expect(people.canonicalUser("group:line:cabc")).not.toBe(people.canonicalUser("group:line:CabC"));
  });

  it("of an owner whom no name links is @owner, everywhere", () => {
    for (const user of ["telegram:9", "cli", "web"])
      expect(unlinked.memoryUserOf(speaker(user, { roles: ["owner", "user"] }))).toBe("@owner");
    expect(unlinked.canonicalUser("telegram:9")).toBe("@owner");
  });

  it("keeps accounts apart where their conversations are, but for people who are linked", () => {
    expect(apart.memoryUserOf(speaker("telegram:42", { account: "work" }))).toBe("telegram@work:42");
    expect(apart.memoryUserOf(speaker("telegram:42"))).toBe("telegram:42");
    expect(apart.memoryUserOf(speaker("telegram:1", { account: "work" }))).toBe("@alice");
  });

  it("is one to one, and means itself again (property)", () => {
    const id = fc.oneof(
      fc.constantFrom("1:2", "1%3a2", "@ann", "%40ann", "group:telegram:1", "g1", "42@work", "alice", "@alice"),
      fc.string({ minLength: 1, maxLength: 8 }).map((text) => text.trim().toLowerCase() || "x"),
    );
    const who = fc.record({
      user: fc.oneof(
        fc.tuple(fc.constantFrom("telegram", "slack", "group"), id).map((parts) => parts.join(":")),
        fc.constantFrom("@ann", "@alice", "sdk"),
      ),
      account: fc.constantFrom("default", "work", "a@b:c"),
    });
    for (const one of [people, apart]) {
      fc.assert(
        fc.property(who, who, (left, right) => {
          const [first, second] = [left, right].map(({ user, account }) =>
            one.memoryUserOf(speaker(user, { account })),
          );
          expect(one.canonicalUser(first!)).toBe(first);
          const linked = [first, second].some((found) => found!.startsWith("@"));
          const isSame = left.user === right.user && (one === people || left.account === right.account);
          if (!linked) expect(first === second).toBe(isSame);
        }),
        { numRuns: runs(500) },
      );
    }
  });
});

describe("renamed()", () => {
  it("says which names are others now: of linked people, of owners, and of the owner who is linked", () => {
    expect([...people.renamed()]).toEqual([
      ["telegram:1", "@alice"],
      ["slack:u1", "@alice"],
      ["telegram:9", "@boss"],
      ["line:OwnerX", "@boss"],
      ["@owner", "@boss"],
    ]);
    expect([...unlinked.renamed()]).toEqual([["telegram:9", "@owner"]]);
    for (const users of [people, unlinked, apart])
      for (const [from, to] of users.renamed())
        expect([users.canonicalUser(from), users.canonicalUser(to)]).toEqual([to, to]);
  });

  it("knows an owner's memory, whose name is small, and an account that is linked by its name", () => {
    const slack = createMemoryUsers({
      session: { dmScope: "per-account-channel-peer", identityLinks: { ann: ["telegram@work:42"] } },
      ownerIds: () => ["slack:U1", "cli"],
      keepsCapitals: () => false,
    });
    expect([...slack.renamed()]).toEqual([
      ["telegram@work:42", "@ann"],
      ["slack:u1", "@owner"],
    ]);
    expect(slack.canonicalUser("slack:u1")).toBe("@owner");
    expect(slack.memoryUserOf(speaker("telegram:42", { account: "work" }))).toBe("@ann");
    expect(slack.memoryUserOf(speaker("telegram:42", { account: "play" }))).toBe("telegram@play:42");
  });
});
