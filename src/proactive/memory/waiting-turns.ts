import type { ApprovalEnd, InRecord, OutRecord, Sequenced } from "../../session/index.ts";

/** How long a turn waits for its calls: as long as ended requests are kept. */
const MAX_WAIT_MS = 30 * 86_400_000;

/** A turn with approval requests, and the later turns that answered their outcomes. */
export interface WaitingTurn {
  /** The reply that contains the requests. */
  readonly out: Sequenced<OutRecord>;
  readonly messages: readonly Sequenced<InRecord>[];
  readonly calls: readonly OutRecord["toolCalls"][number][];
  /** How its calls ended, by the codes of their requests. */
  readonly ends: ReadonlyMap<string, NamedEnd>;
  /** The reply to the last outcome. */
  readonly reply: string;
}

export interface NamedEnd extends ApprovalEnd {
  readonly tool: string;
}

interface Open {
  readonly out: Sequenced<OutRecord>;
  readonly messages: readonly Sequenced<InRecord>[];
  readonly calls: OutRecord["toolCalls"][number][];
  readonly ends: Map<string, NamedEnd>;
  /** Requests without an outcome, by id. */
  readonly asked: Map<string, { readonly code: string; readonly name: string }>;
  reply: string;
}

/** What a reply means for the waiting turns. */
export interface Followed {
  /** Whether it belongs to a waiting turn, whose outcome is not yet known. */
  readonly isPart: boolean;
  /** Turns that no longer wait. */
  readonly ended: readonly WaitingTurn[];
}

/** Follows the replies of one session, oldest first: which turns wait for the owner, and how their requests ended. */
export function createWaitingTurns() {
  let open: Open[] = [];

  function follow(out: Sequenced<OutRecord>, messages: readonly Sequenced<InRecord>[]): Followed {
    open = open.filter((turn) => out.at - turn.out.at < MAX_WAIT_MS);
    const ends = messages.flatMap(({ approval }) => approval ?? []);
    const isFollowUp = ends.length === messages.length;
    let turn = isFollowUp ? open.findLast(({ asked }) => ends.some(({ id }) => asked.has(id))) : undefined;
    if (turn) turn.calls.push(...out.toolCalls);
    else if (out.approvals !== undefined && out.approvals.length > 0) {
      turn = { out, messages, calls: [...out.toolCalls], ends: new Map(), asked: new Map(), reply: out.text };
      open.push(turn);
    }
    for (const { id, code, name } of out.approvals ?? []) turn?.asked.set(id, { code, name });
    const said = out.error ? "" : out.text;
    // Waiting turns are older than this `memory_forget` call and may contain what must be forgotten, so drop them.
    if (out.toolCalls.some(({ name }) => name === "memory_forget")) open = [];
    for (const end of ends) {
      for (const one of open) {
        const request = one.asked.get(end.id);
        if (!request) continue;
        one.asked.delete(end.id);
        one.ends.set(request.code, { ...end, tool: request.name });
        one.reply = said;
      }
    }
    const ended = open.filter(({ asked }) => asked.size === 0);
    open = open.filter(({ asked }) => asked.size > 0);
    return { isPart: turn !== undefined, ended };
  }

  return {
    follow,
    /** The first record that a waiting turn still needs. */
    from: (): number =>
      Math.min(Infinity, ...open.flatMap(({ out, messages }) => [out.seq, ...messages.map(({ seq }) => seq)])),
  };
}
