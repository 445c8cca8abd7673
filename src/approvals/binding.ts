import { type JsonValue, canonicalJson } from "../store/index.ts";
import type { AllowRule, ApprovalRecord } from "./records.ts";
import { sha256 } from "../hash.ts";

/** Everything that an approval is bound to. */
export type Bound = Pick<
  ApprovalRecord,
  "id" | "tool" | "input" | "boundTo" | "definition" | "caller" | "approvers" | "expiresAt"
>;

/** SHA-256 of everything that the owner agrees to, in hexadecimal. Any difference changes the hash. */
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
