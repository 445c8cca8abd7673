import * as v from "valibot";
import { type AnyTool, type ToolContext, ToolError, defineTool } from "../tool.ts";
import { shortened } from "../../short-text.ts";

/** A sub-agent as its tools see it. */
export interface SubagentSeen {
  readonly id: string;
  readonly task: string;
  readonly state: "running" | "done" | "failed" | "cancelled";
  readonly result?: string;
  readonly error?: { readonly code: string; readonly message: string };
  readonly approvals?: readonly string[];
  readonly tokens: number;
}

interface HandedOn {
  readonly task: string;
  readonly tools?: readonly string[] | undefined;
  readonly model?: string | undefined;
  readonly budget?: number | undefined;
}

/**
 * Operations on sub-agents. Contract: a call that is run again gets the same sub-agent; throws `ToolError` with a
 * message for the model.
 */
export interface SubagentToolsDeps {
  readonly subagents: {
    run(context: ToolContext, handedOn: HandedOn): Promise<SubagentSeen>;
    dispatch(context: ToolContext, handedOn: HandedOn): Promise<SubagentSeen>;
    collect(context: ToolContext, id: string): Promise<SubagentSeen>;
    status(context: ToolContext, id?: string): Promise<readonly (SubagentSeen & { readonly elapsedSeconds: number })[]>;
  };
}

const MAX_TASK = 20_000;
const MAX_NAMES = 64;
/** Most characters of a task that a list shows. */
const MAX_SHOWN = 200;

const name = (most: number) => v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(most));
const handedOn = v.strictObject({
  task: v.pipe(
    v.string(),
    v.maxLength(MAX_TASK),
    v.check((text) => text.trim() !== "", "must not be empty"),
    v.description(
      "What is to be done and what the result should say. It must stand by itself: this conversation is not seen",
    ),
  ),
  tools: v.optional(
    v.pipe(
      v.array(name(128)),
      v.maxLength(MAX_NAMES),
      v.description(
        "The only tools it may use, by name; a * at the end means all that begin so. Left out: those of this turn",
      ),
    ),
  ),
  model: v.optional(v.pipe(name(200), v.description("One of the models of this assistant. Left out: the first"))),
  budget: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.description("Most tokens, where less than usual is enough")),
  ),
});
const id = v.pipe(name(64), v.description("As subagent or bg_dispatch gave it"));
/** Untrusted: what sub-agents say can come from anything they read, including strangers' pages. */
const META = { category: "orchestration", idempotent: true, untrusted: true } as const;

const COMES = "It goes on in the background, and its result comes into this conversation by itself";

/**
 * `subagent`, `bg_dispatch`, `bg_status` and `bg_collect`: tasks that are handed on, each to its own session.
 *
 * Source: docs/subagents.md.
 */
export function subagentTools({ subagents }: SubagentToolsDeps): Readonly<Record<string, AnyTool>> {
  return {
    subagent: defineTool({
      description:
        "Hands a task on to a sub-agent with its own empty conversation, waits for it and gives its result. For work that reads much of which only the result matters. One that takes long goes on in the background.",
      inputSchema: handedOn,
      execute: async (input, context) => shown(await subagents.run(context, input)),
      meta: META,
    }),
    bg_dispatch: defineTool({
      description:
        "Hands a task on as subagent does, but does not wait: for several tasks side by side. Gives its id; fetch the result with bg_collect, or answer meanwhile, and it comes into this conversation by itself.",
      inputSchema: handedOn,
      async execute(input, context) {
        const { id: started, state } = await subagents.dispatch(context, input);
        return { id: started, state };
      },
      meta: META,
    }),
    bg_status: defineTool({
      description:
        "The sub-agents of this conversation, or one of them: state, seconds, tokens. No results: bg_collect gives those.",
      inputSchema: v.strictObject({ id: v.optional(id) }),
      async execute(input, context) {
        const listed = await subagents.status(context, input.id);
        return {
          subagents: listed.map(({ id: one, task, state, elapsedSeconds, tokens, error }) => ({
            id: one,
            task: shortened(task, MAX_SHOWN),
            state,
            elapsed_seconds: elapsedSeconds,
            tokens,
            ...(error && { error: error.message }),
          })),
        };
      },
      meta: META,
    }),
    bg_collect: defineTool({
      description: "Waits for a sub-agent's result and gives it; then it does not come by itself.",
      inputSchema: v.strictObject({ id }),
      execute: async (input, context) => shown(await subagents.collect(context, input.id)),
      meta: META,
    }),
  };
}

function shown({ id: of, state, result, error, approvals, tokens }: SubagentSeen) {
  if (state === "running") return { id: of, state, note: COMES };
  // A refusal that the model reads as one.
  if (state === "cancelled") throw new ToolError("CANCELLED", `${of} was ended before it was done: ${error?.message}`);
  return {
    id: of,
    state,
    ...(error ? { error: `${error.code}: ${error.message}` } : { result: result ?? "" }),
    ...(approvals && { awaits_approval: approvals }),
    tokens,
  };
}
