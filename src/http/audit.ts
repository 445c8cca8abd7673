import { isDay } from "../calendar.ts";
import type { Audit } from "../telemetry/index.ts";
import * as v from "valibot";
import { checkedQuery, countParameter, json, type GuardedRoute } from "./route.ts";

const AuditQuery = v.object({
  day: v.optional(
    v.config(
      v.pipe(
        v.string(),
        v.isoDate("Expected a day such as 2026-11-22"),
        v.check(isDay, "Expected a day that exists"),
        v.description("A day in UTC. Default: today"),
      ),
      { abortPipeEarly: true },
    ),
  ),
  limit: countParameter(1000, "Maximum number of lines, newest first. Default 100"),
  who: v.optional(
    v.pipe(v.string(), v.maxLength(200), v.description("Only lines of this user, such as `telegram:42`")),
  ),
  what: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(200),
      v.description("Only this action, such as `tool.denied`, or all actions of a group, such as `tool`"),
    ),
  ),
});

const AuditJson = v.strictObject({
  lines: v.array(
    v.looseObject({
      at: v.string(),
      who: v.string(),
      what: v.string(),
      target: v.optional(v.string()),
      verdict: v.picklist(["ok", "failed", "denied", "refused"]),
      reason: v.optional(v.string()),
    }),
  ),
});

export function auditRoutes({ audit }: { readonly audit: Audit }): readonly GuardedRoute[] {
  return [
    {
      method: "GET",
      path: "/api/v1/audit",
      summary: "Shows what was done and refused on one day, oldest first",
      access: ["owner"],
      query: AuditQuery,
      answers: { 200: { description: "The lines", schema: AuditJson } },
      async handle({ query }) {
        await audit.settled();
        return json({ lines: await audit.read(checkedQuery(AuditQuery, query)) });
      },
    },
  ];
}
