import { AssistantError } from "../errors.ts";
import type { ServerToken } from "../http/index.ts";
import { modelList } from "./model-list.ts";
import type { AssistantOptions } from "../options.ts";
import { HOST_CHANNELS } from "../host-channels.ts";
import { DEFAULT_AGENT, parseUser, sessionKeyPart } from "../session/index.ts";
import { DEFAULT_MAX_STEPS, DEFAULT_MAX_TURN_SECONDS, type TurnAgent } from "../turn/index.ts";

/** Agents, owner and roles, from the options. */
export function readPeople(options: AssistantOptions) {
  if (options.agent && options.agents)
    throw new AssistantError("OPTION_INVALID", "Invalid options: give either agent or agents, not both");
  const given = options.agents ?? [{ id: DEFAULT_AGENT, ...options.agent }];
  const agents = new Map(
    given.map((agent): [string, TurnAgent] => [
      sessionKeyPart(agent.id),
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
  const channels = new Map(
    (options.channels ?? []).map(({ name, caseSensitiveIds = false }) => [name, caseSensitiveIds]),
  );
  /** A channel that is none of the configured ones stands in ids that the host program gives: those are as it writes them. */
  const keepsCapitals = (channel: string) => channels.get(channel) ?? true;
  const routing = {
    agents: given,
    bindings: options.bindings ?? [],
    session: options.session ?? {},
    keepsCapitals,
  };
  /** By the id as it stands in session keys. */
  const agentOf = (id: string): TurnAgent => {
    const agent = agents.get(sessionKeyPart(id));
    if (!agent)
      throw new AssistantError(
        "NOT_FOUND",
        `There is no agent ${JSON.stringify(id)} any more: its sessions wait for it`,
      );
    return agent;
  };
  const workspaces = new Map(given.map((agent) => [sessionKeyPart(agent.id), agent.workspace]));
  return {
    agentOf,
    defaultAgent: first,
    /** Of all agents, each once. */
    allModels: [...new Set([...agents.values()].flatMap(({ models }) => models))],
    workspaceOf: (agentId: string) => workspaces.get(sessionKeyPart(agentId)),
    routing,
    roles: options.roles ?? {},
  };
}

/** The tokens of the HTTP door. @throws {AssistantError} `OPTION_INVALID` for a token whose holder would not be clear. */
export function readTokens({ server = {} }: AssistantOptions): readonly ServerToken[] {
  const tokens: readonly ServerToken[] = [
    ...(server.token === undefined ? [] : [{ token: server.token, role: "owner" as const }]),
    ...(server.tokens ?? []),
  ];
  const invalid = (index: number, what: string) =>
    new AssistantError("OPTION_INVALID", `Invalid option server.tokens[${index}]: ${what}`);
  server.tokens?.forEach(({ token, role, user }, index) => {
    if (tokens.filter((other) => other.token === token).length > 1) throw invalid(index, "another token is the same");
    if (role !== "user") return;
    if (user === undefined) throw invalid(index, 'a token of the role "user" needs user, as "http:ada"');
    if (HOST_CHANNELS.includes(parseUser(user).channel)) {
      throw invalid(
        index,
        `user must not be of the channels ${HOST_CHANNELS.join(", ")}, which are the host's own: current value is ${JSON.stringify(user)}`,
      );
    }
  });
  return tokens;
}
