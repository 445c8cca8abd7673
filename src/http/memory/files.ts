import * as v from "valibot";
import { MAX_FILES_BODY_BYTES } from "../body.ts";
import { ProblemError } from "../problem.ts";
import { checkedQuery, json, type GuardedRoute } from "../route.ts";
import { MEMORY_ROOT, type MemoryCalls, OWNER_AND_USER, UserQuery, user } from "./calls.ts";
import { FileVersion } from "../wire.ts";

const FileJson = v.strictObject({ user: v.string(), file: v.string(), text: v.string(), version: v.string() });
const FileBody = v.strictObject({
  text: v.pipe(v.string("Expected a text"), v.maxLength(262_144, "Expected at most 262144 characters")),
  version: FileVersion,
});
const DigestBody = v.strictObject({
  user,
  day: v.optional(v.pipe(v.string(), v.isoDate("Expected a day such as 2026-02-01"), v.description("Default: today"))),
});

/** Routes for the files that people read and edit: MEMORY.md and the days. */
export function fileRoutes({ memory, userOf, changed, bodyOf }: MemoryCalls): readonly GuardedRoute[] {
  return [
    {
      method: "GET",
      path: `${MEMORY_ROOT}/files`,
      summary: "Lists the files of a memory that people can edit: MEMORY.md, then the days, newest first",
      access: OWNER_AND_USER,
      query: UserQuery,
      answers: {
        200: {
          description: "The names of the files",
          schema: v.strictObject({ user: v.string(), files: v.array(v.string()) }),
        },
      },
      async handle({ query, caller }) {
        const userId = userOf(caller, checkedQuery(UserQuery, query).user);
        const longTerm = (await memory.files.read(userId, "MEMORY.md")) ? ["MEMORY.md"] : [];
        return json({ user: userId, files: [...longTerm, ...(await memory.files.days(userId))] });
      },
    },
    {
      method: "GET",
      path: `${MEMORY_ROOT}/files/:file`,
      summary: "Shows a file of a memory with its version",
      access: OWNER_AND_USER,
      params: { file: "`MEMORY.md`, or a day such as `2026-02-01`" },
      query: UserQuery,
      answers: { 200: { description: "The file", schema: FileJson } },
      async handle({ params, query, caller }) {
        const userId = userOf(caller, checkedQuery(UserQuery, query).user);
        const found = await memory.files.read(userId, params["file"] ?? "");
        if (!found) throw new ProblemError("NOT_FOUND", "This memory has no such file");
        return json({ user: userId, ...found } satisfies v.InferOutput<typeof FileJson>);
      },
    },
    {
      method: "PUT",
      path: `${MEMORY_ROOT}/files/:file`,
      summary: "Writes a file of a memory, unless it was changed since it was read",
      access: OWNER_AND_USER,
      params: { file: "`MEMORY.md`, or a day such as `2026-02-01`" },
      query: UserQuery,
      body: FileBody,
      maxBodyBytes: MAX_FILES_BODY_BYTES,
      answers: { 200: { description: "The file after the change", schema: FileJson } },
      async handle({ request, params, query, caller }) {
        const userId = userOf(caller, checkedQuery(UserQuery, query).user);
        const { text, version: expect } = await bodyOf(FileBody, request, MAX_FILES_BODY_BYTES);
        const written = await memory.files.write(userId, params["file"] ?? "", text, { expect });
        changed(caller, "edit", `${userId} ${written.file}`);
        return json({ user: userId, ...written } satisfies v.InferOutput<typeof FileJson>);
      },
    },
    {
      method: "POST",
      path: `${MEMORY_ROOT}/digest`,
      summary: "Rebuilds a day's digest and adds recurring facts to MEMORY.md",
      access: OWNER_AND_USER,
      body: DigestBody,
      answers: {
        200: {
          description: "The digest, and the lines that were added to MEMORY.md",
          schema: v.strictObject({
            user: v.string(),
            day: v.string(),
            entry_count: v.number(),
            text: v.optional(v.string()),
            added: v.array(v.string()),
          }),
        },
      },
      async handle({ request, caller }) {
        const given = await bodyOf(DigestBody, request);
        const userId = userOf(caller, given.user);
        const { day, entryCount, text } = await memory.digest({ userId, day: given.day });
        const { added } = await memory.extract({ userId });
        changed(caller, "digest", `${userId} ${day}`);
        return json({ user: userId, day, entry_count: entryCount, ...(text !== undefined && { text }), added });
      },
    },
  ];
}
