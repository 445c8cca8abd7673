import type { ModelAnswer } from "../agent/index.ts";
import { type PromptMessage, injectedMessage, joinedMessages, stepMessages } from "../context/index.ts";
import { AssistantError } from "../errors.ts";
import type { LoggedTurn, Sessions } from "../session/index.ts";
import type { CallerLink } from "../speaker.ts";
import type { Announcements } from "./announcements.ts";
import { TOO_MANY_CALLS, checkBounds, isOverCalls } from "./bounds.ts";
import type { Audiences, Joined } from "./audiences.ts";
import type { MessageFiles } from "./files.ts";
import type { ModelCalls } from "./model-calls.ts";
import type { Prompt } from "./prompts.ts";
import type { Ending, NewStep } from "./replies.ts";
import { turnText } from "./texts.ts";
import { SKIPPED, type ToolCalls, firstToolRecords } from "./tool-calls.ts";
import { type Turn, askingOf, writerOf } from "./turn-at-work.ts";
import { isLeftForLater, stoppedByPerson } from "./turn-stop.ts";

export interface StepsDeps {
  readonly modelCalls: Pick<ModelCalls, "ask">;
  readonly toolCalls: Pick<ToolCalls, "check" | "run" | "finish">;
  readonly audiences: Pick<Audiences, "join" | "joinable">;
  readonly announcements: Pick<Announcements, "iteration">;
  readonly files: Pick<MessageFiles, "keep" | "stopShowing">;
  readonly sessions: Pick<Sessions, "appendTurn">;
  /** The budget of the work that a session belongs to directly or through the sessions that started it. */
  readonly work: {
    /**
     * Checks that the work may take another step.
     * @throws {AssistantError} `BUDGET_EXCEEDED`.
     */
    check(worker: Worker): Promise<void>;
    /** Whether the work may make this many more calls. */
    mayCall(worker: Worker, calls: number): Promise<boolean>;
  };
}

/** A working session, and the chain of sessions that started it. */
type Worker = Pick<CallerLink, "sessionKey" | "startedBy">;

export type Steps = ReturnType<typeof createSteps>;

