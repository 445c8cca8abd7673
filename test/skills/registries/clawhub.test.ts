import { describe, expect, it } from "vitest";
import { clawhub } from "../../../adapters/registries/clawhub/index.ts";
import { createGuardedFetch, systemClock } from "../../../entry.host.ts";
import { openRegistries } from "../../../src/skills/index.ts";
import { skillRegistryContract } from "../../../src/testing/index.ts";
import { greet, setUp } from "../install/support.ts";
import { type StubSkill, clawhubStub } from "./clawhub-stub.ts";

const TOKEN = "clh_0123456789abcdef";
const archive = greet([{ name: "_meta.json", data: '{ "slug": "greet", "version": "1.2.3" }' }]);

function opened(skills: Readonly<Record<string, StubSkill>>, options: { readonly token?: string } = {}) {
  const stub = clawhubStub(skills, { token: TOKEN });
  const fetch = createGuardedFetch({ clock: systemClock(), fetch: stub.fetch, lookup: async () => ["93.184.215.14"] });
  return { stub, registry: clawhub({ ...options, fetch }) };
}

skillRegistryContract(
  { describe, it, expect },
  {
    name: "clawhub",
    async open() {
      const large = new Uint8Array(10 * 1024 * 1024 + 1);
      const { stub, registry } = opened(
        { "ada/greet": { owner: "ada", archive }, "ada/large": { owner: "ada", archive: large } },
        { token: TOKEN },
      );
      return {
        registry,
        skill: { slug: "ada/greet", query: "greet", archive },
        oversized: "ada/large",
        unknown: "absent",
        secrets: [TOKEN],
        breakDown: async () => void (stub.state.down = true),
      };
    },
  },
);

