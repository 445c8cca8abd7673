import { AssistantError } from "../../../mod.ts";
import { outputOf } from "./output-of.ts";

const ENVIRONMENT = { PATH: "/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin", LC_ALL: "C" };

/**
 * Bytes that a folder takes on its disk. Runs `du`, since a walk in this process would delay the conversations that it
 * serves.
 *
 * @throws {AssistantError} `WORKSPACE_REFUSED` when it cannot be measured; the signal's reason when it aborts.
 */
export async function diskUsage(folder: string, signal?: AbortSignal): Promise<number> {
  // `du` fails when a file disappears while it counts, and still prints the sum.
  const printed = await outputOf("du", ["-sk", folder], { env: ENVIRONMENT, signal });
  const [, kilobytes] = /^(\d+)\s/u.exec(printed) ?? [];
  if (kilobytes !== undefined) return Number(kilobytes) * 1024;
  signal?.throwIfAborted();
  throw new AssistantError(
    "WORKSPACE_REFUSED",
    "Cannot run commands as du cannot measure the workspace, so exec.limits.diskBytes would not hold",
  );
}
