import { AssistantError } from "../../../mod.ts";
import { outputOf } from "./output-of.ts";

const ENVIRONMENT = { PATH: "/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin", LC_ALL: "C" };

/**
 * Bytes that a folder takes on its disk. By `du`, since a walk of our own would take the time of the conversations that this process serves.
 *
 * @throws {AssistantError} `WORKSPACE_REFUSED` when it cannot be measured; the signal's reason when it aborts.
 */
export async function diskUsage(folder: string, signal?: AbortSignal): Promise<number> {
  // What goes away while it counts makes it fail, with the sum all the same.
  const printed = await outputOf("du", ["-sk", folder], { env: ENVIRONMENT, signal });
  const [, kilobytes] = /^(\d+)\s/u.exec(printed) ?? [];
  if (kilobytes !== undefined) return Number(kilobytes) * 1024;
  signal?.throwIfAborted();
  throw new AssistantError(
    "WORKSPACE_REFUSED",
    "Cannot run commands as du cannot measure the workspace, so exec.limits.diskBytes would not hold",
  );
}
