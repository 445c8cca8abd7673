import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChannelAccess } from "../../src/channel.ts";
import { plainId } from "../../src/access/index.ts";
import type { InboundMessage } from "../../src/message.ts";
import { codeOf, from, setUp } from "./support.ts";
import { runs } from "../support/thorough.ts";

const OWNER = { user: "telegram:1" };

/** One person was let in: 42 on the default account of telegram. */
async function withOne(id = "42") {
  const found = await setUp();
  await found.access.approve(await codeOf(found.access, from(id)), OWNER);
  return found;
}

describe("who was let in is known by the platform's id alone", () => {
  it.each<{ mode: ChannelAccess; verdict: string }>([
    { mode: {}, verdict: "let-in" },
    { mode: { dm: "pairing" }, verdict: "let-in" },
    { mode: { dm: "open" }, verdict: "let-in" },
    { mode: { dm: "allowlist" }, verdict: "refuse" },
    { mode: { dm: "disabled" }, verdict: "refuse" },
    { mode: { dm: "sometimes" as never }, verdict: "refuse" },
    { mode: { groups: "disabled" }, verdict: "let-in" },
  ])("and $mode says $verdict", async ({ mode, verdict }) => {
    const { access } = await withOne();
    expect(access.decide(from("42"), mode).verdict).toBe(verdict);
  });

  it.each([
    { mode: {}, verdict: "let-in" },
    { mode: { dm: "allowlist" }, verdict: "let-in" },
    { mode: { dm: "open" }, verdict: "let-in" },
    { mode: { dm: "disabled" }, verdict: "refuse" },
  ] as const)("an owner by the role is one at the door: $mode says $verdict", async ({ mode, verdict }) => {
    const { access } = await setUp({ ownerIds: [], roles: { owner: ["telegram:7"], admin: ["telegram:8"] } });
    expect(access.decide(from("7"), mode).verdict).toBe(verdict);
    for (const other of [from("8"), from("07"), from("7", { channel: "slack" })])
      expect(access.decide(other, { dm: "allowlist" }).verdict).toBe("refuse");
  });

  it("asks under pairing alone", async () => {
    const { access } = await withOne();
    const asks = (mode: ChannelAccess, message: InboundMessage = from("9")) => {
      const decision = access.decide(message, mode);
      return decision.verdict === "refuse" && decision.mayAsk === true;
    };
    expect([asks({}), asks({ dm: "pairing" })]).toEqual([true, true]);
    expect([asks({ dm: "allowlist" }), asks({ dm: "disabled" }), asks({ dm: "sometimes" as never })]).toEqual([
      false,
      false,
      false,
    ]);
    expect(asks({}, from(""))).toBe(false);
    expect(asks({}, from("9 "))).toBe(false);
    expect(asks({ groups: "disabled" }, from("9", { peer: { kind: "group", id: "g" } }))).toBe(false);
  });

  it.each([
    "",
    " ",
    "42 ",
    " 42",
    "4\u200b2",
    "４２",
    "042",
    "@42",
    "telegram:42",
    "default:42",
    "telegram:default:42",
    "142",
    "*",
  ])("not by one that looks like it: %j", async (id) => {
    const { access } = await withOne();
    expect(access.decide(from(id), {}).verdict).toBe("refuse");
    if (id !== id.trim() || id === "") expect(await access.request(from(id))).toEqual({ verdict: "refused" });
  });

  it.each([
    ["Ada", "ada"],
    ["ada", "Ada"],
    ["é", "e\u0301"],
    ["admin", "аdmin"],
    ["ada", "@ada"],
  ])("%j is not %j, and asks for itself", async (known, other) => {
    const { access } = await withOne(known);
    expect(access.decide(from(other), {}).verdict).toBe("refuse");
    await codeOf(access, from(other));
    expect((await access.list()).pending.map(({ id }) => id)).toEqual([other]);
  });

  it.each<{ what: string; message: InboundMessage }>([
    { what: "another account of the channel", message: from("42", { account: "work" }) },
    { what: "another channel", message: from("42", { channel: "slack" }) },
    { what: "a display name", message: from("9", { sender: { id: "9", name: "42" } }) },
    { what: "the id of the chat", message: from("42", { sender: { id: "9" } }) },
    { what: "an id that spells the account", message: from("default:42") },
    { what: "an account that spells the id", message: from("2", { account: "default:4" }) },
    { what: "roles that a channel claims", message: from("9", { sender: { id: "9", roles: ["owner"] } }) },
  ])("not by $what", async ({ message }) => {
    const { access } = await withOne();
    expect(access.decide(message, {}).verdict).toBe("refuse");
  });

  it.each<[one: readonly [string, string, string], other: readonly [string, string, string]]>([
    [
      ["a", "b/c", "d"],
      ["a/b", "c", "d"],
    ],
    [
      ["a", "b:c", "d"],
      ["a", "b", "c:d"],
    ],
    [
      ["a", "b%3Ac", "d"],
      ["a", "b:c", "d"],
    ],
    [
      ["a", "b%2Fc", "d"],
      ["a", "b/c", "d"],
    ],
  ])("keeps %j and %j apart", async (one, other) => {
    const { access } = await setUp();
    const [first, second] = [one, other].map(([channel, account, id]) => from(id, { channel, account }));
    await access.approve(await codeOf(access, first!), { asOwner: true });
    expect([first!, second!].map((message) => access.decide(message, {}).verdict)).toEqual(["let-in", "refuse"]);
    await access.approve(await codeOf(access, second!), { asOwner: true });
    const keys = (await access.list()).people.map(({ key }) => key);
    expect(new Set(keys).size).toBe(2);
    expect(await access.remove(keys[0]!, { asOwner: true })).toEqual([keys[0]]);
  });

  it("keeps apart what differs in channel, account or id, whatever they are made of", async () => {
    const part = fc.string({ minLength: 1, maxLength: 3, unit: fc.constantFrom("a", ":", "/", "%", "3", "A", ".") });
    await fc.assert(
      fc.asyncProperty(part, part, part, part, part, part, async (...parts) => {
        const [channel, account, id, otherChannel, otherAccount, otherId] = parts;
        const { access } = await setUp();
        const message = from(id, { channel, account });
        await access.approve(await codeOf(access, message), { asOwner: true });
        const other = from(otherId, { channel: otherChannel, account: otherAccount });
        const isSame = channel === otherChannel && account === otherAccount && id === otherId;
        expect(access.decide(message, {}).verdict).toBe("let-in");
        expect(access.decide(other, {}).verdict).toBe(isSame ? "let-in" : "refuse");
        if (isSame) return;
        await access.approve(await codeOf(access, other), { asOwner: true });
        const [one, two] = (await access.list()).people;
        expect(one?.key).not.toBe(two?.key);
      }),
      { numRuns: runs(60) },
    );
  });

  it("an id is shown with everything that could hide something written out", () => {
    expect(plainId("42")).toBe("42");
    expect(plainId("аdmin\u200b\n")).toBe("\\u{430}dmin\\u{200b}\\u{a}");
  });
});
