import type { Clock } from "../clock.ts";
import { newId } from "../ids.ts";
import { type InRecord, parseSessionKey, speakerOf } from "../session/index.ts";
import type { JsonValue } from "../store/index.ts";
import type { ToolCaller, ToolDispatch, ToolResult } from "./dispatch.ts";
import type { LateResult, LateResults } from "./late-results.ts";
import type { ToolRegistry } from "./registry.ts";
import type { AnyTool } from "./tool.ts";

/** `assistant.tools`. */
export interface ToolsApi {
  /** The one dispatch point, for the host: never throws for a refusal or a failing tool. */
  run(name: string, input: unknown, who?: ToolUse): Promise<ToolRunResult>;
  /** What the model would see. */
  list(who?: ToolUse): readonly {
    readonly name: string;
    readonly description: string;
    readonly groups: readonly string[];
    readonly dangerous: boolean;
  }[];
  /**
   * Adds a tool while the program runs. A static tool of the same name stays in its place, and the clash is logged.
   * @returns Takes it away again. @throws {RangeError} For a bad name.
   */
  register(name: string, tool: AnyTool): () => void;
  /** Hands over the result of a call that was under way (`toolOutcome({ pending: "elsewhere" })`): a note in its session. @throws {AssistantError} `NOT_FOUND`. */
  complete(callId: string, result: LateResult): Promise<void>;
}

/** For whom a tool is run or listed. Default: `sdk`, who is the owner only if `owner.ids` names it. */
export interface ToolUse {
  /** `channel:id`. Default: the name of `channel`, else `sdk`. */
  readonly user?: string;
  /** The channel that the call stands for: `sdk`, `cli` or `web`. Default: the channel in `user`. */
  readonly channel?: string;
  /** A session's key, or the name of a conversation as in `send`. Default: the user's direct chat. */
  readonly session?: string;
  /** The `taskId` of the call. Default: a new id. */
  readonly turnId?: string;
  /** Aborts the call. Default: nothing does. */
  readonly signal?: AbortSignal;
}

/** What became of a call. `code` of an error is for programs, `message` for people and models. */
export type ToolRunResult =
  | { readonly ok: true; readonly output: JsonValue }
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } }
  /** Nothing ran: the owner was asked. `assistant.approvals.answer()` runs it. */
  | { readonly ok: false; readonly approval: { readonly id: string; readonly code: string } };

/** Whom a call is for; `asOwner` is said by doors that know it, never by a caller. */
interface HostSpeaker extends ToolUse {
  readonly asOwner?: boolean;
}

export interface HostToolsDeps {
  readonly clock: Clock;
  readonly dispatch: ToolDispatch;
  readonly registry: ToolRegistry;
  readonly lateResults: LateResults;
  /** The message that a call of the host program is, and the session that it belongs to. */
  describe(input: HostSpeaker & { readonly text: string }): {
    readonly sessionKey: string;
    readonly record: Omit<InRecord, "v" | "at">;
  };
  /** Takes values out of all that is shown from now on. */
  addSecrets(secrets: Iterable<string>): void;
  /** Waits until the assistant runs. */
  start(): Promise<void>;
  readonly work: {
    /** Work that a stop gives its grace. */
    track<T>(work: Promise<T>): Promise<T>;
    /** Aborted when the grace is over. */
    readonly ending: AbortSignal;
  };
  hasChannel(target: { readonly channel: string; readonly account: string }): boolean;
  /** The agent's id as it is configured. */
  agentIdOf(id: string): string;
}

/** `assistant.tools`: the dispatch point, for the host program. It has no rights of its own: a call has those of the user that it names. */
export function createHostTools(deps: HostToolsDeps) {
  const { clock, dispatch, registry, lateResults, describe, start } = deps;

  function callerOf({ user, channel, session, turnId, signal }: ToolUse, asOwner = false): ToolCaller {
    const named = session === undefined || parseSessionKey(session) ? {} : { session };
    const spoken = { ...(user !== undefined && { user }), ...(channel !== undefined && { channel }), ...named };
    const who = { text: "", ...spoken, ...(asOwner && { asOwner }) };
    const { sessionKey, record } = describe(who);
    const key = session !== undefined && parseSessionKey(session) ? session : sessionKey;
    const target = { channel: record.channel, account: record.account, chat: record.peer.id };
    return {
      speaker: speakerOf(record, key, deps.agentIdOf(parseSessionKey(key)?.agentId ?? "")),
      taskId: turnId ?? newId(clock),
      ...(deps.hasChannel(target) && { target }),
      inTurn: false,
      signal: AbortSignal.any([deps.work.ending, ...(signal ? [signal] : [])]),
    };
  }

  function run(name: string, input: unknown, caller: ToolCaller) {
    return deps.work.track(dispatch.run(name, input, caller, `${caller.taskId}.${newId(clock)}`));
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

  /** For a door that knows who speaks, as `/mcp` does by the token. */
  const spokenFor = {
    async run(name: string, input: unknown, speaker: HostSpeaker): Promise<ToolResult> {
      await start();
      return run(name, input, callerOf(speaker, speaker.asOwner === true));
    },
    /** Whether the speaker's model would be shown it. */
    async isOffered(name: string, speaker: HostSpeaker): Promise<boolean> {
      await start();
      const caller = callerOf(speaker, speaker.asOwner === true);
      return dispatch.visible(caller).some((tool) => tool.name === name);
    },
  };
  return { tools, spokenFor };
}
