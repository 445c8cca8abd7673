import type { Clock } from "../clock.ts";
import {
  type Erasable,
  type Exportable,
  type ExportedPerson,
  eraseUnder,
  exportUnder,
  isKeyOf,
  waitsInSessionOf,
} from "../erasable/index.ts";
import { ConflictError } from "../errors.ts";
import type { EventBus } from "../events/index.ts";
import { newId } from "../ids.ts";
import type { HostMessage } from "../reply.ts";
import { type Logger, type Metrics, leftOut } from "../telemetry/index.ts";
import {
  type JsonValue,
  type ReadableRoom,
  type Store,
  areObjects,
  keySegments,
  listKeys,
  readDocument,
  storeKey,
} from "../store/index.ts";

/** An unread message. */
export type Notification = HostMessage & {
  readonly createdAt: Date;
  /** A ULID: later messages have greater ones. */
  readonly eventId: string;
};

/** Unrequested messages that wait for their user, one document each. */
export interface Notifications extends Erasable, Exportable {
  /** Keeps a message until it is removed. Contract: resolved = durable; the same id is kept once. */
  keep(message: HostMessage): Promise<void>;
  /** Lists unread messages, oldest first: of one user, or of all. */
  list(of?: { readonly user?: string | undefined }): Promise<readonly Notification[]>;
  /** @returns False when the user has no such message. Without `user`: when no user has it. */
  remove(id: string, user?: string): Promise<boolean>;
  /** Removes the messages of these users that show a button, once its question is answered. */
  removeAsking(button: string, users: readonly string[]): Promise<void>;
}

const FORMAT = 1;
const ROOM = "notifications";
export const NOTIFICATION_DOCUMENTS: ReadableRoom = [`${ROOM}/`, readKept];
/** Most messages of one user; the oldest are removed. */
const MAX_KEPT = 100;

export function createNotifications({
  store,
  clock,
  events,
  metrics,
  logger,
}: {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  /** Gets `notification.kept`. Default: no event is published. */
  readonly events?: Pick<EventBus, "has" | "publishAsync">;
  /** Counts messages that were read. Default: no count. */
  readonly metrics?: Pick<Metrics, "increment">;
  /** Default: nothing is logged. */
  readonly logger?: Pick<Logger, "error">;
}): Notifications {
  async function keep(message: HostMessage): Promise<void> {
    const eventId = newId(clock);
    const value = { v: FORMAT, ...message, at: clock.now(), event: eventId } as unknown as JsonValue; // plain JSON
    try {
      await store.put(keyOf(message), value, { expect: null });
      if (events?.has("notification.kept")) {
        const { sessionKey } = message;
        const payload = { ...message, eventId };
        events.publishAsync({ type: "notification.kept", sessionId: sessionKey, timestamp: clock.now(), payload });
      }
    } catch (error) {
      if (!ConflictError.is(error)) throw error; // already kept
    }
    const kept = await list(message, MAX_KEPT);
    for (const old of kept.slice(0, -MAX_KEPT)) await store.remove(keyOf(old));
  }

  /** @param over Reads nothing unless there are more messages than this. */
  async function list({ user }: { readonly user?: string | undefined } = {}, over = 0) {
    const keys = await listKeys(store, `${user === undefined ? ROOM : storeKey(ROOM, user)}/`);
    const found: Notification[] = [];
    for (const key of keys.length > over ? keys : []) {
      const message = await load(key).catch(leftOut(logger));
      if (message) found.push(message);
    }
    return found.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
  }

  async function load(key: string): Promise<Notification | null> {
    const kept = await store.get(key);
    if (!kept) return null;
    // Messages of earlier versions have no event id: they are older than all others.
    const { v: _format, at, event: eventId = "", ...message } = readKept(kept.value, key);
    return { ...message, createdAt: new Date(at), eventId };
  }

  async function remove(id: string, user?: string): Promise<boolean> {
    const found =
      user === undefined
        ? (await list()).find((message) => message.id === id)
        : await load(keyOf({ user, id })).catch(leftOut(logger));
    if (found) await removeRead(found);
    return Boolean(found);
  }

  async function removeAsking(button: string, users: readonly string[]): Promise<void> {
    for (const user of users)
      for (const message of await list({ user }))
        if (message.buttons?.some(({ id }) => id === button)) await removeRead(message);
  }

  async function removeRead(message: Notification): Promise<void> {
    await store.remove(keyOf(message));
    metrics?.increment("proactive.notification.read_total");
  }

  return {
    keep,
    list,
    remove,
    removeAsking,
    exportPerson: (person) => exportUnder(store, `${ROOM}/`, (key) => waitsFor(person, key)),
    forget: (person) =>
      eraseUnder(store, `${ROOM}/`, person, {
        isTheirs: (key) => isKeyOf(person, key) || waitsFor(person, key),
        isOver: waitsInSessionOf(person),
      }),
  };
}

/** Messages to the unnamed person at the page belong to the owner. */
function waitsFor({ isUser, isOwner }: Pick<ExportedPerson, "isUser" | "isOwner">, key: string): boolean {
  const [, user = ""] = keySegments(key);
  return isUser(user) || (isOwner && user === "web");
}

/** @throws {AssistantError} `FORMAT_TOO_NEW`; `STORE_UNSUITABLE` for another document. */
export function readKept(value: unknown, key: string) {
  return readDocument(
    value,
    key,
    FORMAT,
    ({ id, user, sessionKey, text, at, buttons = [] }) =>
      [id, user, sessionKey, text].every((one) => typeof one === "string") &&
      typeof at === "number" &&
      !Number.isNaN(new Date(at).getTime()) &&
      areObjects(buttons),
  ) as unknown as HostMessage & { readonly v: number; readonly at: number; readonly event?: string }; // only this file writes it
}

function keyOf({ user, id }: Pick<HostMessage, "user" | "id">): string {
  return storeKey(ROOM, user, id);
}
