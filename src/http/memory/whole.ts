import * as v from "valibot";
import type { MemoryPart } from "../../memory/index.ts";
import { MAX_FILES_BODY_BYTES } from "../body.ts";
import { ProblemError } from "../problem.ts";
import { checkedQuery, json, type GuardedRoute } from "../route.ts";
import { streamOf } from "../text-stream.ts";
import { MEMORY_ROOT, type MemoryCalls, Named, OWNER_AND_USER, UserQuery, user } from "./calls.ts";

const MAX_IMPORTED = 1000;

const ExportQuery = v.object({
  user,
  everything: v.optional(
    v.pipe(
      v.picklist(["true", "false"], "Expected true or false"),
      v.description("`true` also exports the user's other data: goals, jobs, notes, conversations. Default false"),
    ),
  ),
});
const CountsJson = v.strictObject({
  user: v.string(),
  entries: v.number(),
  archived: v.number(),
  days: v.number(),
  facts: v.pipe(v.number(), v.description("Number of lines in MEMORY.md")),
});
const NamedBody = v.strictObject({ user: Named });
const TidyBody = v.strictObject({ user: v.optional(v.pipe(Named, v.description("Default: all users"))) });
const ImportBody = v.strictObject({
  user: v.optional(
    v.pipe(Named, v.description("The user who receives the memory. Default: the user named in each line")),
  ),
  lines: v.optional(
    v.pipe(
      v.array(v.string("Expected a line of an export")),
      v.maxLength(MAX_IMPORTED, `Expected at most ${MAX_IMPORTED} lines in one request`),
    ),
  ),
  files: v.optional(
    v.pipe(
      v.array(v.strictObject({ path: v.string("Expected a path"), text: v.string("Expected a text") })),
      v.maxLength(MAX_IMPORTED, `Expected at most ${MAX_IMPORTED} files in one request`),
      v.description(
        "Files of another assistant's workspace: `MEMORY.md`, `memory/2026-02-01.md`. `user` defaults to the owner",
      ),
    ),
  ),
});

