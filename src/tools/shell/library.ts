import type { Workspace } from "../workspace.ts";
import type { Interpreter, InterpreterParts } from "./simulated-runner.ts";

/** The parts of just-bash that the simulated shell uses, so that a test or another build of it can stand in. */
export interface ShellLibrary {
  readonly Bash: new (options: never) => {
    exec(
      command: string,
      options?: {
        cwd?: string;
        env?: Record<string, string>;
        stdin?: string;
        rawScript?: boolean;
        signal?: AbortSignal;
      },
    ): Promise<{ readonly stdout: string; readonly stderr: string; readonly exitCode: number }>;
  };
  readonly InMemoryFs: new (
    files?: Readonly<Record<string, string>>,
    options?: { readonly maxTotalBytes?: number },
  ) => {
    mkdir(path: string, options?: { recursive?: boolean }): Promise<void>;
    writeFile(path: string, content: string): Promise<void>;
  };
  readonly MountableFs: new (options: never) => object;
  /** Names of the commands that the library can do. */
  getCommandNames(): readonly string[];
}

/** The library, and whether it can run JavaScript behind a boundary here: QuickJS in a worker thread, which only Node has in the way it needs. */
export interface SimulatedShell {
  readonly library: ShellLibrary;
  /** Default false. */
  readonly javascript?: boolean;
  /** What stands between the library and the workspace. Default: it is loaded on demand, which Workers do not. */
  readonly createInterpreter?: (workspace: Workspace, parts: InterpreterParts) => Interpreter;
}
