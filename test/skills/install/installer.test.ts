import { describe, expect, it } from "vitest";
import { AssistantError } from "../../../entry.host.ts";
import { sha256 as sha256Of } from "../../../src/hash.ts";
import { type SkillRegistry, openRegistries, withoutHidden } from "../../../src/skills/index.ts";
import { storeSkillSource } from "../../../src/skills/store-source.ts";
import { type Store, memoryStore, storeKey } from "../../../src/store/index.ts";
import { createMetrics } from "../../../src/telemetry/index.ts";
import { SKILL, type Shelf, everythingIn, filesOf, greet, setUp, shelfRegistry } from "./support.ts";

const shelfOf = (more: Partial<Shelf> = {}): Record<string, Shelf> => ({
  greet: { archive: greet([{ name: "a.sh", data: "echo" }]), meta: {}, ...more },
});
const codeOf = async (work: Promise<unknown>) => {
  const error = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AssistantError);
  const { code, message } = error as AssistantError;
  return `${code}: ${message}`;
};

describe("installations", () => {
  it("are counted, and so is what is refused", async () => {
    const metrics = createMetrics();
    const shelf = shelfOf();
    shelf["evil"] = { archive: greet([]), meta: { verdict: "malicious" } };
    const { installer } = setUp([shelfRegistry("shelf", shelf)], memoryStore(), { metrics });
    await installer.install({ slug: "greet" });
    expect(await codeOf(installer.plan({ slug: "evil" }))).toContain("calls the skill evil malicious");
    const lines = metrics.text().split("\n");
    expect(lines).toContain('skill_install_total{outcome="installed"} 1');
    expect(lines).toContain('skill_install_total{outcome="refused"} 1');
  });
});

