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

/** Most people who are let in on one account by codes; more than that is an `open` channel. */
export const MAX_PEOPLE = 1000;
/** Audit lines of one account's refusals in an hour; the rest is counted only. */
export const MAX_REFUSAL_LINES = 60;
const HOUR_MS = 60 * 60_000;
/** Changes that another process made to a shared store are seen after so long. */
const FRESH_MS = 10_000;
const MAX_NAME = 64;
const MAX_REPLY_ADDRESS = 2048;

/** A request to be let in, with where the one who asks is told. */
export interface Asked extends AskedView {
  readonly target: Target;
  readonly language: "en" | "zh";
}

/** What became of a message whose sender is not let in. */
export type RequestOutcome =
  /** The owner was asked. `isNew`: by this message; the sender was told the code. */
  | { readonly verdict: "asked"; readonly code: string; readonly isNew: boolean }
  /** As many as may wait are waiting. */
  | { readonly verdict: "full" }
  /** The owner said no within the last 24 hours. */
  | { readonly verdict: "denied" }
  /** They have been let in meanwhile. */
  | { readonly verdict: "let-in" }
  /** There is no id that could be remembered. */
  | { readonly verdict: "refused" };

/** Who answers. `asOwner`: the runtime knows that the owner does. `user` is `channel:id`, default `sdk`. */
export interface Answerer {
  readonly user?: string;
  readonly asOwner?: boolean;
}

/** What is said about requests to be let in. */
export interface AccessMessages {
  /** The language to answer a text in. */
  languageOf(text: string): "en" | "zh";
  /** Tells the one who asks their code, and the owners (`channel:id` each) that they ask. Contract: harmless when it is done twice. */
  show(asked: Asked, owners: readonly string[]): Promise<void>;
  /** Tells somebody that they were let in. */
  welcome(asked: Asked): Promise<void>;
  /** Says where the owners were asked that it was answered. Contract: best effort; never throws. */
  answered(asked: Asked, owners: readonly string[], how: "approved" | "denied"): Promise<void>;
}

export interface AccessDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** `channel:id` of the owners whom the configuration names. */
  readonly ownerIds: readonly string[];
  /** A role's name to the users that hold it: who holds `owner` is an owner too. */
  readonly roles?: Readonly<Record<string, readonly string[]>>;
}

/** Who is let in, and who says so. Each member is described where it is made. */
export interface Access {
  readonly owners: Owners;
  /** Says from now on what there is to say about requests. Call it before any is made. */
  start(messages: AccessMessages): void;
  recover(): Promise<void>;
  fresh(): Promise<void>;
  decide(message: InboundMessage, access: ChannelAccess): AccessDecision;
  request(message: InboundMessage): Promise<RequestOutcome>;
  approve(code: string, by?: Answerer): Promise<PersonView>;
  deny(code: string, by?: Answerer): Promise<AskedView>;
  list(): Promise<AccessView>;
  remove(keyOrUser: string, by?: Answerer): Promise<readonly string[]>;
  /** Removes what is kept of a person, requests included: to be let in they have to ask again. Who owns the assistant stays. */
  forget(person: Pick<ForgottenPerson, "isOwner" | "isUser">): Promise<void>;
  /** That they were let in, or ask to be. */
  exportPerson(person: Pick<ExportedPerson, "isUser">): AsyncIterable<Exported>;
  ownerCode(): Promise<string | null>;
  claimOwner(message: InboundMessage): Promise<ClaimOutcome>;
  /** Calls `listener` whenever others own the assistant than before, as far as this process knows. */
  onOwnersChanged(listener: () => void): void;
  noteRefused(message: InboundMessage, reason: string): void;
  mayAnswer(user: string): boolean;
}

