import type { Clock } from "../clock.ts";
import { createArrivals } from "../engine/index.ts";
import { AssistantError, ConflictError, messageOf } from "../errors.ts";
import type { NoticeAddress, Notify } from "../notice.ts";
import type { JsonValue, Store } from "../store/index.ts";
import { keySegments, storeKey } from "../store/index.ts";
import type { Logger, ModelRedactor } from "../telemetry/index.ts";
import { asJson } from "./as-json.ts";
import type { PendingCall } from "./tool-call.ts";
import type { PendingWork } from "./tool.ts";

const FORMAT = 1;
/** The folder of calls whose results come later. */
export const LATE_RESULTS = "late-results/";

/** What a call that was under way came to. */
export type LateResult = { readonly output: unknown } | { readonly error: string };

/** What is read of a call that waits. */
interface Waiting {
  /** The conversation that the result comes to. */
  readonly sessionKey: string;
  /** The session whose turn made the call, when it is another one. */
  readonly madeIn?: string;
}

/** A result that somebody else was to hand over, and did not for so long, is given up. */
const PATIENCE_MS = 30 * 24 * 60 * 60 * 1000;

export interface LateResultsParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly redact: ModelRedactor;
  /** Keeps a result that is longer than a prompt shows, and gives what stands in its place. */
  keepLong(
    output: JsonValue,
    call: { readonly name: string; readonly callId: string; readonly sessionKey: string; readonly user: string },
  ): Promise<JsonValue>;
  /** Adds a note to a session. Contract: a second one with the same id has no effect. */
  addNote(
    sessionKey: string,
    note: { readonly id: string; readonly text: string; readonly source: string },
  ): Promise<unknown>;
  readonly notify: Notify;
  /** A result of this session's turns has come. */
  mayHaveEnded(sessionKey: string): Promise<void>;
}

export type LateResults = ReturnType<typeof createLateResults>;

/** Calls whose result comes after their turn: its person is told, and the session's next turn shows it as a note. */
export function createLateResults({
  store,
  clock,
  logger,
  redact,
  keepLong,
  addNote,
  notify,
  mayHaveEnded,
}: LateResultsParts) {
  const arrivals = createArrivals();

  /** Kept before the model hears that the result comes later, so that a crash between the two is noticed. */
  async function expectLater(
    { callId, name, sessionKey, madeIn, tell }: PendingCall,
    work: PendingWork,
  ): Promise<void> {
    const isHere = work !== "elsewhere";
    // Before anything is awaited: a rejection that nobody listens to yet would end the process.
    const settled = isHere
      ? work.then(
          (output): LateResult => ({ output }),
          (error: unknown): LateResult => ({ error: messageOf(error) }),
        )
      : undefined;
    await store.put(
      LATE_RESULTS + storeKey(callId),
      {
        v: FORMAT,
        name,
        sessionKey,
        ...(madeIn !== undefined && { madeIn }),
        at: clock.now(),
        isHere,
        tell: { ...tell },
      },
      { expect: null },
    );
    settled
      ?.then((result) => complete(callId, result))
      .catch((error: unknown) =>
        logger.error("A late result could not be kept", { call: callId, tool: name, error: messageOf(error) }),
      );
  }

  /**
   * Hands over the result of a call that was under way: the session's next turn shows it.
   * @throws {AssistantError} `NOT_FOUND` when no such call waits (any more).
   */
  async function complete(callId: string, result: LateResult): Promise<void> {
    const key = LATE_RESULTS + storeKey(callId);
    const found = await store.get(key);
    const waiting = found?.value as
      | (Waiting & { readonly name: string; readonly tell?: NoticeAddress | string })
      | undefined;
    if (!found || !waiting) {
      throw new AssistantError("NOT_FOUND", `No call ${JSON.stringify(callId.slice(0, 64))} waits for its result`);
    }
    const { name, sessionKey, madeIn = sessionKey, tell } = waiting;
    const output = "error" in result ? `It failed: ${result.error}` : asJson(result.output, name);
    const text = shown(await keepLong(redact(output), { name, callId, sessionKey, user: "runtime" }));
    // The note first: after a crash it is added again under the same id, which adds nothing.
    await addNote(sessionKey, {
      id: `late:${callId}`,
      text: `${name} (call ${callId}): ${text}`,
      source: `tool ${name}`,
    });
    // An earlier version kept the person alone, and only of those whom no channel reaches.
    const address = typeof tell === "string" ? { user: tell } : tell;
    if (address !== undefined) {
      const said = {
        id: `late:${callId}`,
        type: "late",
        text: `${name}: ${text}`,
        sessionKey,
        requested: true,
      } as const;
      await notify({ ...address, ...said });
    }
    const removing = store.remove(key, { expect: found.version }).catch((error: unknown) => {
      if (!ConflictError.is(error)) throw error;
    });
    // In one tick, so that no crash comes between them.
    arrivals.add(madeIn, removing);
    await Promise.all([removing, mayHaveEnded(madeIn)]);
  }

  /** After a restart: what ran in the last process will never come. */
  async function recover(): Promise<void> {
    for await (const { key } of store.list(LATE_RESULTS)) {
      const callId = keySegments(key).at(-1) ?? "";
      try {
        const found = await store.get(key);
        const { isHere = false, at = 0 } = (found?.value ?? {}) as { readonly isHere?: boolean; readonly at?: number };
        if (isHere) {
          const error = "the program stopped while it was under way: it may or may not have had its effect";
          await complete(callId, { error });
        } else if (clock.now() - at > PATIENCE_MS) await complete(callId, { error: "no result came for 30 days" });
      } catch (error) {
        logger.error("A late result of the last process could not be reported", {
          call: callId,
          error: messageOf(error),
        });
      }
    }
  }

  /** Is a result of a call that this session's turns made to come? */
  async function waitsIn(session: string): Promise<boolean> {
    await arrivals.landed(session);
    for await (const { key } of store.list(LATE_RESULTS)) {
      const { sessionKey, madeIn = sessionKey } = ((await store.get(key))?.value ?? {}) as Partial<Waiting>;
      if (madeIn === session) return true;
    }
    return false;
  }

  return { expectLater, complete, waitsIn, recover };
}

function shown(output: JsonValue): string {
  return typeof output === "string" ? output : JSON.stringify(output);
}
