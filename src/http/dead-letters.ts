import * as v from "valibot";
import type { Outbox } from "../outbox/index.ts";
import { type GuardedRoute, checkedQuery, countParameter, json } from "./route.ts";

const ListQuery = v.object({ limit: countParameter(1000, "The newest so many; default 100") });

const ListJson = v.strictObject({
  dead_letters: v.array(
    v.strictObject({
      at: v.pipe(v.string(), v.isoTimestamp()),
      channel: v.string(),
      account: v.string(),
      chat: v.string(),
      id: v.string(),
      part: v.number(),
      session_key: v.optional(v.string()),
      text: v.string(),
      error: v.string(),
      attempts: v.number(),
    }),
  ),
});

/** What was given up: parts of messages that a channel did not take. */
export function deadLetterRoutes(outbox: Pick<Outbox, "listDead">): readonly GuardedRoute[] {
  return [
    {
      method: "GET",
      path: "/api/v1/dead-letters",
      summary: "Lists the messages that could not be delivered and were given up, oldest first",
      access: ["owner"],
      query: ListQuery,
      answers: { 200: { description: "The messages, a part each", schema: ListJson } },
      async handle({ query }) {
        const { limit } = checkedQuery(ListQuery, query);
        const found = await outbox.listDead(limit === undefined ? {} : { limit });
        return json({
          dead_letters: found.map(({ at, target: { channel, account, chat }, session, ...letter }) => ({
            at: new Date(at).toISOString(),
            channel,
            account,
            chat,
            ...letter,
            ...(session !== undefined && { session_key: session }),
          })),
        } satisfies v.InferOutput<typeof ListJson>);
      },
    },
  ];
}
