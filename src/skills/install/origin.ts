import * as v from "valibot";
import type { SkillMeta } from "../registry.ts";

/** The file beside a `SKILL.md` that says where the skill came from. */
export const ORIGIN_FILE = ".skill-origin.json";

/** What the origin file says. */
export interface SkillOrigin {
  /** The registry's name. */
  readonly registry: string;
  /** Its name there. */
  readonly slug: string;
  readonly version: string;
  /** Of the archive, in lower-case hexadecimal. */
  readonly sha256: string;
  /** Date and time in ISO 8601, UTC. */
  readonly installed_at: string;
  /** What the registry's moderation said then. */
  readonly verdict: SkillMeta["verdict"];
  /** SHA-256 of each file, by its path. */
  readonly files: Readonly<Record<string, string>>;
  /** True: it is not offered until the owner enables it. Default false. */
  readonly disabled?: boolean;
}

const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));

/** People may edit the file: it is read as carefully as what comes from outside. */
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

/** The content of an origin file, or null when it is none. */
export function readOrigin(value: unknown): SkillOrigin | null {
  const read = v.safeParse(originSchema, value);
  return read.success ? read.output : null;
}
