import { messageOf } from "../../../kit.ts";
import { isBegun } from "../data-place.ts";
import { withSource } from "../remote.ts";
import type { Settings } from "../settings.ts";
import type { Terminal } from "../terminal.ts";
import { printable } from "../transcript-lines.ts";
import type { WorkflowRunRow } from "../workflows-client.ts";
import type { Row } from "./doctor-row.ts";

const check = "workflows";
const DAY_MS = 86_400_000;
/** The newest runs, as many as one answer holds. */
const LOOKED_AT = 100;
/** Most failed runs with a row of their own. */
const MAX_SHOWN = 5;

/** Files that cannot be read, runs in progress, waiting runs, and runs that failed in the last day. */
export async function workflowRows(
  settings: Settings,
  token: string | undefined,
  terminal: Terminal,
): Promise<readonly Row[]> {
  if (settings.config.workflow?.enabled === false)
    return [{ check, state: "ok", what: "switched off: no workflow runs" }];
  if (!isBegun(settings, terminal.cwd)) return [];
  try {
    const {
      definitions,
      problems = [],
      runs,
    } = await withSource(settings, terminal, { token }, ({ workflows }) => workflows.list({ limit: LOOKED_AT }), {
      asks: true,
    });
    const of = (status: string) => runs.filter((run) => run.status === status);
    const failed = of("failed").filter(({ ended_at: at = "" }) => Date.now() - Date.parse(at) < DAY_MS);
    const counts = `${of("running").length} run, ${of("waiting").length} wait, ${failed.length} failed in the last day`;
    return [
      { check, state: "ok", what: `${definitions.length} known; ${counts}` },
      ...problems.map(problemRow),
      ...of("waiting").map(waitingRow),
      ...failed.slice(0, MAX_SHOWN).map(failedRow),
    ];
  } catch (error) {
    return [{ check, state: "warn", what: `cannot be determined: ${messageOf(error)}`, remedy: "see the row storage" }];
  }
}

function problemRow({
  file,
  line,
  message,
}: {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}) {
  return {
    check,
    state: "warn",
    what: printable(`${file}:${line} ${message}`),
    remedy: file.endsWith(".json")
      ? "fix, restore or remove that file: until then its run is not listed and does not continue"
      : "fix that line, then run wakeful workflows check: until then the workflow cannot run",
  } as const;
}

function waitingRow({ name, started_at: started, run_id: id }: WorkflowRunRow): Row {
  return {
    check,
    state: "ok",
    what: printable(`${name} waits, started at ${started}`),
    remedy: `wakeful workflows status ${id} shows what it waits for`,
  };
}

function failedRow({ name, error, run_id: id }: WorkflowRunRow): Row {
  return {
    check,
    state: "warn",
    what: printable(`${name} failed: ${error?.message ?? "no reason given"}`),
    remedy: `wakeful workflows status ${id} shows what was done; wakeful workflows resume ${id} continues it`,
  };
}
