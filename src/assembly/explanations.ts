import { modelName } from "../agent/index.ts";
import type { Assistant } from "../assistant-types.ts";
import type { ContextOptions } from "../channel.ts";
import type { Clock } from "../clock.ts";
import { type ContextSources, type Person, buildContext, prepareContext, withInjections } from "../context/index.ts";
import type { Submissions } from "../inbox/index.ts";
import { type HookRegistry, explainHooks } from "../proactive/index.ts";
import { type InRecord, type Session, type Sessions, parseSessionKey } from "../session/index.ts";
import { type ModelCalls, type TurnAgent, firstModel } from "../turn/index.ts";
import type { UsageRecorder } from "../usage/index.ts";

export interface ExplanationsDeps {
  readonly sessions: Pick<Sessions, "load">;
  readonly submissions: Pick<Submissions, "describe">;
  readonly hooks: HookRegistry;
  readonly sources: ContextSources | undefined;
  /** The options of prompts that answer a message. */
  contextOptions(message: InRecord): ContextOptions;
  /** What the configuration knows of a user. */
  person(user: string): Person | undefined;
  agentOf(sessionKey: string): TurnAgent;
  readonly timezone: string;
  readonly clock: Clock;
}

/** @returns What tells the parts of a conversation's next prompt. Nothing is sent. */
export function createExplainContext(deps: ExplanationsDeps): Assistant["explainContext"] {
  const { sessions, submissions, hooks, sources, contextOptions, person, agentOf, timezone, clock } = deps;

  return async ({ session: name, text = "" }) => {
    const { sessionKey, record } = submissions.describe({ text, ...(parseSessionKey(name) ? {} : { session: name }) });
    const key = parseSessionKey(name) ? name : sessionKey;
    const session = await sessions.load(key);
    // As the last person in it would see it, so that a group is explained as a group.
    const last = session.history.at(-1)?.inputs.findLast((one) => one.type === "in" && one.source === undefined);
    const { peer, user, roles, channel, account, sender } = last?.type === "in" ? last : record;
    const newest: InRecord = { ...record, peer, user, roles, channel, account, sender, v: 1, at: clock.now() };
    const prompt = {
      session,
      agent: agentOf(key),
      inputs: [...session.notes, ...session.heard, ...session.waiting, newest],
      options: contextOptions(newest),
      sources,
      timezone,
      person: person(user),
    };
    await prepareContext(prompt);
    const context = buildContext({ ...prompt, clock });
    const injections = await explainHooks(
      hooks,
      { sessionKey: key, text, user, channel, peer, roles, account },
      { clock },
    );
    const { parts: built } = withInjections(context, injections, contextOptions(newest).injectionTokens);
    return { parts: built, totalTokens: built.reduce((sum, part) => sum + part.tokens, 0) };
  };
}

/** What `/status` says of a conversation. */
export function createDescribeSession({
  explainContext,
  modelCalls,
  usage,
  agentOf,
}: {
  readonly explainContext: Assistant["explainContext"];
  readonly modelCalls: Pick<ModelCalls, "windowOf">;
  readonly usage: Pick<UsageRecorder, "summary">;
  agentOf(sessionKey: string): TurnAgent;
}) {
  return async (session: Session) => {
    const asked = { agent: agentOf(session.key), session };
    const { totalTokens } = await explainContext({ session: session.key });
    const model = firstModel(asked);
    const { today } = await usage.summary({ days: 1 });
    return {
      model: model ? modelName(model) : "none",
      tokens: totalTokens,
      windowTokens: modelCalls.windowOf(asked),
      usedToday: today.inputTokens + today.outputTokens,
    };
  };
}
