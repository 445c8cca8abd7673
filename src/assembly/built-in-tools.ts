import type { Artifacts } from "../artifacts/index.ts";
import type { Target } from "../channel.ts";
import type { Clock } from "../clock.ts";
import type { PeopleNotes } from "../people/index.ts";
import type { MemoryUsers } from "../session/index.ts";
import type { FullExtra } from "../extras.ts";
import type { AssistantOptions } from "../options.ts";
import type { Outbox } from "../outbox/index.ts";
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
  messageTool,
  planTool,
  timeTool,
} from "../tools/index.ts";
import { DEFAULT_ACCOUNT } from "../message.ts";
import { createPeriods } from "../usage/index.ts";

export interface BuiltInToolsParts {
  readonly options: AssistantOptions;
  readonly extras: readonly FullExtra[];
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
  const { options, extras, clock, logger, outbox, artifacts, audit, notes, users, timezone } = parts;
  const more = await Promise.all(extras.map(async (extra) => extra.tools?.(parts)));

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
    ...Object.assign({}, ...more),
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
