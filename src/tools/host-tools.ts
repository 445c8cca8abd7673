import type { Clock } from "../clock.ts";
import { newId } from "../ids.ts";
import type { JsonValue } from "../store/index.ts";
import type { ToolDispatch } from "./dispatch.ts";
import type { ToolCaller, ToolResult } from "./tool-call.ts";
import type { HostCallers, HostSpeaker } from "./host-callers.ts";
import type { LateResult, LateResults } from "./late-results.ts";
import type { ToolRegistry } from "./registry.ts";
import type { AnyTool } from "./tool.ts";

/** `assistant.tools`. */
export interface ToolsApi {
  /** Runs a tool through the one dispatch point. Never throws for a refusal or a failing tool. */
  run(name: string, input: unknown, who?: ToolUse): Promise<ToolRunResult>;
  /** Lists the tools that the model would see. */
  list(who?: ToolUse): readonly {
    readonly name: string;
    readonly description: string;
    readonly groups: readonly string[];
    readonly dangerous: boolean;
  }[];
  /**
   * Adds a tool while the program runs. A static tool of the same name stays in its place, and the clash is logged.
   * @returns Removes the tool. @throws {RangeError} For a bad name.
   */
  register(name: string, tool: AnyTool): () => void;
  /**
   * Hands over the result of a pending call (`toolOutcome({ pending: "elsewhere" })`) as a note in its session.
   * @throws {AssistantError} `NOT_FOUND`.
   */
  complete(callId: string, result: LateResult): Promise<void>;
}

/** Whom a tool is run or listed for. Default: `sdk`, which is the owner only if `owner.ids` names it. */
export interface ToolUse {
  /** `channel:id`. Default: the name of `channel`, else `sdk`. */
  readonly user?: string;
  /** The channel that the call stands for: `sdk`, `cli` or `web`. Default: the channel in `user`. */
  readonly channel?: string;
  /** A session's key, or the name of a conversation as in `send`. Default: the user's direct chat. */
  readonly session?: string;
  /** The `taskId` of the call. Default: a new id. */
  readonly turnId?: string;
  /** Aborts the call. Default: none. */
  readonly signal?: AbortSignal;
}

/** Result of a call. `code` of an error is for programs, `message` for people and models. */
export type ToolRunResult =
  | { readonly ok: true; readonly output: JsonValue }
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } }
  /** Nothing ran: the owner was asked. `assistant.approvals.answer()` runs it. */
  | { readonly ok: false; readonly approval: { readonly id: string; readonly code: string } };

export interface HostToolsDeps {
  readonly callerOf: HostCallers;
  readonly dispatch: ToolDispatch;
  readonly registry: ToolRegistry;
  readonly lateResults: LateResults;
  /** Adds values that are redacted in all output from now on. */
  addSecrets(secrets: Iterable<string>): void;
  /** Waits until the assistant runs. */
  start(): Promise<void>;
  /** Registers work that a stop waits for during its grace period. */
  track<T>(work: Promise<T>): Promise<T>;
  readonly clock: Clock;
}

/**
 * Creates `assistant.tools`: the dispatch point for the host program. The program has no rights of its own: a call
 * has the rights of the user that it names.
 */
export function createHostTools(deps: HostToolsDeps) {
  const { callerOf, dispatch, registry, lateResults, start, clock } = deps;

  function run(name: string, input: unknown, caller: ToolCaller) {
    return deps.track(dispatch.run(name, input, caller, `${caller.taskId}.${newId(clock)}`));
  }

  const tools: ToolsApi = {
    async run(name, input, who) {
      await start();
      const result = await run(name, input, callerOf(who ?? {}));
      return result.ok ? { ok: true, output: result.output } : result;
    },
    list: (who) =>
      dispatch
        .visible(callerOf(who ?? {}))
        .map(({ name, description, groups, dangerous }) => ({ name, description, groups, dangerous })),
    register(name, tool) {
      deps.addSecrets(tool?.meta?.secrets ?? []);
      return registry.register("dynamic", name, tool);
    },
    complete: lateResults.complete,
  };

  /** For a door that has verified the speaker, as `/mcp` does by the token. */
  const spokenFor = {
    async run(name: string, input: unknown, speaker: HostSpeaker): Promise<ToolResult> {
      await start();
      return run(name, input, callerOf(speaker, speaker.asOwner === true));
    },
    /** Whether the speaker's model would see the tool. */
    async isOffered(name: string, speaker: HostSpeaker): Promise<boolean> {
      await start();
      const caller = callerOf(speaker, speaker.asOwner === true);
      return dispatch.visible(caller).some((tool) => tool.name === name);
    },
  };
  return { tools, spokenFor };
}