export function createSteps({ modelCalls, toolCalls, audiences, announcements, files, sessions, work }: StepsDeps) {
  /**
   * Alternates model calls and tool calls until the model calls no more tools. A resumed
   * turn enters after its last record.
   */
  async function take(turn: Turn, prompt: Prompt): Promise<Ending> {
    const { session, agent, audience, stop } = turn;
    const isOpen = session.open?.id === turn.id;
    const logged = isOpen ? (session.open?.steps ?? []) : [];
    const last = logged.at(-1);
    if (last?.calls.length === 0) return { text: asEnded(last, audience.newest.text) };
    if (last) {
      const reply = await toolCalls.finish(turn, last);
      if (reply !== undefined) return { text: reply };
    }
    // What the turn itself appends to the prompt that it began with.
    const own = isOpen && session.open ? ownMessages(session.open) : [];

    // Messages that joined for an aborted model call are logged with the next one that completes.
    let before: Joined = {};
    for (let number = logged.length; number < agent.maxSteps;) {
      await work.check(workerOf(turn));
      stop.goOn();
      checkBounds(audience.newest.bounds, session.open?.id === turn.id ? session.open.steps : []);
      // Another process logged the stop, or it came before this turn was registered.
      if (session.stoppedAt > turn.seen) throw stoppedByPerson();
      const joining = audiences.join(turn);
      if (joining.joined) audience.messages = await files.keep(session, audience.messages, stop.signal);
      before = both(before, joining);
      own.push(...joinedMessages(audience.messages, joining));
      const injected = await injectedBefore(turn, prompt, number);
      // The last step offers no tools, so that it has to be an answer.
      const isLast = number === agent.maxSteps - 1;
      let answer: ModelAnswer;
      try {
        answer = await askWithRoom(turn, prompt, withInjected(own, injected), isLast ? "none" : "auto");
      } catch (error) {
        if (!isLeftForLater(error) && stop.goOn()) continue;
        throw error;
      }
      const step: NewStep = {
        ...newStep(turn, prompt, answer, number),
        ...before,
        ...(injected !== undefined && { injected }),
      };
      before = {};
      if (step.calls.length === 0) return { step, text: asEnded(step, audience.newest.text) };
      if (isLast) {
        const text = answer.text.trim() || turnText("STEP_LIMIT", audience.newest.text);
        const message = { role: "assistant", content: [{ type: "text", text }] };
        return { step: { ...step, message, text, calls: [] }, text };
      }
      // The person's new message can make these calls wrong, so none of them begins.
      const isOutrun = audiences.joinable(turn).length > 0;
      const { bounds } = audience.newest;
      const isOver =
        bounds &&
        (isOverCalls(bounds, [...(session.open?.steps ?? []), step]) ||
          !(await work.mayCall(workerOf(turn), step.calls.length)));
      const skipped = isOutrun ? SKIPPED : isOver ? TOO_MANY_CALLS : undefined;
      await sessions.appendTurn(session, [step, ...firstToolRecords(turn.id, step, skipped)]);
      const reply = skipped ? undefined : await toolCalls.run(turn, step);
      if (reply !== undefined) return { text: reply };
      own.push(...stepMessages(step, session.open?.tools ?? []));
      number += 1;
    }
    return { text: turnText("STEP_LIMIT", audience.newest.text) };
  }

  /**
   * One model call with a prompt that fits the window. Repeated once with a shorter prompt if
   * the provider reports an overflow.
   */
  async function askWithRoom(
    turn: Turn,
    prompt: Prompt,
    own: readonly PromptMessage[],
    toolChoice: "auto" | "none",
  ): Promise<ModelAnswer> {
    const call = (shown: readonly PromptMessage[]) =>
      modelCalls.ask(writerOf(askingOf(turn)), { ...prompt.call(shown), tools: turn.audience.tools, toolChoice });
    let shown = await prompt.fit(own);
    let answer: ModelAnswer;
    try {
      answer = await call(shown);
    } catch (error) {
      if (!AssistantError.is(error, "CONTEXT_OVERFLOW")) throw error;
      prompt.learnOverflow(shown);
      shown = await prompt.fit(own, true);
      answer = await call(shown);
    }
    if (answer.unshown) {
      prompt.leaveOut(answer.unshown);
      if (answer.isUnshownForGood) await files.stopShowing(turn.session, turn.audience.messages, answer);
    }
    prompt.learn(shown, { model: answer.model, inputTokens: answer.usage.inputTokens });
    return answer;
  }

  /**
   * What hooks injected around the tools of the previous step, and before this one. This model call shows it, and
   * it is journaled with the answer.
   */
  async function injectedBefore(turn: Turn, prompt: Prompt, number: number): Promise<string | undefined> {
    const around = (turn.session.open?.tools ?? []).flatMap(({ step, injections = [] }) =>
      step === number - 1 ? injections : [],
    );
    return prompt.shownBetween([...around, ...(await announcements.iteration(turn, number))]);
  }

  function newStep(turn: Turn, { block, skills }: Prompt, answer: ModelAnswer, number: number): NewStep {
    const { id, seen, summarized, options, audience } = turn;
    return {
      type: "step",
      turn: id,
      step: number,
      ...(number === 0 && {
        of: audience.messages.map((message) => message.id),
        seen,
        ...(block !== undefined && { block }),
        ...(skills !== undefined && { skills }),
        ...(summarized.length > 0 && { summarized }),
      }),
      message: answer.message,
      text: answer.text,
      calls: toolCalls.check(answer.calls, options.excludeTools ?? []),
      usage: answer.usage,
      finish: answer.finish,
      model: answer.model,
    };
  }

  return { take };
}

function workerOf({ session, audience }: Turn): Worker {
  return { ...audience.newest.bounds, sessionKey: session.key };
}

/**
 * Adds a note to an answer that its model's limit or its provider's filter ended. A partial answer must not pass for
 * a complete one, nor an empty one for silence.
 */
function asEnded({ text, finish }: Pick<NewStep, "text" | "finish">, said: string): string {
  const why = finish === "length" ? "CUT_OFF" : finish === "content-filter" ? "CONTENT_FILTERED" : undefined;
  return why === undefined ? text : `${text}\n\n${turnText(why, said)}`.trim();
}

/** What a resumed turn had appended to its prompt. */
function ownMessages({ inputs, steps, tools }: LoggedTurn): PromptMessage[] {
  return steps.flatMap((step) => [...joinedMessages(inputs, step), ...stepMessages(step, tools)]);
}

/** Combines the messages that joined for two model calls, of which the first was aborted. */
function both(one: Joined, other: Joined): Joined {
  const joined = [...(one.joined ?? []), ...(other.joined ?? [])];
  return joined.length === 0 ? {} : { joined, ...((one.brokeIn ?? other.brokeIn) && { brokeIn: true }) };
}

function withInjected(messages: readonly PromptMessage[], injected: string | undefined): readonly PromptMessage[] {
  return injected === undefined ? messages : [...messages, injectedMessage(injected)];
}
