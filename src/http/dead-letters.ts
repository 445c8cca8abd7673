import * as v from "valibot";
import type { DeadLetter, DeadLetters, Outbox } from "../outbox/index.ts";
import type { Audit } from "../telemetry/index.ts";
import { type GuardedRoute, checkedQuery, countParameter, json } from "./route.ts";
import { speakerOf } from "./speaker.ts";

const ListQuery = v.object({ limit: countParameter(1000, "Maximum number of messages, newest first. Default 100") });

const Time = v.pipe(v.string(), v.isoTimestamp());
const LetterJson = v.strictObject({
  at: v.pipe(Time, v.description("When delivery was given up")),
  written_at: v.optional(Time),
  channel: v.string(),
  account: v.string(),
  chat: v.string(),
  id: v.string(),
  part: v.number(),
  session_key: v.optional(v.string()),
  text: v.string(),
  error: v.string(),
  attempts: v.number(),
});
const ListJson = v.strictObject({ dead_letters: v.array(LetterJson) });

export interface DeadLetterRoutesDeps {
  readonly list: Outbox["listDead"];
  readonly letters: Pick<DeadLetters, "find" | "sendAgain">;
  /** Resolves once the assistant runs. Sending again needs that. */
  start(): Promise<void>;
  readonly audit: Pick<Audit, "write">;
}

/** Routes for dead letters: parts of messages that a channel did not accept. */
export function deadLetterRoutes({ list, letters, start, audit }: DeadLetterRoutesDeps): readonly GuardedRoute[] {
  return [
    {
      method: "GET",
      path: "/api/v1/dead-letters",
      summary: "Lists messages whose delivery was given up, oldest first",
      access: ["owner"],
      query: ListQuery,
      answers: { 200: { description: "The messages, one entry per part", schema: ListJson } },
      async handle({ query }) {
        const { limit } = checkedQuery(ListQuery, query);
        const found = await list(limit === undefined ? {} : { limit });
        return json({ dead_letters: found.map(letterJson) } satisfies v.InferOutput<typeof ListJson>);
      },
    },
    {
      method: "POST",
      path: "/api/v1/dead-letters/:letter/send",
      summary: "Sends an undelivered message again as a new message. If that fails too, it is listed under a new id",
      access: ["owner"],
      params: { letter: "`<id>.<part>` as listed, percent-encoded" },
      answers: { 202: { description: "The message is queued for delivery", schema: LetterJson } },
      async handle({ params, caller }) {
        const name = params["letter"] ?? "";
        // An unknown letter must not start the assistant.
        await letters.find(name);
        await start();
        const letter = await letters.sendAgain(name);
        const { channel, chat } = letter.target;
        const who = speakerOf(caller, {}).user ?? "owner";
        audit.write({ who, what: "delivery.again", target: `${channel}:${chat}`, verdict: "ok", reason: name });
        return json(letterJson(letter), 202);
      },
    },
  ];
}

function letterJson({
  at,
  writtenAt,
  target: { channel, account, chat },
  session,
  ...letter
}: DeadLetter): v.InferOutput<typeof LetterJson> {
  return {
    at: new Date(at).toISOString(),
    ...(writtenAt !== undefined && { written_at: new Date(writtenAt).toISOString() }),
    channel,
    account,
    chat,
    ...letter,
    ...(session !== undefined && { session_key: session }),
  };
}
