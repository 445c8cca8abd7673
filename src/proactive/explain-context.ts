import type { ContextOptions } from "../channel.ts";
import type { Clock } from "../clock.ts";
import {
  type ContextInput,
  type ContextPart,
  type ContextSources,
  type Person,
  buildContext,
  partSkills,
  prepareContext,
  showSkills,
  withInjections,
  withSkills,
} from "../context/index.ts";
import { AssistantError } from "../errors.ts";
import type { Injection } from "../events/index.ts";
import { type InRecord, type Sessions, parseSessionKey } from "../session/index.ts";
import { DEFAULT_TOKEN_BUDGET } from "../skills/index.ts";
import { explainHooks } from "./explain-hooks.ts";
import type { HookRegistry } from "./hook-registry.ts";

/** Returns the parts of a conversation's next prompt. */
export type ExplainContext = (input: {
  readonly session: string;
  readonly text?: string;
}) => Promise<{ readonly parts: readonly ContextPart[]; readonly totalTokens: number }>;

export interface ExplainContextDeps {
  readonly sessions: Pick<Sessions, "load">;
  /** Returns the message record for a call of the host program, and its session. */
  describe(input: { readonly text: string; readonly session?: string }): {
    readonly sessionKey: string;
    readonly record: Omit<InRecord, "v" | "at">;
  };
  readonly hooks: HookRegistry;
  readonly sources: ContextSources | undefined;
  /** Options for the prompts that answer a message. */
  contextOptions(message: InRecord): ContextOptions;
  /** Details of a user from the configuration. */
  person(user: string): Person | undefined;
  agentOf(sessionKey: string): ContextInput["agent"];
  readonly timezone: string;
  readonly clock: Clock;
}

/**
 * Builds the next prompt of a conversation without sending it.
 *
 * @param options.skillTokens Token limit for skills, as in prompts. Default `DEFAULT_TOKEN_BUDGET`.
 */
export function createExplainContext(
  deps: ExplainContextDeps,
  { skillTokens = DEFAULT_TOKEN_BUDGET }: { readonly skillTokens?: number | undefined } = {},
): ExplainContext {
  const { sessions, describe, hooks, sources, contextOptions, person, agentOf, timezone, clock } = deps;

  return async (given) => {
    const { session: name, text = "" } = Object(given) as typeof given;
    for (const [what, value = ""] of Object.entries({ session: name, text }))
      if (typeof value !== "string")
        throw new AssistantError(
          "OPTION_INVALID",
          `Invalid ${what} for explainContext(): expected a text, got ${JSON.stringify(value)}`,
        );
    const { sessionKey, record } = describe({ text, ...(parseSessionKey(name) ? {} : { session: name }) });
    const key = parseSessionKey(name) ? name : sessionKey;
    const session = await sessions.load(key);
    // Use the last person who wrote, so that a group's prompt is explained as a group's.
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
    const said = injections.filter(({ content }) => content !== "");
    const { notes, skills } = partSkills(said, prompt.options);
    const noted = withInjections(context, notes, prompt.options.injectionTokens);
    const { parts: built } = withSkills(noted, showSkills(skills, skillTokens));
    const parts = [...built, ...unsaid(injections)];
    return { parts, totalTokens: built.reduce((sum, part) => sum + part.tokens, 0) };
  };
}

/** Returns the reasons of hooks that inject nothing, as empty parts. */
function unsaid(injections: readonly Injection[]): readonly ContextPart[] {
  return injections.flatMap(({ type, content, source }) =>
    content === "" ? [{ name: type, tokens: 0, source, cut: "left out" }] : [],
  );
}
