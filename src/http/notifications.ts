import * as v from "valibot";
import type { Clock } from "../clock.ts";
import type { HostMessage } from "../reply.ts";
import { ProblemError } from "./problem.ts";
import { type GuardedRoute, checkedQuery, json } from "./route.ts";
import { speakerOf, usersOf } from "./speaker.ts";
import { name } from "./wire.ts";
import { checkedBody } from "./checked-body.ts";

const ListQuery = v.object({
  user: v.optional(
    v.pipe(v.string(), v.minLength(1), v.description("`channel:id`. Default: all users, with an owner's token")),
  ),
});

const ListJson = v.strictObject({
  notifications: v.array(
    v.strictObject({
      id: v.string(),
      user: v.string(),
      session_key: v.string(),
      kind: v.picklist(["reply", "result", "notice"]),
      text: v.string(),
      buttons: v.optional(
        v.pipe(
          v.array(v.strictObject({ id: v.string(), label: v.string() })),
          v.description("The buttons that `press` accepts"),
        ),
      ),
      created_at: v.pipe(v.string(), v.isoTimestamp()),
    }),
  ),
});

const PressBody = v.strictObject({ choice: name("The `id` of a button of the notification") });
const PressedJson = v.strictObject({ text: v.pipe(v.string(), v.description("The text that the person reads")) });

/** Unsolicited messages that wait to be read. */
export interface NotificationsPart {
  list(of: {
    readonly user?: string | undefined;
  }): Promise<readonly (HostMessage & { readonly createdAt: Date; readonly eventId: string })[]>;
  /** @returns False if that user has no such message. */
  remove(id: string, user?: string): Promise<boolean>;
}

export interface NotificationRoutesDeps {
  readonly notifications: NotificationsPart;
  /**
   * Presses a button as a person.
   * @throws {AssistantError} `FORBIDDEN` for another person's button, `GONE` for an expired one.
   */
  press(press: { readonly user: string; readonly button: string }): Promise<{ readonly text: string }>;
  readonly clock: Clock;
}

/**
 * Routes for unsolicited messages to people without a channel. A message waits until it is removed, or the host takes
 * it with `deliver`.
 */
export function notificationRoutes({ notifications, press, clock }: NotificationRoutesDeps): readonly GuardedRoute[] {
  return [
    {
      method: "GET",
      path: "/api/v1/notifications",
      summary: "Lists notifications to people whom no channel reaches, oldest first",
      access: ["owner", "user"],
      query: ListQuery,
      answers: { 200: { description: "The newest 100 of each user", schema: ListJson } },
      async handle({ query, caller }) {
        const { user } = checkedQuery(ListQuery, query);
        const of = caller.role === "owner" ? user : speakerOf(caller, { user }).user;
        const found = await notifications.list({ user: of });
        return json({
          notifications: found.map(({ sessionKey, createdAt, eventId: _event, buttons, ...message }) => ({
            ...message,
            ...(buttons && { buttons: [...buttons] }),
            session_key: sessionKey,
            created_at: createdAt.toISOString(),
          })),
        } satisfies v.InferOutput<typeof ListJson>);
      },
    },
    {
      method: "DELETE",
      path: "/api/v1/notifications/:id",
      summary: "Removes a notification that was read",
      access: ["owner", "user"],
      params: { id: "The notification's id, percent-encoded" },
      answers: { 204: { description: "The notification was removed" } },
      async handle({ params, caller }) {
        const { id = "" } = params;
        const of = caller.role === "owner" ? undefined : speakerOf(caller, {}).user;
        if (!(await notifications.remove(id, of)))
          throw new ProblemError("NOT_FOUND", `There is no notification ${JSON.stringify(id)}`);
        return new Response(null, { status: 204 });
      },
    },
    {
      method: "POST",
      path: "/api/v1/notifications/:id/press",
      summary: "Answers a notification that asks something, as its recipient, and removes it",
      access: ["owner", "user"],
      params: { id: "The notification's id, percent-encoded" },
      body: PressBody,
      answers: { 200: { description: "The answer was recorded", schema: PressedJson } },
      async handle({ request, params, caller }) {
        const { choice } = await checkedBody(PressBody, request, clock);
        const { id = "" } = params;
        const isTheirs = usersOf(caller);
        const found = (await notifications.list({})).find((one) => one.id === id && isTheirs(one.user));
        if (!found?.buttons?.some((button) => button.id === choice))
          throw new ProblemError("NOT_FOUND", `There is no notification ${JSON.stringify(id)} with this button`);
        const { user } = found;
        const { text } = await press({ user, button: choice });
        await notifications.remove(id, user);
        return json({ text } satisfies v.InferOutput<typeof PressedJson>);
      },
    },
  ];
}
