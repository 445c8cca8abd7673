import { describe, expect, it } from "vitest";
import { WRONG_CODES } from "../../src/access/index.ts";
import type { InboundMessage } from "../../src/message.ts";
import { memoryStore } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { from, setUp } from "./support.ts";

const HOUR = 3_600_000;
const WRONG = "AAAA-AAAA-AAAA";
const claim = (id: string, code: string, rest: Partial<InboundMessage> = {}) =>
  from(id, { text: `/owner ${code}`, ...rest });

/** Nobody is the owner, and a code was given out. */
async function unowned(given: Parameters<typeof setUp>[0] = {}) {
  const found = await setUp({ ownerIds: [], ...given });
  const code = (await found.access.ownerCode()) ?? "";
  return { ...found, code };
}

describe("the owner code", () => {
  it("makes whoever sends it in a direct chat the owner, for good and at once for everybody who has the list", async () => {
    const { access, code, store, clock, lines } = await unowned();
    const { owners } = access;
    expect(code).toMatch(/^[2-9A-HJKMNP-TV-Z]{4}(-[2-9A-HJKMNP-TV-Z]{4}){2}$/);
    expect(await access.claimOwner(claim("42", code))).toEqual({ verdict: "claimed", user: "telegram:42" });
    expect(owners.ids()).toEqual(["telegram:42"]);
    expect(access.decide(from("42"), {})).toEqual({ verdict: "let-in", reason: "owner" });
    expect(access.mayAnswer("telegram:42")).toBe(true);
    expect((await lines("access.owner_claimed")).map(({ who, verdict }) => [who, verdict])).toEqual([
      ["telegram:42", "ok"],
    ]);
    const next = await setUp({ store, clock, ownerIds: ["slack:U1"] });
    expect(next.access.owners.ids()).toEqual(["slack:U1", "telegram:42"]);
  });

  it("is read as people type it, and is dead afterwards", async () => {
    const { access, code } = await unowned();
    const typed = `  /Owner@mybot  ${code.toLowerCase().replaceAll("-", " ")} `;
    expect(await access.claimOwner(from("42", { text: typed }))).toMatchObject({ verdict: "claimed" });
    expect(await access.claimOwner(claim("9", code))).toEqual({ verdict: "none" });
    // The same message delivered once more is answered as it was.
    expect(await access.claimOwner(claim("42", code))).toMatchObject({ verdict: "claimed" });
    expect(access.owners.ids()).toEqual(["telegram:42"]);
    expect(await access.ownerCode()).toBe(null);
  });

  it("makes one owner, however many send it at the same moment, also to two processes", async () => {
    const store = memoryStore();
    const one = await unowned({ store });
    const two = await setUp({ store, clock: one.clock, ownerIds: [] });
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? one : two).access.claimOwner(claim(`p${n}`, one.code))),
    );
    expect(outcomes.filter(({ verdict }) => verdict === "claimed").length).toBe(1);
    expect((await one.access.list()).owners.length).toBe(1);
  });

  it("does nothing while somebody is the owner, by owner.ids or by the role", async () => {
    for (const owned of [{ ownerIds: ["slack:U1"] }, { ownerIds: [], roles: { owner: ["slack:U1"] } }]) {
      const { code, store, clock } = await unowned();
      const { access } = await setUp({ store, clock, ...owned });
      expect(await access.ownerCode()).toBe(null);
      expect(await access.claimOwner(claim("42", code))).toEqual({ verdict: "none" });
      expect(access.owners.ids()).toEqual(owned.ownerIds);
    }
  });

  it("holds for an hour", async () => {
    const { access, code, clock } = await unowned();
    await clock.advance(HOUR - 1);
    const late = await unowned();
    expect(await access.claimOwner(claim("42", code))).toMatchObject({ verdict: "claimed" });
    await late.clock.advance(HOUR);
    expect(await late.access.claimOwner(claim("42", late.code))).toEqual({ verdict: "wrong" });
    expect(late.access.owners.ids()).toEqual([]);
  });

  it("holds also for a process whose clock is some seconds behind", async () => {
    const { access, store, clock } = await setUp({ ownerIds: [] });
    const other = await setUp({ store, clock: fakeClock(clock.now() - 5000), ownerIds: [] });
    const code = (await access.ownerCode()) ?? "";
    expect(await other.access.claimOwner(from("1", { text: `/owner ${code}` }))).toMatchObject({ verdict: "claimed" });
  });

  it("does not hold longer because the clock was set back", async () => {
    const { access, code, clock } = await unowned();
    clock.step(-24 * HOUR);
    expect(await access.claimOwner(claim("42", code))).toEqual({ verdict: "wrong" });
  });

  it("is dead once another was given out, also by another process", async () => {
    const { access, code, store, clock } = await unowned();
    const other = await setUp({ store, clock, ownerIds: [] });
    const next = (await other.access.ownerCode()) ?? "";
    expect(await access.claimOwner(claim("42", code))).toEqual({ verdict: "wrong" });
    expect(access.owners.ids()).toEqual([]);
    expect(await access.claimOwner(claim("42", next))).toMatchObject({ verdict: "claimed" });
  });

  it("is not in the store", async () => {
    const { code, store, lines } = await unowned();
    const kept = JSON.stringify((await store.get("access/owner"))?.value);
    expect(kept).not.toContain(code);
    expect(kept).not.toContain(code.replaceAll("-", ""));
    expect(JSON.stringify(await lines())).not.toContain(code);
  });

  it("is never the same", async () => {
    const codes = new Set<string>();
    for (let n = 0; n < 100; n += 1) codes.add((await unowned()).code);
    expect(codes.size).toBe(100);
  });

  it.each<[string, Partial<InboundMessage>]>([
    ["in a group", { peer: { kind: "group", id: "42" } }],
    ["in a channel", { peer: { kind: "channel", id: "42" } }],
    ["as a button", { kind: "press" }],
    ["as an edit", { kind: "note" }],
    ["from nobody", { sender: { id: "" } }],
    ["with blanks in the id", { sender: { id: "42 " } }],
  ])("counts for nothing %s", async (_, rest) => {
    const { access, code } = await unowned();
    expect(await access.claimOwner(claim("42", code, rest))).toEqual({ verdict: "none" });
    expect(access.owners.ids()).toEqual([]);
  });

  it.each(["hello", "/owner", "owner CODE", "my code is /owner CODE", "/ownership CODE", "CODE"])(
    "is not looked for in %j",
    async (text) => {
      const { access, code } = await unowned();
      expect(await access.claimOwner(from("42", { text: text.replace("CODE", code) }))).toEqual({ verdict: "none" });
    },
  );

  it("that was never given out is nobody's", async () => {
    const { access } = await setUp({ ownerIds: [] });
    for (const code of [WRONG, "x", "undefined"])
      expect(await access.claimOwner(claim("42", code))).toEqual({ verdict: "none" });
  });

  it.each([WRONG, "AAAAAAAA", "x", "undefined", "null", "0".repeat(60)])("is not %j", async (code) => {
    const { access, lines } = await unowned();
    expect(await access.claimOwner(claim("42", code))).toEqual({ verdict: "wrong" });
    expect(access.owners.ids()).toEqual([]);
    expect(await lines("access.owner_claimed")).toMatchObject([{ who: "telegram:42", verdict: "refused" }]);
  });

  it("cannot be guessed quickly: five tries a minute, and then not even the right one counts", async () => {
    const { access, code, clock } = await unowned();
    for (let n = 0; n < WRONG_CODES.sender; n += 1)
      expect(await access.claimOwner(claim("9", WRONG))).toEqual({ verdict: "wrong" });
    expect(await access.claimOwner(claim("9", WRONG))).toEqual({ verdict: "ignored" });
    expect(await access.claimOwner(claim("9", code))).toEqual({ verdict: "ignored" });
    expect(access.owners.ids()).toEqual([]);
    // Nobody else is kept from it.
    expect((await (await unowned()).access.claimOwner(claim("42", WRONG))).verdict).toBe("wrong");
    await clock.advance(60_000);
    expect(await access.claimOwner(claim("9", code))).toMatchObject({ verdict: "claimed" });
  });

  it("is not made a nuisance by a crowd that guesses, and the owner gets through", async () => {
    const { access, code, lines } = await unowned();
    const outcomes = await Promise.all(Array.from({ length: 500 }, (_, n) => access.claimOwner(claim(`s${n}`, WRONG))));
    expect(outcomes.filter(({ verdict }) => verdict === "wrong").length).toBe(WRONG_CODES.all);
    expect((await lines("access.owner_claimed")).length).toBe(WRONG_CODES.all);
    expect(await access.claimOwner(claim("42", code))).toMatchObject({ verdict: "claimed" });
  });

  it("can be had again when the owner was taken out", async () => {
    const { access, code } = await unowned();
    await access.claimOwner(claim("42", code));
    expect(await access.remove("telegram:42", { user: "cli" })).toEqual(["telegram:42"]);
    expect(access.owners.ids()).toEqual([]);
    expect(access.decide(from("42"), {}).verdict).toBe("refuse");
    expect(await access.claimOwner(claim("42", code))).toEqual({ verdict: "none" });
    const next = (await access.ownerCode()) ?? "";
    expect(await access.claimOwner(claim("7", next))).toMatchObject({ verdict: "claimed", user: "telegram:7" });
  });
});
