import type { ChannelAccess, Target } from "../channel.ts";
import type { Clock } from "../clock.ts";
import { type Exported, type ExportedPerson, type ForgottenPerson, NOBODY } from "../erasable/index.ts";
import { AssistantError, messageOf } from "../errors.ts";
import { createRateCounter } from "../guard/index.ts";
import { DEFAULT_ACCOUNT, type InboundMessage } from "../message.ts";
import { type AccessDecision, type Owners, decideAccess } from "../policy/index.ts";
import type { Store } from "../store/index.ts";
import type { Audit, Logger, Metrics } from "../telemetry/index.ts";
import { newPairingCode, readPairingCode } from "./codes.ts";
import { type Place, createLedger } from "./ledger.ts";
import { type ClaimOutcome, createOwnership } from "./ownership.ts";
import { PAIRING_LIFETIME_MS, decideCode, decideRequest, upToDate, withEnded } from "./pairing.ts";
import type { AccountRecord, AskedRecord, PersonRecord } from "./records.ts";
import { MAX_ID, isUsableId, userOf } from "./stable-id.ts";
import { type AccessView, type AskedView, type PersonView, askedView, personView } from "./views.ts";

/** People per account who can be let in by codes. A channel for more people should be `open`. */
export const MAX_PEOPLE = 1000;
/** Audit lines per account and hour for refusals. Further ones are only counted. */
export const MAX_REFUSAL_LINES = 60;
const HOUR_MS = 60 * 60_000;
/** Milliseconds after which changes of another process in a shared store are read. */
const FRESH_MS = 10_000;
const MAX_NAME = 64;
const MAX_REPLY_ADDRESS = 2048;

/** A request to be let in, with the address for its answer. */
export interface Asked extends AskedView {
  readonly target: Target;
  readonly language: "en" | "zh";
}

/** The result for a message whose sender is not let in. */
export type RequestOutcome =
  /** The owner was asked. `isNew`: because of this message, and the sender was told the code. */
  | { readonly verdict: "asked"; readonly code: string; readonly isNew: boolean }
  /** The maximum of waiting requests is reached. */
  | { readonly verdict: "full" }
  /** The owner denied it within the last 24 hours. */
  | { readonly verdict: "denied" }
  /** The sender has been let in in the meantime. */
  | { readonly verdict: "let-in" }
  /** The sender has no id that can be stored. */
  | { readonly verdict: "refused" };

/** The person who answers. `asOwner`: the runtime knows that it is the owner. `user` is `channel:id`, default `sdk`. */
export interface Answerer {
  readonly user?: string;
  readonly asOwner?: boolean;
}

/** Messages about requests to be let in. */
export interface AccessMessages {
  /** The language for answering a text. */
  languageOf(text: string): "en" | "zh";
  /**
   * Tells the person who asks their code, and tells the owners (`channel:id` each) about the
   * request. Contract: idempotent.
   */
  show(asked: Asked, owners: readonly string[]): Promise<void>;
  /** Tells a person that they were let in. */
  welcome(asked: Asked): Promise<void>;
  /** Tells the owners, where they were asked, that the request was answered. Contract: best effort; never throws. */
  answered(asked: Asked, owners: readonly string[], how: "approved" | "denied"): Promise<void>;
}

export interface AccessDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** The owners in the configuration, as `channel:id`. */
  readonly ownerIds: readonly string[];
  /** Maps a role to its users. Users with the role `owner` are owners too. */
  readonly roles?: Readonly<Record<string, readonly string[]>>;
}

/** Decides who is let in, and who may decide that. Members are described at their functions. */
export interface Access {
  readonly owners: Owners;
  /** Sets the texts for requests. Call it before any request is made. */
  start(messages: AccessMessages): void;
  recover(): Promise<void>;
  fresh(): Promise<void>;
  decide(message: InboundMessage, access: ChannelAccess): AccessDecision;
  request(message: InboundMessage): Promise<RequestOutcome>;
  approve(code: string, by?: Answerer): Promise<PersonView>;
  deny(code: string, by?: Answerer): Promise<AskedView>;
  list(): Promise<AccessView>;
  remove(keyOrUser: string, by?: Answerer): Promise<readonly string[]>;
  /** Removes a person's data, including their requests; they have to ask again. Does not remove an owner. */
  forget(person: Pick<ForgottenPerson, "isOwner" | "isUser">): Promise<void>;
  /** Exports that the person was let in, or asks to be. */
  exportPerson(person: Pick<ExportedPerson, "isUser">): AsyncIterable<Exported>;
  ownerCode(): Promise<string | null>;
  claimOwner(message: InboundMessage): Promise<ClaimOutcome>;
  /** Calls `listener` whenever the owners change, as far as this process knows. */
  onOwnersChanged(listener: () => void): void;
  noteRefused(message: InboundMessage, reason: string): void;
  mayAnswer(user: string): boolean;
}

