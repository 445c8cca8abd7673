import { DEFAULT_MODEL_TIMEOUT_MS } from "../../agent/index.ts";
import { alerts } from "./alerts.ts";
import { approvals, artifacts } from "./approvals.ts";
import { attention } from "./attention.ts";
import { builtins } from "./builtins.ts";
import { compaction, context } from "./context.ts";
import { goals } from "./goals.ts";
import { mcp } from "./mcp.ts";
import { budget } from "./models.ts";
import { people } from "./people.ts";
import { persona } from "./persona.ts";
import { queue } from "./queue.ts";
import { retention } from "./retention.ts";
import { heartbeat, scheduler } from "./scheduler.ts";
import { search } from "./search.ts";
import { session } from "./session.ts";
import { subagents } from "./subagents.ts";
import { workflow } from "./workflow.ts";
import { type Schemas, timezone, whole } from "../../settings/index.ts";

/** The options that the file and the SDK share. Those of agents differ and are passed in. */
export function sharedWith(agents: Schemas): Schemas {
  return {
    timezone: timezone({
      what: "Time zone of people who have not set one; default: the machine's (in code: UTC)",
      example: "Europe/Stockholm",
    }),
    ...people,
    ...agents,
    session,
    queue,
    context,
    persona,
    compaction,
    artifacts,
    ...builtins,
    search,
    mcp,
    approvals,
    scheduler,
    retention,
    heartbeat,
    attention,
    alerts,
    goals,
    workflow,
    subagents,
    budget,
    modelTimeoutMs: whole(1, {
      what: "Longest time for one answer of one model, in milliseconds; then the next model is tried",
      default: DEFAULT_MODEL_TIMEOUT_MS,
    }),
  };
}
