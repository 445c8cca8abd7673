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
  /** What an agent has of its own, where it is not the assistant's: data in the file, objects in code. */
  readonly own: Schemas;
  readonly more?: Schemas;
}

/** The agents of the file or of the SDK. */
export function agentsWith({ type, own, more = {} }: OwnKeys): Schemas {
  const keys = {
    name: text({ what: "What the agent calls itself", example: "Wakeful" }),
    instructions: anyText({
      what: "How the agent should behave; the shipped instructions when left out",
      inCode: "It is told them before everything else. Source: docs/context.md.",
      example: "Answer briefly.",
    }),
    ...own,
    skills: list(text({ what: "Name of a skill", example: "deep-research" }), {
      what: "Skills of this agent; all when left out",
      inSample: false,
    }),
    maxSteps: whole(1, {
      what: "Model calls a turn may take",
      inCode: "The last one is asked without tools.",
      default: DEFAULT_MAX_STEPS,
    }),
    maxTurnSeconds: whole(1, { what: "Seconds a turn may take", default: DEFAULT_MAX_TURN_SECONDS }),
    ...more,
  };
  const name = { what: "Names the agent in session keys" };
  const required = { inCode: "Letters, digits, `_`, `-`. Keep it: sessions are found by it.", required: true } as const;
  return {
    agent: section(
      { id: id({ ...name, default: DEFAULT_AGENT }), ...keys },
      { what: "The one agent; short for `agents` with one entry", type, partial: true },
    ),
    agents: list(
      section({ id: id({ ...name, ...required, example: DEFAULT_AGENT }), ...keys }, { what: "An agent", type }),
      { what: "Several agents; the first is the default one" },
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
            what: "One account of it; `*` is every account; left out, the default account",
            example: "default",
          }),
          peer: section(
            {
              kind: choice(["direct", "group", "channel"], {
                what: "What the peer is",
                required: true,
                example: "group",
              }),
              id: id({ what: "Its id on the platform", required: true, example: "-100123" }),
            },
            { what: "One person, group or channel" },
          ),
          guild: id({ what: "One guild of the platform", example: "10001" }),
          team: id({ what: "One team of the platform", example: "T01" }),
        },
        { what: "What must hold; the most specific binding wins", required: true },
      ),
    },
    { what: "Sends messages that match to an agent", type: "session/options.ts#Binding" },
  ),
  { what: "Which messages go to which agent; the others go to the first" },
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
