import { detachInline } from "../artifacts/index.ts";
import type { Channel, Target } from "../channel.ts";
import { AssistantError } from "../errors.ts";
import { newId } from "../ids.ts";
import { DEFAULT_ACCOUNT, type InboundMessage } from "../message.ts";
import { createRateCounter } from "../guard/index.ts";
import type { AccessDecision } from "../policy/index.ts";
import type { Reply, SendInput } from "../reply.ts";
import {
  type Route,
  type InRecord,
  type RouteOptions,
  type Session,
  namedSessionKey,
  parseUser,
  resolveRoute,
  userOf,
} from "../session/index.ts";
import type { Access } from "../access/index.ts";
import type { SavedCaller } from "../approvals/index.ts";
import { ownerClaimText } from "./access-chat.ts";
import { type ApprovalCommand, type ChatCommand, readApprovalCommand, readChatCommand } from "./commands.ts";
import { type ChatCommandParts, type NewMessage, createChatCommands } from "./chat-commands.ts";
import { commandText } from "./command-texts.ts";
import { RUNTIME_CHANNEL } from "../tools/index.ts";
import { markShown } from "./files.ts";
import { sessionWakeKey } from "./handler.ts";
import { hubKey } from "./hub.ts";
import { createOverflow } from "./overflow.ts";
import { toReply } from "./reply.ts";
import { languageOf, runtimeText } from "./texts.ts";

/** What became of a message at the door. */
export type Accepted =
  | {
      readonly outcome: "accepted" | "duplicate";
      readonly sessionKey: string;
      readonly turnId: string;
      reply(signal?: AbortSignal): Promise<Reply>;
    }
  | { readonly outcome: "kept"; readonly sessionKey: string }
  | { readonly outcome: "refused"; readonly reason: string };

export interface InboxParts extends ChatCommandParts {
  readonly access: Pick<Access, "decide" | "request" | "claimOwner" | "noteRefused" | "fresh">;
  readonly routing: Omit<RouteOptions, "caseSensitiveChannels" | "owner"> & {
    keepsCapitals(channel: string): boolean;
    /** The key of a conversation that the host names. */
    sessionKeyOf(agentId: string, channel: string, name: string): string;
  };
  /** Is this one of those who answer requests for approval? */
  mayAnswer(user: string): boolean;
  /**
   * Obeys an answer to a request for approval. `runNow`: the caller waits for the call, else the engine runs it.
   * @returns What the person reads, and the inbound message that the outcome is to the session that asked.
   */
  answerApproval(
    command: ApprovalCommand,
    speaker: { readonly user: string; readonly asOwner: boolean; readonly runNow: boolean; readonly text: string },
  ): Promise<{
    readonly text: string;
    /** The speaker may not answer. */
    readonly refused?: boolean;
    readonly sessionKey?: string;
    readonly messageId?: string;
  }>;
}

/** A call of the host program, the CLI or the API. */
export type Submission = SendInput & {
  /** The runtime knows that the owner makes it. */
  readonly asOwner?: boolean;
  /** A program speaks, whatever its token is: its text answers no request, since a model may have written it. */
  readonly isProgram?: boolean;
  /** Whose names `session` is one of, when not of the `channel`'s: the page's conversations are apart from the API's, whoever speaks in them. */
  readonly namespace?: "web";
};

export type Inbox = ReturnType<typeof createInbox>;

/** A stranger is told once in this time that they are not let in, so that their messages cannot make the assistant send many. */
const TELL_AGAIN_MS = 3_600_000;
/** And so many strangers of one account in that time: a crowd gets no message each. */
const MOST_TOLD = 60;

/** Messages of one group in one minute that are kept although nobody addressed the assistant. */
const MOST_HEARD_A_MINUTE = 120;
const LONGEST_HEARD_CHARS = 4000;
/** Commands of one person in one minute that are answered. */
const MOST_COMMANDS_A_MINUTE = 20;

