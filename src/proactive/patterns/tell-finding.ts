import type { Clock } from "../../clock.ts";
import { AssistantError, messageOf } from "../../errors.ts";
import type { EventBus } from "../../events/index.ts";
import type { Notice, Notify } from "../../notice.ts";
import type { MemoryUsers } from "../../session/index.ts";
import type { Suggestions } from "../../skills/index.ts";
import type { Logger, Metrics } from "../../telemetry/index.ts";
import type { EvidenceHome } from "./evidence.ts";
import type { Findings, OpenFinding } from "./findings.ts";

/** The kind of offer that the buttons of findings carry. */
export const PATTERN_OFFER = "pattern";
const LABELS = {
  en: { yes: "Yes", ok: "OK", later: "Not now", no: "No" },
  zh: { yes: "好", ok: "知道了", later: "以后再说", no: "不用" },
} as const;

/** Withdraws a person's held notices for which `isOver` returns true. */
export type Withdraw = (user: string, isOver: (notice: Notice) => boolean) => Promise<void>;

/** Returns the id of the finding that a notice tells. */
export function findingOf({ offer }: Notice): string | undefined {
  return offer?.kind === PATTERN_OFFER ? (offer.data as { readonly finding: string }).finding : undefined; // see `createTellFinding`
}

export interface NoteSaidDeps {
  readonly findings: Pick<Findings, "said">;
  readonly canonicalUser: MemoryUsers["canonicalUser"];
  readonly logger: Pick<Logger, "error">;
}

/**
 * Creates the callback for each notice that is sent: it notes that a finding was told. A failure is logged and never
 * stops a notice.
 */
export function createNoteSaid({ findings, canonicalUser, logger }: NoteSaidDeps) {
  return async function noteSaid(notice: Notice): Promise<void> {
    const id = findingOf(notice);
    if (id === undefined) return;
    const { user } = notice.offer!.data as { readonly user: string }; // see `createTellFinding`
    await findings.said(canonicalUser(user), id).catch((error: unknown) => {
      // The finding was removed with its person or its evidence.
      if (!AssistantError.is(error, "NOT_FOUND"))
        logger.error("It was not kept that a finding was told", { error: messageOf(error) });
    });
  };
}

export interface TellFindingDeps {
  readonly notify: Notify;
  readonly findings: Pick<Findings, "told" | "standing">;
  /** Absent: no skills are suggested. */
  readonly suggestions?: Pick<Suggestions, "putOff"> | undefined;
  readonly events: Pick<EventBus, "publishAsync" | "has">;
  readonly metrics: Pick<Metrics, "increment">;
  readonly clock: Pick<Clock, "now">;
}

/**
 * Creates the function that tells a person of a finding, as one notice with buttons. If a crash repeats it, the notice
 * has the same id.
 */
export function createTellFinding({ notify, findings, suggestions, events, metrics, clock }: TellFindingDeps) {
  return async function tell(user: string, finding: OpenFinding, home: EvidenceHome): Promise<void> {
    const { id, detector, language, raised, suggestion } = finding;
    const { text, priority, action } = suggestion;
    const { weights } = await findings.standing(user);
    const labels = LABELS[language];
    const verdict = await notify({
      id: `pattern:${id}:${raised}`,
      type: "pattern",
      user: home.user,
      channel: home.channel,
      account: home.account,
      chat: home.chat,
      ...(home.thread !== undefined && { thread: home.thread }),
      sessionKey: home.session,
      text,
      priority: Math.min(1, priority * (weights.pattern_suggestion ?? 1)),
      dedupeKey: `pattern:${id}`,
      offer: {
        kind: PATTERN_OFFER,
        choices: [
          { id: "yes", label: action.kind === "hint" ? labels.ok : labels.yes },
          { id: "later", label: labels.later },
          { id: "no", label: labels.no },
        ],
        data: { user, finding: id },
        language,
      },
    });
    // Unless the notice was dropped, the model must not suggest the same skill.
    if (action.kind === "skill" && verdict !== "drop") await suggestions?.putOff(user, action.suggestion);
    await findings.told(user, id);
    metrics.increment("proactive.pattern.found_total", { detector });
    if (!events.has("proactive.pattern.detected")) return;
    const { confidence, frequency, evidenceIds } = finding;
    const payload = { userId: user, id, detector, text, confidence, frequency, evidenceIds };
    events.publishAsync({
      type: "proactive.pattern.detected",
      sessionId: home.session,
      timestamp: clock.now(),
      payload,
    });
  };
}