describe("clawhub()", () => {
  it("asks its own API, with the token, for the skill of one owner", async () => {
    const { registry, stub } = opened({ "ada/greet": { owner: "ada", archive } }, { token: TOKEN });
    await registry.search("greet people & cats");
    await registry.meta("ada/greet");
    await registry.download("ada/greet", "1.2.3");
    expect(stub.requests.map(({ url }) => url.href)).toEqual([
      "https://clawhub.ai/api/v1/search?q=greet+people+%26+cats&limit=20",
      "https://clawhub.ai/api/v1/skills/greet?ownerHandle=ada",
      "https://clawhub.ai/api/v1/skills/greet/scan?ownerHandle=ada",
      "https://clawhub.ai/api/v1/download?slug=greet&ownerHandle=ada&version=1.2.3",
    ]);
    for (const { headers } of stub.requests) expect(headers.get("authorization")).toBe(`Bearer ${TOKEN}`);
    expect(registry.secrets).toEqual([TOKEN]);
    expect(JSON.stringify(registry)).not.toContain("base");
  });

  it("brings scores into 0 to 1, names owners, and leaves other catalogues out", async () => {
    const results = [
      { score: 5, slug: "a", displayName: "A", summary: null, version: null, ownerHandle: "ada" },
      { score: 2.5, slug: "b", displayName: "B", summary: "About B", version: "2.0.0", owner: { handle: "Bob" } },
      { source: "skills-sh", score: 9, slug: "c" },
      { score: -1, slug: "d" },
      { score: 1 },
    ];
    const fetch = async () => new Response(JSON.stringify({ results }));
    expect(await clawhub({ fetch }).search("x")).toEqual([
      { slug: "ada/a", name: "A", description: "", score: 1 },
      { slug: "b", name: "B", description: "About B", version: "2.0.0", score: 0.5 },
      { slug: "d", name: "d", description: "", score: 0 },
    ]);
  });

  it.each<readonly [string, Partial<StubSkill>, string]>([
    ["a scan that found it clean", {}, "clean"],
    ["no scan", { security: null }, "unknown"],
    ["a scan that is not done", { security: { status: "pending", hasScanResult: false } }, "unknown"],
    ["a clean scan that is to be done again", { snapshot: { isPendingScan: true } }, "unknown"],
    [
      "flags of suspicion",
      { moderation: { isSuspicious: true, isMalwareBlocked: false, reasonCodes: [] } },
      "suspicious",
    ],
    [
      "a verdict of suspicion",
      { moderation: { isSuspicious: false, isMalwareBlocked: false, verdict: "suspicious" } },
      "suspicious",
    ],
    ["a suspicious scan", { security: { status: "suspicious", hasScanResult: true } }, "suspicious"],
    ["a scan that asks for a review", { security: { status: "review", hasScanResult: true } }, "suspicious"],
    ["what moderators hide", { snapshot: { isHiddenByMod: true } }, "suspicious"],
    ["malware by its flag", { moderation: { isSuspicious: false, isMalwareBlocked: true } }, "malicious"],
    [
      "malware by its verdict",
      { moderation: { isSuspicious: false, isMalwareBlocked: false, verdict: "malicious" } },
      "malicious",
    ],
    [
      "a malicious scan of what moderation calls clean",
      { moderation: { verdict: "clean" }, security: { status: "malicious" } },
      "malicious",
    ],
    ["what moderators removed", { snapshot: { isRemoved: true } }, "malicious"],
    [
      "a download that is blocked as malicious",
      { blocked: [403, "Blocked: this skill has been flagged as malicious by ClawScan and cannot be downloaded."] },
      "malicious",
    ],
  ])("takes %s for %j: %s", async (_, more, verdict) => {
    const { registry } = opened({ "ada/greet": { owner: "ada", archive, ...more } });
    expect((await registry.meta("ada/greet"))?.verdict).toBe(verdict);
  });

  it.each([429, 500])("gives no verdict while the scan cannot be asked for: status %i", async (scanFails) => {
    const { registry } = opened({ "ada/greet": { owner: "ada", archive, scanFails } });
    await expect(registry.meta("ada/greet")).rejects.toMatchObject({
      code: "FETCH_FAILED",
      message: expect.stringContaining(`ClawHub answered with status ${scanFails}`) as string,
    });
  });

  it("tells why, in ClawHub's words", async () => {
    const moderation = { isSuspicious: true, isMalwareBlocked: false, verdict: "suspicious", reasonCodes: ["suspicious.dynamic_code_execution"], summary: "Detected: suspicious.dynamic_code_execution" }; // prettier-ignore
    const { registry } = opened({ "ada/greet": { owner: "ada", moderation } });
    expect((await registry.meta("greet"))?.reason).toBe("Detected: suspicious.dynamic_code_execution");
  });

  it("names the owners when several have a slug", async () => {
    const { registry } = opened({ "ada/greet": { owner: "ada" }, "bob/greet": { owner: "bob" } });
    await expect(registry.meta("greet")).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringContaining("@ada/greet, @bob/greet") as string,
    });
    expect((await registry.meta("bob/greet"))?.slug).toBe("bob/greet");
  });

  it.each<readonly [string, Partial<StubSkill>, RegExp]>([
    ["it has no version", { version: "" }, /has no version of ada\/greet/],
    [
      "it is being scanned",
      { blocked: [423, "This skill is pending a ClawScan security review."] },
      /status 423: it is being scanned/,
    ],
    [
      "it is hidden",
      { blocked: [403, "This skill is currently unavailable."] },
      /status 403: This skill is currently unavailable/,
    ],
  ])("refuses to describe a skill when %s", async (_, more, reason) => {
    const { registry } = opened({ "ada/greet": { owner: "ada", ...more } });
    await expect(registry.meta("ada/greet")).rejects.toThrow(reason);
  });

  it("knows no skill that moderators took away", async () => {
    const { registry } = opened({
      "ada/greet": { owner: "ada", blocked: [410, "This skill has been removed by a moderator."] },
    });
    expect(await registry.meta("ada/greet")).toBeNull();
  });

  it("downloads no description of files that lie elsewhere", async () => {
    const { registry } = opened({ "ada/greet": { owner: "ada", elsewhere: true } });
    await expect(registry.download("ada/greet")).rejects.toThrow(/no archive of ada\/greet: its files lie elsewhere/);
  });

  it("says when it asks too often, and when the token is wrong", async () => {
    const { registry, stub } = opened({ "ada/greet": { owner: "ada" } }, { token: "clh_wrong" });
    await expect(registry.search("x")).rejects.toThrow(/status 401: check the token/);
    stub.state.limited = true;
    await expect(registry.search("x")).rejects.toThrow(/status 429: too many requests, again in 34 s/);
  });

  it("gives the token to nobody else, and follows no redirect into the house", async () => {
    const seen: [string, string | null][] = [];
    const redirects =
      (target: string): typeof globalThis.fetch =>
      async (input, init) => {
        const request = new Request(input, init);
        seen.push([request.url, request.headers.get("authorization")]);
        if (new URL(request.url).host === "clawhub.ai")
          return new Response(null, { status: 307, headers: { location: target } });
        return new Response(archive.slice(), { headers: { "content-type": "application/zip" } });
      };
    const over = (target: string) => {
      const fetch = createGuardedFetch({
        clock: systemClock(),
        fetch: redirects(target),
        lookup: async () => ["93.184.215.14"],
        trustedOrigins: ["https://clawhub.ai"],
      });
      return clawhub({ token: TOKEN, fetch });
    };
    expect((await over("https://files.clawhub.example/a.zip").download("greet")).length).toBe(archive.length);
    expect(seen.map(([, token]) => token)).toEqual([`Bearer ${TOKEN}`, null]);
    await expect(over("http://169.254.169.254/latest").download("greet")).rejects.toMatchObject({
      code: "URL_REFUSED",
    });
    expect(seen).toHaveLength(3);
  });

  it("sends nothing by itself: the fetch is the assistant's", async () => {
    await expect(clawhub().search("x")).rejects.toMatchObject({ code: "OPTION_INVALID" });
    const stub = clawhubStub({ "ada/greet": { owner: "ada", archive } });
    const given = clawhub({ baseUrl: "http://127.0.0.1:9/hub/" });
    const trusted: string[] = [];
    const registries = openRegistries([given], (trustedOrigins) => {
      trusted.push(...trustedOrigins);
      return createGuardedFetch({ clock: systemClock(), fetch: stub.fetch, trustedOrigins });
    });
    expect(trusted).toEqual(["http://127.0.0.1:9"]);
    await registries[0]?.registry.search("greet").catch(() => {});
    expect(stub.requests[0]?.url.href).toBe("http://127.0.0.1:9/hub/api/v1/search?q=greet&limit=20");
    await expect(given.search("x")).rejects.toMatchObject({ code: "OPTION_INVALID" });
  });

  it("is installed from, with the owner in the origin file", async () => {
    const { registry } = opened({ "ada/greet": { owner: "ada", archive } });
    const { installer } = setUp([registry]);
    expect(await installer.install({ slug: "greet" })).toMatchObject({
      registry: "clawhub",
      slug: "ada/greet",
      version: "1.2.3",
      verdict: "clean",
    });
    expect(await installer.verify("greet")).toMatchObject({ ok: true });
  });
});
