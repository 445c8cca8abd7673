import { statementsPrompt } from "../../context/index.ts";
import { messageOf } from "../../errors.ts";
import { type MemoryDraft, statementDraft } from "../../memory/index.ts";
import { type InRecord, type OutRecord, type Sequenced, refOf } from "../../session/index.ts";
import { STATEMENT_KINDS, type StatementKind, isLasting, unreadSentences } from "../../statements/index.ts";
import type { Logger, ModelRedactor } from "../../telemetry/index.ts";

/** Minimum messages of one memory user between two looks. */
export const MESSAGES_A_LOOK = 10;
const MAX_SENTENCES = 20;
const MAX_SECONDS = 20;
/** Messages that are this many records old are no longer looked at. */
const MAX_RECORDS = 200;

/** A message and its reply. */
export interface Answered {
  readonly message: Sequenced<InRecord>;
  readonly out: Sequenced<OutRecord>;
}

/**
 * State of one memory user in a session: messages since the last look, and the record up to which messages were looked
 * at.
 */
export interface Look {
  readonly userId: string;
  readonly heard: number;
  readonly upTo: number;
}

/** Tracks the messages of one session, oldest first, and which are due for a look. */
export function createLooks(saved: readonly Look[] = []) {
  const looks = new Map(saved.map((look) => [look.userId, look]));
  const unread = new Map<string, Answered[]>();

  return {
    /** @param isNew Whether no earlier run counted the message. */
    hear(userId: string, answered: Answered, isNew: boolean): void {
      const { heard, upTo } = looks.get(userId) ?? { heard: 0, upTo: 0 };
      if (isNew) looks.set(userId, { userId, heard: Math.min(heard + 1, MESSAGES_A_LOOK), upTo });
      if (answered.out.seq <= upTo || unreadSentences(answered.message.text).length === 0) return;
      unread.set(userId, [...(unread.get(userId) ?? []), answered]);
    },
    /** Drops an edited or deleted message. */
    changed(ref: string): void {
      for (const [userId, messages] of unread) {
        const left = messages.filter(({ message }) => refOf(message) !== ref);
        if (left.length > 0) unread.set(userId, left);
        else unread.delete(userId);
      }
    },
    /** Users with messages that are due for a look. */
    due: (): readonly (readonly [userId: string, messages: readonly Answered[]])[] =>
      [...unread].filter(([userId]) => (looks.get(userId)?.heard ?? 0) >= MESSAGES_A_LOOK),
    looked(userId: string, upTo: number): void {
      looks.set(userId, { userId, heard: 0, upTo });
      unread.delete(userId);
    },
    /** The first record that a later look needs. */
    from: (seq: number): number =>
      Math.min(
        Infinity,
        ...[...unread.values()].flat().flatMap(({ message }) => (message.seq > seq - MAX_RECORDS ? message.seq : [])),
      ),
    saved: (): readonly Look[] => [...looks.values()],
  };
}

export interface SecondLookDeps {
  /** A real model, used outside of turns. */
  readonly model: {
    budget(): { readonly ok: boolean };
    ask(
      prompt: ReturnType<typeof statementsPrompt>,
      work: {
        readonly name: string;
        readonly user: string;
        readonly purpose: "memory";
        readonly signal?: AbortSignal | undefined;
        readonly maxSeconds: number;
      },
    ): Promise<string>;
  };
  /** Sentences with a secret are not shown to the model. */
  readonly redact: ModelRedactor;
  readonly logger: Pick<Logger, "warn">;
}

/** A statement that a model found, in the words of its message. */
export interface Found extends Answered {
  readonly draft: MemoryDraft;
  /** Index among the sentences of its message that no rule could read. */
  readonly index: number;
}

export type SecondLook = ReturnType<typeof createSecondLook>;

/**
 * Lets a model choose statements among sentences about oneself that the rules could not read. The person's own words
 * are stored, not the model's.
 *
 * Source: docs/capture-model.md.
 */
export function createSecondLook({ model, redact, logger }: SecondLookDeps) {
  return {
    /** Whether the budget allows a call. */
    isOpen: (): boolean => model.budget().ok,
    /** @returns An empty list if the model fails. */
    async find(messages: readonly Answered[], signal: AbortSignal | undefined): Promise<readonly Found[]> {
      const unread = messages.flatMap((answered) =>
        unreadSentences(answered.message.text).map((text, index) => ({ ...answered, text, index })),
      );
      const sentences = [...new Map(unread.map((sentence) => [sentence.text, sentence])).values()]
        .filter(({ text }) => redact(text) === text)
        .slice(-MAX_SENTENCES);
      const user = sentences.at(-1)?.message.user;
      if (user === undefined) return [];
      const prompt = statementsPrompt(sentences.map(({ text }) => text));
      try {
        const answer = await model.ask(prompt, {
          name: "capture",
          user,
          purpose: "memory",
          signal,
          maxSeconds: MAX_SECONDS,
        });
        return [...chosenIn(answer)].flatMap(([number, kind]) => {
          const sentence = sentences[number - 1];
          if (!sentence) return [];
          const { text, ...rest } = sentence;
          return [{ ...rest, draft: statementDraft({ kind, text, lasting: isLasting(kind, text) }) }];
        });
      } catch (error) {
        logger.warn("A model could not look at what people stated", { error: messageOf(error) });
        return [];
      }
    },
  };
}

const CHOSEN = new RegExp(String.raw`^\W*(\d{1,2})\W+(${STATEMENT_KINDS.join("|")})\W*$`, "i");

/** Returns sentence numbers with their kinds; ignores lines in any other form. */
function chosenIn(answer: string): ReadonlyMap<number, StatementKind> {
  const chosen = new Map<number, StatementKind>();
  for (const line of answer.slice(0, 2000).split("\n")) {
    const [, number, kind] = CHOSEN.exec(line.trim()) ?? [];
    if (number !== undefined && kind !== undefined) chosen.set(Number(number), kind.toLowerCase() as StatementKind);
  }
  return chosen;
}
