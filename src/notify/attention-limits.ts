import type { AttentionConfig } from "../attention/index.ts";
import type { Audit } from "../telemetry/index.ts";

/** The option `attention` without its scorer. Source: docs/attention.md, "Options". */
export interface AttentionLimits extends Omit<AttentionConfig, "timezone"> {
  /** Whether limits apply to unrequested notices; false: they are said at once. Default true. */
  readonly enabled?: boolean | undefined;
}

export interface LimitsInForceDeps {
  /** @throws {AssistantError} `OPTION_INVALID` with every invalid option. */
  check(options: { readonly attention: AttentionLimits }): unknown;
  readonly audit: Pick<Audit, "write">;
}

/** The current limits: those of the options until they are replaced. */
export function createLimitsInForce(first: AttentionLimits, { check, audit }: LimitsInForceDeps) {
  let limits = first;
  return {
    now: (): AttentionLimits => limits,
    isEnabled: (): boolean => limits.enabled ?? true,
    /** As in `AttentionApi`. */
    replace(next: AttentionLimits): void {
      check({ attention: next });
      limits = { ...next };
      audit.write({ who: "runtime", what: "config.change", target: "attention", verdict: "ok" });
    },
  };
}