describe("install()", () => {
  it("writes the files, and where they came from", async () => {
    const shelf = shelfOf({
      archive: greet([
        { name: "bin/x", data: Uint8Array.of(0, 255) },
        { name: "a.json", data: "{}" },
      ]),
    });
    const changed: string[] = [];
    const { installer, store } = setUp([shelfRegistry("shelf", shelf)], memoryStore(), {
      changed: (name) => changed.push(name),
    });
    const sha256 = await sha256Of(shelf["greet"]!.archive);
    expect(await installer.install({ slug: "greet" })).toEqual({
      name: "greet", registry: "shelf", slug: "greet", version: "1.0.0", sha256, verdict: "clean", disabled: false, findings: [], leftOut: [],
    }); // prettier-ignore
    expect(await filesOf(store, "greet")).toEqual({
      "SKILL.md": SKILL(),
      "a.json": "{}",
      "bin/x": Uint8Array.of(0, 255),
      ".skill-origin.json": {
        registry: "shelf",
        slug: "greet",
        version: "1.0.0",
        sha256,
        installed_at: "2026-02-01T12:00:00.000Z",
        verdict: "clean",
        files: {
          "SKILL.md": await sha256Of(new TextEncoder().encode(SKILL())),
          "a.json": await sha256Of(new TextEncoder().encode("{}")),
          "bin/x": await sha256Of(Uint8Array.of(0, 255)),
        },
      },
    });
    expect(Object.keys(await everythingIn(store))).toHaveLength(4);
    expect(changed).toEqual(["greet"]);
  });

  it("refuses an installed one without force, and one that people wrote in any case", async () => {
    const { installer, store } = setUp([shelfRegistry("shelf", { ...shelfOf(), mine: shelfOf()["greet"]! })]);
    await installer.install({ slug: "greet" });
    await store.put("skills/mine/SKILL.md", "my own");
    const before = await everythingIn(store);
    expect(await codeOf(installer.install({ slug: "greet" }))).toMatch(
      /^CONFLICT: .*installed, in version 1\.0\.0 from shelf: use force/,
    );
    expect(await codeOf(installer.install({ slug: "mine", force: true }))).toMatch(/^CONFLICT: .*was not installed/);
    expect(await everythingIn(store)).toEqual(before);
  });

  it("replaces everything by force, and says which edits went with it", async () => {
    const shelf = shelfOf();
    const { installer, store } = setUp([shelfRegistry("shelf", shelf)]);
    await installer.install({ slug: "greet" });
    await store.put("skills/greet/SKILL.md", "edited");
    await store.put("skills/greet/notes.md", "mine");
    await store.remove("skills/greet/a.sh");
    await store.append("skills/greet/log.jsonl", { a: 1 });
    shelf["greet"] = { archive: greet([{ name: "b.md", data: "b" }]), meta: { version: "2.0.0" } };
    expect(await installer.install({ slug: "greet", force: true })).toMatchObject({
      version: "2.0.0",
      replaced: { version: "1.0.0", changed: ["SKILL.md"], missing: ["a.sh"], added: ["log.jsonl", "notes.md"] },
    });
    expect(Object.keys(await filesOf(store, "greet"))).toEqual([".skill-origin.json", "SKILL.md", "b.md"]);
    expect(await store.lastSeq("skills/greet/log.jsonl")).toBe(0);
  });

  it.each(["", "a/b/c", "../x", "UPPER", "a_b", "-a", "a".repeat(65), "/a", "a/", "@a", "ä", "a b", "greet\n"])(
    "takes %j for no slug, and asks nobody",
    async (slug) => {
      const registry = shelfRegistry("shelf", shelfOf());
      const { installer } = setUp([registry]);
      expect(await codeOf(installer.install({ slug }))).toMatch(/^OPTION_INVALID: Cannot install .*expected a slug/);
      expect(registry.asked).toEqual([]);
    },
  );

  it("installs owner/name under the name, and keeps asking for that owner", async () => {
    const registry = shelfRegistry("shelf", { "ada/greet": shelfOf()["greet"]! });
    const { installer, store } = setUp([registry]);
    await installer.install({ slug: "@ada/greet" });
    expect((await filesOf(store, "greet"))[".skill-origin.json"]).toMatchObject({ slug: "ada/greet" });
    expect(registry.asked).toEqual(["meta ada/greet", "download ada/greet 1.0.0"]);
  });

  it("does not follow a registry to another name", async () => {
    const { installer } = setUp([shelfRegistry("shelf", shelfOf({ meta: { slug: "welcome" } }))]);
    expect(await codeOf(installer.install({ slug: "greet" }))).toMatch(/^CONFLICT: .*renamed to "welcome"/);
  });

  it("refuses what is malicious, and downloads nothing", async () => {
    const registry = shelfRegistry("shelf", shelfOf({ meta: { verdict: "malicious", reason: "steals\u202e keys" } }));
    const { installer, store } = setUp([registry]);
    expect(await codeOf(installer.install({ slug: "greet" }))).toMatch(/^SKILL_REFUSED: .*malicious: "steals\? keys"/);
    expect(registry.asked).toEqual(["meta greet"]);
    expect(await everythingIn(store)).toEqual({});
  });

  it("installs what is suspicious disabled, until the owner enables it", async () => {
    const { installer, installed, store } = setUp([
      shelfRegistry("shelf", shelfOf({ meta: { verdict: "suspicious" } })),
    ]);
    expect(await installer.install({ slug: "greet" })).toMatchObject({ disabled: true, verdict: "suspicious" });
    const source = withoutHidden(sourceOver(store), installed);
    expect(await source.list()).toEqual([]);
    expect(await source.read("greet")).toBeNull();
    expect(await source.readFile?.("greet", "a.sh")).toBeNull();
    await installer.enable("greet");
    expect(await source.list()).toEqual([{ name: "greet", version: "1" }]);
    expect(await source.read("greet")).toBe(SKILL());
    expect((await filesOf(store, "greet"))[".skill-origin.json"]).not.toHaveProperty("disabled");
  });

  it("reads nothing of the skills that were not installed to list those that are not hidden", async () => {
    const { installer, installed, store } = setUp([
      shelfRegistry("shelf", shelfOf({ meta: { verdict: "suspicious" } })),
    ]);
    await installer.install({ slug: "greet" });
    // People made these: one with an origin that says so, under a name that keys write in another way.
    const origin = (await store.get("skills/greet/.skill-origin.json"))?.value ?? {};
    await store.put(storeKey("skills", "Über uns", "SKILL.md"), SKILL());
    await store.put(storeKey("skills", "Über uns", ".skill-origin.json"), origin);
    for (let count = 0; count < 40; count += 1) await store.put(`skills/own-${count}/SKILL.md`, SKILL());
    const get = store.get.bind(store);
    const read: string[] = [];
    store.get = (key) => {
      read.push(key);
      return get(key);
    };
    const listed = await withoutHidden(storeSkillSource(store), installed).list();
    expect(listed).toHaveLength(40);
    expect(read).toHaveLength(2);
    expect((await installed.list()).map(({ name }) => name).toSorted()).toEqual(["greet", "Über uns"]);
    expect(await Promise.all(["Über uns", "greet", "own-1"].map(installed.isHidden))).toEqual([true, true, false]);
  });

  it("takes a verdict that nobody knows for a suspicion", async () => {
    const { installer } = setUp([shelfRegistry("shelf", shelfOf({ meta: { verdict: "fine" as never } }))]);
    expect(await installer.install({ slug: "greet" })).toMatchObject({ disabled: true });
  });

  it("believes a good verdict of the version that it is about alone", async () => {
    const { installer } = setUp([shelfRegistry("shelf", shelfOf({ meta: { version: "2.0.0" } }))]);
    expect(await installer.install({ slug: "greet", version: "1.0.0" })).toMatchObject({
      verdict: "unknown",
      version: "1.0.0",
    });
    const bad = setUp([shelfRegistry("shelf", shelfOf({ meta: { version: "2.0.0", verdict: "suspicious" } }))]);
    expect(await bad.installer.install({ slug: "greet", version: "1.0.0" })).toMatchObject({ disabled: true });
  });

  it("refuses an archive that is not the one that the registry names", async () => {
    const { installer, store } = setUp([shelfRegistry("shelf", shelfOf({ meta: { sha256: "0".repeat(64) } }))]);
    expect(await codeOf(installer.install({ slug: "greet" }))).toMatch(/^SKILL_REFUSED: .*SHA-256 differs/);
    expect(await everythingIn(store)).toEqual({});
    const shelf = shelfOf();
    shelf["greet"]!.meta = { sha256: (await sha256Of(shelf["greet"]!.archive)).toUpperCase() };
    expect(await setUp([shelfRegistry("shelf", shelf)]).installer.install({ slug: "greet" })).toMatchObject({
      name: "greet",
    });
  });

  it("refuses an archive that its registry calls too large", async () => {
    const large = {
      ...shelfRegistry("shelf", shelfOf()),
      download: () => Promise.reject(new AssistantError("BODY_TOO_LARGE", "Cannot read the body")),
    };
    expect(await codeOf(setUp([large]).installer.install({ slug: "greet" }))).toMatch(
      /^SKILL_REFUSED: .*larger than 10485760 bytes/,
    );
  });

  it.each([
    [{ version: "../1" }, /a version that is not valid/],
    [{ sha256: "abc" }, /a hash that is not valid/],
    [{ slug: "../greet" }, /a slug that is not valid/],
  ])("refuses what makes no sense: %j", async (meta, reason) => {
    const { installer } = setUp([shelfRegistry("shelf", shelfOf({ meta }))]);
    expect(await codeOf(installer.install({ slug: "greet" }))).toMatch(reason);
  });

  it("wants to be told which registry when several have a skill, or one of them cannot be asked", async () => {
    const down: SkillRegistry = {
      ...shelfRegistry("down", {}),
      meta: async () => Promise.reject(new Error("no way to 10.0.0.7")),
    };
    const two = setUp([shelfRegistry("first", shelfOf()), shelfRegistry("second", shelfOf())]);
    expect(await codeOf(two.installer.install({ slug: "greet" }))).toMatch(
      /^CONFLICT: .*name the registry, one of first, second/,
    );
    expect(await two.installer.install({ slug: "greet", registry: "second" })).toMatchObject({ registry: "second" });
    const half = setUp([shelfRegistry("first", shelfOf()), down]);
    expect(await codeOf(half.installer.install({ slug: "greet" }))).toMatch(
      /^FETCH_FAILED: .*down: no way to \(an address\)/,
    );
    expect(await codeOf(half.installer.install({ slug: "greet", registry: "third" }))).toMatch(
      /^NOT_FOUND: .*there are: first, down/,
    );
    expect(await codeOf(half.installer.install({ slug: "absent", registry: "first" }))).toMatch(
      /^NOT_FOUND: No registry has/,
    );
    expect(await codeOf(setUp([]).installer.install({ slug: "greet" }))).toMatch(/^NOT_FOUND: No registry of skills/);
  });

  it("does not wait for a registry for ever", async () => {
    const silent: SkillRegistry = {
      name: "silent",
      search: () => new Promise(() => {}),
      meta: () => new Promise(() => {}),
      download: () => new Promise(() => {}),
    };
    const { installer, clock } = setUp([silent]);
    const asked = codeOf(installer.install({ slug: "greet" }));
    await clock.advance(10_000);
    expect(await asked).toMatch(/^FETCH_FAILED: .*did not answer within 10000 ms/);
    const slow = { ...shelfRegistry("slow", shelfOf()), download: () => new Promise<Uint8Array>(() => {}) };
    const late = setUp([slow]);
    const waits = codeOf(late.installer.install({ slug: "greet" }));
    await late.clock.advance(60_000);
    expect(await waits).toMatch(/^FETCH_FAILED: .*within 60000 ms/);
  });

  it("installs what was planned, and nothing else that the registry has by then", async () => {
    const shelf = shelfOf();
    const registry = shelfRegistry("shelf", shelf);
    const { installer, store } = setUp([registry]);
    const plan = await installer.plan({ slug: "greet" });
    expect(await everythingIn(store)).toEqual({});
    shelf["greet"] = { archive: greet([{ name: "evil.sh", data: "x" }]), meta: {} };
    await installer.install(plan);
    expect(Object.keys(await filesOf(store, "greet"))).toEqual([".skill-origin.json", "SKILL.md", "a.sh"]);
    expect(await codeOf(installer.install(plan))).toMatch(/^CONFLICT/);
  });

  it("runs one of two installations of a name, whichever comes first", async () => {
    const store = memoryStore();
    const shelf = shelfOf();
    const rooms = [setUp([shelfRegistry("shelf", shelf)], store), setUp([shelfRegistry("shelf", shelf)], store)];
    const outcomes = await Promise.allSettled(
      [...rooms, ...rooms].map(({ installer }) => installer.install({ slug: "greet" })),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "CONFLICT" });
    expect(Object.keys(await everythingIn(store))).toEqual(
      ["SKILL.md", "a.sh", ".skill-origin.json"].map((path) => `skills/greet/${path}`).toSorted(),
    );
  });
});

