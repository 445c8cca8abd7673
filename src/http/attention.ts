import * as v from "valibot";
import type { Clock } from "../clock.ts";
import type { AttentionApi, DecidedNotice, HeldNotice, PersonAttention } from "../notify/index.ts";
import { type Audit, leftOut } from "../telemetry/index.ts";
import type { Caller } from "./auth.ts";
import { type GuardedRoute, checkedQuery, json } from "./route.ts";
import { speakerOf } from "./speaker.ts";
import { Count, name, userName } from "./wire.ts";
import { Time } from "./wire-time.ts";
import { checkedBody } from "./checked-body.ts";

const OWNERS = "@owner";
const user = v.optional(
  userName(
    "`channel:id`, or the name of a linked person such as `@ada`. Default: the token's own user; any other requires an owner's token",
  ),
);
const noticeType = name("Type of the notice, such as `note`");

const ListQuery = v.object({ user });
const MuteBody = v.strictObject({
  user,
  until: v.pipe(v.nullable(Time), v.description("Unsolicited notices are held until this time. `null` ends the mute")),
});
const LessBody = v.strictObject({
  user,
  type: noticeType,
  times: v.optional(
    v.pipe(
      v.number("Expected a whole number"),
      v.integer("Expected a whole number"),
      v.minValue(0, "Expected 0 or more"),
      v.maxValue(10, "Expected 10 or less"),
      v.description("How often the person asked for less of this type. 0 resets it. Default: one more than before"),
    ),
  ),
});
const NotifyBody = v.strictObject({
  user: userName("The recipient: `channel:id`, `@owner` or the name of a linked person"),
  text: v.pipe(
    v.string("Expected the text of the notice"),
    v.maxLength(20_000, "Expected at most 20000 characters"),
    v.description("Markdown"),
  ),
  type: v.optional(noticeType),
  priority: v.optional(
    v.pipe(
      v.number("Expected a number from 0 to 1"),
      v.minValue(0, "Expected a number from 0 to 1"),
      v.maxValue(1, "Expected a number from 0 to 1"),
      v.description("Priority, from 0 to 1. Default 0.7"),
    ),
  ),
  urgent: v.optional(
    v.pipe(v.boolean("Expected true or false"), v.description("`true` ignores mute, quiet hours and limits")),
  ),
  requested: v.optional(
    v.pipe(
      v.boolean("Expected true or false"),
      v.description("`true` if the person asked for it: it also ignores mute, quiet hours and limits"),
    ),
  ),
  expires_at: v.optional(v.pipe(Time, v.description("When the notice expires. Default: in a week"))),
  dedupe_key: v.optional(
    name("Key of the subject: notices with the same key within a day, or still held, are sent once"),
  ),
  id: v.optional(name("Idempotency key: a repeated call with the same id sends the notice once. Default: a new id")),
});

const decided = {
  id: v.string(),
  type: v.string(),
  channel: v.string(),
  session_key: v.string(),
  text: v.string(),
  priority: v.number(),
  at: Time,
  verdict: v.picklist(["send", "hold", "digest", "drop"]),
  rule: v.string(),
};
const PersonJson = v.strictObject({
  user: v.string(),
  muted_until: v.nullable(Time),
  less: v.pipe(
    v.record(v.string(), Count),
    v.description("Types of which the person wants less, with how often they asked"),
  ),
  held: v.pipe(v.array(v.strictObject({ ...decided, until: Time })), v.description("Held notices, soonest first")),
  decisions: v.pipe(
    v.array(v.strictObject({ ...decided, until: v.optional(Time) })),
    v.description("The newest 50, newest first"),
  ),
  sent: v.pipe(
    v.array(v.strictObject({ id: v.string(), type: v.string(), at: Time, ids: v.optional(v.array(v.string())) })),
    v.description("Notices sent in the last two days, newest first. `ids`: the notices that a digest joined"),
  ),
});
const ListJson = v.strictObject({ people: v.array(PersonJson) });
const LessJson = v.strictObject({ user: v.string(), type: v.string(), times: Count });
const MutedJson = v.strictObject({ user: v.string(), muted_until: v.nullable(Time) });
const OutcomeJson = v.strictObject({
  id: v.string(),
  verdict: v.optional(decided.verdict),
  rule: v.optional(v.string()),
  until: v.optional(Time),
});

export interface AttentionRoutesDeps {
  readonly attention: Omit<AttentionApi, "explain" | "press" | "replace">;
  canonicalUser(userId: string): string;
  readonly clock: Clock;
  readonly audit: Pick<Audit, "write">;
}