/** Routes for whole memories: list, count, tidy, export and forget. */
export function wholeMemoryRoutes({ memory, userOf, changed, bodyOf }: MemoryCalls): readonly GuardedRoute[] {
  return [
    {
      method: "GET",
      path: `${MEMORY_ROOT}/users`,
      summary: "Lists the users who have a memory, with the size of each",
      access: ["owner"],
      answers: {
        200: { description: "The users, ordered by name", schema: v.object({ users: v.array(CountsJson) }) },
      },
      async handle() {
        const users: v.InferOutput<typeof CountsJson>[] = [];
        for await (const userId of memory.users()) users.push(countsJson(await memory.counts(userId)));
        return json({ users });
      },
    },
    {
      method: "GET",
      path: `${MEMORY_ROOT}/counts`,
      summary: "Shows the size of a memory",
      access: OWNER_AND_USER,
      query: UserQuery,
      answers: { 200: { description: "The counts", schema: CountsJson } },
      async handle({ query, caller }) {
        return json(countsJson(await memory.counts(userOf(caller, checkedQuery(UserQuery, query).user))));
      },
    },
    {
      method: "POST",
      path: `${MEMORY_ROOT}/tidy`,
      summary: "Archives old entries and merges duplicates",
      access: ["owner"],
      body: TidyBody,
      answers: {
        200: {
          description: "What was done, by user",
          schema: v.strictObject({
            users: v.array(
              v.strictObject({ user: v.string(), archived: v.number(), merged: v.number(), kept: v.number() }),
            ),
          }),
        },
      },
      async handle({ request, caller }) {
        const { user: wanted } = await bodyOf(TidyBody, request);
        const done = await memory.tidy(wanted === undefined ? {} : { userId: userOf(caller, wanted) });
        changed(caller, "tidy", wanted ?? "everybody");
        return json({
          users: done.map(({ userId, archived, merged, kept }) => ({ user: userId, archived, merged, kept })),
        });
      },
    },
    {
      method: "GET",
      path: `${MEMORY_ROOT}/problems`,
      summary: "Lists memory files that cannot be read",
      access: ["owner"],
      answers: {
        200: {
          description: "The files, with the line of the problem if it is known",
          schema: v.strictObject({
            problems: v.array(
              v.strictObject({
                user: v.string(),
                file: v.string(),
                line: v.optional(v.number()),
                problem: v.string(),
              }),
            ),
          }),
        },
      },
      async handle() {
        const found = await memory.problems();
        return json({
          problems: found.map(({ userId, file, line, problem }) => ({
            user: userId,
            file,
            ...(line !== undefined && { line }),
            problem,
          })),
        });
      },
    },
    {
      method: "GET",
      path: `${MEMORY_ROOT}/export`,
      summary:
        "Streams a memory as JSON lines: its files, entries and archive. With an owner's token and no `user`: the memories of all users",
      access: OWNER_AND_USER,
      query: ExportQuery,
      answers: { 200: { description: "JSON lines", mediaType: "application/x-ndjson" } },
      async handle({ query, caller }) {
        const { user: wanted, everything: wantsAll } = checkedQuery(ExportQuery, query);
        const everything = wantsAll === "true";
        const everybody = caller.role === "owner" && wanted === undefined;
        if (everything && everybody)
          throw new ProblemError(
            "OPTION_INVALID",
            "user: Expected the user whose data is exported: everything=true needs it",
          );
        const pieces = await memory.export(everybody ? {} : { userId: userOf(caller, wanted), everything });
        changed(caller, everything ? "export_everything" : "export", everybody ? "everybody" : userOf(caller, wanted));
        const headers = {
          "content-type": "application/x-ndjson",
          "content-disposition": `attachment; filename="${everything ? "everything" : "memory"}.jsonl"`,
        };
        return new Response(streamOf(pieces), { headers });
      },
    },
    {
      method: "POST",
      path: `${MEMORY_ROOT}/import`,
      summary: "Imports lines of an export. Importing them again changes nothing",
      access: ["owner"],
      body: ImportBody,
      maxBodyBytes: MAX_FILES_BODY_BYTES,
      answers: {
        200: {
          description: "What was imported; for lines, also the existing files whose text differs",
          schema: v.union([
            v.strictObject({
              entries: v.pipe(
                v.number(),
                v.description("Entries and files that are new, or newer than the existing ones"),
              ),
              files: v.number(),
              unchanged: v.pipe(v.number(), v.description("Entries and files that already existed unchanged")),
              kept: v.array(v.string()),
              others: v.optional(v.pipe(v.number(), v.description("Skipped lines that are not a memory"))),
              users: v.array(v.string()),
            }),
            v.strictObject({
              facts: v.number(),
              entries: v.number(),
              known: v.number(),
              left_out: v.array(v.strictObject({ path: v.string(), reason: v.string() })),
            }),
          ]),
        },
      },
      async handle({ request, caller }) {
        const given = await bodyOf(ImportBody, request, MAX_FILES_BODY_BYTES);
        const userId = given.user === undefined ? undefined : userOf(caller, given.user);
        if (given.files) {
          if (given.lines) throw new ProblemError("OPTION_INVALID", "files: Expected either lines or files, not both");
          const whose = userId ?? userOf(caller, undefined);
          const { leftOut, ...counts } = await memory.importFiles(given.files, { userId: whose });
          changed(caller, "import", whose);
          return json({ ...counts, left_out: leftOut });
        }
        if (!given.lines) throw new ProblemError("OPTION_INVALID", "lines: Expected lines of an export, or files");
        const done = await memory.import(given.lines, { userId });
        changed(caller, "import", done.users.join(" "));
        return json(done);
      },
    },
    {
      method: "POST",
      path: `${MEMORY_ROOT}/forget`,
      summary:
        "Deletes all data of a person: memory, conversations, files, and what logs say about them. This cannot be undone",
      access: ["owner"],
      body: NamedBody,
      answers: {
        200: {
          description: "How much was deleted",
          schema: v.strictObject({ user: v.string(), entries: v.number(), sessions: v.number() }),
        },
      },
      async handle({ request }) {
        const { user: wanted } = await bodyOf(NamedBody, request);
        const { userId, entries, sessions } = await memory.forget({ userId: wanted });
        return json({ user: userId, entries, sessions });
      },
    },
  ];
}

function countsJson(counts: Awaited<ReturnType<MemoryPart["counts"]>>): v.InferOutput<typeof CountsJson> {
  const { userId, entries, archived, days, facts } = counts;
  return { user: userId, entries, archived, days, facts };
}