describe("update(), remove(), verify()", () => {
  async function installedGreet(shelf = shelfOf()) {
    const room = setUp([shelfRegistry("shelf", shelf)]);
    await room.installer.install({ slug: "greet" });
    return { ...room, shelf };
  }

  it("updates to the newest version, and does nothing when it is there", async () => {
    const { installer, store, shelf } = await installedGreet();
    const before = await everythingIn(store);
    expect(await installer.update("greet")).toEqual({ updated: false, version: "1.0.0" });
    expect(await everythingIn(store)).toEqual(before);
    shelf["greet"] = { archive: greet([{ name: "new.md", data: "new" }]), meta: { version: "1.1.0" } };
    expect(await installer.update("greet")).toMatchObject({
      updated: true,
      version: "1.1.0",
      replaced: { version: "1.0.0", changed: [] },
    });
    expect(Object.keys(await filesOf(store, "greet"))).toEqual([".skill-origin.json", "SKILL.md", "new.md"]);
  });

  it("leaves edits alone without force", async () => {
    const { installer, store, shelf } = await installedGreet();
    await store.put("skills/greet/a.sh", "mine");
    shelf["greet"] = { archive: greet(), meta: { version: "1.1.0" } };
    const before = await everythingIn(store);
    expect(await codeOf(installer.update("greet"))).toMatch(/^CONFLICT: .*edited by hand \(a\.sh\): use force/);
    expect(await everythingIn(store)).toEqual(before);
    expect(await installer.update("greet", { force: true })).toMatchObject({
      updated: true,
      replaced: { changed: ["a.sh"] },
    });
  });

  it("removes an installed skill that became malicious, edited or not", async () => {
    for (const act of ["update", "install"] as const) {
      const { installer, store, shelf } = await installedGreet();
      await store.put("skills/greet/a.sh", "mine");
      shelf["greet"]!.meta = { verdict: "malicious" };
      const done = act === "update" ? installer.update("greet") : installer.install({ slug: "greet", force: true });
      expect(await codeOf(done)).toMatch(/^SKILL_REFUSED: .*malicious; the installed one was removed/);
      expect(await everythingIn(store)).toEqual({});
    }
  });

  it("leaves a skill of another registry alone when one of its name is malicious", async () => {
    const store = memoryStore();
    const evil = shelfRegistry("evil", shelfOf({ meta: { verdict: "malicious" } }));
    const { installer } = setUp([shelfRegistry("shelf", shelfOf()), evil], store);
    await installer.install({ slug: "greet", registry: "shelf" });
    const before = await everythingIn(store);
    expect(await codeOf(installer.install({ slug: "greet", registry: "evil", force: true }))).not.toMatch(
      /was removed/,
    );
    expect(await everythingIn(store)).toEqual(before);
  });

  it("disables a skill that became suspicious, once", async () => {
    const { installer, installed, shelf } = await installedGreet();
    shelf["greet"]!.meta = { verdict: "suspicious" };
    await installer.update("greet");
    expect(await installed.isHidden("greet")).toBe(true);
    await installer.enable("greet");
    await installer.update("greet");
    expect(await installed.isHidden("greet")).toBe(false);
  });

  it("says what is not as it was installed", async () => {
    const { installer, store } = await installedGreet();
    expect(await installer.verify("greet")).toEqual({ name: "greet", ok: true, changed: [], missing: [], added: [] });
    await store.put("skills/greet/SKILL.md", `${SKILL()} `);
    await store.remove("skills/greet/a.sh");
    await store.put("skills/greet/docs/new.md", "x");
    expect(await installer.verify("greet")).toEqual({
      name: "greet",
      ok: false,
      changed: ["SKILL.md"],
      missing: ["a.sh"],
      added: ["docs/new.md"],
    });
  });

  it("knows a text with a byte order mark, and a name with a percent sign", async () => {
    const bytes = Uint8Array.of(0xef, 0xbb, 0xbf, 0x61);
    const { installer } = await installedGreet(
      shelfOf({
        archive: greet([
          { name: "bom.txt", data: bytes },
          { name: "100%.md", data: "x" },
        ]),
      }),
    );
    expect(await installer.verify("greet")).toMatchObject({ ok: true });
  });

  it("removes what was installed, and nothing else", async () => {
    const { installer, store } = await installedGreet();
    await store.put("skills/greetings/SKILL.md", "mine");
    await installer.remove("greet");
    expect(Object.keys(await everythingIn(store))).toEqual(["skills/greetings/SKILL.md"]);
    for (const work of [
      installer.remove("greetings"),
      installer.remove("greet"),
      installer.update("greet"),
      installer.verify("greet"),
      installer.enable("greet"),
    ])
      expect(await codeOf(work)).toMatch(/^NOT_FOUND/);
    expect(Object.keys(await everythingIn(store))).toEqual(["skills/greetings/SKILL.md"]);
  });

  it("knows no skill without a name", async () => {
    const { installer } = await installedGreet();
    const { update, verify, enable } = installer;
    for (const work of [update, verify, enable]) expect(await codeOf(work(""))).toMatch(/^NOT_FOUND/);
  });

  it("takes an origin file that makes no sense for none", async () => {
    const { installer, store } = await installedGreet();
    await store.put("skills/greet/.skill-origin.json", { registry: "shelf" });
    expect(await installer.list()).toEqual([]);
    expect(await codeOf(installer.install({ slug: "greet", force: true }))).toMatch(/was not installed/);
  });

  it("lists what was installed", async () => {
    const { installer, store } = await installedGreet();
    await store.put("skills/mine/SKILL.md", "x");
    expect((await installer.list()).map(({ name, origin }) => [name, origin.version])).toEqual([["greet", "1.0.0"]]);
  });
});

