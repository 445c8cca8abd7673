import type { Platform } from "../platform.ts";
import { type PolicySource, createPolicy, parsePolicy } from "../policy/index.ts";
import type { Audit, Logger } from "../telemetry/index.ts";
import type { ToolRegistry } from "../tools/index.ts";

/** The tool policy, whose changes are audited and whose doubtful rules are logged. */
export function createAuditedPolicy(
  given: PolicySource | undefined,
  {
    yaml,
    registry,
    audit,
    logger,
  }: {
    readonly yaml: Platform["yaml"];
    readonly registry: ToolRegistry;
    readonly audit: Audit;
    readonly logger: Logger;
  },
) {
  /** Names that a policy may use besides the built-in ones. */
  const known = () => ({
    tools: registry.all.map(({ name }) => name),
    groups: registry.all.flatMap(({ groups }) => groups),
  });
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
