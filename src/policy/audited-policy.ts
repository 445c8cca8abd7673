import type { Platform } from "../platform.ts";
import type { Audit, Logger } from "../telemetry/index.ts";
import type { KnownNames } from "./known-names.ts";
import { parsePolicy } from "./parse-policy.ts";
import { createPolicy } from "./policy.ts";
import type { PolicySource } from "./policy-file.ts";

export interface AuditedPolicyDeps {
  readonly yaml: Platform["yaml"];
  /** Names, besides the built-in ones, that a policy may use. */
  readonly known: () => KnownNames;
  readonly audit: Pick<Audit, "write">;
  readonly logger: Pick<Logger, "warn">;
}

/** Creates the tool policy. Its changes are audited, and its doubtful rules are logged. */
export function createAuditedPolicy(
  given: PolicySource | undefined,
  { yaml, known, audit, logger }: AuditedPolicyDeps,
) {
  const policy = createPolicy({
    known,
    ...(given !== undefined && { file: parsePolicy(given, { known: known() }, yaml) }),
    parse: (source, how) => parsePolicy(source, how, yaml),
    onChange({ file, verdict, reason, profiles }) {
      const line = { who: "runtime", what: "config.change", target: file, verdict, reason };
      audit.write({ ...line, ...(profiles && { profiles }) });
    },
  });
  for (const { line, path, message } of policy.current.warnings) {
    const file = policy.current.file ?? "policy";
    logger.warn("The tool policy has a doubtful rule", { file, line, at: path, problem: message });
  }
  return policy;
}
