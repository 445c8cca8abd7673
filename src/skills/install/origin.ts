import * as v from "valibot";
import type { SkillMeta } from "../registry.ts";

/** The file next to a `SKILL.md` that says where the skill came from. */
export const ORIGIN_FILE = ".skill-origin.json";

/** Content of the origin file. */
export interface SkillOrigin {
  /** The registry's name. */
  readonly registry: string;
  /** The skill's name in the registry. */
  readonly slug: string;
  readonly version: string;
  /** Hash of the archive, in lower-case hexadecimal. */
  readonly sha256: string;
  /** Date and time in ISO 8601, UTC. */
  readonly installed_at: string;
  /** The verdict of the registry's moderation at that time. */
  readonly verdict: SkillMeta["verdict"];
  /** SHA-256 of each file, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Whether it is not offered until the owner enables it. Default false. */
  readonly disabled?: boolean;
}

const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));

/** People may edit the file, so it is checked like outside input. */
export const originSchema = v.object({
  registry: v.pipe(v.string(), v.minLength(1)),
  slug: v.pipe(v.string(), v.minLength(1)),
  version: v.string(),
  sha256: hash,
  installed_at: v.string(),
  verdict: v.picklist(["clean", "suspicious", "malicious", "unknown"]),
  files: v.record(v.string(), hash),
  disabled: v.exactOptional(v.boolean()),
});

/** Reads the content of an origin file; null if it is invalid. */
export function readOrigin(value: unknown): SkillOrigin | null {
  const read = v.safeParse(originSchema, value);
  return read.success ? read.output : null;
}
