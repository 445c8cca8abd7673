import { DEFAULT_AGENT } from "../../session/index.ts";
import { DEFAULT_MAX_STEPS, DEFAULT_MAX_TURN_SECONDS } from "../../turn/index.ts";
import {
  anyText,
  choice,
  id,
  list,
  section,
  text,
  whole,
  type RuleBroken,
  type Schemas,
} from "../../settings/index.ts";

interface OwnKeys {
  /** The type of one agent. */
  readonly type: string;
  /** Keys that override the assistant's for one agent: data in the file, objects in code. */
  readonly own: Schemas;
  readonly more?: Schemas;
}

/** The agents of the file or of the SDK. */
export function agentsWith({ type, own, more = {} }: OwnKeys): Schemas {
  const keys = {
    name: text({ what: "Name that the agent uses for itself", example: "Wakeful" }),
    instructions: anyText({
      what: "Instructions for the agent; default: the shipped ones",
      inCode: "They come first in the prompt. Source: docs/context.md.",
      example: "Answer briefly.",
    }),
    ...own,
    skills: list(text({ what: "Name of a skill", example: "deep-research" }), {
      what: "Skills that this agent has; default: all",
      inSample: false,
    }),
    maxSteps: whole(1, {
      what: "Maximum model calls of one turn",
      inCode: "The last call is made without tools.",
      default: DEFAULT_MAX_STEPS,
    }),
    maxTurnSeconds: whole(1, { what: "Longest turn, in seconds", default: DEFAULT_MAX_TURN_SECONDS }),
    ...more,
  };
  const name = { what: "The agent's id, which is part of session keys" };
  const required = {
    inCode: "Letters, digits, `_` and `-`. Do not change it: sessions are found by it.",
    required: true,
  } as const;
  return {
    agent: section(
      { id: id({ ...name, default: DEFAULT_AGENT }), ...keys },
      { what: "The one agent; short for `agents` with one entry", type, partial: true },
    ),
    agents: list(
      section({ id: id({ ...name, ...required, example: DEFAULT_AGENT }), ...keys }, { what: "An agent", type }),
      { what: "Several agents; the first is the default" },
    ),
    bindings,
  };
}

const bindings = list(
  section(
    {
      agentId: id({ what: "The agent that answers", required: true, example: "work" }),
      match: section(
        {
          channel: text({ what: "The channel's name", required: true, example: "telegram" }),
          account: id({
            what: "Account of the channel; `*`: every account; default: the default account",
            example: "default",
          }),
          peer: section(
            {
              kind: choice(["direct", "group", "channel"], {
                what: "Kind of peer",
                required: true,
                example: "group",
              }),
              id: id({ what: "The peer's id on the platform", required: true, example: "-100123" }),
            },
            { what: "A person, group or channel on the platform" },
          ),
          guild: id({ what: "A guild's id on the platform", example: "10001" }),
          team: id({ what: "A team's id on the platform", example: "T01" }),
        },
        { what: "Conditions, all of which must hold; the most specific binding wins", required: true },
      ),
    },
    { what: "Routes matching messages to an agent", type: "session/options.ts#Binding" },
  ),
  { what: "Rules that route messages to agents; other messages go to the first agent" },
);

export function agentsRule(options: Readonly<Record<string, unknown>>): RuleBroken | undefined {
  if (options["agent"] !== undefined && options["agents"] !== undefined)
    return { at: ["agent"], message: "give {agent} or {agents}, not both" };
  const agents = (options["agents"] ?? [options["agent"] ?? {}]) as readonly { readonly id?: string }[];
  const bindings = (options["bindings"] ?? []) as readonly { readonly agentId: string }[];
  const ids = agents.map((agent) => (agent.id ?? DEFAULT_AGENT).toLowerCase());
  if (ids.length === 0) return { at: ["agents"], message: "expected at least one agent" };

  const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index);
  if (twice !== -1)
    return { at: ["agents", twice, "id"], message: `two agents have the id ${JSON.stringify(ids[twice])}` };
  const stray = bindings.findIndex((binding) => !ids.includes(binding.agentId.toLowerCase()));
  if (stray === -1) return undefined;
  return {
    at: ["bindings", stray, "agentId"],
    message: `there is no agent ${JSON.stringify(bindings[stray]?.agentId)}, only ${ids.join(", ")}`,
  };
}
