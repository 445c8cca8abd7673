import type { Clock } from "../clock.ts";
import * as v from "valibot";
import type { AskedView, PersonView, AccessPart } from "../access/index.ts";
import { answererOf } from "./approvals.ts";
import { json, type GuardedRoute } from "./route.ts";
import { checkedBody } from "./checked-body.ts";

const AnswerBody = v.strictObject({
  answer: v.pipe(
    v.picklist(["approve", "deny"], 'Expected "approve" or "deny"'),
    v.description("`approve`: they may write on this account from now on. `deny`: they cannot ask again for 24 hours"),
  ),
});

const Time = v.pipe(v.string(), v.isoTimestamp());
const somebody = {
  key: v.pipe(v.string(), v.description("What `DELETE /api/v1/access/:id` takes")),
  user: v.pipe(v.string(), v.description("`channel:id`")),
  channel: v.string(),
  account: v.string(),
  id: v.pipe(v.string(), v.description("The platform's stable id")),
  name: v.optional(v.pipe(v.string(), v.description("What they call themselves; anybody can choose any"))),
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
      summary: "Lists who asks to be let in, who was let in, and who became the owner by a code",
      access: ["owner"],
      answers: { 200: { description: "The people", schema: AccessJson } },
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
      summary: "Lets in whoever asked with this code, or does not",
      access: ["owner"],
      params: { id: "The code that they were told" },
      body: AnswerBody,
      answers: { 200: { description: "Who it was", schema: AnsweredJson } },
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
      summary: "Takes access back from somebody who was let in, or became the owner, by a code",
      access: ["owner"],
      params: { id: "The `key` of an entry, or `channel:id` for every account; percent-encoded" },
      answers: { 204: { description: "It is gone" } },
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