/**
 * People who are let in besides those in the configuration, people who ask to be, and the owner. Decisions are made
 * from memory. Changes are first written by compare-and-set, so a code counts once and a crowd cannot exceed the
 * limits. Source: docs/access.md.
 */
export function createAccess({ store, clock, audit, metrics, logger, ownerIds, roles }: AccessDeps): Access {
  const ledger = createLedger({ store });
  const ownership = createOwnership({
    clock,
    audit,
    logger,
    ownerIds,
    ...(roles && { roles }),
    ledger,
    recover,
    fresh,
  });
  const refusalsOf = createRateCounter({ clock, windowMs: HOUR_MS, limit: 1 });
  const refusalsAt = createRateCounter({ clock, windowMs: HOUR_MS, limit: MAX_REFUSAL_LINES });
  let readAtMs = -Infinity;
  let messages: AccessMessages = SILENT;

  /**
   * Reads the documents: at the start, and after another process may have changed them.
   * @throws {AssistantError} `FORMAT_TOO_NEW`, `STORE_UNSUITABLE`.
   */
  async function recover(): Promise<void> {
    await ledger.load();
    readAtMs = clock.now();
    ownership.follow();
  }

  /** Reads changes of other processes in a shared store, at most once in ten seconds. Call it before `decide`. */
  async function fresh(): Promise<void> {
    const elapsedMs = clock.now() - readAtMs;
    const isOwnStore = store.caps.cas === "process";
    if (readAtMs !== -Infinity && (isOwnStore || (elapsedMs >= 0 && elapsedMs < FRESH_MS))) return;
    if (readAtMs !== -Infinity) readAtMs = clock.now(); // only one message reads; the others go on
    await recover();
  }

  /**
   * Decides from memory whether the sender may write: by the configuration, the owners, and the
   * people let in on this account.
   */
  function decide(message: InboundMessage, access: ChannelAccess): AccessDecision {
    const { channel, sender } = message;
    // Users with the role count as owners too: they answer requests, and would otherwise have to let themselves in.
    const isOwner = ownership.mayAnswer(`${channel}:${sender.id}`);
    return decideAccess(message, access, isOwner ? [`${channel}:${sender.id}`] : [], isPaired);
  }

  function isPaired(message: InboundMessage): boolean {
    return ledger.accountOf(placeOf(message)).people.some(({ id }) => id === message.sender.id);
  }

  /**
   * Asks the owner to let the sender in, after `decide` refused the message with `mayAsk`. A sender keeps
   * one code, whatever they send. When this resolves the request is durable, and both people have been
   * told, if that could be queued.
   */
  async function request(message: InboundMessage): Promise<RequestOutcome> {
    const { channel } = message;
    if (!isUsableId(message.sender.id) || !isUsableId(message.peer.id)) return { verdict: "refused" };
    await fresh();
    const place = placeOf(message);
    const meets = await ledger.changeAccount<ReturnType<typeof decideRequest>>(place, (known) => {
      const account = upToDate(known, clock.now());
      const result = decideRequest(account, message.sender.id);
      // Stored, because `upToDate` can have corrected times of a clock that was set back.
      if (result.verdict !== "new") return { result, ...(account !== known && { record: account }) };
      const asked = askedBy(message);
      return {
        record: { ...account, asked: [...account.asked, asked] },
        result: { verdict: "known", asked },
      };
    });
    if (meets.verdict !== "known") {
      metrics.increment("access.request_total", { channel, outcome: meets.verdict });
      return { verdict: meets.verdict === "new" ? "full" : meets.verdict };
    }
    const { asked } = meets;
    if (asked.shown) {
      metrics.increment("access.request_total", { channel, outcome: "known" });
      return { verdict: "asked", code: asked.code, isNew: false };
    }
    metrics.increment("access.request_total", { channel, outcome: "asked" });
    audit.write({ ...lineOf(place, asked), who: userOf(message), what: "access.requested", verdict: "ok" });
    await showOnce(place, asked);
    return { verdict: "asked", code: asked.code, isNew: true };
  }

  function askedBy(message: InboundMessage): AskedRecord {
    const { sender, text, peer, thread, replyTo } = message;
    const now = clock.now();
    const hasAddress = replyTo !== undefined && replyTo.length <= MAX_REPLY_ADDRESS;
    return {
      code: unusedCode(),
      id: sender.id,
      ...(sender.name !== undefined && {
        name: Array.from(sender.name.slice(0, 1000)).slice(0, MAX_NAME).join(""),
      }),
      target: {
        ...placeOf(message),
        chat: peer.id,
        ...(isUsableId(thread ?? "") && { thread }),
        ...(hasAddress && { replyTo }),
      },
      language: messages.languageOf(text),
      requestedAt: now,
      expiresAt: now + PAIRING_LIFETIME_MS,
    };
  }

  /** Draws again if the code is one of the few hundred remembered, of 30^8. */
  function unusedCode(): string {
    for (;;) {
      const code = newPairingCode();
      if (ledger.accounts().every((account) => decideCode(account, code).verdict === "unknown")) return code;
    }
  }

  /** Shows a request. After a crash it may be shown again, which is why showing must be idempotent. */
  async function showOnce(place: Place, asked: AskedRecord): Promise<void> {
    try {
      await messages.show(askedOf(ledger.accountOf(place), asked), ownership.owners.all());
      await ledger.changeAccount(place, (account) => ({
        record: {
          ...account,
          asked: account.asked.map((one) => (one.code === asked.code ? { ...one, shown: true } : one)),
        },
        result: undefined,
      }));
    } catch (error) {
      logger.error("A request to be let in could not be shown", { code: asked.code, error: messageOf(error) });
    }
  }

  /**
   * Lets in the person with this code, permanently, on the account where they asked.
   * @throws {AssistantError} `FORBIDDEN` if the user may not answer; `NOT_FOUND`; `CONFLICT` if it was answered
   * before; `GONE` if it is too old; `OPTION_INVALID` if too many people are let in.
   */
  async function approve(code: string, by: Answerer = {}): Promise<PersonView> {
    const who = answererOf(by);
    const { place, asked } = await end(code, by, (account, open) => {
      const others = account.people.filter(({ id }) => id !== open.id);
      const people = [...others, personOf(open, who)];
      if (people.length > MAX_PEOPLE) {
        throw new AssistantError(
          "OPTION_INVALID",
          `${MAX_PEOPLE} people are already let in on ${nameOf(account)}: revoke someone's access (\`wakeful access remove\`), or set dm: open`,
        );
      }
      return { account: { ...account, people }, how: "approved" };
    });
    const account = ledger.accountOf(place);
    const person = account.people.find(({ id }) => id === asked.id) ?? personOf(asked, who);
    void messages.answered(askedOf(account, asked), ownership.owners.all(), "approved");
    await messages.welcome(askedOf(account, asked)).catch((error: unknown) => {
      logger.error("Somebody could not be told that they were let in", { code, error: messageOf(error) });
    });
    return personView(account, person);
  }

  function personOf({ id, name }: AskedRecord, by: string): PersonRecord {
    return { id, ...(name !== undefined && { name }), by, at: clock.now() };
  }

  /**
   * Denies a request. The person cannot ask again for 24 hours.
   * @throws {AssistantError} As `approve`.
   */
  async function deny(code: string, by: Answerer = {}): Promise<AskedView> {
    const { place, asked } = await end(code, by, (account) => ({ account, how: "denied" }));
    const account = ledger.accountOf(place);
    void messages.answered(askedOf(account, asked), ownership.owners.all(), "denied");
    return askedView(account, asked);
  }

  /** Ends an open request, once. */
  async function end(
    given: string,
    by: Answerer,
    decided: (
      account: AccountRecord,
      open: AskedRecord,
    ) => { readonly account: AccountRecord; readonly how: "approved" | "denied" },
  ): Promise<{ readonly place: Place; readonly asked: AskedRecord }> {
    const who = authorised(by, "access.refused_answer", given);
    const code = readPairingCode(given) ?? "";
    await recover();
    const found = ledger.accounts().find((account) => decideCode(account, code).verdict !== "unknown");
    if (!found) throw notFound(given);
    const place = { channel: found.channel, account: found.account };
    const { asked, how } = await ledger.changeAccount(place, (known) => {
      const now = clock.now();
      const account = upToDate(known, now);
      const named = decideCode(account, code);
      if (named.verdict === "unknown") throw notFound(given);
      if (named.verdict === "ended") {
        if (named.ended.how === "expired")
          throw new AssistantError("GONE", `The request ${code} has expired: a code is valid for an hour`);
        throw new AssistantError(
          "CONFLICT",
          `The request ${code} was already answered by ${named.ended.by ?? "the owner"}`,
        );
      }
      const { account: next, how: outcome } = decided(account, named.asked);
      const record = withEnded(next, { code, id: named.asked.id, how: outcome, by: who, at: now });
      return { record, result: { asked: named.asked, how: outcome } };
    });
    metrics.increment("access.answer_total", { answer: how });
    audit.write({ ...lineOf(place, asked), who, what: `access.${how}`, verdict: how === "approved" ? "ok" : "denied" });
    return { place, asked };
  }

  /** Lists people who are let in and people who ask, from the store. */
  async function list(): Promise<AccessView> {
    await recover();
    const accounts = ledger.accounts().map((account) => upToDate(account, clock.now()));
    const pending = accounts.flatMap((account) => account.asked.map((asked) => askedView(account, asked)));
    return {
      pending: pending.toSorted((a, b) => a.requestedAt.getTime() - b.requestedAt.getTime()),
      people: accounts.flatMap((account) => account.people.map((person) => personView(account, person))),
      owners: ledger.owner().owners.map(({ user, at }) => ({ user, since: new Date(at) })),
    };
  }

  /**
   * Takes access back: of the entry with this `key`, or else of `channel:id` on every account, including ownership
   * from a code. The person's next message asks again.
   * @returns The keys of the removed entries.
   * @throws {AssistantError} `FORBIDDEN`; `NOT_FOUND`; `CONFLICT` for an owner in the configuration.
   */
  async function remove(keyOrUser: string, by: Answerer = {}): Promise<readonly string[]> {
    const who = authorised(by, "access.refused_answer", keyOrUser);
    const { people, owners } = await list();
    const byKey = people.filter(({ key }) => key === keyOrUser);
    const found = byKey.length > 0 ? byKey : people.filter(({ user }) => user === keyOrUser);
    const isOwner = byKey.length === 0 && owners.some(({ user }) => user === keyOrUser);
    if (found.length === 0 && !isOwner) {
      if (ownerIds.includes(keyOrUser))
        throw new AssistantError("CONFLICT", `${keyOrUser} is in owner.ids: remove it from the configuration`);
      throw new AssistantError(
        "NOT_FOUND",
        `No person ${JSON.stringify(keyOrUser.slice(0, 64))} was let in by a code: \`wakeful access\` lists people`,
      );
    }
    for (const { channel, account: name, id, key } of found) {
      await ledger.changeAccount({ channel, account: name }, (account) => ({
        record: { ...account, people: account.people.filter((person) => person.id !== id) },
        result: undefined,
      }));
      audit.write({ who, what: "access.removed", target: key, verdict: "ok" });
    }
    if (isOwner) {
      await ownership.remove(keyOrUser);
      audit.write({ who, what: "access.owner_removed", target: keyOrUser, verdict: "ok" });
    }
    return [...found.map(({ key }) => key), ...(isOwner ? [keyOrUser] : [])];
  }

  async function* exportPerson({ isUser }: Pick<ExportedPerson, "isUser">): AsyncGenerator<Exported> {
    const { pending, people, owners } = await list();
    // The code is for the owner only.
    for (const { code: _, requestedAt, expiresAt, ...who } of pending)
      if (isUser(who.user))
        yield { ...who, requested_at: requestedAt.toISOString(), expires_at: expiresAt.toISOString() };
    // The owner who let them in is another person.
    for (const { since, by: _by, ...who } of people) if (isUser(who.user)) yield { ...who, since: since.toISOString() };
    for (const { user, since } of owners) if (isUser(user)) yield { user, owner: true, since: since.toISOString() };
  }

  async function forget({ isOwner, isUser }: Pick<ForgottenPerson, "isOwner" | "isUser">): Promise<void> {
    if (isOwner) return;
    await recover();
    for (const { channel, account: name } of ledger.accounts()) {
      const isOthers = ({ id }: { readonly id: string }) => !isUser(`${channel}:${id}`);
      const by = (who: string) => (isUser(who) ? NOBODY : who);
      await ledger.changeAccount({ channel, account: name }, (account) => {
        const record: AccountRecord = {
          ...account,
          asked: account.asked.filter(isOthers),
          ended: account.ended
            .filter(isOthers)
            .map((one) => ({ ...one, ...(one.by !== undefined && { by: by(one.by) }) })),
          people: account.people.filter(isOthers).map((one) => ({ ...one, by: by(one.by) })),
        };
        const isSame = JSON.stringify(record) === JSON.stringify(account);
        return isSame ? { result: undefined } : { record, result: undefined };
      });
    }
  }

  /** Audits a refused message: once per sender and hour, with a limit per account. The metric counts every one. */
  function noteRefused(message: InboundMessage, reason: string): void {
    const { channel } = message;
    const who = userOf(message);
    metrics.increment("access.refused_total", { channel });
    if (refusalsOf.hit(who).hits > 1) return;
    const { account } = placeOf(message);
    const { hits } = refusalsAt.hit(`${channel}\n${account}`);
    if (hits > MAX_REFUSAL_LINES) return;
    const isLast = hits === MAX_REFUSAL_LINES;
    audit.write({
      who,
      what: "access.refused",
      target: `${channel}:${message.peer.id.slice(0, MAX_ID)}`,
      verdict: "refused",
      reason: isLast ? `${reason}; others of this hour are only counted` : reason,
    });
  }

  /**
   * @returns The user for the audit log.
   * @throws {AssistantError} `FORBIDDEN`.
   */
  function authorised(by: Answerer, what: string, target: string): string {
    const who = answererOf(by);
    if (by.asOwner === true || ownership.mayAnswer(who)) return who;
    audit.write({ who, what, target: target.slice(0, 64), verdict: "refused", reason: "may not answer" });
    throw new AssistantError("FORBIDDEN", `${who} may not answer access requests: only the owner may`);
  }

  return {
    owners: ownership.owners,
    recover,
    fresh,
    decide,
    request,
    approve,
    deny,
    list,
    remove,
    forget,
    exportPerson,
    ownerCode: ownership.ownerCode,
    claimOwner: ownership.claim,
    onOwnersChanged: ownership.onChanged,
    noteRefused,
    mayAnswer: ownership.mayAnswer,
    start(given) {
      messages = given;
    },
  };
}

const SILENT: AccessMessages = {
  languageOf: () => "en",
  show: async () => {},
  welcome: async () => {},
  answered: async () => {},
};

function answererOf({ user, asOwner }: Answerer): string {
  return user ?? (asOwner === true ? "owner" : "sdk");
}

function placeOf({ channel, account = DEFAULT_ACCOUNT }: InboundMessage): Place {
  return { channel, account };
}

function nameOf({ channel, account }: Place): string {
  return account === DEFAULT_ACCOUNT ? channel : `${channel}/${account}`;
}

function askedOf(account: AccountRecord, asked: AskedRecord): Asked {
  return { ...askedView(account, asked), target: asked.target, language: asked.language };
}

function lineOf({ channel, account }: Place, { code, id }: AskedRecord) {
  return { target: `${channel}:${id}`, account, code };
}

function notFound(code: string): AssistantError {
  return new AssistantError(
    "NOT_FOUND",
    `There is no access request with the code ${JSON.stringify(code.slice(0, 64))}: \`wakeful access\` lists open requests`,
  );
}
