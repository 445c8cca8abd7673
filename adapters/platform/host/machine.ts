// What the machine has: environment variables and programs. Nothing is started to find out.
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import process from "node:process";

/** Whether a program is in one of the folders of PATH. Relative folders there are passed over: what they hold depends on where the process was started. */
export async function hasProgram(name: string): Promise<boolean> {
  if (!/^[\w.+@-]{1,128}$/u.test(name)) return false;
  const folders = (environment("PATH") ?? environment("Path") ?? "").split(delimiter).filter(isAbsolute);
  const found = await Promise.all(
    folders.flatMap((folder) => endings().map((ending) => isProgram(join(folder, `${name}${ending}`)))),
  );
  return found.includes(true);
}

/** Windows finds a program without the ending of its file. */
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

/** The home folder; `undefined` where it is kept from the program (Deno without `--allow-sys`). */
export function home(): string | undefined {
  try {
    return homedir() || undefined;
  } catch {
    return undefined;
  }
}

/** `undefined` also where variables are kept from the program (Deno without `--allow-env`). */
export function environment(name: string): string | undefined {
  try {
    return process.env[name];
  } catch {
    return undefined;
  }
}
