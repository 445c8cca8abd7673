import type { SkillRegistry } from "../skills/index.ts";
import { MAX_ARCHIVE_BYTES } from "../skills/index.ts";
import type { TestApi } from "./test-api.ts";

/** A registry created for one test, with a few skills. */
export interface OpenedSkillRegistry {
  /** The registry under test. */
  readonly registry: SkillRegistry;
  /** A skill in the registry: what to search for, and its archive. */
  readonly skill: { readonly slug: string; readonly query: string; readonly archive: Uint8Array };
  /** A skill whose archive is larger than 10 MiB. Absent: the registry cannot have one. */
  readonly oversized?: string;
  /** A slug that is not in the registry. */
  readonly unknown: string;
  /** Texts that no error may show. */
  readonly secrets?: readonly string[];
  /** Makes the registry unreachable: the network is down, the folder is gone. */
  breakDown(): Promise<void>;
  /** Called after each test. */
  dispose?(): Promise<void>;
}

/** Options of `skillRegistryContract`. */
export interface SkillRegistryContractOptions {
  /** The registry's name in the titles of the tests. */
  readonly name: string;
  /** Creates a registry. Called once for each test. */
  open(): Promise<OpenedSkillRegistry>;
}

const VERDICTS = ["clean", "suspicious", "malicious", "unknown"];

/**
 * Registers the contract of the `SkillRegistry` port as tests.
 *
 * Source: the Contract lines of `SkillRegistry`; docs/skills-install.md, "A registry of your own".
 *
 * @example
 * ```ts
 * import { describe, expect, it } from "vitest";
 * skillRegistryContract({ describe, it, expect }, { name: "mine", open });
 * ```
 */
export function skillRegistryContract(api: TestApi, options: SkillRegistryContractOptions): void {
  const { name, open } = options;
  const { expect } = api;

  function test(title: string, body: (opened: OpenedSkillRegistry) => Promise<void>): void {
    api.it(title, async () => {
      const opened = await open();
      try {
        await body(opened);
      } finally {
        await opened.dispose?.();
      }
    });
  }

  /** The error that the work rejects with, as a text; `null` when it resolves. */
  async function failureOf(work: Promise<unknown>): Promise<string | null> {
    try {
      await work;
      return null;
    } catch (error) {
      return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    }
  }

  api.describe(`${name} as a registry of skills`, () => {
    test("finds a skill, best first, each with a score of 0 to 1", async ({ registry, skill }) => {
      const found = await registry.search(skill.query);
      expect(found.some(({ slug }) => slug === skill.slug)).toBe(true);
      expect(found.length <= 20).toBe(true);
      expect(found.filter(({ score }) => !(score >= 0 && score <= 1))).toEqual([]);
      const scores = found.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    });

    test("says of a skill what there is to say before it is downloaded", async ({ registry, skill }) => {
      const meta = await registry.meta(skill.slug);
      expect(meta?.slug).toBe(skill.slug);
      expect(/^[0-9a-z][0-9a-z.+_-]*$/i.test(meta?.version ?? "")).toBe(true);
      expect(VERDICTS.includes(meta?.verdict ?? "")).toBe(true);
      expect(meta?.sha256 === undefined || /^[0-9a-f]{64}$/.test(meta.sha256)).toBe(true);
    });

    test("gives the archive, of the newest version and of a named one", async ({ registry, skill }) => {
      expect([...(await registry.download(skill.slug))]).toEqual([...skill.archive]);
      const meta = await registry.meta(skill.slug);
      expect([...(await registry.download(skill.slug, meta?.version))]).toEqual([...skill.archive]);
    });

    test("names the hash of the archive that it gives, if it names one", async ({ registry, skill }) => {
      const { sha256 } = (await registry.meta(skill.slug)) ?? {};
      if (sha256 === undefined) return;
      const bytes = new Uint8Array(await registry.download(skill.slug));
      const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
      expect(Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")).toBe(sha256);
    });

    test("knows no skill that it does not have", async ({ registry, unknown }) => {
      expect(await registry.meta(unknown)).toBe(null);
      expect((await failureOf(registry.download(unknown))) === null).toBe(false);
    });

    test("knows no version that it does not have", async ({ registry, skill }) => {
      expect((await failureOf(registry.download(skill.slug, "999.0.0"))) === null).toBe(false);
    });

    test("finds nothing by what no skill is about", async ({ registry }) => {
      expect(await registry.search("zxqv wkjh")).toEqual([]);
    });

    test(`refuses to download more than ${MAX_ARCHIVE_BYTES} bytes`, async ({ registry, oversized }) => {
      if (oversized === undefined) return;
      expect((await failureOf(registry.download(oversized))) === null).toBe(false);
    });

    test("rejects what it is asked when it cannot be asked, and tells no secret then", async (opened) => {
      const { registry, skill, secrets = [] } = opened;
      await opened.breakDown();
      const asked = [registry.search(skill.query), registry.meta(skill.slug), registry.download(skill.slug)];
      for (const failure of await Promise.all(asked.map(failureOf))) {
        if (failure === null) throw new Error("it answered although it cannot be asked");
        expect(secrets.filter((secret) => failure.includes(secret))).toEqual([]);
      }
    });

    test("stops when nobody waits any more", async ({ registry, skill }) => {
      const signal = AbortSignal.abort(new Error("enough"));
      const asked = [registry.search(skill.query, signal), registry.meta(skill.slug, signal), registry.download(skill.slug, undefined, signal)]; // prettier-ignore
      for (const failure of await Promise.all(asked.map(failureOf))) expect(failure === null).toBe(false);
    });
  });
}
