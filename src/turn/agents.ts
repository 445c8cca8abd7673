import { type ModelObject, findModel, modelList, modelName, pickModels } from "../agent/index.ts";
import { AssistantError } from "../errors.ts";
import { DEFAULT_AGENT, parseSessionKey, sessionKeyPart } from "../session/index.ts";
import type { Workspace } from "../tools/index.ts";
import { DEFAULT_MAX_STEPS, DEFAULT_MAX_TURN_SECONDS, type TurnAgent } from "./model-calls.ts";

type Models = ModelObject | readonly ModelObject[];

interface ConfiguredAgent {
  readonly name?: string;
  readonly instructions?: string;
  readonly model?: Models;
  readonly maxSteps?: number;
  readonly maxTurnSeconds?: number;
  readonly workspace?: Workspace;
  readonly skills?: readonly string[];
}

/** The options with the configuration of agents. */
export interface AgentsOptions {
  readonly agent?: ConfiguredAgent;
  readonly agents?: readonly (ConfiguredAgent & { readonly id: string })[];
  readonly model?: Models;
  readonly modelTimeoutMs?: number;
}

/**
 * Reads agents from the options.
 *
 * @throws {AssistantError} `OPTION_INVALID` if there is no agent, both `agent` and `agents`
 * are given, or a model is invalid.
 */
export function readAgents(options: AgentsOptions) {
  if (options.agent && options.agents)
    throw new AssistantError("OPTION_INVALID", "Invalid options: give either agent or agents, not both");
  const configured = options.agents ?? [{ id: DEFAULT_AGENT, ...options.agent }];
  const agents = new Map(
    configured.map((agent): [string, TurnAgent] => [
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
  const workspaces = new Map(configured.map((agent) => [sessionKeyPart(agent.id), agent.workspace]));

  function agentOf(id: string): TurnAgent {
    const agent = agents.get(sessionKeyPart(id));
    if (!agent)
      throw new AssistantError(
        "NOT_FOUND",
        `There is no agent ${JSON.stringify(id)} any more: its sessions wait for it`,
      );
    return agent;
  }

  return {
    configured,
    /** The agent that answers if no binding chooses another. */
    default: first,
    /**
     * The agent with an id, which may have the form used in session keys.
     * @throws {AssistantError} `NOT_FOUND`
     */
    of: agentOf,
    /** @throws {AssistantError} `NOT_FOUND` for a session of an agent that is no longer configured. */
    ofSession: (sessionKey: string) => agentOf(parseSessionKey(sessionKey)?.agentId ?? ""),
    /** Names of the skills that an agent chooses; `undefined`: all. */
    skillsOf: (id: string) => configured.find((agent) => sessionKeyPart(agent.id) === sessionKeyPart(id))?.skills,
    /** The models of all agents, without duplicates. */
    models: [...new Set([...agents.values()].flatMap(({ models }) => models))],
    /** An agent's models as `provider/modelId`, in fallback order. */
    modelNames: (id: string) => agentOf(id).models.map(modelName),
    /** The full name of the agent's model that a text means; `undefined` if the agent has none of that name. */
    modelNamed(id: string, wanted: string): string | undefined {
      const found = findModel(agentOf(id).models, wanted);
      return found && modelName(found);
    },
    /**
     * The first agent with another model: an object, or the name of a model that some agent has.
     *
     * @throws {AssistantError} `OPTION_INVALID` for an invalid model, or a name that no model has.
     */
    withModel(option: string, wanted: unknown): TurnAgent {
      const models = [...agents.values()].flatMap((agent) => agent.models);
      const [model] = typeof wanted === "string" ? pickModels(models, wanted) : modelList(option, wanted);
      return { ...first, models: model ? [model] : [] };
    },
    /** The agent's own workspace, if it has one. */
    workspaceOf: (id: string): Workspace | undefined => workspaces.get(sessionKeyPart(id)),
    workspaces: configured.flatMap(({ workspace }) => workspace ?? []),
  };
}
