import type { GatewayChanged } from "./events/index.ts";
import type { ChannelStatuses } from "./listening/index.ts";
import type { Outbox } from "./outbox/index.ts";
import type { Jobs } from "./schedule/index.ts";
import type { McpServerStatus } from "./tools/index.ts";

export interface GatewayStateDeps {
  readonly jobs: Pick<Jobs, "enabled" | "nextDue" | "setAside">;
  readonly mcp: { status(): readonly McpServerStatus[] };
  readonly outbox: Pick<Outbox, "listDead">;
  readonly channels: Pick<ChannelStatuses, "all">;
}

/** @returns A function that reports the assistant's problems, and when its next job is due. */
export function createGatewayState({ jobs, mcp, outbox, channels }: GatewayStateDeps) {
  return async function state(): Promise<GatewayChanged> {
    const problems: string[] = [];
    for (const { name, state: how } of mcp.status())
      if (how === "waiting" || how === "unusable") problems.push(`The MCP server ${name} is ${how}`);
    for (const { channel, account, state: how } of channels.all())
      if (how === "retrying" || how === "refused")
        problems.push(`The channel ${channel}:${account} is not connected (${how})`);
    try {
      const [[dead], setAside] = await Promise.all([outbox.listDead({ limit: 1 }), keysOf(jobs.setAside())]);
      if (dead !== undefined) problems.push("Some messages could not be delivered: wakeful undelivered");
      for (const key of setAside) problems.push(`A job's file cannot be read and is set aside: ${key}`);
    } catch {
      problems.push("The store cannot be read");
    }
    return {
      health: { ok: problems.length === 0, problems },
      jobs: { enabled: jobs.enabled(), nextRunAtMs: jobs.nextDue() ?? null },
    };
  };
}

async function keysOf(files: AsyncIterable<{ readonly key: string }>): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of files) keys.push(key);
  return keys;
}
