import type { Clock } from "../clock.ts";
import { AssistantError, ConflictError, messageOf } from "../errors.ts";
import type { JsonValue, Store } from "../store/index.ts";
import { keySegments, storeKey } from "../store/index.ts";
import type { Logger, Redactor } from "../telemetry/index.ts";
import { asJson } from "./as-json.ts";
import type { PendingWork } from "./tool.ts";

const FORMAT = 1;
const PREFIX = "late-results/";

/** What a call that was under way came to. */
export type LateResult = { readonly output: unknown } | { readonly error: string };

export interface LateResultsParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly redact: Redactor;
  /** Adds a note to a session. Contract: a second one with the same id has no effect. */
  addNote(
    sessionKey: string,
    note: { readonly id: string; readonly text: string; readonly source: string },
  ): Promise<unknown>;
}

export type LateResults = ReturnType<typeof createLateResults>;

/** Calls whose result comes after their turn, as a note in the session that the next turn shows. */
export function createLateResults({ store, clock, logger, redact, addNote }: LateResultsParts) {
  /** Kept before the model hears that the result comes later, so that a crash between the two is noticed. */
  async function expectLater(
    { callId, name, sessionKey }: { readonly callId: string; readonly name: string; readonly sessionKey: string },
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
      PREFIX + storeKey(callId),
      { v: FORMAT, name, sessionKey, at: clock.now(), isHere },
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
    const key = PREFIX + storeKey(callId);
    const found = await store.get(key);
    const waiting = found?.value as { readonly name: string; readonly sessionKey: string } | undefined;
    if (!found || !waiting) {
      throw new AssistantError("NOT_FOUND", `No call ${JSON.stringify(callId.slice(0, 64))} waits for its result`);
    }
    const { name, sessionKey } = waiting;
    const text = redact("error" in result ? `It failed: ${result.error}` : shown(asJson(result.output, name)));
    // The note first: after a crash it is added again under the same id, which adds nothing.
    await addNote(sessionKey, {
      id: `late:${callId}`,
      text: `${name} (call ${callId}): ${text}`,
      source: `tool ${name}`,
    });
    await store.remove(key, { expect: found.version }).catch((error: unknown) => {
      if (!ConflictError.is(error)) throw error;
    });
  }

  /** After a restart: what ran in the last process will never come. */
  async function recover(): Promise<void> {
    for await (const { key } of store.list(PREFIX)) {
      const found = await store.get(key);
      const { isHere = false } = (found?.value ?? {}) as { readonly isHere?: boolean };
      if (!isHere) continue;
      const error = "the program stopped while it was under way: it may or may not have had its effect";
      await complete(keySegments(key).at(-1) ?? "", { error });
    }
  }

  return { expectLater, complete, recover };
}

function shown(output: JsonValue): string {
  return typeof output === "string" ? output : JSON.stringify(output);
}
