import type { HostMessage } from "../reply.ts";
import * as v from "valibot";
import { ProblemError } from "./problem.ts";
import { type GuardedRoute, checkedQuery, json } from "./route.ts";
import { speakerOf } from "./speaker.ts";

const ListQuery = v.object({
  user: v.optional(v.pipe(v.string(), v.minLength(1), v.description("`channel:id`; default everybody, for an owner"))),
});

const ListJson = v.strictObject({
  notifications: v.array(
    v.strictObject({
      id: v.string(),
      user: v.string(),
      session_key: v.string(),
      kind: v.picklist(["reply", "result", "notice"]),
      text: v.string(),
      created_at: v.pipe(v.string(), v.isoTimestamp()),
    }),
  ),
});

/** What is said unasked and waits to be read. */
export interface NotificationsPart {
  list(of: {
    readonly user?: string | undefined;
  }): Promise<readonly (HostMessage & { readonly createdAt: Date; readonly eventId: string })[]>;
  /** @returns False when there is none, of that user. */
  remove(id: string, user?: string): Promise<boolean>;
}

/** What is said unasked to people whom no channel reaches. It waits until it is removed, or the host takes it with `deliver`. */
export function notificationRoutes(notifications: NotificationsPart): readonly GuardedRoute[] {
  return [
    {
      method: "GET",
      path: "/api/v1/notifications",
      summary: "Lists what the assistant said unasked to people whom no channel reaches, oldest first",
      access: ["owner", "user"],
      query: ListQuery,
      answers: { 200: { description: "The newest 100 of each user", schema: ListJson } },
      async handle({ query, caller }) {
        const { user } = checkedQuery(ListQuery, query);
        const of = caller.role === "owner" ? user : speakerOf(caller, { user }).user;
        const found = await notifications.list({ user: of });
        return json({
          notifications: found.map(({ sessionKey, createdAt, eventId: _event, ...message }) => ({
            ...message,
            session_key: sessionKey,
            created_at: createdAt.toISOString(),
          })),
        } satisfies v.InferOutput<typeof ListJson>);
      },
    },
    {
      method: "DELETE",
      path: "/api/v1/notifications/:id",
      summary: "Removes one that was read",
      access: ["owner", "user"],
      params: { id: "Its id, percent-encoded" },
      answers: { 204: { description: "It is gone" } },
      async handle({ params, caller }) {
        const { id = "" } = params;
        const of = caller.role === "owner" ? undefined : speakerOf(caller, {}).user;
        if (!(await notifications.remove(id, of)))
          throw new ProblemError("NOT_FOUND", `There is no notification ${JSON.stringify(id)}`);
        return new Response(null, { status: 204 });
      },
    },
  ];
}
