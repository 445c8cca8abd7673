import { spawn } from "node:child_process";

/**
 * Returns what a system program prints, with any exit code; an empty text when it cannot be started.
 *
 * @param options.env Its whole environment.
 * @param options.signal Ends it.
 * @param options.timeoutMs Ends it after this time. Default none.
 */
export function outputOf(
  command: string,
  args: readonly string[],
  {
    env,
    signal,
    timeoutMs,
  }: {
    readonly env?: Readonly<Record<string, string>> | undefined;
    readonly signal?: AbortSignal | undefined;
    readonly timeoutMs?: number;
  } = {},
): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ["ignore", "pipe", "ignore"],
      ...(env && { env }),
      ...(timeoutMs !== undefined && { timeout: timeoutMs }),
    });
    // Not by the option `signal`: that also signals when no process was started, to a pid that was never set.
    const end = () => child.pid !== undefined && child.kill();
    if (signal?.aborted === true) end();
    signal?.addEventListener("abort", end, { once: true });
    const done = () => {
      signal?.removeEventListener("abort", end);
      resolve(text);
    };
    let text = "";
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (chunk: string) => (text += chunk));
    child.on("error", done);
    child.on("close", done);
  });
}
