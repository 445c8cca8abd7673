import { AssistantError } from "./errors.ts";
import { modelList } from "./model-list.ts";
import type { AssistantOptions } from "./options.ts";
import type { TurnAgent } from "./turn/index.ts";

export const DEFAULT_AGENT = "main";
const DEFAULT_MAX_STEPS = 20;
const DEFAULT_MAX_TURN_SECONDS = 300;

/** Agents, owner and roles, from the options. */
export function readPeople(options: AssistantOptions) {
  if (options.agent && options.agents)
    throw new AssistantError("OPTION_INVALID", "Invalid options: give either agent or agents, not both");
  const given = options.agents ?? [{ id: DEFAULT_AGENT, ...options.agent }];
  const agents = new Map(
    given.map((agent): [string, TurnAgent] => [
      agent.id,
      {
        id: agent.id,
        name: agent.name,
        instructions: agent.instructions,
        models: modelList(
          agent.model === undefined ? "model" : `agents.${agent.id}.model`,
          agent.model ?? options.model,
        ),
        modelTimeoutMs: options.modelTimeoutMs,
        maxSteps: agent.maxSteps ?? DEFAULT_MAX_STEPS,
        maxTurnSeconds: agent.maxTurnSeconds ?? DEFAULT_MAX_TURN_SECONDS,
      },
    ]),
  );
  const [first] = agents.values();
  if (!first) throw new AssistantError("OPTION_INVALID", "Invalid option agents: expected at least one agent");
  const ownerIds = options.owner?.ids ?? [];
  const caseSensitiveChannels = (options.channels ?? [])
    .filter((channel) => channel.caseSensitiveIds)
    .map((channel) => channel.name);
  const routing = {
    agents: given,
    bindings: options.bindings ?? [],
    session: options.session ?? {},
    owner: { ids: ownerIds },
    caseSensitiveChannels,
  };
  return { agentOf: (id: string) => agents.get(id) ?? first, routing, ownerIds, roles: options.roles ?? {} };
}
