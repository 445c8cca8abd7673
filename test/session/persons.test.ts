import { describe, expect, it } from "vitest";
import { createMemoryUsers } from "../../src/session/memory-users.ts";
import { createPersons } from "../../src/session/persons.ts";

const ZONES: Readonly<Record<string, string>> = { "telegram:1": "Asia/Tokyo", "chat:a": "Europe/Oslo" };

function setUp(channels: readonly string[] = ["telegram"]) {
  const users = createMemoryUsers({
    session: { identityLinks: { Ada: ["mail:ada", "telegram:1"] }, dmScope: "per-account-channel-peer" },
    ownerIds: () => ["chat:boss"],
    keepsCapitals: () => false,
  });
  const configured = (user: string) => (ZONES[user] === undefined ? undefined : { timezone: ZONES[user] });
  return createPersons({ users, configured, timezone: "UTC", channels });
}

function speaker(user: string, account?: string) {
  const [channel = "", id = ""] = user.split(":");
  return { user, channel, peer: { kind: "direct" as const, id }, roles: [], account };
}

describe("createPersons()", () => {
  it.each([
    ["web", "@owner", true],
    ["cli", "@owner", true],
    ["chat:boss", "@owner", true],
    ["telegram:1", "@ada", false],
    ["telegram:2", "telegram:2", false],
  ])("knows the person behind %s", (user, name, isOwner) => {
    expect(setUp().of(user)).toBe(name);
    expect(setUp().isOwner(user)).toBe(isOwner);
  });

  it("has one name for the accounts of a channel, whose memories are apart", () => {
    const { ofSpeaker } = setUp();
    expect(ofSpeaker(speaker("telegram:2", "second"))).toBe(ofSpeaker(speaker("telegram:2")));
  });

  it.each([
    ["the account of a connected channel", ["telegram"], "@ada", "telegram:1"],
    ["the first where none is connected", [], "@ada", "mail:ada"],
    ["nothing for a name without accounts", ["telegram"], "@eve", undefined],
  ])("gives %s", (_what, channels, name, account) => {
    expect(setUp(channels).accountOf(name)).toBe(account);
  });

  it("takes the time zone of an account, of any account of a memory, else the general one", () => {
    const { timezoneOf, timezoneOfMemory, timezoneOfSpeaker } = setUp();
    expect([timezoneOf("chat:a"), timezoneOf("mail:ada")]).toEqual(["Europe/Oslo", "UTC"]);
    expect([timezoneOfMemory("@ada"), timezoneOfMemory("chat:b")]).toEqual(["Asia/Tokyo", "UTC"]);
    expect([timezoneOfSpeaker(speaker("mail:ada")), timezoneOfSpeaker(speaker("chat:a"))]).toEqual([
      "Asia/Tokyo",
      "Europe/Oslo",
    ]);
  });
});
