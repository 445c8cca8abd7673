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

/** The late result of a pending call. */
export type LateResult = { readonly output: unknown } | { readonly error: string };

/** The fields of a stored pending call that are read. */
interface Waiting {
  /** The conversation that gets the result. */
  readonly sessionKey: string;
  /** The session whose turn made the call, if it is another one. */
  readonly madeIn?: string;
}

/** A result that another party has not handed over after this long is given up. 30 days. */
const PATIENCE_MS = 30 * 24 * 60 * 60 * 1000;

export interface LateResultsParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly redact: ModelRedactor;
  /** Stores a result that is too long for a prompt, and returns what replaces it. */
  keepLong(
    output: JsonValue,
    call: { readonly name: string; readonly callId: string; readonly sessionKey: string; readonly user: string },
  ): Promise<JsonValue>;
  /** Adds a note to a session. Contract: a second note with the same id has no effect. */
  addNote(
    sessionKey: string,
    note: { readonly id: string; readonly text: string; readonly source: string },
  ): Promise<unknown>;
  readonly notify: Notify;
  /** Called when a result for this session's turns has arrived. */
  mayHaveEnded(sessionKey: string): Promise<void>;
}

export type LateResults = ReturnType<typeof createLateResults>;

/**
 * Handles calls whose result comes after their turn: notifies the person, and adds a note that the session's next
 * turn shows.
 */
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

  /**
   * Stores the pending call before the model hears that its result comes later, so that a crash in between is
   * noticed.
   */
  async function expectLater(
    { callId, name, sessionKey, madeIn, tell }: PendingCall,
    work: PendingWork,
  ): Promise<void> {
    const isHere = work !== "elsewhere";
    // Handlers are attached before the first `await`: an unhandled rejection would end the process.
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
   * Hands over the result of a pending call: the session's next turn shows it.
   * @throws {AssistantError} `NOT_FOUND` if no such call waits, or waits no longer.
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
    // The note comes first: after a crash it is added again under the same id, which has no effect.
    await addNote(sessionKey, {
      id: `late:${callId}`,
      text: `${name} (call ${callId}): ${text}`,
      source: `tool ${name}`,
    });
    // An earlier version stored only the user, and only for people whom no channel reaches.
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
    // Both start in the same tick, so that no crash comes between them.
    arrivals.add(madeIn, removing);
    await Promise.all([removing, mayHaveEnded(madeIn)]);
  }

  /** Runs after a restart: results that the last process was computing will never come. */
  async function recover(): Promise<void> {
    for await (const { key } of store.list(LATE_RESULTS)) {
      const callId = keySegments(key).at(-1) ?? "";
      try {
        const found = await store.get(key);
        const { isHere = false, at = 0 } = (found?.value ?? {}) as { readonly isHere?: boolean; readonly at?: number };
        if (isHere) {
          const error = "the program stopped while it ran, so it may or may not have had its effect";
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

  /** Whether a call that this session's turns made still waits for its result. */
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