/** Routes for unsolicited messages: an owner's token reads and changes all, a user's token its user's. */
export function attentionRoutes({
  attention,
  canonicalUser,
  clock,
  audit,
}: AttentionRoutesDeps): readonly GuardedRoute[] {
  /**
   * Resolves the user of a call. An owner's token without a user means the owner's own.
   * @throws {ProblemError} `FORBIDDEN` for another user with a user's token.
   */
  function whose(caller: Caller, wanted: string | undefined): string {
    return canonicalUser(speakerOf(caller, { user: wanted }).user ?? OWNERS);
  }

  function changed(caller: Caller, what: string, target: string): void {
    audit.write({ who: speakerOf(caller, {}).user ?? "owner", what: `attention.${what}`, target, verdict: "ok" });
  }

  return [
    {
      method: "GET",
      path: "/api/v1/attention",
      summary: "Shows the notices that were sent, held and dropped, each with the rule that decided",
      access: ["owner", "user"],
      query: ListQuery,
      answers: {
        200: { description: "One entry per person; with an owner's token its own user comes first", schema: ListJson },
      },
      async handle({ query, caller }) {
        const { user: wanted } = checkedQuery(ListQuery, query);
        const own = whose(caller, wanted);
        const isAll = caller.role === "owner" && wanted === undefined;
        const people = isAll ? new Set([own, ...(await attention.people())]) : [own];
        const viewed = [...people].map((one) => {
          const view = attention.view({ user: one });
          return isAll ? view.catch(leftOut()) : view;
        });
        const found = (await Promise.all(viewed)).filter((one) => one !== null);
        return json({ people: found.map(personJson) } satisfies v.InferOutput<typeof ListJson>);
      },
    },
    {
      method: "POST",
      path: "/api/v1/attention/mute",
      summary: "Mutes unsolicited notices to a person until a time, or ends the mute",
      access: ["owner", "user"],
      body: MuteBody,
      answers: { 200: { description: "The setting was stored", schema: MutedJson } },
      async handle({ request, caller }) {
        const { user: wanted, until } = await checkedBody(MuteBody, request, clock);
        const person = whose(caller, wanted);
        const time = until === null ? null : new Date(until);
        await attention.mute({ user: person, until: time });
        changed(caller, time === null ? "unmute" : "mute", person);
        return json({ user: person, muted_until: time?.toISOString() ?? null } satisfies v.InferOutput<
          typeof MutedJson
        >);
      },
    },
    {
      method: "POST",
      path: "/api/v1/attention/less",
      summary: "Sends a person fewer notices of a type",
      access: ["owner", "user"],
      body: LessBody,
      answers: { 200: { description: "The setting was stored", schema: LessJson } },
      async handle({ request, caller }) {
        const { user: wanted, type, times } = await checkedBody(LessBody, request, clock);
        const person = whose(caller, wanted);
        const said = await attention.less({ user: person, type, times });
        changed(caller, "less", person);
        return json({ user: person, type, times: said } satisfies v.InferOutput<typeof LessJson>);
      },
    },
    {
      method: "POST",
      path: "/api/v1/attention/notify",
      summary: "Sends a notice to a person: now, later or not at all, by the same decision as for every notice",
      access: ["owner"],
      body: NotifyBody,
      answers: {
        200: {
          description:
            "The decision. No `verdict`: the notice was decided so long ago that its decision is no longer kept",
          schema: OutcomeJson,
        },
      },
      async handle({ request, caller }) {
        const body = await checkedBody(NotifyBody, request, clock);
        const { expires_at: expiresAt, dedupe_key: dedupeKey, ...given } = body;
        const { id, decision } = await attention.notify({
          ...given,
          dedupeKey,
          expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt),
        });
        changed(caller, "notify", `${canonicalUser(given.user)} ${id}`);
        return json({
          id,
          ...(decision && { verdict: decision.verdict, rule: decision.rule }),
          ...(decision?.until && { until: decision.until.toISOString() }),
        } satisfies v.InferOutput<typeof OutcomeJson>);
      },
    },
  ];
}

function personJson({
  user: person,
  decisions,
  held,
  sent,
  mutedUntil,
  less,
}: PersonAttention): v.InferOutput<typeof PersonJson> {
  return {
    user: person,
    muted_until: mutedUntil?.toISOString() ?? null,
    less,
    held: held.map((one) => ({ ...noticeJson(one), until: one.until.toISOString() })),
    decisions: decisions.map((one) => ({ ...noticeJson(one), ...(one.until && { until: one.until.toISOString() }) })),
    sent: sent.map(({ at, ids, ...one }) => ({ ...one, at: at.toISOString(), ...(ids && { ids: [...ids] }) })),
  };
}

function noticeJson({ sessionKey, at, until: _until, ...rest }: DecidedNotice | HeldNotice) {
  return { ...rest, session_key: sessionKey, at: at.toISOString() };
}
