import type { createSessions } from "../../src/session/index.ts";
import { ADA } from "./support.ts";

const USAGE = { inputTokens: 1, outputTokens: 1 };

/** What a turn was like, as far as its skills are concerned. */
export interface TurnGiven {
  readonly user?: string;
  readonly roles?: readonly string[];
  /** The group that it was in. Default: the person's direct chat. */
  readonly group?: string;
  readonly skills?: readonly string[];
  readonly tools?: readonly string[];
  /** Code of what went wrong. */
  readonly error?: string;
  readonly origin?: "job";
  /** Default: the reply went to a channel. */
  readonly target?: boolean;
}

/** Writes a turn into a session's log. @returns The number of the record of its reply. */
export async function addTurn(
  sessions: ReturnType<typeof createSessions>,
  session: string,
  turn: string,
  given: TurnGiven = {},
): Promise<number> {
  const {
    user = ADA,
    roles = ["user"],
    group,
    skills = ["research"],
    tools = [],
    error,
    origin,
    target = true,
  } = given;
  const sender = { id: user.slice(user.indexOf(":") + 1) };
  const peer =
    group === undefined ? ({ kind: "direct", id: sender.id } as const) : ({ kind: "group", id: group } as const);
  const to = target ? { target: { channel: "telegram", account: "default", chat: peer.id } } : {};
  const id = `telegram:default:${turn}`;
  await sessions.append(session, {
    type: "in",
    id,
    turn,
    text: "please",
    user,
    channel: "telegram",
    account: "default",
    peer,
    sender,
    roles,
    ...to,
    ...(origin && { origin }),
  });
  const activated = skills.map((name) => ({
    name,
    hash: "0".repeat(64),
    confidence: 0.75,
    signals: [{ kind: "intent", weight: 0.5 }],
  }));
  await sessions.append(session, {
    type: "step",
    turn,
    step: 0,
    of: [id],
    seen: 0,
    ...(skills.length > 0 && { skills: { shown: "# Activated skills", activated } }),
    message: { role: "assistant", content: "done" },
    text: "done",
    calls: [],
    usage: USAGE,
    finish: "stop",
    model: "scripted",
  });
  const { seq } = await sessions.append(session, {
    type: "out",
    turn,
    of: [id],
    text: "done",
    silent: false,
    parts: target ? ["do", "ne"] : [],
    ...to,
    toolCalls: tools.map((name) => ({ name, input: {}, output: "ok", durationMs: 1 })),
    usage: USAGE,
    steps: 1,
    ...(error !== undefined && { error: { code: error, message: error } }),
  });
  return seq;
}
