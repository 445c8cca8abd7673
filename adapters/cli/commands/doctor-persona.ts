import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../../kit.ts";
import { isBegun, storePath } from "../data-place.ts";
import type { JobRow } from "../jobs-client.ts";
import { withSource } from "../remote.ts";
import type { Settings } from "../settings.ts";
import type { Terminal } from "../terminal.ts";
import { printable } from "../transcript-lines.ts";
import { utf8Text } from "../utf8-text.ts";
import type { Row } from "./doctor-row.ts";

/** The persona files, and the state of the heartbeat. */
export async function personaRows(
  settings: Settings,
  token: string | undefined,
  terminal: Terminal,
): Promise<readonly Row[]> {
  if (!isBegun(settings, terminal.cwd)) return [];
  const check = "persona";
  try {
    const { files, jobs } = await withSource(
      settings,
      terminal,
      { token },
      async ({ persona, jobs: client }) => ({ files: await persona.list(), jobs: await client.list() }),
      { asks: true },
    );
    const names = (isEmpty: boolean) => files.filter(({ empty }) => empty === isEmpty).map(({ name }) => name);
    const [written, empty] = [names(false), names(true)];
    const said = `${written.join(", ") || "no file has content"}${empty.length > 0 ? `; empty: ${empty.join(", ")}` : ""}`;
    const heartbeat = heartbeatState(
      written.includes("HEARTBEAT.md"),
      jobs.find(({ id }) => id === "heartbeat"),
    );
    return [
      { check, state: "ok", what: said },
      ...noTextRows(settings, terminal.cwd),
      { check: "heartbeat", state: "ok", what: heartbeat },
    ];
  } catch (error) {
    return [{ check, state: "warn", what: `cannot be determined: ${messageOf(error)}`, remedy: "see the row storage" }];
  }
}

/** Persona files that are not valid UTF-8: an editor saved them in another encoding. The assistant gets nothing from them. */
function noTextRows(settings: Settings, cwd: string): readonly Row[] {
  const path = storePath(settings, cwd);
  if (path === undefined || (settings.config.store?.driver ?? "fs") !== "fs") return [];
  const folders = ["persona", ...namesIn(join(path, "agents"), true).map((agent) => join("agents", agent, "persona"))];
  const files = folders.flatMap((folder) => namesIn(join(path, folder)).map((name) => join(folder, name)));
  return files
    .filter(
      (file) =>
        /\b(?:SOUL|IDENTITY|USER|AGENTS|TOOLS|HEARTBEAT)\.md$/.test(file) &&
        utf8Text(readFileSync(join(path, file))) === undefined,
    )
    .map((file) => ({
      check: "persona",
      state: "warn",
      what: printable(`${file} is not read: it is not UTF-8 text`),
      remedy: "save it as UTF-8",
    }));
}

function namesIn(folder: string, areFolders = false): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() === areFolders ? [entry.name] : [],
    );
  } catch {
    return []; // not there
  }
}

/** A heartbeat that failed too often is reported among the jobs. */
function heartbeatState(hasWork: boolean, job: JobRow | undefined): string {
  if (job !== undefined) return job.next_run_at === null ? "paused" : `on, next ${job.next_run_at}`;
  return hasWork ? "on, from the next start" : "off: HEARTBEAT.md has no tasks";
}
