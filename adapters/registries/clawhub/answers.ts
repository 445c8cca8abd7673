import type { SkillMeta } from "../../../kit.ts";

/** An object of JSON that came from outside. */
export interface Fields {
  readonly [name: string]: unknown;
}

export function objectOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** A text that says something. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/**
 * The worst that ClawHub says of a skill: its moderation, which it tells of flagged skills alone, and its scan of the newest version. Clean is only what a
 * scan found clean.
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
