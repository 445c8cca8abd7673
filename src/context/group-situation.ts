import type { HeardRecord, InRecord, Session, TurnInputRecord } from "../session/index.ts";
import { speakerName } from "./speakers.ts";

const LOOKED_BACK_MS = 10 * 60_000;
/** People who are named. Further ones are only counted. */
const MAX_NAMED = 8;

export interface GroupMoment {
  readonly session: Pick<Session, "history">;
  /** What the turn answers, and what else was said. */
  readonly inputs: readonly TurnInputRecord[];
  readonly nowMs: number;
}

type Said = InRecord | HeardRecord;

/**
 * What a member of the group would know: who spoke now, how lively the group is, the assistant's share of the
 * messages, and whether it was addressed. Lines of the runtime's block; pure.
 *
 * Source: docs/context.md, "Groups".
 */
export function groupSituation({ session, inputs, nowMs }: GroupMoment): readonly string[] {
  const now = inputs.filter(isSaid);
  const messages = now.filter((one) => one.type === "in");
  const since = nowMs - LOOKED_BACK_MS;
  const recent = now.filter(({ at }) => at >= since);
  let own = 0;
  for (let index = session.history.length - 1; index >= 0; index -= 1) {
    const { inputs: before, out } = session.history[index]!;
    if (!out || out.at < since) break;
    if (!out.silent && !out.error) own += 1;
    for (const one of before) if (isSaid(one) && one.at >= since) recent.push(one);
  }
  const speakers = new Set(recent.map(({ sender }) => sender.id)).size;
  const aMinute = Math.round((recent.length / (LOOKED_BACK_MS / 60_000)) * 10) / 10;
  const share = recent.length + own === 0 ? 0 : Math.round((100 * own) / (recent.length + own));
  const addressing = messages.filter(({ mentioned }) => mentioned === true);
  return [
    ...(now.length === 0 ? [] : [`spoke now: ${named(now)}`]),
    `the last 10 minutes: ${aMinute} messages a minute, ${speakers} ${speakers === 1 ? "person" : "people"}; ${share}% of what was said was yours`,
    addressing.length > 0 ? `you were addressed by: ${named(addressing)}` : "you were not addressed",
  ];
}

/** Whether a person said it. Notes and results have no speaker. */
function isSaid(input: TurnInputRecord): input is Said {
  return input.type === "heard" || (input.type === "in" && input.source === undefined);
}

/** Names in the order in which people first spoke. */
function named(said: readonly Said[]): string {
  // A name with a comma would read as two people.
  const names = new Map(said.map(({ sender }) => [sender.id, speakerName(sender).replace(/[,，、;]+/g, " ")]));
  const shown = [...names.values()].slice(0, MAX_NAMED);
  return names.size > shown.length ? `${shown.join(", ")} and ${names.size - shown.length} more` : shown.join(", ");
}
