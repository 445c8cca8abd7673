import * as v from "valibot";
import type { Caller } from "./auth.ts";
import type { HttpParts } from "./parts.ts";
import { ProblemError } from "./problem.ts";
import { checkedQuery, countParameter, json, type GuardedRoute } from "./route.ts";
import { speakerOf } from "./speaker.ts";
import { ContextJson, SessionListJson, TranscriptJson, entryJson, sessionJson } from "./wire.ts";

const ListQuery = v.object({
  after: v.optional(v.pipe(v.string(), v.description("Only sessions whose key follows this one"))),
  limit: countParameter(1000, "At most so many; default 100"),
});
const ShowQuery = v.object({ limit: countParameter(1000, "The newest so many entries; default 200") });

const KEY =
  "A session's key, percent-encoded; or `web:<id>`, `sdk:<session>`: the caller's own conversation of that name";

export function sessionRoutes(parts: HttpParts): readonly GuardedRoute[] {
  const { sessions } = parts;

  /** The full key. A user's token reaches only conversations of its own, by their names. */
  function keyOf(given: string, caller: Caller): string {
    const [, channel, name] = /^(web|sdk):(.+)$/s.exec(given) ?? [];
    if (channel === undefined || name === undefined) {
      if (caller.role === "owner") return given;
      throw new ProblemError(
        "FORBIDDEN",
        "Session keys are for the owner: name your own conversation as web:<id> or sdk:<session>",
      );
    }
    return parts.sessionKeyOf(channel === "web" ? "web" : "sdk", speakerOf(caller, { session: name }).session ?? name);
  }

  function missing(key: string): ProblemError {
    return new ProblemError("NOT_FOUND", `There is no session ${JSON.stringify(key)}: GET /api/v1/sessions lists them`);
  }

  return [
    {
      method: "GET",
      path: "/api/v1/sessions",
      summary: "Lists sessions in the order of their keys",
      access: ["owner"],
      query: ListQuery,
      answers: { 200: { description: "One page of sessions", schema: SessionListJson } },
      async handle({ query }) {
        const { after, limit = 100 } = checkedQuery(ListQuery, query);
        // One more than asked for tells whether there is another page.
        const found = await sessions.list({ limit: limit + 1, ...(after === undefined ? {} : { after }) });
        const page = found.slice(0, limit);
        const last = page.at(-1);
        return json({
          sessions: page.map(sessionJson),
          ...(found.length > limit && last ? { next_after: last.key } : {}),
        });
      },
    },
    {
      method: "GET",
      path: "/api/v1/sessions/:key",
      summary: "Shows a session's transcript, oldest entry first",
      access: ["owner", "user"],
      params: { key: KEY },
      query: ShowQuery,
      answers: { 200: { description: "The transcript", schema: TranscriptJson } },
      async handle({ params, query, caller }) {
        const { limit = 200 } = checkedQuery(ShowQuery, query);
        const key = keyOf(params["key"] ?? "", caller);
        const found = await sessions.show(key, { limit });
        if (!found) throw missing(key);
        return json({ key: found.key, entries: found.entries.map(entryJson) });
      },
    },
    {
      method: "GET",
      path: "/api/v1/sessions/:key/context",
      summary: "Shows what the next prompt of a session would hold",
      access: ["owner"],
      params: { key: KEY },
      answers: { 200: { description: "The parts, with estimated tokens", schema: ContextJson } },
      async handle({ params, caller }) {
        const key = keyOf(params["key"] ?? "", caller);
        if (!(await sessions.show(key, { limit: 1 }))) throw missing(key);
        const { parts: built, totalTokens } = await parts.explainContext({ session: key });
        return json({ parts: built, total_tokens: totalTokens });
      },
    },
    {
      method: "DELETE",
      path: "/api/v1/sessions/:key",
      summary: "Removes a session with everything in its log",
      access: ["owner"],
      params: { key: KEY },
      answers: { 204: { description: "It is gone" } },
      async handle({ params, caller }) {
        const key = keyOf(params["key"] ?? "", caller);
        if (!(await sessions.remove(key))) throw missing(key);
        return new Response(null, { status: 204 });
      },
    },
  ];
}
