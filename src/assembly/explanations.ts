import { contextWindowOf, modelName } from "../agent/index.ts";
import type { Assistant } from "../assistant-types.ts";
import { buildContext, prepareContext, withInjections } from "../context/index.ts";
import { type HookRegistry, explainHooks } from "../proactive/index.ts";
import { type InRecord, type Session, parseSessionKey } from "../session/index.ts";
import { type HandlerParts, type Inbox, firstModel } from "../turn/index.ts";
import type { UsageRecorder } from "../usage/index.ts";

export interface ExplanationParts {
  readonly parts: Omit<HandlerParts, "usage"> & { readonly usage: Pick<UsageRecorder, "summary"> };
  readonly hooks: HookRegistry;
  readonly inbox: Pick<Inbox, "describe">;
  readonly injectionTokens: number | undefined;
}

/** What a conversation is like right now: the parts of its next prompt, and what `/status` says. Nothing is sent. */
export function createExplanations({ parts, hooks, inbox, injectionTokens }: ExplanationParts) {
  const { sessions, clock, timezone, sources, usage } = parts;

  const explainContext: Assistant["explainContext"] = async ({ session: name, text = "" }) => {
    const { sessionKey, record } = inbox.describe({ text, ...(parseSessionKey(name) ? {} : { session: name }) });
    const key = parseSessionKey(name) ? name : sessionKey;
    const session = await sessions.load(key);
    // As the last person in it would see it, so that a group is explained as a group.
    const last = session.history.at(-1)?.inputs.findLast((one) => one.type === "in" && one.source === undefined);
    const { peer, user, roles, channel, account, sender } = last?.type === "in" ? last : record;
    const newest: InRecord = { ...record, peer, user, roles, channel, account, sender, v: 1, at: clock.now() };
    const prompt = {
      session,
      agent: agentOf(session),
      inputs: [...session.notes, ...session.heard, ...session.waiting, newest],
      options: parts.contextOptions(newest),
      sources,
      timezone,
      person: parts.person(user),
    };
    await prepareContext(prompt);
    const context = buildContext({ ...prompt, clock });
    const injections = await explainHooks(
      hooks,
      { sessionKey: key, text, user, channel, peer, roles, account },
      { clock },
    );
    const { parts: built } = withInjections(context, injections, injectionTokens);
    return { parts: built, totalTokens: built.reduce((sum, part) => sum + part.tokens, 0) };
  };

  async function describeSession(session: Session) {
    const { totalTokens } = await explainContext({ session: session.key });
    const model = firstModel(agentOf(session), session);
    const { today } = await usage.summary({ days: 1 });
    return {
      model: model ? modelName(model) : "none",
      tokens: totalTokens,
      windowTokens: model ? contextWindowOf(model, parts) : parts.contextWindow,
      usedToday: today.inputTokens + today.outputTokens,
    };
  }

  function agentOf({ key }: Session) {
    return parts.agent(parseSessionKey(key)?.agentId ?? "");
  }

  return { explainContext, describeSession };
}
