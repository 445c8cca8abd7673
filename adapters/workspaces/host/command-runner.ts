import { createHash } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import * as fileSystem from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { AssistantError } from "../../../mod.ts";
import {
  EXEC_LIMITS,
  checkCommandText,
  commandLimits,
  describeBreach,
  describeLimits,
  execLimits,
  messageOf,
} from "../../../kit.ts";
import { guardPath } from "../../../mod.ts";
import type { CommandOptions, CommandResult, CommandRunner, CommandSupport, ExecLimits } from "../../../kit.ts";
import { coreGuard } from "./command-guard.ts";
import type { CommandGuard } from "./command-guard.ts";
import { commandEnvironment } from "./command-environment.ts";
import { diskUsage } from "./disk-usage.ts";
import { locate } from "./locate.ts";
import { makeRoot } from "./open-folder.ts";
import { pathRules } from "./path-rules.ts";
import { runProcess } from "./run-process.ts";
import { findSandbox } from "./sandbox.ts";
import type { FoundSandbox, Sandbox } from "./sandbox.ts";
import { limitingScript, saidBreach } from "./system-limits.ts";

/** How commands run on this machine. */
export interface HostCommandOptions {
  /** `sandboxed` fails to start without the system's sandbox; `host` runs without one if there is none. */
  readonly mode: "sandboxed" | "host";
  /** For `host`: `auto` uses the system's sandbox if there is one, `none` never does. Default `auto`. */
  readonly sandbox?: "auto" | "none";
  /** Lets commands use the network, including this machine's own ports. Default false. */
  readonly network?: boolean;
  /** Folders and files that commands may read besides the workspace and the system's programs. */
  readonly readable?: readonly string[];
  /** Folders and files inside the workspace or `readable` that commands must not see: the assistant's own data. */
  readonly hidden?: readonly string[];
  /** Environment variables of every command. The model can read their values. */
  readonly env?: Readonly<Record<string, string>>;
  /** Limits of one command. Default: files of 256 MiB, 1 GiB written in all, 2 GiB of memory, 512 processes, 600 seconds. */
  readonly limits?: Partial<ExecLimits>;
}

/** Programs that read code from their standard input. */
const INTERPRETERS: Readonly<Record<string, readonly string[]>> = {
  bash: ["bash", "-s"],
  javascript: ["node", "-"],
  python: ["python3", "-"],
};
const BOUNDARY_CHECK_TIMEOUT_MS = 10_000;

/**
 * Runs commands with a real shell in a folder of the host's disk.
 *
 * Source: docs/exec.md, "Sandboxed" and "Host".
 *
 * @param root The workspace's folder, absolute; it must exist when a command runs.
 * @throws {AssistantError} `OPTION_INVALID` for the mode `sandboxed` without a sandbox, with the remedy, and for a limit that makes no sense.
 */
