import type { Artifacts } from "../artifacts/index.ts";
import type { Target } from "../channel.ts";
import type { Clock } from "../clock.ts";
import { messageOf } from "../errors.ts";
import type { PeopleNotes } from "../people/index.ts";
import type { MemoryUsers } from "../session/index.ts";
import type { AssistantOptions } from "../options.ts";
import type { Outbox } from "../outbox/index.ts";
import type { Platform } from "../platform.ts";
import { parseUser } from "../session/index.ts";
import type { Store } from "../store/index.ts";
import type { Audit, Logger, ModelRedactor } from "../telemetry/index.ts";
import {
  type AnyTool,
  ToolError,
  type Workspace,
  artifactTools,
  clarifyTool,
  contextTool,
  execTools,
  fileTools,
  messageTool,
  planTool,
  searchTools,
  timeTool,
  virtualWorkspace,
  webTools,
} from "../tools/index.ts";
import { DEFAULT_ACCOUNT } from "../message.ts";
import { createPeriods } from "../usage/index.ts";

export interface BuiltInToolsParts {
  readonly options: AssistantOptions;
  readonly platform: Pick<Platform, "network" | "load" | "probe" | "unref">;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly outbox: Outbox;
  readonly artifacts: Artifacts;
  readonly audit: Audit;
  /** For what a model writes and reads. */
  readonly redact: ModelRedactor;
  readonly notes: PeopleNotes;
  /** `memory_write` and its like; empty without a memory. */
  readonly memoryTools: Readonly<Record<string, AnyTool>>;
  /** Whose files are whose. */
  readonly users: MemoryUsers;
  readonly timezone: string;
  /** The workspace of an agent that has one of its own. */
  workspaceOf(agentId: string): Workspace | undefined;
  hasChannel(target: Pick<Target, "channel" | "account">): boolean;
}

/** The tools that every assistant has, as far as its options and the runtime allow. */
export async function createBuiltInTools(parts: BuiltInToolsParts): Promise<Readonly<Record<string, AnyTool>>> {
  const { options, clock, logger, outbox, artifacts, audit, notes, users, timezone } = parts;

  async function sendMessage(
    message: { readonly text: string; readonly to?: string },
    context: { readonly callId: string; readonly target?: Target; readonly inTurn: boolean },
  ): Promise<{ id: string }> {
    const target = message.to === undefined ? context.target : targetOf(message.to);
    // In a turn without a target the caller alone gets the reply, which then begins with this text.
    if (!target && !context.inTurn) throw new ToolError("NOWHERE", "There is nowhere to send: give to, as telegram:42");
    if (target) await outbox.enqueue(target, { message: { id: context.callId, text: message.text } });
    return { id: context.callId };
  }

  function targetOf(user: string): Target {
    const { channel, id } = parseUser(user);
    const target = { channel, account: DEFAULT_ACCOUNT, chat: id };
    if (parts.hasChannel(target)) return target;
    const names = (options.channels ?? []).map(({ name }) => name).join(", ") || "none";
    throw new ToolError("NOT_FOUND", `There is no channel ${JSON.stringify(channel)} here; there are: ${names}`);
  }

  return {
    ...(await workspaceTools(parts)),
    ...toolsOfTheWeb(parts),
    ...messageTool({ send: sendMessage }),
    ...clarifyTool(),
    ...timeTool({ clock, timezone: ({ user }) => timezoneOf(user) }),
    ...planTool({ clock }),
    ...artifactTools({ artifacts }),
    ...parts.memoryTools,
    ...contextTool({
      ...users,
      notes,
      clock,
      audit,
      logger,
      redact: parts.redact,
      today: (user) => createPeriods(timezoneOf(user)).dayOf(clock.now()),
    }),
  };

  function timezoneOf(user: string): string {
    return options.users?.[user]?.timezone ?? timezone;
  }
}

/** Files, search in them and commands on them: none when the option `workspace` is false. */
async function workspaceTools({
  options,
  platform,
  store,
  workspaceOf,
  logger,
}: BuiltInToolsParts): Promise<Readonly<Record<string, AnyTool>>> {
  if (options.workspace === false) return {};
  const { patterns } = options;
  const shared = options.workspace ?? virtualWorkspace({ store }, platform);
  const workspaceFor = ({ agentId }: { readonly agentId: string }) => workspaceOf(agentId) ?? shared;
  const own = (options.agents ?? [options.agent ?? {}]).flatMap((agent) => agent.workspace ?? []);
  return {
    ...fileTools({ workspaceFor }),
    ...searchTools({ workspaceFor, load: platform.load, ...(patterns && { patterns }) }),
    ...(await execTools({ workspaceFor, workspaces: [shared, ...own], logger })),
  };
}

/** `web_fetch`, and `web_search` where the option `search` names a search engine. */
function toolsOfTheWeb({ options, platform, clock, logger }: BuiltInToolsParts): Readonly<Record<string, AnyTool>> {
  const { fetch, lookup, pageReader, search } = options;
  return webTools({
    clock,
    platform,
    ...(fetch && { fetch }),
    ...(lookup && { lookup }),
    ...(pageReader && { pageReader }),
    ...(search && { search }),
    onSearchFailure: (provider, error) => logger.warn("A search engine failed", { provider, error: messageOf(error) }),
  });
}
