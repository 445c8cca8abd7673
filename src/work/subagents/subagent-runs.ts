import type { Clock } from "../../clock.ts";
import type { NoticeAddress, Notify } from "../../notice.ts";
import type { Reply } from "../../reply.ts";
import { type Sessions, isOfHeartbeat, languageOf } from "../../session/index.ts";
import type { Subagent, Subagents } from "../../subagents/index.ts";
import type { OwnTurns } from "../own-turns.ts";
import type { WorkApprovals } from "../work-approvals.ts";
import type { LiveSubagents } from "./live-subagents.ts";
import type { SubagentNews } from "./subagent-news.ts";
import type { SubagentService } from "./subagent-service.ts";
import { subagentText } from "./texts.ts";
import { shortened } from "../../short-text.ts";

/** Longest name of a sub-agent's task in notices, in characters. */
const MAX_NAME_CHARS = 120;

export interface SubagentRunsDeps {
  readonly subagents: Pick<Subagents, "find" | "change">;
  readonly service: Pick<SubagentService, "landed" | "idOfKey" | "endWork">;
  readonly turns: OwnTurns;
  /** Takes back the approval requests of a sub-agent that was ended. */
  readonly approvals: Pick<WorkApprovals, "takeBackAsked">;
  readonly live: LiveSubagents;
  readonly news: SubagentNews;
  readonly sessions: Pick<Sessions, "addNote">;
  readonly notify: Notify;
  readonly clock: Pick<Clock, "now">;
}

/**
 * @returns The handler of `sub:` keys. It runs one task as a turn of its own session, stores the outcome, and reports
 * it if no call waits for it.
 * After a crash it continues from the journal: the turn under its message's id, the report under the sub-agent's id.
 */
export function createSubagentRuns(deps: SubagentRunsDeps) {
  const { subagents, service, turns, approvals, live, news, sessions, notify, clock } = deps;

  return async function handle(key: string, signal: AbortSignal): Promise<void> {
    const id = service.idOfKey(key);
    await service.landed(id);
    const one = await subagents.find(id);
    if (one === undefined) return;
    // A crash may have come before the work was ended.
    if (one.state === "cancelled") {
      await service.endWork(one);
      return unasked(one);
    }
    if (one.state !== "running") return tell(one);
    const reply = await turns.run(
      {
        id,
        sessionKey: one.sessionKey,
        text: subagentText("TASK", one.task, { task: one.task }),
        source: "sub-agent",
        origin: "subagent",
        person: { ...one.person, home: one.home },
        bounds: boundsOf(one),
        isWanted: async () => (await subagents.find(id))?.state === "running",
      },
      signal,
    );
    const used = {
      tokens: reply.usage.inputTokens + reply.usage.outputTokens,
      toolCalls: reply.toolCalls.length,
    };
    const changed = await subagents.change(id, (now) =>
      now.state === "running" ? { ...now, ...outcomeOf(reply), ...used, endedAt: clock.now() } : { ...now, ...used },
    );
    if (changed === undefined) return; // its person was erased
    const ended = changed.subagent;
    if (ended.state !== "cancelled" || ended.error?.code !== "CANCELLED") news.ended(ended);
    live.changed(id);
    if (ended.state === "cancelled") await unasked(ended);
    await tell(ended);
  };

  /** Takes back the approval requests of an ended sub-agent: a yes would still have its effect. */
  function unasked({ sessionKey }: Subagent): Promise<void> {
    return approvals.takeBackAsked((asking) => asking === sessionKey, "its sub-agent was ended");
  }

  /** Reports a result that no call takes, once. */
  async function tell({ id }: Subagent): Promise<void> {
    const claimed = await subagents.change(id, (now) =>
      now.delivery === "open" && !now.awaited ? { ...now, delivery: "telling" } : null,
    );
    const one = claimed?.subagent;
    if (one?.delivery !== "telling") return;
    const text = endText(one);
    const { sessionKey } = one.home;
    // Both have the sub-agent's id: repeating them after a crash adds nothing.
    await sessions.addNote(sessionKey, { id: `sub:${id}`, text: `${id}: ${text}`, source: "sub-agent" });
    const requested = !isOfHeartbeat(one.startedBy);
    await notify({ ...addressOf(one), id: `sub:${id}`, type: "background", text, sessionKey, requested });
    await subagents.change(id, (now) => (now.delivery === "telling" ? { ...now, delivery: "told" } : null));
  }
}

function boundsOf({ limits, startedBy, person, unattended }: Subagent) {
  const { speakers } = person;
  return { ...limits, startedBy, ...(speakers && { speakers }), ...(unattended && { unattended }) };
}

function outcomeOf({
  error,
  silent,
  text,
  approvals,
}: Reply): Pick<Subagent, "state" | "result" | "error" | "approvals"> {
  const asked = approvals && approvals.length > 0 && { approvals: approvals.map(({ code }) => code) };
  if (error) return { state: error.code === "ABORTED" ? "cancelled" : "failed", error, ...asked };
  return { state: "done", result: silent ? "" : text, ...asked };
}

function endText({ task, state, result = "", error }: Subagent): string {
  const language = languageOf(task);
  const name = task.replaceAll(/\s+/g, " ");
  const named = { task: shortened(name, MAX_NAME_CHARS) };
  if (state === "cancelled") return subagentText("CANCELLED", { language }, named);
  if (state === "failed") return subagentText("FAILED", { language }, { ...named, reason: error?.message ?? "" });
  const said = result.trim() === "" ? subagentText("NOTHING", { language }) : result;
  return subagentText("DONE", { language }, { ...named, result: said });
}

/** The chat of the conversation that the sub-agent works for. */
function addressOf({ person, home }: Subagent): NoticeAddress {
  const { user, channel, account } = person;
  return { user, channel, account, ...home.target };
}
