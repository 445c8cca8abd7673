import { isUnstored } from "../artifacts/index.ts";
import type { ContextOptions } from "../channel.ts";
import { beginningOf } from "../context/index.ts";
import { type InRecord, type LoggedTurn, type Session } from "../session/index.ts";
import { type Audiences, newestOf } from "./audiences.ts";
import { boundedAgent, boundedOptions } from "./bounds.ts";
import type { MessageFiles } from "./files.ts";
import type { TurnAgent } from "./model-calls.ts";
import type { Answered } from "./replies.ts";
import type { Turn } from "./turn-at-work.ts";
import type { TurnStop } from "./turn-stop.ts";

/** The point where a turn begins: at waiting messages, or at the last record of a begun turn. */
export type TurnBeginning =
  | { readonly kind: "resume"; readonly stopped: boolean }
  | {
      readonly kind: "start";
      readonly batch: readonly InRecord[];
      readonly summarized: readonly InRecord[];
      readonly stopped: boolean;
    };

export interface BeginningsDeps {
  readonly files: Pick<MessageFiles, "keep">;
  readonly audiences: Pick<Audiences, "of">;
  /**
   * The agent of a session.
   * @throws {AssistantError} `NOT_FOUND` if it is no longer configured.
   */
  agentOf(sessionKey: string): TurnAgent;
  /** The options for a prompt that answers a message: the assistant's, overridden by its channel's. */
  contextOptions(message: InRecord): ContextOptions;
}

export type Beginnings = ReturnType<typeof createBeginnings>;

export function createBeginnings({ files, audiences, agentOf, contextOptions }: BeginningsDeps) {
  /** @throws {RangeError} If the messages of an open turn are not in the log; also as `agentOf`. */
  async function open(session: Session, given: TurnBeginning, stop: TurnStop): Promise<Turn> {
    const beginning = await withFiles(session, given, stop);
    const { id, inputs, messages, summarized } = readBeginning(session, beginning);
    const newest = newestOf(session, messages);
    const { bounds } = newest;
    const chosen = { ...contextOptions(newest), ...newest.options };
    const options = bounds === undefined ? chosen : boundedOptions(chosen, bounds);
    const agent = bounds === undefined ? agentOf(session.key) : boundedAgent(agentOf(session.key), bounds);
    const turn = { id, session, agent, inputs, summarized, seen: session.seq, options, stop };
    return { ...turn, audience: audiences.of(turn, messages) };
  }

  /** Stores the files of new messages. A resumed turn has shown its messages before, so their files are known. */
  async function withFiles(session: Session, beginning: TurnBeginning, stop: TurnStop): Promise<TurnBeginning> {
    const { kind, stopped } = beginning;
    if (kind === "resume" || stopped || !beginning.batch.some(({ attachments }) => isUnstored(attachments)))
      return beginning;
    try {
      return { ...beginning, batch: await files.keep(session, beginning.batch, stop.signal) };
    } catch (error) {
      // A person stopped the turn during this. The turn itself reports that.
      if (stop.signal.aborted) return beginning;
      throw error;
    }
  }

  return { open };
}

/** What a turn answers. Reads only what is known before anything can fail. */
export function answeredBy(session: Session, beginning: TurnBeginning): Answered {
  const messages = messagesOf(session, beginning);
  const newest = messages.at(-1);
  const id = (beginning.kind === "resume" ? session.open?.id : messages[0]?.turn) ?? "unknown";
  return {
    id,
    of: messages.map((message) => message.id),
    text: newest?.text ?? "",
    target: newest?.target,
    seen: session.seq,
  };
}

export function messagesOf({ open }: Session, beginning: TurnBeginning): readonly InRecord[] {
  if (beginning.kind === "start") return [...beginning.summarized, ...beginning.batch];
  return (open?.inputs ?? []).filter((input) => input.type === "in");
}

const NO_TURN: Pick<LoggedTurn, "id" | "inputs" | "steps"> = { id: "unknown", inputs: [], steps: [] };

function readBeginning(session: Session, beginning: TurnBeginning) {
  const messages = messagesOf(session, beginning);
  if (beginning.kind === "resume") {
    const { open = NO_TURN } = session;
    // Messages that joined later are shown before the steps that they joined for, not here.
    const { inputs, summarized = [] } = beginningOf(open);
    // A copy, because the log's list grows when messages join, and the prompt's beginning must not.
    return { id: open.id, inputs: [...inputs], messages, summarized };
  }
  return {
    id: messages[0]?.turn ?? "unknown",
    inputs: [...session.notes, ...session.heard, ...messages],
    messages,
    summarized: beginning.summarized.map((message) => message.id),
  };
}
