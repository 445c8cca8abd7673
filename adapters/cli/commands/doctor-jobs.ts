import { DEFAULT_KEEP_DAYS, messageOf } from "../../../kit.ts";
import { isBegun } from "../data-place.ts";
import type { JobRow } from "../jobs-client.ts";
import { withSource } from "../remote.ts";
import type { Settings } from "../settings.ts";
import type { Terminal } from "../terminal.ts";
import { printable } from "../transcript-lines.ts";
import type { Row } from "./doctor-row.ts";

/** The number of jobs, the next one, and those that failed too often. */
export async function jobRows(
  settings: Settings,
  token: string | undefined,
  terminal: Terminal,
): Promise<readonly Row[]> {
  const check = "jobs";
  if (settings.config.scheduler?.enabled === false) return [{ check, state: "ok", what: "switched off: no job runs" }];
  if (!isBegun(settings, terminal.cwd)) return [];
  try {
    const found = await withSource(settings, terminal, { token }, ({ jobs }) => jobs.list(), { asks: true });
    const of = (status: string) => found.filter((job) => job.status === status);
    const [next] = of("active")
      .filter(({ next_run_at: at }) => at !== null)
      .toSorted((a, b) => String(a.next_run_at).localeCompare(String(b.next_run_at)));
    const counts = `${of("active").length} active, ${of("paused").length} paused`;
    const what = next === undefined ? counts : `${counts}; next: ${printable(next.name)}, ${next.next_run_at}`;
    return [{ check, state: "ok", what: found.length === 0 ? "none" : what }, ...of("error").map(brokenRow)];
  } catch (error) {
    return [{ check, state: "warn", what: `cannot be determined: ${messageOf(error)}`, remedy: "see the row storage" }];
  }
}

function brokenRow({ id, name, consec_failures: failures }: JobRow): Row {
  return {
    check: "jobs",
    state: "warn",
    what: `${printable(name)} failed ${failures} times in a row and is paused`,
    remedy: `wakeful jobs show ${id} shows why; wakeful jobs resume ${id} resumes it`,
  };
}

/** How long each kind of data is kept. */
export function retentionRow({ config: { retention = {}, artifacts = {} } }: Settings): Row {
  const days = {
    audit: retention.audit,
    runs: retention.runs,
    conversations: retention.sessions,
    artifacts: retention.artifacts ?? artifacts.keepDays ?? DEFAULT_KEEP_DAYS,
  };
  const what = Object.entries(days).map(([name, kept = 0]) => `${name} ${kept === 0 ? "forever" : `${kept} days`}`);
  return { check: "retention", state: "ok", what: `kept: ${what.join(", ")}` };
}
