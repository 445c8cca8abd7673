import { messageOf } from "../../../kit.ts";
import { isBegun } from "../data-place.ts";
import { withSource } from "../remote.ts";
import type { Settings } from "../settings.ts";
import type { Terminal } from "../terminal.ts";
import { printable } from "../transcript-lines.ts";
import type { Row } from "./doctor-row.ts";

const check = "memory";

/** Memory files that cannot be read, each with its line. */
export async function memoryRows(
  settings: Settings,
  token: string | undefined,
  terminal: Terminal,
): Promise<readonly Row[]> {
  if (settings.config.memory?.enabled === false) return [{ check, state: "ok", what: "switched off" }];
  if (!isBegun(settings, terminal.cwd)) return [];
  try {
    const problems = await withSource(settings, terminal, { token }, ({ memory }) => memory.problems(), { asks: true });
    if (problems.length === 0) return [{ check, state: "ok", what: "every file can be read" }];
    return problems.map(({ file, line, problem }): Row => ({
      check,
      state: "warn",
      what: printable(`${file}${line === undefined ? "" : `, line ${line}`}: ${problem}`),
      remedy: "fix that file: until then its content is not remembered",
    }));
  } catch (error) {
    return [{ check, state: "warn", what: `cannot be determined: ${messageOf(error)}`, remedy: "see the row storage" }];
  }
}