export function createCommandRunner(
  root: string,
  options: HostCommandOptions,
  parts: { readonly find?: () => FoundSandbox; readonly guard?: CommandGuard } = {},
): CommandRunner {
  const { find = findSandbox, guard = coreGuard } = parts;
  const { mode, sandbox: wanted = "auto", network = false, readable = [], hidden = [], env = {} } = options;
  const limits = execLimits(options.limits, EXEC_LIMITS);
  const found = mode === "host" && wanted === "none" ? undefined : find();
  if (mode === "sandboxed" && found?.ok !== true)
    throw new AssistantError(
      "OPTION_INVALID",
      `Cannot run commands with exec.mode "sandboxed" as ${found?.problem}: ${found?.remedy}, or use exec.mode "simulated"`,
    );
  const sandbox = found?.ok === true ? found.sandbox : undefined;
  // With a sandbox, the guard only reports early and clearly what cannot work. Without one, it is the only protection.
  const guardMode = mode === "host" ? "restricted" : "open";
  let support: Promise<CommandSupport> | undefined;

  async function run(
    argvOf: (shell: string) => readonly string[],
    given: CommandOptions,
    stdin?: string,
  ): Promise<CommandResult> {
    const { timeoutMs: askedMs, maxOutputBytes } = commandLimits(given);
    const timeoutMs = Math.min(askedMs, limits.seconds * 1000);
    const realRoot = await makeRoot(fileSystem, root);
    const cwd = await startFolder(realRoot, given.cwd);
    const script = limitingScript(limits, sandbox !== undefined && process.platform === "linux");
    const argv = ["/bin/sh", "-c", script, "sh", ...argvOf(existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh")];
    const shown = real(readable);
    const temporaryFolder = sandbox === undefined ? tmpdir() : (sandbox.temporaryFolder ?? realRoot);
    const inside = sandbox?.wrap(argv, {
      root: realRoot,
      cwd,
      readable: shown,
      hidden: real(hidden),
      network,
      temporaryBytes: limits.diskBytes,
    });
    const usedBefore = await diskUsage(realRoot, given.signal);
    const { breached, ...result } = await runProcess(inside ?? argv, {
      cwd: inside === undefined ? cwd : "/",
      env: commandEnvironment({
        parent: process.env,
        root: realRoot,
        temporaryFolder,
        ...(sandbox !== undefined && { readable: shown }),
        added: { ...env, ...given.env },
      }),
      ...(stdin !== undefined && { stdin }),
      timeoutMs,
      maxOutputBytes,
      signal: given.signal,
      watch: { limits, root: realRoot, usedBefore },
    });
    const sure = result.timedOut && timeoutMs < askedMs ? "seconds" : breached;
    const limit = sure ?? (result.timedOut ? undefined : saidBreach(result.stderr, sandbox !== undefined));
    return { ...result, ...(limit !== undefined && { limit: describeBreach(limit, limits, sure !== undefined) }) };
  }

  async function judge(command: string) {
    try {
      checkCommandText(command);
      const verdict = await guard(command, {
        workspace: await makeRoot(fileSystem, root),
        mode: guardMode,
        protectedPaths: hidden.map((path) => resolve(path)),
      });
      if (verdict.ok) return { ok: true, commands: verdict.commands ?? [] } as const;
      return { ok: false, reason: verdict.reason ?? "Cannot run this command: the guard does not allow it" } as const;
    } catch (error) {
      return { ok: false, reason: messageOf(error) } as const;
    }
  }

  async function judged(command: string): Promise<void> {
    const verdict = await judge(command);
    if (!verdict.ok) throw new AssistantError("WORKSPACE_REFUSED", verdict.reason);
  }

  async function runShell(command: string, given: CommandOptions): Promise<CommandResult> {
    await judged(command);
    return run((shell) => [shell, "-c", command], given);
  }

  async function inspect(): Promise<CommandSupport> {
    if (sandbox === undefined)
      return {
        ok: true,
        languages: [],
        boundary: "none: commands have all rights of this process",
        limits: describeLimits(limits),
      };
    const names = Object.entries(INTERPRETERS);
    const script = names.map(([, [program]]) => `command -v ${program} >/dev/null && echo ${program}`).join("; ");
    try {
      const result = await run((shell) => [shell, "-c", script], { timeoutMs: BOUNDARY_CHECK_TIMEOUT_MS });
      const there = new Set(result.stdout.split("\n"));
      const languages = names.filter(([, [program = ""]]) => there.has(program)).map(([language]) => language);
      return { ok: true, languages, boundary: sandbox.name, limits: describeLimits(limits) };
    } catch (error) {
      return {
        ok: false,
        problem: `${sandbox.name} could not start a shell: ${error instanceof Error ? error.message : String(error)}`,
        remedy: "check that the workspace's folder exists and that this user may read it",
      };
    }
  }

  const inspectOnce = () => (support ??= inspect());

  return {
    mode,
    warnings: warningsOf({ mode, found, wanted, sandbox, network }),
    boundTo: {
      folder: root,
      sandbox: sandbox?.name ?? "none",
      network,
      ...(readable.length > 0 && { readable }),
      ...(hidden.length > 0 && { hidden: `${hidden.length} (${fingerprintOf([...hidden].sort())})` }),
      ...(Object.keys(env).length > 0 && { environment: namesAndFingerprint(env) }),
    },
    judge,
    inspect: inspectOnce,
    run: (command, given = {}) => runShell(command, given),
    async runCode(language, code, given = {}) {
      checkCommandText(code);
      if (sandbox === undefined)
        throw new AssistantError("WORKSPACE_REFUSED", "Cannot run code as there is no sandbox for it here: use bash");
      if (language === "bash") return runShell(code, given);
      const interpreter = INTERPRETERS[language];
      const known = await inspectOnce();
      if (interpreter === undefined || !known.ok || !known.languages.includes(language))
        throw new AssistantError(
          "WORKSPACE_REFUSED",
          `Cannot run ${JSON.stringify(language)}: ${known.ok ? `only ${known.languages.join(", ")} can be run here` : known.problem}`,
        );
      return run(() => interpreter, given, code);
    },
  };
}

/** Names and a hash of the variables: an approval given for other values does not hold, and the values stay private. */
function namesAndFingerprint(env: Readonly<Record<string, string>>): string {
  const sorted = Object.entries(env).sort(([one], [other]) => (one < other ? -1 : 1));
  return `${sorted.map(([name]) => name).join(", ")} (${fingerprintOf(sorted)})`;
}

/** Enough digits to distinguish one owner's settings. */
function fingerprintOf(value: unknown): string {
  return `sha256 ${createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16)}`;
}

function warningsOf(state: {
  readonly mode: "sandboxed" | "host";
  readonly found: FoundSandbox | undefined;
  readonly wanted: "auto" | "none";
  readonly sandbox: Sandbox | undefined;
  readonly network: boolean;
}): readonly string[] {
  const { mode, found, wanted, sandbox, network } = state;
  const warnings: string[] = [];
  if (sandbox === undefined) {
    const why =
      wanted === "none" ? "exec.sandbox is none" : found?.ok === false ? found.problem : "there is no sandbox";
    const remedy = found?.ok === false ? `; remedy: ${found.remedy}` : "";
    warnings.push(
      `Commands run on the host with all rights of this process, as exec.mode is ${mode} and ${why}: only a guard checks their text first, which is no security boundary${remedy}`,
    );
  } else if (network)
    warnings.push(
      "Commands may use the network, the ports of this machine and so also the assistant's own server, as exec.network is true",
    );
  return warnings;
}

function real(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => {
    try {
      return [realpathSync(resolve(path))];
    } catch {
      return [];
    }
  });
}

async function startFolder(root: string, cwd: string | undefined): Promise<string> {
  if (cwd === undefined) return root;
  const guarded = guardPath(cwd, { root, ...pathRules(process.platform) });
  if (!guarded.ok) throw new AssistantError("WORKSPACE_REFUSED", guarded.reason);
  const found = await locate(fileSystem, root, guarded.path);
  if (found.ok && found.missing.length === 0 && (await fileSystem.lstat(found.real)).isDirectory()) return found.real;
  const problem = found.ok ? "it is not a folder" : found.problem;
  throw new AssistantError("WORKSPACE_REFUSED", `Cannot start in ${JSON.stringify(join(guarded.path))}: ${problem}`);
}
