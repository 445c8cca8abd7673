import { type Mutant, planted } from "./mutant.ts";

const ATTENTION = "src/attention";
const NOTIFY = "src/notify";
const INBOX = "src/inbox";
const FLOW = "test/notify/notify.test.ts";
const CONSENT = "test/inbox/consent.test.ts";

/** What is said unasked reaches its person alone, within their limits, and a word consents to what was asked alone. */
export const ATTENTION_MUTANTS: readonly Mutant[] = [
  ...planted({ threat: 13, promise: "a notice reaches its person alone", test: FLOW }, [
    [NOTIFY, "placed", "personOf(preferred) !== personOf(user)", "false"],
    [ATTENTION, "placeOf", "[user, channel, account, chat, thread]", "[user]"],
  ]),
  ...planted({ threat: 10, promise: "a word consents to what was asked last", test: CONSENT }, [
    [INBOX, "isLastSaid", "if (shown && !isSameChat(shown.target, target)) return false;", ""],
    [
      INBOX,
      "isLastSaid",
      'if (newest && !(newest.type === "message" && newest.id === shown.messageId)) return false;',
      "",
    ],
    [INBOX, "isLastSaid", 'if (newest && newest.marks.at(-1)?.delivery !== "sent") return false;', ""],
    [INBOX, "isLastSaid", "if (((await lastSaidTo(user)) ?? 0) > createdAt) return false;", ""],
    [INBOX, "isLastSaid", "(history.at(-1)?.out?.at ?? 0) <= createdAt", "true"],
    [INBOX, "isLastSaid", "if (open !== undefined || waiting.length > 0) return false;", ""],
    [INBOX, "buttonOf", "if (offer.used) return offer.used.press === source.id ? button : null;", ""],
    [INBOX, "buttonOf", "if (clock.now() >= offer.expiresAt) return null;", ""],
  ]),
  ...planted({ threat: 6, promise: "nobody is interrupted over the limits", test: "test/notify/month.long.test.ts" }, [
    [ATTENTION, "decideAttention", 'if (quietUntil !== null) return held("quiet_hours", quietUntil);', ""],
    [ATTENTION, "takeNotice", "sent: [...document.sent, sentOf(notice, now)]", "sent: document.sent"],
    [ATTENTION, "releaseDue", "decide(next, notice, config, now)", '{ verdict: "send" as const, rule: "ok" as const }'],
  ]),
  ...planted({ threat: 6, promise: "what was held is said in the end", test: FLOW }, [
    [ATTENTION, "createAttention.release", "await wakeFor(userId, document);", ""],
  ]),
  ...planted({ threat: 4, promise: "a notice is decided and said once", test: FLOW }, [
    [ATTENTION, "takeNotice", "known !== undefined", "false"],
    [ATTENTION, "takeNotice", "...(isJoined && { isJoined })", ""],
    [ATTENTION, "verdictOf", '(one.verdict === "drop" || one.verdict === "send")', 'one.verdict === "drop"'],
    [ATTENTION, "verdictOf", "|| one.ids?.includes(id) === true", ""],
    [ATTENTION, "createAttention.release", "for (const notice of document.leaving) await passOn(notice);", ""],
  ]),
];
