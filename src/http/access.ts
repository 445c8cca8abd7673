import type { Clock } from "../clock.ts";
import * as v from "valibot";
import type { AskedView, PersonView, AccessPart } from "../access/index.ts";
import { answererOf } from "./approvals.ts";
import { json, type GuardedRoute } from "./route.ts";
import { checkedBody } from "./checked-body.ts";

const AnswerBody = v.strictObject({
  answer: v.pipe(
    v.picklist(["approve", "deny"], 'Expected "approve" or "deny"'),
    v.description(
      "`approve`: the person may write on this account from now on. `deny`: the person cannot ask again for 24 hours",
    ),
  ),
});

const Time = v.pipe(v.string(), v.isoTimestamp());
const somebody = {
  key: v.pipe(v.string(), v.description("The id for `DELETE /api/v1/access/:id`")),
  user: v.pipe(v.string(), v.description("`channel:id`")),
  channel: v.string(),
  account: v.string(),
  id: v.pipe(v.string(), v.description("The platform's stable id of the person")),
  name: v.optional(
    v.pipe(v.string(), v.description("Display name that the person chose. Not unique: anyone can choose any name")),
  ),
};
const AskedJson = v.strictObject({ ...somebody, code: v.string(), requested_at: Time, expires_at: Time });
const PersonJson = v.strictObject({ ...somebody, by: v.string(), since: Time });
const AccessJson = v.strictObject({
  pending: v.array(AskedJson),
  people: v.array(PersonJson),
  owners: v.array(v.strictObject({ user: v.string(), since: Time })),
});
const AnsweredJson = v.strictObject({ answer: v.picklist(["approve", "deny"]), ...somebody });

export interface AccessRoutesDeps {
  /** People let in besides those in the configuration. */
  readonly access: AccessPart;
  readonly clock: Clock;
}

/** Routes for people let in besides those in the configuration, and for pending requests. */
export function accessRoutes({ access, clock }: AccessRoutesDeps): readonly GuardedRoute[] {
  return [
    {
      method: "GET",
      path: "/api/v1/access",
      summary:
        "Lists pending access requests, people who were let in by a code, and owners who claimed ownership by a code",
      access: ["owner"],
      answers: { 200: { description: "The requests, people and owners", schema: AccessJson } },
      async handle() {
        const { pending, people, owners } = await access.list();
        return json({
          pending: pending.map(askedJson),
          people: people.map(personJson),
          owners: owners.map(({ user, since }) => ({ user, since: since.toISOString() })),
        } satisfies v.InferOutput<typeof AccessJson>);
      },
    },
    {
      method: "POST",
      path: "/api/v1/access/:id",
      summary: "Approves or denies the access request with this code",
      access: ["owner"],
      params: { id: "The code of the access request" },
      body: AnswerBody,
      answers: { 200: { description: "The person who asked, and the answer", schema: AnsweredJson } },
      async handle({ request, params, caller }) {
        const { answer } = await checkedBody(AnswerBody, request, clock);
        const { key, user, channel, account, id, name } = await access[answer](params["id"] ?? "", answererOf(caller));
        const who = { key, user, channel, account, id, ...(name !== undefined && { name }) };
        return json({ answer, ...who } satisfies v.InferOutput<typeof AnsweredJson>);
      },
    },
    {
      method: "DELETE",
      path: "/api/v1/access/:id",
      summary: "Revokes the access or the ownership of a person who received it by a code",
      access: ["owner"],
      params: { id: "The `key` of an entry, or `channel:id` for all accounts of the channel. Percent-encoded" },
      answers: { 204: { description: "The access was revoked" } },
      async handle({ params, caller }) {
        await access.remove(params["id"] ?? "", answererOf(caller));
        return new Response(null, { status: 204 });
      },
    },
  ];
}

function askedJson({ requestedAt, expiresAt, ...who }: AskedView): v.InferOutput<typeof AskedJson> {
  return { ...who, requested_at: requestedAt.toISOString(), expires_at: expiresAt.toISOString() };
}

function personJson({ since, ...who }: PersonView): v.InferOutput<typeof PersonJson> {
  return { ...who, since: since.toISOString() };
}
