import { type JsonValue, canonicalJson } from "../store/index.ts";
import type { AllowRule, ApprovalRecord } from "./records.ts";
import { sha256 } from "../hash.ts";

/** What an approval is given for. */
export type Bound = Pick<
  ApprovalRecord,
  "id" | "tool" | "input" | "boundTo" | "definition" | "caller" | "approvers" | "expiresAt"
>;

/** SHA-256 over everything that the owner agrees to, in hexadecimal. Two requests that differ in anything of it have different hashes. */
export function bindingHash(bound: Bound): Promise<string> {
  const { id, tool, input, boundTo, definition, caller, approvers, expiresAt } = bound;
  return sha256(canonicalJson({ id, tool, input, boundTo, definition, caller: { ...caller }, approvers, expiresAt }));
}

export function ruleHash(rule: Omit<AllowRule, "hash">): Promise<string> {
  return sha256(canonicalJson({ ...rule }));
}

export function sameJson(a: JsonValue, b: JsonValue): boolean {
  return canonicalJson(a) === canonicalJson(b);
}
