import { accessSync, constants, existsSync, mkdtempSync, rmdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { messageOf } from "../../../kit.ts";
import type { Settings } from "../settings.ts";
import type { Row } from "./doctor-row.ts";

/** Workspace folders that can neither be used nor created. */
export function workspaceRows({ config }: Settings, cwd: string): readonly Row[] {
  const agents = [{ workspace: config.workspace }, ...(config.agents ?? [config.agent ?? {}])];
  return agents.flatMap(({ workspace }): readonly Row[] => {
    if (workspace?.root === undefined) return [];
    const path = resolve(cwd, workspace.root);
    try {
      tryFolder(path);
      return [];
    } catch (error) {
      const what = `${path}, set as workspace.root, cannot be used: ${messageOf(error)}`;
      const remedy = "set a folder that this user can create and write to";
      return [{ check: "workspace", state: "fail", what, remedy }];
    }
  });
}

/** Leaves nothing behind. @throws If it is not a folder that this user can write to, or cannot be created. */
function tryFolder(path: string): void {
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) throw new Error("it is not a folder");
    return accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  }
  let above = dirname(path);
  while (!existsSync(above) && dirname(above) !== above) above = dirname(above);
  // A real attempt: where the system creates no folders, as in /proc, the permissions do not show it.
  rmdirSync(mkdtempSync(join(above, ".wakeful-doctor-")));
}
