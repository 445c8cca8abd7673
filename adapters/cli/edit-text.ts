import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf } from "../../kit.ts";
import { EXIT, ExitError, UsageError } from "./exit-codes.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Lets a person change a text in their editor, `$VISUAL` or `$EDITOR`.
 *
 * @throws {UsageError} Without an editor or a terminal. @throws {ExitError} When the editor fails.
 */
export async function editText(before: string, terminal: Terminal): Promise<string> {
  const editor = terminal.env["VISUAL"] ?? terminal.env["EDITOR"];
  if (!terminal.interactive || editor === undefined || editor === "")
    throw new UsageError("Set EDITOR to edit in a terminal, or give --content <text> (- is standard input)");
  const folder = await mkdtemp(join(tmpdir(), "wakeful-memory-"));
  try {
    const path = join(folder, "memory.md");
    await writeFile(path, before, { mode: 0o600 });
    // The variable may hold arguments, such as `code --wait`.
    const [command = "", ...words] = editor.split(/\s+/).filter(Boolean);
    const code = await new Promise<number | null>((resolve, reject) => {
      spawn(command, [...words, path], { stdio: "inherit" })
        .once("exit", resolve)
        .once("error", reject);
    }).catch((cause: unknown) => {
      throw new ExitError(EXIT.failed, `${command} could not be started (${messageOf(cause)}): check EDITOR`);
    });
    if (code !== 0) throw new ExitError(EXIT.failed, `${command} ended with ${code}: nothing was changed`);
    return await readFile(path, "utf8");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
