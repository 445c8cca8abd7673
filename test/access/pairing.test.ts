import { describe, expect, it } from "vitest";
import { memoryStore, storeKey } from "../../src/store/index.ts";
import { isPairingCode } from "../../src/access/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { codeOf, codeOfError, from, setUp } from "./support.ts";

const OWNER = { user: "telegram:1" };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe("somebody who asks to be let in", () => {
  it("is told a code, the owner is asked, and after the yes they are let in on that account for good", async () => {
    const { access, shown, welcomed, lines } = await setUp();
    expect(access.decide(from("9"), {})).toMatchObject({ verdict: "refuse", mayAsk: true });
    const outcome = await access.request(from("9", { sender: { id: "9", name: "Ada" }, thread: "t", text: "你好" }));
    expect(outcome).toMatchObject({ verdict: "asked", isNew: true });
    expect(shown).toMatchObject([
      { user: "telegram:9", name: "Ada", target: { channel: "telegram", account: "default", chat: "9", thread: "t" } },
    ]);
    const { code } = shown[0]!;
    expect(await access.approve(code.toLowerCase(), OWNER)).toMatchObject({ user: "telegram:9", by: "telegram:1" });
    expect(welcomed).toMatchObject([{ user: "telegram:9" }]);
    expect(access.decide(from("9"), {})).toEqual({ verdict: "let-in", reason: "let in by the owner" });
    expect((await lines()).map(({ who, what, target, code: named }) => [who, what, target, named])).toEqual([
      ["telegram:9", "access.requested", "telegram:9", code],
      ["telegram:1", "access.approved", "telegram:9", code],
    ]);
  });

  it("has one code however often they write, and is told it once", async () => {
    const { access, shown, writes } = await setUp();
    const code = await codeOf(access, from("9"));
    const before = writes.documents;
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => access.request(from("9"))));
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome)))).toEqual(
      new Set([JSON.stringify({ verdict: "asked", code, isNew: false })]),
    );
    expect([shown.length, writes.documents]).toEqual([1, before]);
  });

  it("has one code when their first messages come at once", async () => {
    const { access, keys } = await setUp();
    const codes = await Promise.all(Array.from({ length: 20 }, () => codeOf(access, from("9"))));
    expect(new Set(codes).size).toBe(1);
    expect(await keys()).toEqual(["access/accounts/telegram/default"]);
  });

  it("gets a code that is told apart from that of an approval, and that nobody can foresee", async () => {
    const codes = new Set<string>();
    for (let n = 0; n < 200; n += 1) {
      const { access } = await setUp();
      codes.add(await codeOf(access, from("9")));
    }
    expect(codes.size).toBe(200);
    for (const code of codes) expect(code).toMatch(/^[2-9A-HJKMNP-TV-Z]{8}$/);
    expect(["7KXQ2M", "7KXQ-2M", "7KXQ2MAA", " 7kxq-2maa ", "7KXQ2MAAA", "", "approve!"].map(isPairingCode)).toEqual([
      false,
      false,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it.each([59 * MINUTE, HOUR - 1])("can be let in after %d ms", async (ms) => {
    const { access, clock } = await setUp();
    const code = await codeOf(access, from("9"));
    await clock.advance(ms);
    expect((await access.approve(code, OWNER)).id).toBe("9");
  });

  it("cannot be let in by a code that is an hour old, and may ask again", async () => {
    const { access, clock, shown } = await setUp();
    const code = await codeOf(access, from("9"));
    await clock.advance(HOUR);
    expect((await access.list()).pending).toEqual([]);
    expect(await codeOfError(access.approve(code, OWNER))).toBe("GONE");
    expect(access.decide(from("9"), {}).verdict).toBe("refuse");
    const next = await codeOf(access, from("9"));
    expect(next).not.toBe(code);
    expect(await codeOfError(access.approve(code, OWNER))).toBe("GONE");
    expect(shown.length).toBe(2);
  });

  it("has a code also for a process whose clock is some seconds behind", async () => {
    const { access, store, clock } = await setUp();
    const behind = fakeClock(clock.now() - 5000);
    const other = await setUp({ store, clock: behind });
    const code = await codeOf(access, from("9"));
    expect((await other.access.list()).pending).toHaveLength(1);
    await other.access.request(from("10"));
    expect(await other.access.approve(code, OWNER)).toMatchObject({ user: "telegram:9" });
  });

  it("has no code that lives longer because the clock was set back", async () => {
    const { access, clock } = await setUp();
    const code = await codeOf(access, from("9"));
    clock.step(-24 * HOUR);
    expect(await codeOfError(access.approve(code, OWNER))).toBe("GONE");
  });

  it.each([HOUR, 365 * 24 * HOUR])(
    "is kept out for 24 hours once the owner said no, when the clock is set back by %i ms too",
    async (ms) => {
      const { access, clock } = await setUp();
      await access.deny(await codeOf(access, from("9")), OWNER);
      clock.step(-ms);
      expect(await access.request(from("9"))).toEqual({ verdict: "denied" });
      await clock.advance(24 * HOUR - 1);
      expect(await access.request(from("9"))).toEqual({ verdict: "denied" });
      await clock.advance(1);
      expect(await access.request(from("9"))).toMatchObject({ verdict: "asked", isNew: true });
    },
  );

  it("does not ask again for 24 hours once the owner said no", async () => {
    const { access, clock, shown, lines } = await setUp();
    const code = await codeOf(access, from("9"));
    expect(await access.deny(code, OWNER)).toMatchObject({ user: "telegram:9", code });
    expect(await lines("access.denied")).toMatchObject([{ who: "telegram:1", target: "telegram:9", code }]);
    expect(await codeOfError(access.approve(code, OWNER))).toBe("CONFLICT");
    await clock.advance(24 * HOUR - 1);
    expect(await access.request(from("9"))).toEqual({ verdict: "denied" });
    expect(await codeOf(access, from("8"))).not.toBe(code);
    await clock.advance(1);
    expect(await access.request(from("9"))).toMatchObject({ verdict: "asked", isNew: true });
    expect(shown.length).toBe(3);
  });

  it("is shown again when the first time failed, and only then", async () => {
    let fails = true;
    let times = 0;
    const { access, errors } = await setUp({
      async show() {
        times += 1;
        if (fails) throw new Error("no outbox");
      },
    });
    const code = await codeOf(access, from("9"));
    fails = false;
    expect(await access.request(from("9"))).toEqual({ verdict: "asked", code, isNew: true });
    expect(await access.request(from("9"))).toEqual({ verdict: "asked", code, isNew: false });
    expect([times, errors.length]).toEqual([2, 1]);
  });
});

describe("an answer", () => {
  it("counts once, whoever else answers at the same moment, also in another process", async () => {
    const store = memoryStore();
    const { access, clock } = await setUp({ store });
    const other = await setUp({ store, clock });
    const code = await codeOf(access, from("9"));
    const answers = await Promise.all(
      [access, other.access, access, other.access].flatMap((one) => [
        codeOfError(one.approve(code, OWNER)),
        codeOfError(one.deny(code, OWNER)),
      ]),
    );
    expect(answers.toSorted()).toEqual([...Array<string>(7).fill("CONFLICT"), "none"]);
    const { people, pending } = await access.list();
    expect([people.length <= 1, pending]).toEqual([true, []]);
  });

  it.each([
    { who: "a stranger", by: { user: "telegram:9" } },
    { who: "who was let in", by: { user: "telegram:5" } },
    { who: "the host program without a name", by: {} },
    { who: "the owner's number on another platform", by: { user: "slack:1" } },
    { who: "a name that begins like the owner's", by: { user: "telegram:11" } },
    { who: "nobody", by: { user: "" } },
    { who: "a role's name", by: { user: "owner" } },
  ])("of $who counts for nothing", async ({ by }) => {
    const { access, lines } = await setUp();
    await access.approve(await codeOf(access, from("5")), OWNER);
    const code = await codeOf(access, from("9"));
    for (const work of [access.approve(code, by), access.deny(code, by), access.remove("telegram:5", by)])
      expect(await codeOfError(work)).toBe("FORBIDDEN");
    // Not even whether there is such a code is told.
    expect(await codeOfError(access.approve("AAAAAAAA", by))).toBe("FORBIDDEN");
    expect(access.decide(from("9"), {}).verdict).toBe("refuse");
    expect(access.decide(from("5"), {}).verdict).toBe("let-in");
    expect(await lines("access.refused_answer")).toHaveLength(4);
  });

  it.each([{ user: "telegram:1" }, { user: "cli" }, { asOwner: true }, { user: "slack:7" }])(
    "of the owner counts: %o",
    async (by) => {
      const { access } = await setUp({ roles: { owner: ["slack:7"] } });
      expect((await access.approve(await codeOf(access, from("9")), by)).id).toBe("9");
    },
  );

  it.each([
    ["an empty code", ""],
    ["a code that nobody has", "AAAAAAAA"],
    ["a code of an approval", "AAAAAA"],
    ["a path", "../x"],
    ["a long text", "x".repeat(10_000)],
  ])("to %s finds nothing", async (_, code) => {
    const { access } = await setUp();
    await codeOf(access, from("9"));
    expect(await codeOfError(access.approve(code, OWNER))).toBe("NOT_FOUND");
    expect(await codeOfError(access.deny(code, OWNER))).toBe("NOT_FOUND");
  });

  it("can be taken back, on one account or on all, and the next message asks anew", async () => {
    const { access, lines } = await setUp();
    const work = { account: "work" };
    for (const message of [from("9"), from("9", work), from("8")])
      await access.approve(await codeOf(access, message), OWNER);
    expect((await access.list()).people.map(({ key }) => key)).toEqual([
      "telegram:default:9",
      "telegram:default:8",
      "telegram:work:9",
    ]);
    expect(await access.remove("telegram:work:9", OWNER)).toEqual(["telegram:work:9"]);
    expect([from("9"), from("9", work)].map((message) => access.decide(message, {}).verdict)).toEqual([
      "let-in",
      "refuse",
    ]);
    await access.approve(await codeOf(access, from("9", work)), OWNER);
    expect(await access.remove("telegram:9", OWNER)).toEqual(["telegram:default:9", "telegram:work:9"]);
    expect(await codeOfError(access.remove("telegram:9", OWNER))).toBe("NOT_FOUND");
    expect(await codeOfError(access.remove("telegram:1", OWNER))).toBe("CONFLICT");
    expect(access.decide(from("9"), {})).toMatchObject({ verdict: "refuse", mayAsk: true });
    expect((await lines("access.removed")).length).toBe(3);
  });
});

describe("a crowd", () => {
  it("of a thousand strangers leaves three requests, one document and an end to the audit", async () => {
    const { access, shown, writes, keys, lines, metrics } = await setUp();
    const strangers = Array.from({ length: 1000 }, (_, n) => from(`s${n}`));
    const outcomes = await Promise.all(
      strangers.map((message) => {
        access.noteRefused(message, "not paired");
        return access.request(message);
      }),
    );
    expect(outcomes.filter(({ verdict }) => verdict === "asked")).toHaveLength(3);
    expect(outcomes.filter(({ verdict }) => verdict === "full")).toHaveLength(997);
    expect([shown.length, await keys()]).toEqual([3, ["access/accounts/telegram/default"]]);
    expect(writes.documents).toBe(6);
    expect((await lines("access.refused")).length).toBe(60);
    expect((await lines("access.refused")).at(-1)?.reason).toContain("only counted");
    expect(metrics.text()).toContain('access_refused_total{channel="telegram"} 1000');
    expect(JSON.stringify((await access.list()).pending.map(({ id }) => id))).toBe('["s0","s1","s2"]');
  });

  it("waits until one of the three is answered or too old", async () => {
    const { access, clock } = await setUp();
    const codes: string[] = [];
    for (const id of ["a", "b", "c"]) codes.push(await codeOf(access, from(id)));
    expect(await access.request(from("d"))).toEqual({ verdict: "full" });
    await access.deny(codes[0]!, OWNER);
    expect((await access.request(from("d"))).verdict).toBe("asked");
    expect((await access.request(from("e"))).verdict).toBe("full");
    await clock.advance(HOUR);
    expect((await access.request(from("e"))).verdict).toBe("asked");
  });

  it("of one account stands in nobody's way on another", async () => {
    const { access } = await setUp();
    for (const id of ["a", "b", "c", "d"]) await access.request(from(id));
    expect((await access.request(from("d", { account: "work" }))).verdict).toBe("asked");
    expect((await access.request(from("d", { channel: "slack" }))).verdict).toBe("asked");
  });

  it("that comes through two processes at once is no larger", async () => {
    const store = memoryStore();
    const one = await setUp({ store });
    const two = await setUp({ store, clock: one.clock });
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? one : two).access.request(from(`s${n}`))),
    );
    expect(outcomes.filter(({ verdict }) => verdict === "asked").length).toBe(3);
    expect((await one.access.list()).pending.length).toBe(3);
  });

  it("of every hour is remembered for a day, and no document grows without end", async () => {
    const { access, clock, store } = await setUp();
    for (let hour = 0; hour < 100; hour += 1) {
      for (const n of [1, 2, 3, 4]) await access.request(from(`s${hour}.${n}`));
      await clock.advance(HOUR);
    }
    const kept = await store.get("access/accounts/telegram/default");
    const { asked = [], ended = [] } = (kept?.value ?? {}) as { asked?: unknown[]; ended?: unknown[] };
    expect([asked.length > 0, asked.length <= 3, ended.length > 0, ended.length <= 72]).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  it("with names and ids of megabytes leaves little", async () => {
    const { access, store } = await setUp();
    const long = "x".repeat(1_000_000);
    expect(
      (await access.request(from("9", { sender: { id: "9", name: long }, thread: long, replyTo: long }))).verdict,
    ).toBe("asked");
    expect(await access.request(from(long))).toEqual({ verdict: "refused" });
    expect(await access.request(from("8", { peer: { kind: "direct", id: long } }))).toEqual({ verdict: "refused" });
    access.noteRefused(from(long), "too long");
    const kept = await store.get("access/accounts/telegram/default");
    expect(JSON.stringify(kept?.value).length).toBeLessThan(1000);
  });
});

describe("what is kept", () => {
  it("holds after a restart: who asks, who was let in, who was denied", async () => {
    const first = await setUp();
    await first.access.approve(await codeOf(first.access, from("9")), OWNER);
    await first.access.deny(await codeOf(first.access, from("8")), OWNER);
    const code = await codeOf(first.access, from("7"));
    const { access, shown } = await setUp({ store: first.store, clock: first.clock });
    expect(access.decide(from("9"), {}).verdict).toBe("let-in");
    expect(await access.request(from("8"))).toEqual({ verdict: "denied" });
    expect(await access.request(from("7"))).toEqual({ verdict: "asked", code, isNew: false });
    expect(shown).toEqual([]);
    expect((await access.approve(code, OWNER)).id).toBe("7");
  });

  it("is seen by another process on the same store within seconds", async () => {
    const memory = memoryStore();
    const store = { ...memory, caps: { ...memory.caps, cas: "global" as const } };
    const one = await setUp({ store });
    const two = await setUp({ store, clock: one.clock });
    await one.access.approve(await codeOf(one.access, from("9")), OWNER);
    await one.clock.advance(10_000);
    await two.access.fresh();
    expect(two.access.decide(from("9"), {}).verdict).toBe("let-in");
    await one.access.remove("telegram:9", OWNER);
    await one.clock.advance(10_000);
    await two.access.fresh();
    expect(two.access.decide(from("9"), {}).verdict).toBe("refuse");
  });

  it("is refused when a newer version wrote it, or when it was changed by hand", async () => {
    for (const [key, value, code] of [
      ["access/owner", { v: 2 }, "FORMAT_TOO_NEW"],
      ["access/owner", { v: 1, owners: "telegram:9" }, "STORE_UNSUITABLE"],
      [storeKey("access", "accounts", "telegram", "default"), { v: 9 }, "FORMAT_TOO_NEW"],
      [storeKey("access", "accounts", "telegram", "default"), "telegram:9", "STORE_UNSUITABLE"],
    ] as const) {
      const store = memoryStore();
      await store.put(key, value);
      expect(await codeOfError(setUp({ store }))).toBe(code);
    }
  });
});
