import { type Mutant, planted } from "./mutant.ts";

const SESSION = "src/session";
const INBOX = "src/inbox";
const FLOW = "src/proactive/memory";
const IN_MEMORY = "test/proactive/memory/changed-messages.test.ts";
const THROUGH = "test/memory/changed-messages.test.ts";

/** Messages that are edited and deleted on their platforms, and files that people put into a memory. */
export const CHANGED_MESSAGES: readonly Mutant[] = [
  ...planted({ threat: 13, promise: "an edit by another changes nothing", test: THROUGH }, [
    [SESSION, "messageRef", "[channel, account, peer.id, user, messageId]", "[channel, account, peer.id, messageId]"],
  ]),
  ...planted({ threat: 13, promise: "an edit changes its writer's own message alone", test: IN_MEMORY }, [
    [SESSION, "messageRef", "[channel, account, peer.id, user, messageId]", "[channel, account, user, messageId]"],
    [SESSION, "messageRef", "[channel, account, peer.id, user, messageId]", "[channel, peer.id, user, messageId]"],
  ]),
  ...planted({ threat: 13, promise: "the newest edit counts", test: IN_MEMORY }, [
    [SESSION, "isOvertaken", "(change.changedAtMs ?? change.at) < (by.changedAtMs ?? by.at)", "false"],
    [FLOW, "createChangedMessages.follow", "holds && ", ""],
  ]),
  ...planted({ threat: 13, promise: "what is deleted stays deleted", test: THROUGH }, [
    [SESSION, "isOvertaken", 'if (by.change === "deleted") return true;', ""],
  ]),
  ...planted({ threat: 13, promise: "what was edited away is remembered no more", test: IN_MEMORY }, [
    [FLOW, "createChangedMessages.followOne", "!contents.has(entry.content)", "false"],
    [FLOW, "createChangedMessages.followOne", "await removeArchived(userId, isTheirs);", ""],
    [FLOW, "createMemoryCapture.read", 'if (record.type === "change") changeWaiting(waiting, record);', ""],
    [FLOW, "createChangedMessages.letGo", "!(isTrace && text === undefined)", "true"],
  ]),
  ...planted({ threat: 13, promise: "what was forgotten or removed does not come back", test: IN_MEMORY }, [
    [FLOW, "createChangedMessages.draftsOf", "!isOwn || hadForgotten", "!isOwn"],
    [FLOW, "createChangedMessages.draftsOf", "!removed.some((other) => other.content === content)", "true"],
  ]),
  ...planted(
    {
      threat: 13,
      promise: "what was removed is not captured again",
      test: "test/proactive/memory/capture.test.ts",
    },
    [
      [
        FLOW,
        "createMemoryCapture.read",
        "Math.min(cursor.from, cursor.seq, followed + 1)",
        "Math.min(cursor.from, followed + 1)",
      ],
    ],
  ),
  ...planted({ threat: 13, promise: "what was confirmed outlives its message", test: THROUGH }, [
    [FLOW, "createChangedMessages.followOne", "if (!isConfirmed(entry)) await letGo", "await letGo"],
    [FLOW, "createChangedMessages.letGo", "others.length > 0 &&", "false &&"],
  ]),
  ...planted({ threat: 13, promise: "a message that waits is answered as it reads now", test: THROUGH }, [
    [SESSION, "decideNextTurn", "|| isWithdrawn(message)", ""],

    [SESSION, "changed", "text: nowText(by)", "text: message.text"],
    [SESSION, "asItArrives", "nowText(change)", "message.text"],
  ]),
  ...planted(
    { threat: 13, promise: "a turn is told of what changed behind it", test: "test/session/changes.test.ts" },
    [
      [SESSION, "asPrompted", "shown.changed.by.seq > seen", "false"],
      [SESSION, "asPrompted", "if (later && later.seq > seen) {", "if (false) {"],
      [
        SESSION,
        "applyChange",
        "messageId === record.messageId && user === record.user",
        "messageId === record.messageId",
      ],
    ],
  ),
  ...planted({ threat: 2, promise: "an edit gives no orders", test: "test/inbox/inbox-alone.test.ts" }, [
    [INBOX, "createInbox.accept", "if (isChange) return changes.take(sessionKey, id, message);", ""],
    [
      INBOX,
      "createInbox.accept",
      "isChange ? null : await admission.answerClaim(channel, message)",
      "await admission.answerClaim(channel, message)",
    ],
  ]),
  ...planted({ threat: 6, promise: "edits are bounded", test: "test/inbox/message-changes.test.ts" }, [
    [INBOX, "createMessageChanges.take", "rate.hit(sessionKey).hits > MAX_A_MINUTE", "false"],
    [INBOX, "createMessageChanges.take", "text.slice(0, MAX_TEXT_CHARS)", "text"],
  ]),
  ...planted({ threat: 13, promise: "a forgotten person's edits are forgotten", test: "test/session/traces.test.ts" }, [
    [SESSION, "findTraces", '|| record.type === "change"', ""],
  ]),
  ...planted(
    { threat: 8, promise: "a person's file and the store's are never one", test: "test/store/fs-by-hand.host.test.ts" },
    [
      ["adapters/storage/fs", "createDocuments.isByHand", "if (!foldsCase) return true;", "return true;"],
      ["adapters/storage/fs", "createDocuments.targetOf", "!foldsCase && ", ""],
      ["adapters/storage/fs", "createListing.walk", "if (names.has(twin)) {", "if (false) {"],
    ],
  ),
];
