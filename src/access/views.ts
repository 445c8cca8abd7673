import { visibleLine } from "../call-text.ts";
import type { AccountRecord, AskedRecord, PersonRecord } from "./records.ts";

/** Somebody on one account of a channel. */
export interface Somebody {
  /** `channel:account:id`, each part with `%` and `:` escaped: what `remove` takes. */
  readonly key: string;
  /** `channel:id`. */
  readonly user: string;
  /** The channel's name, as `telegram`. */
  readonly channel: string;
  /** Which of several accounts of that channel; `default` for the only one. */
  readonly account: string;
  /** The platform's stable id. */
  readonly id: string;
  /** What they call themselves; anybody can choose any. */
  readonly name?: string;
}

/** Somebody who waits to be let in. */
export interface AskedView extends Somebody {
  /** What the owner answers with to let the person in. */
  readonly code: string;
  /** When the person wrote first. */
  readonly requestedAt: Date;
  /** From then on the code counts no more, and the person has to ask again. */
  readonly expiresAt: Date;
}

/** Somebody who was let in. */
export interface PersonView extends Somebody {
  /** `channel:id` of who let them in. */
  readonly by: string;
  /** When the person was let in. */
  readonly since: Date;
}

/** Who is let in, and who asks to be. What the configuration says is not in it. */
export interface AccessView {
  /** Oldest first. */
  readonly pending: readonly AskedView[];
  /** Who was let in, with who let them in. */
  readonly people: readonly PersonView[];
  /** Who became the owner by a code. */
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

/** An id as people read it: letters that look like others, and what cannot be seen, are written out. */
export function plainId(id: string): string {
  return visibleLine(id).replaceAll(/[^ -~]/gu, (letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`);
}