describe("find()", () => {
  it("asks all registries side by side, and merges what they find by score", async () => {
    const first = { ...shelfRegistry("first", {}), search: async () => [found("b", 0.5), found("a", 0.9)] };
    const second = {
      ...shelfRegistry("second", {}),
      search: async () => [found("c", 0.7), found("d", 7), found("e", Number.NaN)],
    };
    const { skills, failed } = await setUp([first, second]).installer.find("hello");
    expect(skills.map(({ slug, registry, score }) => [slug, registry, score])).toEqual([
      ["d", "second", 1], ["a", "first", 0.9], ["c", "second", 0.7], ["b", "first", 0.5], ["e", "second", 0],
    ]); // prettier-ignore
    expect(failed).toEqual([]);
  });

  it("names registries that fail or are late, and shows what the others found", async () => {
    const good = { ...shelfRegistry("good", {}), search: async () => [found("a", 1)] };
    const broken = {
      ...shelfRegistry("broken", {}),
      search: async () => Promise.reject(new Error("refused by 10.1.2.3:80")),
    };
    const odd = { ...shelfRegistry("odd", {}), search: async () => "nothing" as never };
    const late: SkillRegistry = { ...shelfRegistry("late", {}), search: () => new Promise(() => {}) };
    const { installer, clock } = setUp([late, broken, good, odd]);
    const asked = installer.find("hello");
    await clock.advance(10_000);
    const { skills, failed } = await asked;
    expect(skills.map(({ slug }) => slug)).toEqual(["a"]);
    expect(failed.map(({ registry, reason }) => `${registry}: ${reason}`).toSorted()).toEqual([
      "broken: refused by (an address)",
      "late: The registry late did not answer within 10000 ms",
      "odd: it answered with no list",
    ]);
  });

  it("says that there is no registry where none is configured, as an installation does", async () => {
    const { installer } = setUp([]);
    const refused = { code: "NOT_FOUND", message: "No registry of skills is configured" };
    await expect(installer.find("hello")).rejects.toMatchObject(refused);
    await expect(installer.plan({ slug: "hello" })).rejects.toMatchObject(refused);
    await expect(installer.plan({ slug: "hello", registry: "hub" })).rejects.toMatchObject(refused);
  });

  it("leaves out what nobody could install, and no more than 20 of each", async () => {
    const many = Array.from({ length: 40 }, (_, index) => found(`s${index}`, 0.5));
    const odd = {
      ...shelfRegistry("odd", {}),
      search: async () => [found("../x", 1), null as never, { slug: 5 } as never, ...many],
    };
    const { skills } = await setUp([odd, { ...odd, name: "odd2" }]).installer.find("x");
    expect(skills).toHaveLength(20);
    expect(skills.every(({ slug }) => /^s\d+$/.test(slug))).toBe(true);
  });

  it("ends when whoever asks does not wait any more", async () => {
    const late: SkillRegistry = { ...shelfRegistry("late", {}), search: () => new Promise(() => {}) };
    const stop = new AbortController();
    const asked = setUp([late]).installer.find("x", stop.signal);
    stop.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
  });
});

