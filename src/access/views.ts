import { visibleLine } from "../call-text.ts";
import type { AccountRecord, AskedRecord, PersonRecord } from "./records.ts";

/** A person on one account of a channel. */
export interface Somebody {
  /** `channel:account:id`, each part with `%` and `:` escaped. `remove` takes it. */
  readonly key: string;
  /** `channel:id`. */
  readonly user: string;
  /** Name of the channel, such as `telegram`. */
  readonly channel: string;
  /** Account of the channel; `default` if it has only one. */
  readonly account: string;
  /** The platform's stable id. */
  readonly id: string;
  /** The person's display name. Anyone can choose any name. */
  readonly name?: string;
}

/** A person who waits to be let in. */
export interface AskedView extends Somebody {
  /** The code with which the owner lets the person in. */
  readonly code: string;
  /** When the person first wrote. */
  readonly requestedAt: Date;
  /** The time after which the code is invalid and the person has to ask again. */
  readonly expiresAt: Date;
}

/** A person who was let in. */
export interface PersonView extends Somebody {
  /** The person who let them in, as `channel:id`. */
  readonly by: string;
  /** When the person was let in. */
  readonly since: Date;
}

/** People who are let in, and people who ask to be. Does not include the configuration. */
export interface AccessView {
  /** Oldest first. */
  readonly pending: readonly AskedView[];
  /** People who were let in, each with the person who let them in. */
  readonly people: readonly PersonView[];
  /** Owners from a code. */
  readonly owners: readonly { readonly user: string; readonly since: Date }[];
}

export function askedView(account: AccountRecord, { code, requestedAt, expiresAt, ...who }: AskedRecord): AskedView {
  const times = { requestedAt: new Date(requestedAt), expiresAt: new Date(expiresAt) };
  return { code, ...somebody(account, who), ...times };
}

export function personView(account: AccountRecord, { by, at, ...who }: PersonRecord): PersonView {
  return { ...somebody(account, who), by, since: new Date(at) };
}

function somebody(
  { channel, account }: AccountRecord,
  { id, name }: { readonly id: string; readonly name?: string },
): Somebody {
  const key = [channel, account, id].map((part) => part.replaceAll("%", "%25").replaceAll(":", "%3A")).join(":");
  return { key, user: `${channel}:${id}`, channel, account, id, ...(name !== undefined && { name }) };
}

/** An id for people to read: look-alike and invisible characters are written out. */
export function plainId(id: string): string {
  return visibleLine(id).replaceAll(/[^ -~]/gu, (letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`);
}
