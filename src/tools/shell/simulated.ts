import type { Clock } from "../../clock.ts";
import { systemClock } from "../../clock.ts";
import { AssistantError } from "../../errors.ts";
import type { SimulatedShell } from "../../libraries.ts";
import { type Platform, REMEDIES } from "../../platform.ts";
import type { CommandRunner } from "../commands.ts";
import { SIMULATED_LIMITS, type SimulatedLimits, describeLimits, execLimits } from "../exec-limits.ts";
import type { Workspace } from "../workspace.ts";
import type { Interpreter } from "./simulated-runner.ts";

/** Options of `simulatedRunner`. */
export interface SimulatedRunnerOptions {
  /** The interpreter, from `wakeful/shells/simulated`. Default: just-bash, if it is installed and this is no bundle. */
  readonly shell?: SimulatedShell;
  /** Limits on what a command writes and how long it takes. Default 64 MiB and 600 seconds. */
  readonly limits?: Partial<SimulatedLimits>;
  /** Measures the time of commands. Default: the platform's. */
  readonly clock?: Clock;
}

/**
 * Runs commands in an interpreter over the workspace's files. No program of the host is started, there is no network,
 * and commands see nothing of the host's disk or environment except the workspace. Loops, output, time, memory of
 * texts and written bytes are limited.
 *
 * Source: docs/exec.md, "Simulated".
 *
 * @throws {AssistantError} `OPTION_INVALID` for a limit that makes no sense.
 */
export function simulatedRunner(
  workspace: Workspace,
  options: SimulatedRunnerOptions,
  platform: Pick<Platform, "load" | "probe" | "unref">,
): CommandRunner {
  const { shell, clock = systemClock(platform) } = options;
  const limits = execLimits<SimulatedLimits>(options.limits, SIMULATED_LIMITS);
  let interpreter: Interpreter | undefined;

  async function loadShell(): Promise<SimulatedShell> {
    const found = shell ?? (await platform.load("just-bash"));
    if (found) return found;
    throw new AssistantError("WORKSPACE_REFUSED", "Cannot run commands as just-bash is not installed");
  }

  /**
   * Returns one interpreter for all commands, since it remembers empty folders. The interpreter itself is kept, not a
   * promise of it: on Workers a promise of one request must not be awaited in another.
   */
  async function ready(): Promise<Interpreter> {
    const { createInterpreter } = await import("./simulated-runner.ts");
    return (interpreter ??= createInterpreter(workspace, { clock, limits, loadShell }));
  }

  return {
    mode: "simulated",
    warnings: [],
    async inspect() {
      const found = shell ?? (await platform.probe("just-bash"));
      if (found === null)
        return {
          ok: false,
          problem: "the simulated shell needs the package just-bash, which is not installed",
          remedy: REMEDIES["just-bash"],
        };
      const boundary = "an interpreter over the workspace's files; no program of the host runs";
      return {
        ok: true,
        languages: found.javascript === true ? ["bash", "javascript"] : ["bash"],
        boundary,
        limits: describeLimits(limits),
      };
    },
    run: async (command, runOptions) => (await ready()).run(command, runOptions),
    runCode: async (language, code, runOptions) => (await ready()).runCode(language, code, runOptions),
  };
}
