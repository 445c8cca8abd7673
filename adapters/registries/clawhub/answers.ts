import type { SkillMeta } from "../../../kit.ts";

/** A JSON object from outside. */
export interface Fields {
  readonly [name: string]: unknown;
}

export function objectOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** Returns a text that is not blank, trimmed; `undefined` otherwise. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/**
 * The worst verdict of ClawHub about a skill, from its moderation (which it reports for flagged skills alone) and its
 * scan of the newest version. A skill is clean only if a scan found it clean.
 */
export function verdictOf(moderation: Fields, scan: Fields): SkillMeta["verdict"] {
  const security = objectOf(scan["security"]);
  const snapshot = objectOf(scan["moderation"]);
  const said = [moderation["verdict"], security["status"], security["verdict"]].map((one) => String(one).toLowerCase());
  const isSet = (name: string) => [moderation, snapshot].some((one) => one[name] === true);
  if (isSet("isMalwareBlocked") || isSet("isRemoved") || said.includes("malicious")) return "malicious";
  if (isSet("isSuspicious") || isSet("isHiddenByMod") || said.includes("suspicious") || said.includes("review"))
    return "suspicious";
  const isScanned = security["hasScanResult"] !== false && said.slice(1).includes("clean");
  return isScanned && !isSet("isPendingScan") ? "clean" : "unknown";
}
