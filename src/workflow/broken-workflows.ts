import type { Platform } from "../platform.ts";
import type { ConfigIssue } from "../settings/index.ts";
import type { Store } from "../store/index.ts";
import { createDefinitions } from "./definitions.ts";

/** How many workflows are kept as files, and what is wrong with those that cannot be read. Changes nothing. Source: docs/workflows.md. */
export async function brokenWorkflows(
  store: Store,
  yaml: Platform["yaml"],
): Promise<{ readonly files: number; readonly problems: readonly ConfigIssue[] }> {
  const { known, problems } = await createDefinitions({ store, yaml, builtIn: {} }).list();
  return { files: known.length + new Set(problems.map(({ file }) => file)).size, problems };
}
