// Environment variables and programs of the machine. No process is started to find them.
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import process from "node:process";

/**
 * Whether a program is in one of the folders of PATH. Skips relative folders there: their content depends on where the
 * process was started.
 */
export async function hasProgram(name: string): Promise<boolean> {
  if (!/^[\w.+@-]{1,128}$/u.test(name)) return false;
  const folders = (environment("PATH") ?? environment("Path") ?? "").split(delimiter).filter(isAbsolute);
  const found = await Promise.all(
    folders.flatMap((folder) => endings().map((ending) => isProgram(join(folder, `${name}${ending}`)))),
  );
  return found.includes(true);
}

/** Windows finds a program without its file extension. */
function endings(): readonly string[] {
  if (process.platform !== "win32") return [""];
  return ["", ...(environment("PATHEXT") ?? ".COM;.EXE;.BAT;.CMD").split(";").filter((ending) => ending !== "")];
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** The home folder; `undefined` where the program may not read it (Deno without `--allow-sys`). */
export function home(): string | undefined {
  try {
    return homedir() || undefined;
  } catch {
    return undefined;
  }
}

/** `undefined` also where the program may not read variables (Deno without `--allow-env`). */
export function environment(name: string): string | undefined {
  try {
    return process.env[name];
  } catch {
    return undefined;
  }
}
