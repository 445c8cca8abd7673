import { AssistantError } from "../../../mod.ts";
import { messageOf } from "../../../kit.ts";

const FULL = 13;

/** Conditions by SQLite's result code, or by its message where a runtime hides the code. */
const REMEDIES: readonly { code: number; says: RegExp; remedy: string }[] = [
  {
    code: 5,
    says: /database is locked|table is locked/,
    remedy: "another process kept it locked for too long: end its long transaction",
  },
  { code: 8, says: /readonly database/, remedy: "give this user write access to the file and its folder" },
  {
    code: 10,
    says: /disk I\/O error/,
    remedy: "the disk reports an error: check it, and restore from a backup if it persists",
  },
  { code: 11, says: /malformed/, remedy: "the file is damaged: restore it from a backup" },
  { code: 14, says: /unable to open/, remedy: "create its folder, and give this user read and write access to it" },
  { code: 26, says: /not a database/, remedy: "the file is not a SQLite database: choose another path" },
];

function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const code: unknown = "errcode" in error ? error.errcode : "errno" in error ? error.errno : undefined;
  return typeof code === "number" ? code & 0xff : undefined; // the upper bits only add detail
}

/** Converts a SQLite error into the error that the port promises. The project's own errors pass through. */
export function sqliteError(action: string, path: string, cause: unknown): Error {
  if (AssistantError.is(cause) || cause instanceof TypeError || cause instanceof RangeError) return cause;
  const code = codeOf(cause);
  const message = messageOf(cause);
  if (code === FULL || message.includes("database or disk is full")) {
    return new AssistantError(
      "STORE_FULL",
      `Cannot ${action} ${JSON.stringify(path)}: the disk is full; free some space, and it works again without a restart`,
      { cause },
    );
  }
  const known = REMEDIES.find((entry) => entry.code === code || entry.says.test(message));
  const detail = known === undefined ? message : `${known.remedy} (${message})`;
  return new AssistantError("STORE_UNAVAILABLE", `Cannot ${action} ${JSON.stringify(path)}: ${detail}`, { cause });
}
