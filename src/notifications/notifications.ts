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

/** A message that waits to be read. */
export type Notification = HostMessage & {
  readonly createdAt: Date;
  /** A ULID: those of later ones are greater. */
  readonly eventId: string;
};

/** What is said unasked and waits for the user it is for: a document for each message. */
export interface Notifications extends Erasable, Exportable {
  /** Keeps a message until it is removed. Contract: resolved = durable; the same id is kept once. */
  keep(message: HostMessage): Promise<void>;
  /** What waits, oldest first: of one user, or of all. */
  list(of?: { readonly user?: string | undefined }): Promise<readonly Notification[]>;
  /** @returns False when that user has no such message. Without `user`: when no user has. */
  remove(id: string, user?: string): Promise<boolean>;
  /** Of these users: those under which a button stands, once what they ask is answered. */
  removeAsking(button: string, users: readonly string[]): Promise<void>;
}

const FORMAT = 1;
const ROOM = "notifications";
export const NOTIFICATION_DOCUMENTS: ReadableRoom = [`${ROOM}/`, readKept];
/** Of one user; the oldest go when there are more. */
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
  /** Counts what was read. Default: it is not counted. */
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
      if (!ConflictError.is(error)) throw error; // it is kept already
    }
    const kept = await list(message, MAX_KEPT);
    for (const old of kept.slice(0, -MAX_KEPT)) await store.remove(keyOf(old));
  }

  /** @param over Fewer are not read. */
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
    // Those of earlier versions have no id of an event: they are older than all others.
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

/** What waits for whoever is at the page, without a name, waits for the owner. */
function waitsFor({ isUser, isOwner }: Pick<ExportedPerson, "isUser" | "isOwner">, key: string): boolean {
  const [, user = ""] = keySegments(key);
  return isUser(user) || (isOwner && user === "web");
}

/** @throws {AssistantError} `FORMAT_TOO_NEW`; `STORE_UNSUITABLE` for what is no such message. */
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
  ) as unknown as HostMessage & { readonly v: number; readonly at: number; readonly event?: string }; // written here alone
}

function keyOf({ user, id }: Pick<HostMessage, "user" | "id">): string {
  return storeKey(ROOM, user, id);
}