describe("openRegistries()", () => {
  it("names them, and gives each a fetch that trusts its own address alone", () => {
    const trusted: (readonly string[])[] = [];
    const plain = shelfRegistry("", {});
    const { name: _name, ...nameless } = plain;
    const web: SkillRegistry = {
      ...plain,
      name: "web",
      origins: ["https://a.example"],
      connect: (fetch) => ({ ...plain, name: typeof fetch }),
    };
    const opened = openRegistries([nameless, web], (origins) => {
      trusted.push(origins);
      return async () => new Response();
    });
    expect(opened.map(({ name }) => name)).toEqual(["registry-1", "web"]);
    expect(opened[1]?.registry.name).toBe("function");
    expect(trusted).toContainEqual(["https://a.example"]);
    expect(trusted.flat()).toEqual(["https://a.example"]);
  });

  it("refuses two of one name, and what is no registry", () => {
    const fetchFor = () => async () => new Response();
    expect(() => openRegistries([shelfRegistry("a", {}), shelfRegistry("a", {})], fetchFor)).toThrow(
      /two of them are named "a"/,
    );
    expect(() => openRegistries([{ name: "b" } as never], fetchFor)).toThrow(
      /registries\[0\]: it has no function search/,
    );
  });
});

const found = (slug: string, score: number) => ({ slug, name: slug, description: "", score });

/** The source that reads skills from the store, as small as it can be. */
function sourceOver(store: Store) {
  const read = async (name: string, path: string) => (await store.get(`skills/${name}/${path}`))?.value;
  return {
    name: "workspace",
    async list() {
      const names: string[] = [];
      for await (const { key } of store.list("skills/"))
        if (key.endsWith("/SKILL.md")) names.push(key.split("/")[1] ?? "");
      return names.map((name) => ({ name, version: "1" }));
    },
    read: async (name: string) => ((await read(name, "SKILL.md")) as string | undefined) ?? null,
    readFile: async (name: string, path: string) => new TextEncoder().encode((await read(name, path)) as string),
  };
}
