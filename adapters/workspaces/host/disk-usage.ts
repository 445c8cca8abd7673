import { execFile } from "node:child_process";
import { AssistantError } from "../../../mod.ts";

/**
 * Bytes that a folder takes on its disk. By `du`, since a walk of our own would take the time of the conversations that this process serves.
 *
 * @throws {AssistantError} `WORKSPACE_REFUSED` when it cannot be measured; the signal's reason when it aborts.
 */
export function diskUsage(folder: string, signal?: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const env = { PATH: "/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin", LC_ALL: "C" };
    // What goes away while it counts makes it fail, with the sum all the same.
    execFile("du", ["-sk", folder], { encoding: "utf8", env, signal }, (error, stdout) => {
      const [, kilobytes] = /^(\d+)\s/u.exec(stdout) ?? [];
      if (kilobytes !== undefined) resolve(Number(kilobytes) * 1024);
      else if (signal?.aborted === true) reject(signal.reason as Error);
      else
        reject(
          new AssistantError(
            "WORKSPACE_REFUSED",
            "Cannot run commands as du cannot measure the workspace, so exec.limits.diskBytes would not hold",
            { cause: error },
          ),
        );
    });
  });
}
