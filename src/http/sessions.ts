import * as v from "valibot";
import type { Clock } from "../clock.ts";
import type { ContextPart } from "../context/index.ts";
import { type SessionsApi, parseSessionKey } from "../session/index.ts";
import type { Caller } from "./auth.ts";
import { ProblemError } from "./problem.ts";
import { checkedQuery, countParameter, json, type GuardedRoute } from "./route.ts";
import { SESSION_KEY, type SessionKeyOf, sessionKeyFor, terminalKeyFor } from "./session-key.ts";
import { speakerOf } from "./speaker.ts";
import { streamOf } from "./text-stream.ts";
import {
  ContextJson,
  ConversationListJson,
  SessionListJson,
  SettingsBody,
  SettingsJson,
  SummaryBody,
  SummaryListJson,
  TranscriptJson,
  conversationJson,
  entryJson,
  sessionJson,
  settingsJson,
  summaryJson,
} from "./wire-sessions.ts";
import { checkedBody } from "./checked-body.ts";

const ListQuery = v.object({
  after: v.optional(
    v.pipe(
      v.string(),
      v.check((key) => parseSessionKey(key) !== null, "Expected next_after of the previous page"),
      v.description("Only sessions whose key comes after this one"),
    ),
  ),
  limit: countParameter(1000, "Maximum number of sessions. Default 100"),
});
const ShowQuery = v.object({ limit: countParameter(1000, "Maximum number of entries, newest first. Default 200") });

const ConversationsQuery = v.object({
  before: v.optional(v.pipe(v.string(), v.description("`next_before` of the previous page, or a time"))),
  limit: countParameter(200, "Maximum number of conversations. Default 50"),
});
const ExportQuery = v.object({
  format: v.optional(
    v.pipe(
      v.picklist(["markdown", "jsonl"], "Expected markdown or jsonl"),
      v.description("`markdown`: for people. `jsonl`: one JSON line per record. Default `markdown`"),
    ),
  ),
});

export interface SessionRoutesDeps {
  readonly sessions: SessionsApi;
  /** Builds the next prompt of a session without sending it. */
  explainContext(input: { readonly session: string }): Promise<{
    readonly parts: readonly ContextPart[];
    readonly totalTokens: number;
  }>;
  readonly sessionKeyOf: SessionKeyOf;
  readonly clock: Clock;
}

