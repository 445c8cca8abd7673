import * as v from "valibot";
import type { Logger } from "../../telemetry/index.ts";
import { checkCommandPattern, fitsCommandPattern } from "./command-pattern.ts";
import { COMMAND_TIMEOUT_MS, MAX_COMMAND_TIMEOUT_MS } from "../commands.ts";
import type { CommandResult, CommandRunner } from "../commands.ts";
import type { JsonValue } from "../../store/index.ts";
import { ToolError, defineTool } from "../tool.ts";
import type { AnyTool, ToolContext } from "../tool.ts";
import type { Workspace } from "../workspace.ts";
import { told } from "./told.ts";

export interface ExecToolsOptions {
  /** The workspace of the calling agent. */
  workspaceFor(context: Pick<ToolContext, "agentId">): Workspace | undefined;
  /**
   * Every workspace that `workspaceFor` can return. They decide which tools exist, and whether these need the owner's
   * approval.
   */
  readonly workspaces: readonly Workspace[];
  /** Logs once what cannot run and why, and the warnings of runners. */
  readonly logger?: Pick<Logger, "warn" | "debug">;
}

/** Bytes of stdout, and of stderr, that one call shows the model: as much as `file_read` shows. */
const SHOWN_BYTES = 16_384;

const DESCRIPTION = {
  simulated:
    "Runs a shell command on the workspace's files in a simulated bash: the usual commands (ls, cat, grep, sed, awk, sort, jq, find, tar, …), pipes, loops and redirections work; there are no other programs and no network.",
  sandboxed:
    "Runs a shell command in a sandbox: the workspace can be written, programs of the system can be used, nothing else can be reached.",
  host: "Runs a shell command on the host, in the workspace's folder.",
} as const;

/**
 * `bash` and `code_execute`, on the caller's workspace. Both are absent if commands are off or cannot run;
 * `code_execute` takes only languages that run behind a boundary. They are marked dangerous, so that the owner is
 * asked, unless all workspaces only simulate.
 *
 * Source: docs/exec.md, "The tools".
 */
export async function execTools(options: ExecToolsOptions): Promise<Readonly<Record<string, AnyTool>>> {
  const { workspaceFor, workspaces, logger } = options;
  const runners = [...new Set(workspaces.flatMap(({ exec }) => (exec === undefined ? [] : [exec])))];
  const usable = new Map<CommandRunner, readonly string[]>();
  const told = new Set<string>();
  const tell = (message: string, level: "warn" | "debug" = "warn") => {
    if (told.has(message)) return;
    told.add(message);
    logger?.[level](message);
  };
  for (const runner of runners) {
    for (const warning of runner.warnings) tell(warning);
    const support = await runner.inspect();
    if (support.ok) usable.set(runner, support.languages);
    else {
      // The default needs an optional package that many programs do without: `wakeful doctor` names it.
      const level = runner.mode === "simulated" ? "debug" : "warn";
      const lack = `Commands cannot run here, so there is no bash tool: ${support.problem}`;
      tell(`${lack}. Remedy: ${support.remedy}`, level);
    }
  }
  if (usable.size === 0) return {};

  const dangerous = [...usable.keys()].some(({ mode }) => mode !== "simulated");
  const meta = { category: "exec", dangerous } as const;
  const mode = (["host", "sandboxed", "simulated"] as const).find((one) =>
    [...usable.keys()].some((r) => r.mode === one),
  );
  const languages = [...new Set([...usable.values()].flat())].sort();

  function runnerOf(context: ToolContext): CommandRunner {
    const runner = workspaceFor(context)?.exec;
    if (runner === undefined || !usable.has(runner))
      throw new ToolError("EXEC_OFF", "Cannot run commands as they are switched off in the workspace of this agent");
    return runner;
  }

  /** Where and how a command would run. */
  function boundTo(_input: unknown, context: ToolContext): JsonValue {
    const runner = runnerOf(context);
    return { mode: runner.mode, ...runner.boundTo };
  }

  const bash = defineTool({
    description: `${DESCRIPTION[mode ?? "simulated"]} Each call starts anew in the workspace's folder: variables and cd do not last, files do. There is no input to type into. Long output is cut in the middle.`,
    inputSchema: v.strictObject({
      command: v.pipe(v.string(), v.minLength(1), v.description("One or several lines of shell")),
      timeout_ms: v.optional(
        v.pipe(
          v.number(),
          v.integer(),
          v.minValue(1),
          v.maxValue(MAX_COMMAND_TIMEOUT_MS),
          v.description(`Milliseconds after which it is killed. Default ${COMMAND_TIMEOUT_MS}`),
        ),
      ),
    }),
    execute: ({ command, timeout_ms: timeoutMs = COMMAND_TIMEOUT_MS }, context) =>
      shown(timeoutMs, () =>
        runnerOf(context).run(command, { timeoutMs, maxOutputBytes: SHOWN_BYTES, signal: context.signal }),
      ),
    meta: {
      ...meta,
      // The owner is not asked about a command that the guard refuses.
      async guard({ command }: { readonly command: string }, context) {
        const verdict = await runnerOf(context).judge?.(command);
        return verdict?.ok === false ? verdict.reason : undefined;
      },
      ...(dangerous && {
        boundTo,
        patterns: {
          check: checkCommandPattern,
          async fits({ command }: { readonly command: string }, pattern: string, context: ToolContext) {
            const verdict = await runnerOf(context).judge?.(command);
            return fitsCommandPattern(command, verdict?.ok ? verdict.commands : null, pattern);
          },
        },
      }),
    },
  });
  if (languages.length === 0) return { bash };

  const code_execute = defineTool({
    description: `Runs a program (${languages.join(", ")}) behind a boundary, with the workspace's folder as its own, and shows what it prints. It ends after ${COMMAND_TIMEOUT_MS / 1000} seconds.`,
    inputSchema: v.strictObject({
      code: v.pipe(v.string(), v.minLength(1), v.description("The whole program; print what you want to see")),
      language: v.pipe(v.picklist(languages), v.description("What it is written in")),
    }),
    execute: ({ code, language }, context) =>
      shown(COMMAND_TIMEOUT_MS, () =>
        runnerOf(context).runCode(language, code, { maxOutputBytes: SHOWN_BYTES, signal: context.signal }),
      ),
    meta: { ...meta, ...(dangerous && { boundTo }) },
  });
  return { bash, code_execute };
}

/**
 * Builds what the model reads: always how the command ended, the rest only if it says something. The model also reads
 * a refusal.
 */
function shown(timeoutMs: number, work: () => Promise<CommandResult>): Promise<Record<string, string | number>> {
  return told(async () => {
    const { stdout, stderr, exitCode, timedOut, truncated, limit } = await work();
    const notes = [
      ...(limit === undefined ? [] : [limit]),
      ...(timedOut && limit === undefined ? [`It was stopped after ${timeoutMs} ms`] : []),
      ...(truncated ? ["Output was left out: write it to a file and read a part of it"] : []),
    ];
    return {
      exit_code: exitCode,
      stdout,
      ...(stderr !== "" && { stderr }),
      ...(notes.length > 0 && { note: notes.join(". ") }),
    };
  });
}
