import { type PromptMessage, flushPrompt, stepMessages } from "../context/index.ts";
import type { Clock } from "../clock.ts";
import { messageOf } from "../errors.ts";
import { USER_ROLE, sharedRoles } from "../policy/index.ts";
import type { LoggedTurn, ToolRecord } from "../session/index.ts";
import type { Speaker } from "../speaker.ts";
import type { JsonValue } from "../store/index.ts";
import type { Logger, Metrics, Redactor } from "../telemetry/index.ts";
import { isAmong } from "../tool-lists.ts";
import type { RegisteredTool, ToolCaller, ToolDispatch } from "../tools/index.ts";
import type { Leaving } from "./flush.ts";
import { type ModelCalls, firstModel, isOffline, withoutOffline } from "./model-calls.ts";
import { type Asking, writerOf } from "./turn-at-work.ts";
import { createTurnStop } from "./turn-stop.ts";

/** All tools that may be called, as far as the policy offers them. */
const TOOLS: readonly string[] = ["memory_write", "acp_context"];
const MAX_CALLS = 5;
/** The second call only corrects refused tool calls. */
const MAX_MODEL_CALLS = 2;
const MAX_SECONDS = 30;

export interface FlushTurnDeps {
  readonly modelCalls: Pick<ModelCalls, "ask">;
  readonly dispatch: Pick<ToolDispatch, "visible" | "run">;
  /** The user whose memory a session writes. */
  memoryUserOf(speaker: Omit<Speaker, "sessionKey" | "agentId">): string;
  readonly redact: Redactor;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * Runs a silent turn in which the model may write what matters of leaving turns to the memory. It appears neither to
 * the person nor in the log nor in the summary. Its failures are logged, and the compaction goes on.
 *
 * The turns contain texts of strangers, so the turn may only append to the session's single memory. It does not run
 * if the turns belong to several memories.
 *
 * Source: docs/compaction.md.
 *
 * @returns A function that throws only the reason of the signal.
 */
export function createFlushTurn(deps: FlushTurnDeps) {
  const { modelCalls, dispatch, memoryUserOf, redact, clock, logger, metrics } = deps;

  async function flushTurn(asking: Asking, given: Leaving): Promise<void> {
    const { session, agent, speaker, signal } = asking;
    const model = firstModel(asking);
    if (!model || isOffline(model)) return;
    const stop = createTurnStop(clock, signal);
    try {
      const caller = callerOf(asking, given.turns, stop.signal);
      if (!caller) return;
      const tools = dispatch
        .visible(caller)
        .filter(
          ({ name, level, dangerous }) =>
            TOOLS.includes(name) && level === "static" && !dangerous && !isAmong(asking.excludedTools, name),
        );
      if (tools.length === 0) return;
      const hasNotes = tools.some(({ name }) => name === "acp_context");
      const prompt = flushPrompt({
        turns: given.spoken,
        isGroup: speaker.peer.kind !== "direct",
        ...(hasNotes && { identity: agent.id }),
        mostCalls: MAX_CALLS,
        transcriptTokens: given.transcriptTokens,
      });
      if (!prompt) return;

      stop.limit(MAX_SECONDS);
      const kept = await keep(asking, { prompt, tools, caller });
      metrics.increment("compaction.flush_turn_total", { outcome: kept > 0 ? "kept" : "nothing" });
      logger.debug("The model looked at what leaves its prompt", { session: session.key, kept });
    } catch (error) {
      signal.throwIfAborted();
      metrics.increment("compaction.flush_turn_total", { outcome: "failed" });
      logger.warn("The model could not write to the memory before a summary", {
        session: session.key,
        error: messageOf(error),
      });
    } finally {
      stop.release();
    }
  }

  /**
   * The caller of the tools: only with rights that everyone in these turns has, and in a group only
   * with rights that every member has.
   *
   * @returns `undefined` if the turns belong to several memories, or if those rights lead to a different memory.
   */
  function callerOf({ speaker }: Asking, turns: readonly LoggedTurn[], signal: AbortSignal): ToolCaller | undefined {
    const said = turns.flatMap(({ inputs }) => inputs.filter((input) => input.type === "in"));
    // Bounded work may do no more than it was given.
    if (said.some(({ bounds }) => bounds !== undefined)) return undefined;
    const everybody = [speaker, ...said];
    const inGroup = speaker.peer.kind === "direct" ? [] : [[USER_ROLE]];
    const roles = sharedRoles([...everybody.map((one) => one.roles), ...inGroup]);
    const shared = { ...speaker, roles };
    const whose = new Set([...everybody, shared].map((one) => memoryUserOf(one)));
    const users = new Set(everybody.map((one) => one.user));
    const taskId = turns.at(-1)?.id;
    if (whose.size !== 1 || taskId === undefined) return undefined;
    return {
      speaker: shared,
      taskId,
      ...(users.size > 1 && { speakers: [...users] }),
      inTurn: false,
      signal,
    };
  }

  /** @returns How many calls succeeded. */
  async function keep(asking: Asking, { prompt, tools, caller }: Flush): Promise<number> {
    const { id, session, user, agent } = writerOf(asking);
    const writer = { id, session, user, agent: withoutOffline(agent), signal: caller.signal };
    const { instructions } = prompt;
    let messages: readonly PromptMessage[] = prompt.messages;
    let called = 0;
    let kept = 0;
    for (let step = 0; step < MAX_MODEL_CALLS && called < MAX_CALLS; step += 1) {
      const { message, calls } = await modelCalls.ask(writer, { instructions, messages, tools });
      const results: ToolRecord[] = [];
      for (const [index, call] of calls.slice(0, MAX_CALLS - called).entries()) {
        // The id is the same after a crash, so that a repeated call is stored once.
        const callId = `${caller.taskId}.flush.${called}`;
        called += 1;
        const outcome = await run(asking, { tools, caller }, call, callId);
        if (!("error" in outcome)) kept += 1;
        const { taskId: turn } = caller;
        const { name } = call;
        const at = clock.now();
        results.push({ v: 1, at, type: "tool", turn, step, index, name, state: "done", durationMs: 0, ...outcome });
      }
      if (results.every(({ error }) => error === undefined)) break;
      messages = [...messages, ...stepMessages({ step, message, calls }, results)];
    }
    return kept;
  }

  async function run(
    { speaker }: Asking,
    { tools, caller }: Omit<Flush, "prompt">,
    {
      name,
      input,
      invalid,
    }: { readonly name: string; readonly input: JsonValue; readonly invalid?: string | undefined },
    callId: string,
  ): Promise<Pick<ToolRecord, "output" | "error" | "untrusted">> {
    const tool = tools.find((one) => one.name === name || one.modelName === name);
    if (!tool) return refusal(`There is no tool ${JSON.stringify(name)} now`);
    const problem = invalid ?? (tool.name === "acp_context" ? whyNotAppended(input, speaker.peer) : undefined);
    if (problem !== undefined) return refusal(problem);
    const result = await dispatch.run(tool.name, redact(input), caller, callId);
    // An interrupted run must not be treated as a result.
    caller.signal.throwIfAborted();
    const untrusted = tool.untrusted && { untrusted: true as const };
    if (!result.ok) return "error" in result ? { error: result.error, ...untrusted } : refusal("It was not run");
    const { output } = result;
    const refused = typeof output === "object" && output !== null && "ok" in output && output["ok"] === false;
    if (refused) return { error: { code: "REFUSED", message: JSON.stringify(output) }, ...untrusted };
    return { output, ...untrusted };
  }

  return flushTurn;
}

interface Flush {
  readonly prompt: NonNullable<ReturnType<typeof flushPrompt>>;
  readonly tools: readonly RegisteredTool[];
  readonly caller: ToolCaller;
}

/**
 * Refuses everything but appending notes about this conversation's own peer, whatever
 * the speaker is otherwise allowed.
 */
function whyNotAppended(input: JsonValue, { kind, id }: Speaker["peer"]): string | undefined {
  const scope = kind === "direct" ? "peer" : "group";
  const fields = (typeof input === "object" ? input : null) as { readonly [name: string]: unknown } | null;
  const { action, scope: given, peer_id, group_id } = fields ?? {};
  const isOwn = [peer_id ?? id, group_id ?? id].every((one) => one === id || one === "");
  if (action === "append_memory" && given === scope && isOwn) return undefined;
  return `Only append_memory with scope ${scope}, of this conversation, can be called now`;
}

function refusal(message: string) {
  return { error: { code: "REFUSED", message } };
}