export function sessionRoutes(deps: SessionRoutesDeps): readonly GuardedRoute[] {
  const { sessions, explainContext, sessionKeyOf, clock } = deps;

  const keyOf = (given: string, caller: Caller) =>
    terminalKeyFor(sessions.keyOf, given, caller) ?? sessionKeyFor(sessionKeyOf, given, caller);

  function missing(key: string): ProblemError {
    return new ProblemError("NOT_FOUND", `There is no session ${JSON.stringify(key)}: GET /api/v1/sessions lists them`);
  }

  return [
    {
      method: "GET",
      path: "/api/v1/sessions",
      summary: "Lists sessions, ordered by key",
      access: ["owner"],
      query: ListQuery,
      answers: { 200: { description: "One page of sessions", schema: SessionListJson } },
      async handle({ query }) {
        const { after, limit = 100 } = checkedQuery(ListQuery, query);
        // Requests one more than the limit, to know whether there is another page.
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
      params: { key: SESSION_KEY },
      query: ShowQuery,
      answers: { 200: { description: "The transcript", schema: TranscriptJson } },
      async handle({ params, query, caller }) {
        const { limit = 200 } = checkedQuery(ShowQuery, query);
        const key = keyOf(params["key"] ?? "", caller);
        const found = await sessions.show(key, { limit });
        if (!found) throw missing(key);
        return json({ key: found.key, entries: found.entries.map((entry) => entryJson(entry, caller)) });
      },
    },
    {
      method: "GET",
      path: "/api/v1/sessions/:key/context",
      summary: "Shows what the next prompt of a session would contain",
      access: ["owner"],
      params: { key: SESSION_KEY },
      answers: { 200: { description: "The parts of the prompt, with estimated tokens", schema: ContextJson } },
      async handle({ params, caller }) {
        const key = keyOf(params["key"] ?? "", caller);
        if (!(await sessions.show(key, { limit: 1 }))) throw missing(key);
        const { parts: built, totalTokens } = await explainContext({ session: key });
        return json({ parts: built, total_tokens: totalTokens });
      },
    },
    {
      method: "DELETE",
      path: "/api/v1/sessions/:key",
      summary: "Deletes a session with everything in its log",
      access: ["owner", "user"],
      params: { key: SESSION_KEY },
      answers: { 204: { description: "The session was deleted" } },
      async handle({ params, caller }) {
        const key = keyOf(params["key"] ?? "", caller);
        if (!(await sessions.remove(key))) throw missing(key);
        return new Response(null, { status: 204 });
      },
    },
    {
      method: "PATCH",
      path: "/api/v1/sessions/:key",
      summary:
        "Changes the settings of a session. `null` restores the configured value. The model requires an owner's token",
      access: ["owner", "user"],
      params: { key: SESSION_KEY },
      body: SettingsBody,
      answers: { 200: { description: "The session's own settings after the change", schema: SettingsJson } },
      async handle({ request, params, caller }) {
        const key = keyOf(params["key"] ?? "", caller);
        const { queue_mode: queueMode, model } = await checkedBody(SettingsBody, request, clock);
        if (model !== undefined && caller.role !== "owner")
          throw new ProblemError("FORBIDDEN", "model: Only an owner's token can set the model of a session");
        const change = { ...(queueMode !== undefined && { queueMode }), ...(model !== undefined && { model }) };
        return json(settingsJson(await sessions.configure(key, change, writer(caller))));
      },
    },
    {
      method: "GET",
      path: "/api/v1/sessions/:key/settings",
      summary: "Shows the session's own settings",
      access: ["owner", "user"],
      params: { key: SESSION_KEY },
      answers: { 200: { description: "The settings; a missing one has the configured value", schema: SettingsJson } },
      async handle({ params, caller }) {
        return json(settingsJson(await sessions.settings(keyOf(params["key"] ?? "", caller))));
      },
    },
    {
      method: "GET",
      path: "/api/v1/sessions/:key/export",
      summary: "Streams a whole session as a file, oldest entry first",
      access: ["owner", "user"],
      params: { key: SESSION_KEY },
      query: ExportQuery,
      answers: {
        200: {
          description: "Markdown, or JSON lines with `format=jsonl`",
          mediaType: "text/markdown",
          also: "application/x-ndjson",
        },
      },
      async handle({ params, query, caller }) {
        const { format = "markdown" } = checkedQuery(ExportQuery, query);
        const key = keyOf(params["key"] ?? "", caller);
        const pieces = await sessions.export(key, { format });
        if (!pieces) throw missing(key);
        const [type, extension] =
          format === "jsonl" ? ["application/x-ndjson", "jsonl"] : ["text/markdown; charset=utf-8", "md"];
        const name = `${key.replace(/[^a-z0-9-]+/gi, "-").slice(0, 100)}.${extension}`;
        const headers = { "content-type": type, "content-disposition": `attachment; filename="${name}"` };
        return new Response(streamOf(pieces), { headers });
      },
    },
    {
      method: "GET",
      path: "/api/v1/sessions/:key/summary",
      summary: "Lists the summaries of a session, newest last",
      access: ["owner", "user"],
      params: { key: SESSION_KEY },
      answers: { 200: { description: "The newest 100 summaries", schema: SummaryListJson } },
      async handle({ params, caller }) {
        const found = await sessions.summaries(keyOf(params["key"] ?? "", caller));
        return json({ summaries: found.map(summaryJson) });
      },
    },
    {
      method: "PUT",
      path: "/api/v1/sessions/:key/summary",
      summary: "Replaces the newest summary with a text. The replaced summary is kept",
      access: ["owner", "user"],
      params: { key: SESSION_KEY },
      body: SummaryBody,
      answers: { 200: { description: "All summaries, the new one last", schema: SummaryListJson } },
      async handle({ request, params, caller }) {
        const key = keyOf(params["key"] ?? "", caller);
        const { text } = await checkedBody(SummaryBody, request, clock);
        await sessions.editSummary(key, text, writer(caller));
        return json({ summaries: (await sessions.summaries(key)).map(summaryJson) });
      },
    },
    {
      method: "GET",
      path: "/api/v1/conversations",
      summary: "Lists the caller's own conversations on the page and over `POST /chat`, newest first",
      access: ["owner", "user"],
      query: ConversationsQuery,
      answers: { 200: { description: "One page of conversations", schema: ConversationListJson } },
      async handle({ query, caller }) {
        const { before, limit } = checkedQuery(ConversationsQuery, query);
        const { session: prefix = "" } = speakerOf(caller, { session: "" });
        const options = { ...(before !== undefined && { before }), ...(limit !== undefined && { limit }) };
        const { conversations, nextBefore } = await sessions.conversations({ prefix, ...options });
        return json({
          conversations: conversations.map(conversationJson),
          ...(nextBefore !== undefined && { next_before: nextBefore }),
        });
      },
    },
  ];
}

/** The author of a change. */
function writer(caller: Caller): { readonly by: string } {
  return { by: speakerOf(caller, {}).user ?? "owner" };
}