/**
 * Who is let in besides those whom the configuration names, who asks to be, and who is the owner. Decisions are made from memory; what changes is written by
 * compare-and-set first, so a code counts once and no crowd gets past the limits. Source: docs/access.md.
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

  /** Reads what is kept: at the start, and again when another process may have changed it. @throws {AssistantError} `FORMAT_TOO_NEW`, `STORE_UNSUITABLE`. */
  async function recover(): Promise<void> {
    await ledger.load();
    readAtMs = clock.now();
    ownership.follow();
  }

  /** Sees what other processes changed in a shared store, at most once in ten seconds. Call it before `decide`. */
  async function fresh(): Promise<void> {
    const elapsedMs = clock.now() - readAtMs;
    const isOwnStore = store.caps.cas === "process";
    if (readAtMs !== -Infinity && (isOwnStore || (elapsedMs >= 0 && elapsedMs < FRESH_MS))) return;
    if (readAtMs !== -Infinity) readAtMs = clock.now(); // one message reads, the others go on
    await recover();
  }

  /** May this sender write here? From memory: the configuration, the owners, and who was let in on this account. */
  function decide(message: InboundMessage, access: ChannelAccess): AccessDecision {
    const { channel, sender } = message;
    // Also whoever holds the role: they answer requests, and would have to let themselves in.
    const isOwner = ownership.mayAnswer(`${channel}:${sender.id}`);
    return decideAccess(message, access, isOwner ? [`${channel}:${sender.id}`] : [], isPaired);
  }

  function isPaired(message: InboundMessage): boolean {
    return ledger.accountOf(placeOf(message)).people.some(({ id }) => id === message.sender.id);
  }

  /**
   * Asks the owner to let the sender of this message in; for a message that `decide` refused with `mayAsk`. The same sender has one code, whatever they send.
   * Durable when this resolves, and both have been told, if that could be queued.
   */
  async function request(message: InboundMessage): Promise<RequestOutcome> {
    const { channel } = message;
    if (!isUsableId(message.sender.id) || !isUsableId(message.peer.id)) return { verdict: "refused" };
    await fresh();
    const place = placeOf(message);
    const meets = await ledger.changeAccount<ReturnType<typeof decideRequest>>(place, (known) => {
      const account = upToDate(known, clock.now());
      const result = decideRequest(account, message.sender.id);
      // Kept, as times that a clock set back has put right count from now on.
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

  /** 30^8 codes, of which a few hundred are remembered: drawn again when it is one of those. */
  function unusedCode(): string {
    for (;;) {
      const code = newPairingCode();
      if (ledger.accounts().every((account) => decideCode(account, code).verdict === "unknown")) return code;
    }
  }

  /** Shown again after a crash that may have come before it was; which is why it must be harmless. */
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
   * Lets in whoever has this code, on the account that they asked on, for good.
   * @throws {AssistantError} `FORBIDDEN` for somebody who may not answer; `NOT_FOUND`; `CONFLICT` when it was answered before; `GONE` when it is too old;
   * `OPTION_INVALID` when too many people are let in.
   */
  async function approve(code: string, by: Answerer = {}): Promise<PersonView> {
    const who = answererOf(by);
    const { place, asked } = await end(code, by, (account, open) => {
      const others = account.people.filter(({ id }) => id !== open.id);
      const people = [...others, personOf(open, who)];
      if (people.length > MAX_PEOPLE) {
        throw new AssistantError(
          "OPTION_INVALID",
          `${MAX_PEOPLE} people are let in on ${nameOf(account)} already: take access back from somebody (\`wakeful access remove\`), or set dm: open`,
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

  /** Does not let them in, and lets them not ask again for 24 hours. @throws {AssistantError} As `approve`. */
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
          throw new AssistantError("GONE", `The request ${code} is too old: a code holds for an hour`);
        throw new AssistantError(
          "CONFLICT",
          `The request ${code} was answered before by ${named.ended.by ?? "the owner"}`,
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

  /** Who is let in and who asks, as it is in the store. */
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
   * Takes access back: of the one entry with this `key`, or, when there is none, of `channel:id` on every account; ownership that was had by a code too.
   * Their next message asks anew.
   * @returns The keys of those entries. @throws {AssistantError} `FORBIDDEN`; `NOT_FOUND`; `CONFLICT` for an owner whom the configuration names.
   */
  async function remove(keyOrUser: string, by: Answerer = {}): Promise<readonly string[]> {
    const who = authorised(by, "access.refused_answer", keyOrUser);
    const { people, owners } = await list();
    const byKey = people.filter(({ key }) => key === keyOrUser);
    const found = byKey.length > 0 ? byKey : people.filter(({ user }) => user === keyOrUser);
    const isOwner = byKey.length === 0 && owners.some(({ user }) => user === keyOrUser);
    if (found.length === 0 && !isOwner) {
      if (ownerIds.includes(keyOrUser))
        throw new AssistantError("CONFLICT", `${keyOrUser} is in owner.ids: take it out of the configuration`);
      throw new AssistantError(
        "NOT_FOUND",
        `Nobody ${JSON.stringify(keyOrUser.slice(0, 64))} was let in by a code: \`wakeful access\` lists them`,
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
    // The code that lets them in is for the owner's eyes.
    for (const { code: _, requestedAt, expiresAt, ...who } of pending)
      if (isUser(who.user))
        yield { ...who, requested_at: requestedAt.toISOString(), expires_at: expiresAt.toISOString() };
    // Who let them in is another person.
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

  /** Writes down that a message was refused: each sender once an hour, and of one account so many lines; whatever comes, it is counted. */
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

  /** @returns Who it is, for the audit. @throws {AssistantError} `FORBIDDEN`. */
  function authorised(by: Answerer, what: string, target: string): string {
    const who = answererOf(by);
    if (by.asOwner === true || ownership.mayAnswer(who)) return who;
    audit.write({ who, what, target: target.slice(0, 64), verdict: "refused", reason: "may not answer" });
    throw new AssistantError("FORBIDDEN", `${who} may not say who is let in: only the owner may`);
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
    `Nobody asked to be let in with the code ${JSON.stringify(code.slice(0, 64))}: \`wakeful access\` lists who waits`,
  );
}