/** The one way in: access, route, journal, wake. A message is durable when this resolves. */
export function createInbox(parts: InboxParts) {
  const { access, sessions, engine, outbox, hub, running, clock, audit, metrics, owners, routing } = parts;
  const toldTo = createRateCounter({ clock, windowMs: TELL_AGAIN_MS, limit: 1 });
  const toldOn = createRateCounter({ clock, windowMs: TELL_AGAIN_MS, limit: MOST_TOLD });
  const { refuseExcess } = createOverflow(parts);
  const commands = createChatCommands(parts);
  const aMinute = { clock, windowMs: 60_000 };
  const heardRate = createRateCounter({ ...aMinute, limit: MOST_HEARD_A_MINUTE });
  const commandRate = createRateCounter({ ...aMinute, limit: MOST_COMMANDS_A_MINUTE + 1 });

  function routeOf(message: InboundMessage): Route {
    const caseSensitiveChannels = routing.keepsCapitals(message.channel) ? [message.channel] : [];
    return resolveRoute(message, { ...routing, owner: { ids: owners.ids() }, caseSensitiveChannels });
  }

  /** A channel's message. Refusals cost no model call and leave an audit line. */
  async function accept(channel: Channel, message: InboundMessage): Promise<Accepted> {
    const user = userOf(message.channel, message.sender.id);
    const claim = await ownerClaimText(access, message, channel.access);
    if (claim !== null) return answerClaim(message, claim);
    await access.fresh();
    const decision = await letIn(channel, message);
    const route = routeOf(message);
    if (decision.verdict === "refuse") return refuseSender(message, decision);
    const id = `${message.channel}:${message.account ?? DEFAULT_ACCOUNT}:${message.id}`;
    const command = message.kind === "note" ? null : readApprovalCommand(message.text);
    // An answer names what it answers, so in a group the assistant need not be named beside it.
    if (decision.verdict === "ignore" && !(command && parts.mayAnswer(user)))
      return hear(route.sessionKey, id, message);
    const target = targetOf(message);
    const isPress = message.kind === "press";
    const given = message.kind === "note" || isPress ? null : readChatCommand(message.text);
    if ((given && !command) || (command && !parts.mayAnswer(user))) {
      const { hits } = commandRate.hit(user);
      if (hits > MOST_COMMANDS_A_MINUTE) return refuseCommand(route.sessionKey, id, message, hits);
    }
    if (command) return obey(command, route.sessionKey, id, { user, text: message.text, target, isPress });
    if (isPress) return { outcome: "refused", reason: "no such button" };
    if (message.kind === "note") {
      await sessions.addNote(route.sessionKey, { id, source: `${message.channel} edit`, text: message.text });
      return { outcome: "kept", sessionKey: route.sessionKey };
    }
    const record: NewMessage = {
      type: "in",
      id,
      turn: newId(clock),
      text: message.text,
      user,
      roles: owners.rolesOf(user),
      channel: message.channel,
      account: message.account ?? DEFAULT_ACCOUNT,
      peer: message.peer,
      sender: { id: message.sender.id, ...(message.sender.name !== undefined && { name: message.sender.name }) },
      ...(message.thread !== undefined && { thread: message.thread }),
      ...(message.mentioned !== undefined && { mentioned: message.mentioned }),
      ...(message.attachments && { attachments: message.attachments }),
      target,
    };
    return given ? obeyChat(given, route.sessionKey, record) : append(route.sessionKey, record);
  }

  /** Told and written down once a minute: whoever goes on hears nothing. */
  async function refuseCommand(
    sessionKey: string,
    id: string,
    message: InboundMessage,
    hits: number,
  ): Promise<Accepted> {
    const { channel, sender, text, kind } = message;
    const reason = `more than ${MOST_COMMANDS_A_MINUTE} commands in a minute`;
    metrics.increment("inbox.message_total", { channel, outcome: "refused" });
    if (hits === MOST_COMMANDS_A_MINUTE + 1) {
      const who = userOf(channel, sender.id);
      audit.write({ who, what: "command.flood", target: sessionKey, verdict: "refused", reason });
      const told = { id: `answer:${id}`, text: commandText("TOO_MANY", languageOf(text)) };
      if (kind !== "press") await outbox.enqueue(targetOf(message), { message: told });
    }
    return { outcome: "refused", reason };
  }

  async function letIn(channel: Channel, message: InboundMessage): Promise<AccessDecision> {
    const decision = access.decide(message, channel.access);
    if (decision.verdict !== "refuse" || !decision.mayAsk) return decision;
    if ((message.kind ?? "message") !== "message") return { ...decision, tell: false }; // an edit asks for nothing
    const { verdict } = await access.request(message);
    return verdict === "let-in" ? access.decide(message, channel.access) : { ...decision, tell: false };
  }

  async function refuseSender(
    message: InboundMessage,
    { reason, tell }: Extract<AccessDecision, { verdict: "refuse" }>,
  ): Promise<Accepted> {
    access.noteRefused(message, reason);
    const { channel, sender, text } = message;
    if (tell) await tellRefused(userOf(channel, sender.id), targetOf(message), text);
    return { outcome: "refused", reason };
  }

  async function answerClaim(message: InboundMessage, text: string): Promise<Accepted> {
    const { channel, account = DEFAULT_ACCOUNT, id } = message;
    const said = { id: `owner:${channel}:${account}:${id}`, text };
    if (text !== "") await outbox.enqueue(targetOf(message), { message: said });
    return { outcome: "refused", reason: "a claim of ownership, which is no message" };
  }

  /** What a group says among itself: context for the next turn, and no reason to wake. */
  async function hear(sessionKey: string, id: string, message: InboundMessage): Promise<Accepted> {
    const { channel, peer, sender, kind = "message" } = message;
    if (kind !== "message") return { outcome: "refused", reason: "not addressed in a group" };
    const { hits } = heardRate.hit(sessionKey);
    if (hits > MOST_HEARD_A_MINUTE) {
      // Counted up to the limit and one: the line is written once a minute.
      metrics.increment("inbox.message_total", { channel, outcome: "not_kept" });
      return { outcome: "refused", reason: "more than the group may say in a minute is not kept" };
    }
    if (hits === MOST_HEARD_A_MINUTE) {
      const reason = `more than ${MOST_HEARD_A_MINUTE} messages in a minute: the rest is not kept`;
      audit.write({ who: "group", what: "group.flood", target: `${channel}:${peer.id}`, verdict: "refused", reason });
    }
    const { name } = sender;
    await sessions.append(
      sessionKey,
      {
        type: "heard",
        id,
        text: message.text.slice(0, LONGEST_HEARD_CHARS),
        user: userOf(channel, sender.id),
        sender: { id: sender.id, ...(name !== undefined && { name }) },
      },
      { id, flush: false },
    );
    metrics.increment("inbox.message_total", { channel, outcome: "heard" });
    return { outcome: "kept", sessionKey };
  }

  /** A command of the conversation: obeyed here, or in a turn of its own. */
  async function obeyChat(
    command: ChatCommand,
    sessionKey: string,
    message: NewMessage,
  ): Promise<Extract<Accepted, { turnId: string }>> {
    const { target, id } = message;
    const outcome = await commands.obey(command, { sessionKey, message });
    if (outcome.kind === "append") {
      const [first = message, ...rest] = outcome.messages;
      return append(sessionKey, first, rest);
    }
    if (target) await outbox.enqueue(target, { message: { id: `answer:${id}`, text: outcome.text } });
    return said(sessionKey, outcome.text);
  }

  /** A reply that no turn gave. */
  function said(sessionKey: string, text: string, error?: Reply["error"]): Extract<Accepted, { turnId: string }> {
    const turnId = newId(clock);
    const reply: Reply = {
      turnId,
      sessionKey,
      text,
      silent: false,
      toolCalls: [],
      approvals: [],
      usage: { inputTokens: 0, outputTokens: 0 },
      steps: 0,
      ...(error && { error }),
    };
    return { outcome: "accepted", sessionKey, turnId, reply: async () => reply };
  }

  /** A call of the host program, the CLI or the API: durable when this resolves; its reply goes to whoever waits for it. */
  async function submit(input: Submission): Promise<Extract<Accepted, { turnId: string }>> {
    const { sessionKey, record } = messageOf(input);
    const command = readApprovalCommand(input.text);
    if (command) {
      const { user, text } = record;
      if (input.isProgram === true) return refuseProgram(command, sessionKey, record);
      const asOwner = input.asOwner === true || isTerminal(user, record.channel);
      return obey(command, sessionKey, record.id, { user, text, asOwner });
    }
    const given = readChatCommand(input.text);
    return given ? obeyChat(given, sessionKey, record) : append(sessionKey, record);
  }

  /** Only a person's answer counts, to a call and to a request to be let in: a code of either kind comes here. */
  function refuseProgram(
    { code }: ApprovalCommand,
    sessionKey: string,
    { user, text }: NewMessage,
  ): Extract<Accepted, { turnId: string }> {
    const reason = "it came through /mcp, and a person has to answer";
    const line = { who: user, what: "approval.refused", target: sessionKey, verdict: "refused", reason } as const;
    audit.write({ ...line, ...(code !== "" && { code: code.slice(0, 64) }) });
    metrics.increment("approval.refused_total");
    const message = runtimeText("PROGRAM_MAY_NOT_ANSWER", text);
    return said(sessionKey, message, { code: "FORBIDDEN", message });
  }

  /** The outcome of a call that waited: begins a turn of the session that asked, for the person who did. Known by its id, it is taken once. */
  async function inform(
    caller: SavedCaller,
    { id, source, text, approval }: Pick<InRecord, "id" | "text" | "approval"> & { readonly source: string },
    userRoles: readonly string[],
  ): Promise<void> {
    const { user, channel, accountId, chatId, peerKind = "direct", target } = caller;
    const speaker = parseUser(user);
    await append(caller.sessionKey, {
      type: "in",
      id,
      turn: newId(clock),
      text,
      source,
      ...(approval && { approval }),
      user,
      roles: userRoles,
      channel,
      account: accountId,
      peer: { kind: peerKind, id: chatId },
      sender: { id: speaker.id },
      ...(target && { target }),
    });
  }

  /** An answer is no message: it does not reach the model, and only its outcome is journaled, by whom it concerns. */
  async function obey(
    command: ApprovalCommand,
    sessionKey: string,
    id: string,
    speaker: {
      readonly user: string;
      readonly text: string;
      readonly asOwner?: boolean;
      readonly target?: Target;
      readonly isPress?: boolean;
    },
  ): Promise<Extract<Accepted, { turnId: string }>> {
    const { user, text, asOwner = false, target, isPress = false } = speaker;
    const told = await parts.answerApproval(command, { user, asOwner, runNow: target === undefined, text });
    // Whoever may not answer cannot make the assistant talk by pressing on.
    const isTold = target !== undefined && !(isPress && told.refused);
    if (isTold) await outbox.enqueue(target, { message: { id: `answer:${id}`, text: told.text } });
    const answer = said(sessionKey, told.text);
    return {
      ...answer,
      // Whoever answered in the conversation that asked goes on in it.
      reply: async (signal) =>
        told.messageId !== undefined && told.sessionKey === sessionKey
          ? replyTo(sessionKey, told.messageId, signal)
          : answer.reply(),
    };
  }

  /** The name under which the turn that answers this message tells what it does. */
  function watchKey(input: Submission & { readonly id: string }): string {
    const { sessionKey, record } = messageOf(input);
    return hubKey(sessionKey, record.id);
  }

  function messageOf(input: Submission): { sessionKey: string; record: NewMessage } {
    const user = input.user ?? input.channel ?? "sdk";
    const speaker = parseUser(user);
    const channel = input.channel ?? speaker.channel;
    const peer = { kind: "direct", id: speaker.id } as const;
    const isOwner = input.asOwner === true || isTerminal(user, channel);
    if ([channel, speaker.channel].includes(RUNTIME_CHANNEL)) {
      throw new AssistantError(
        "OPTION_INVALID",
        `Cannot speak as ${JSON.stringify(user)} on ${channel}: ${RUNTIME_CHANNEL} is the runtime's own`,
      );
    }
    const message: InboundMessage = {
      channel: speaker.channel,
      id: "",
      peer,
      sender: { id: speaker.id },
      text: input.text,
    };
    const route = routeOf(message);
    const sessionKey =
      input.session === undefined
        ? directKey(user, isOwner, route)
        : routing.sessionKeyOf(route.agentId, input.namespace ?? input.channel ?? "sdk", input.session);
    const turn = newId(clock);
    const record: NewMessage = {
      type: "in",
      id: `send:${input.id ?? turn}`,
      turn,
      text: input.text,
      user,
      roles: isOwner ? ["owner", "user"] : owners.rolesOf(user),
      channel,
      account: DEFAULT_ACCOUNT,
      // Of a conversation that is named without a user, nobody knows more than its name.
      peer: input.user === undefined && input.session !== undefined ? { ...peer, id: input.session } : peer,
      sender: { id: speaker.id },
      ...(input.attachments && { attachments: input.attachments }),
      ...(input.context && { options: input.context }),
    };
    return { sessionKey, record };
  }

  /** The owner at the terminal is in the conversation that the owner has everywhere; a call without a user is in the host program's own. */
  function directKey(
    user: string,
    isOwner: boolean,
    route: { agentId: string; sessionKey: string; mainSessionKey: string },
  ): string {
    if (user === "sdk") return namedSessionKey(route.agentId, "sdk", "sdk");
    return user === "cli" && isOwner && (routing.session?.ownerMain ?? true) ? route.mainSessionKey : route.sessionKey;
  }

  /** What came in `data:` URLs is kept before the message is, and only referred to in the log. */
  async function withoutContent(session: Session, message: NewMessage): Promise<NewMessage> {
    const { id, user, attachments } = message;
    if (!attachments) return message;
    const files = { sessionKey: session.key, messageId: id, user, attachments };
    return { ...message, attachments: await markShown(parts, session, await detachInline(parts.attachments, files)) };
  }

  /** @param rest More messages that belong to the first: known by its id, and taken with it or not at all. */
  async function append(
    sessionKey: string,
    message: NewMessage,
    rest: readonly NewMessage[] = [],
  ): Promise<Extract<Accepted, { turnId: string }>> {
    const session = await sessions.load(sessionKey);
    const given = [message, ...rest];
    const records = given.some(({ attachments }) => attachments)
      ? await Promise.all(given.map((one) => withoutContent(session, one)))
      : given;
    const rules = parts.rules({ ...message, v: 1, at: 0 }, session.settings);
    const gathers = rules.mode === "collect" && rules.debounceMs > 0;
    // Issued in one tick, so that a store with a shared log makes both durable at once. A duplicate wakes too: its first delivery may have failed between the two.
    const [appended] = await Promise.all([
      sessions.append(sessionKey, records, { id: message.id }),
      engine.wake(sessionWakeKey(sessionKey), gathers ? new Date(clock.now() + rules.debounceMs) : undefined),
    ]);
    const outcome = appended.duplicate ? "duplicate" : "accepted";
    metrics.increment("inbox.message_total", { channel: message.channel, outcome });
    if (rules.mode === "interrupt" && !appended.duplicate) running.of(sessionKey)?.interrupt();
    if (!appended.duplicate && rules.overflow !== "summarize")
      await refuseExcess(sessionKey, rules.cap, rules.overflow);
    return {
      outcome,
      sessionKey,
      turnId: appended.duplicate ? await turnOf(sessionKey, message) : message.turn,
      reply: (signal) => replyTo(sessionKey, message.id, signal),
    };
  }

  async function turnOf(sessionKey: string, message: NewMessage): Promise<string> {
    const session = await sessions.load(sessionKey);
    const first = [...session.waiting, ...(session.open?.inputs ?? [])].find(
      (input) => input.type === "in" && input.id === message.id,
    );
    if (first?.type === "in") return first.turn;
    return (await sessions.findReply(sessionKey, message.id))?.turn ?? message.turn;
  }

  /** Waits for the reply to a message that is in the log, or reads it there. */
  async function replyTo(sessionKey: string, messageId: string, signal: AbortSignal | undefined): Promise<Reply> {
    const waiting = hub.wait(hubKey(sessionKey, messageId), signal);
    waiting.reply.catch(() => undefined); // awaited below, unless the log has the reply or fails
    try {
      const out = await sessions.findReply(sessionKey, messageId);
      if (!out) return await waiting.reply;
      return toReply(sessionKey, out);
    } finally {
      waiting.cancel();
    }
  }

  async function tellRefused(user: string, target: Target, text: string): Promise<void> {
    if (toldTo.hit(user).hits > 1 || toldOn.hit(`${target.channel}\n${target.account}`).hits > MOST_TOLD) return;
    await outbox.enqueue(target, { message: { id: newId(clock), text: runtimeText("NOT_LET_IN", text) } });
  }

  return { accept, submit, inform, replyTo, watchKey, describe: messageOf };
}

/** The person at the terminal is the owner. */
function isTerminal(user: string, channel: string): boolean {
  return user === "cli" && channel === "cli";
}

function targetOf(message: InboundMessage): Target {
  return {
    channel: message.channel,
    account: message.account ?? DEFAULT_ACCOUNT,
    chat: message.peer.id,
    ...(message.thread !== undefined && { thread: message.thread }),
    ...(message.replyTo !== undefined && { replyTo: message.replyTo }),
  };
}
