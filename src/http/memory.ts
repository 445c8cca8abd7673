import * as v from "valibot";
import type { MemoryEntry, RecalledMemory, Slots } from "../memory/index.ts";
import type { Caller } from "./auth.ts";
import { MAX_FILES_BODY_BYTES, readJson } from "./body.ts";
import type { HttpParts, MemoryPart } from "./parts.ts";
import { ProblemError } from "./problem.ts";
import { checked, checkedQuery, countParameter, json, type GuardedRoute } from "./route.ts";
import { speakerOf } from "./speaker.ts";
import { streamOf } from "./text-stream.ts";

/** The owner's memory, under whatever name it is kept. */
const OWNERS = "@owner";
const ROOT = "/api/v1/memory";
const ENTRY = `${ROOT}/entries/:id`;
const MOST_IMPORTED = 1000;

const Time = v.pipe(v.string(), v.isoTimestamp("Expected a time as 2026-01-31T12:00:00Z"));
const SlotsJson = v.record(v.string(), v.unknown());
const Named = v.pipe(
  v.string("Expected whose memory"),
  v.check((text) => text.trim() !== "", "Expected whose memory"),
  v.maxLength(512, "Expected at most 512 characters"),
);
const user = v.optional(
  v.pipe(
    Named,
    v.description(
      "Whose memory: `@name`, `@owner`, `channel:id`, `group:<channel>:<id>`. Default the token's own; others are for the owner",
    ),
  ),
);
const id = { id: "The entry's id, percent-encoded" };

const EntryJson = v.strictObject({
  id: v.string(),
  user: v.string(),
  content: v.string(),
  keywords: v.array(v.string()),
  slots: SlotsJson,
  created_at: Time,
  updated_at: Time,
  expires_at: v.optional(Time),
});
const HitsJson = v.strictObject({
  user: v.string(),
  hits: v.array(
    v.strictObject({
      entry: EntryJson,
      score: v.number(),
      layer: v.picklist(["long_term", "daily", "entry", "archive"]),
      signals: v.pipe(v.record(v.string(), v.number()), v.description("What each way of searching found in it")),
    }),
  ),
});
const EntriesJson = v.strictObject({
  user: v.string(),
  entries: v.array(EntryJson),
  next_after: v.optional(v.string()),
});
const CountsJson = v.strictObject({
  user: v.string(),
  entries: v.number(),
  archived: v.number(),
  days: v.number(),
  facts: v.pipe(v.number(), v.description("Lines of MEMORY.md")),
});
const FileJson = v.strictObject({ user: v.string(), file: v.string(), text: v.string(), version: v.string() });

const UserQuery = v.object({ user });
const SearchQuery = v.object({
  query: v.pipe(v.string("Expected what is looked for"), v.maxLength(2000, "Expected at most 2000 characters")),
  user,
  limit: countParameter(100, "At most so many; default 5"),
  since: v.optional(Time),
});
const ListQuery = v.object({
  user,
  limit: countParameter(1000, "At most so many; default 50"),
  after: v.optional(v.pipe(v.string(), v.description("`next_after` of the page before"))),
  archived: v.optional(v.picklist(["true", "false"], "Expected true or false")),
  type: v.optional(v.pipe(v.string(), v.description("Only entries of this type, as `statement`"))),
});

const Content = v.pipe(
  v.string("Expected a text"),
  v.check((text) => text.trim() !== "", "Expected a text that is not blank"),
  v.maxLength(16_384, "Expected at most 16384 characters"),
);
const Keywords = v.pipe(v.array(v.string("Expected a text")), v.maxLength(100, "Expected at most 100"));
const SaveBody = v.strictObject({
  content: Content,
  user,
  keywords: v.optional(Keywords),
  slots: v.optional(SlotsJson),
  expires_at: v.optional(Time),
});
const ChangeBody = v.strictObject({
  content: v.optional(Content),
  keywords: v.optional(Keywords),
  slots: v.optional(SlotsJson),
  expires_at: v.optional(v.nullable(Time)),
  if_updated_at: v.optional(v.pipe(Time, v.description("409 when the entry was changed since"))),
});
const FileBody = v.strictObject({
  text: v.pipe(v.string("Expected a text"), v.maxLength(262_144, "Expected at most 262144 characters")),
  version: v.pipe(
    v.nullable(v.string("Expected the version that was read, or null when there was none")),
    v.description("409 when the file has another by now; null: there was none"),
  ),
});
const NamedBody = v.strictObject({ user: Named });
const DigestBody = v.strictObject({
  user,
  day: v.optional(v.pipe(v.string(), v.isoDate("Expected a day as 2026-02-01"), v.description("Default today"))),
});
const TidyBody = v.strictObject({ user: v.optional(v.pipe(Named, v.description("Default everybody's"))) });
const ImportBody = v.strictObject({
  user: v.optional(v.pipe(Named, v.description("Whose memory it becomes; default whose it was"))),
  lines: v.optional(
    v.pipe(
      v.array(v.string("Expected a line of an export")),
      v.maxLength(MOST_IMPORTED, `Expected at most ${MOST_IMPORTED} lines in one request`),
    ),
  ),
  files: v.optional(
    v.pipe(
      v.array(v.strictObject({ path: v.string("Expected a path"), text: v.string("Expected a text") })),
      v.maxLength(MOST_IMPORTED, `Expected at most ${MOST_IMPORTED} files in one request`),
      v.description(
        "Of another assistant's workspace: `MEMORY.md`, `memory/2026-02-01.md`; `user` defaults to the owner",
      ),
    ),
  ),
});

/** What the assistant remembers: an owner's token reads and changes everybody's, a user's token its own. */
export function memoryRoutes(parts: HttpParts & { readonly memory: MemoryPart }): readonly GuardedRoute[] {
  const { memory, clock, audit } = parts;
  const both = ["owner", "user"] as const;

  /** Whose memory a call means. @throws {ProblemError} `FORBIDDEN` for another person's with a user's token. */
  function userOf(caller: Caller, wanted: string | undefined): string {
    if (caller.role === "owner") return memory.canonicalUser(wanted ?? caller.user ?? OWNERS);
    const own = memory.canonicalUser(speakerOf(caller, {}).user ?? "");
    if (wanted === undefined || memory.canonicalUser(wanted) === own) return own;
    throw new ProblemError("FORBIDDEN", "user: This token reaches its own memory only: leave user out");
  }

  function changed(caller: Caller, what: string, target: string): void {
    audit.write({ who: speakerOf(caller, {}).user ?? "owner", what: `memory.${what}`, target, verdict: "ok" });
  }

  async function entryOf(userId: string, given: string): Promise<MemoryEntry> {
    const entry = await memory.get(userId, given);
    // The same for what never was and what is another person's.
    if (!entry) throw new ProblemError("NOT_FOUND", `There is no entry ${JSON.stringify(given)} in this memory`);
    return entry;
  }

  const bodyOf = async <S extends v.GenericSchema>(schema: S, request: Request) =>
    checked(schema, await readJson(request, clock));

  /** `POST …/archive` and `POST …/restore`. */
  const moving = (act: "archive" | "restore", summary: string): GuardedRoute => ({
    method: "POST",
    path: `${ENTRY}/${act}`,
    summary,
    access: both,
    params: id,
    query: UserQuery,
    answers: { 200: { description: "The entry", schema: EntryJson } },
    async handle({ params, query, caller }) {
      const userId = userOf(caller, checkedQuery(UserQuery, query).user);
      const entry = await entryOf(userId, params["id"] ?? "");
      await memory[act](userId, [entry.id]);
      changed(caller, act, `${userId} ${entry.id}`);
      return json(entryJson(entry));
    },
  });

  return [
    {
      method: "GET",
      path: ROOT,
      summary:
        "Searches a memory: lines of MEMORY.md and of the last days first, then entries, with why each was found",
      access: both,
      query: SearchQuery,
      answers: { 200: { description: "Best first", schema: HitsJson } },
      async handle({ query, caller }) {
        const { query: text, user: wanted, limit, since } = checkedQuery(SearchQuery, query);
        const userId = userOf(caller, wanted);
        const hits = await memory.recall({ userId, text, limit, since });
        return json({ user: userId, hits: hits.map(hitJson) } satisfies v.InferOutput<typeof HitsJson>);
      },
    },
    {
      method: "GET",
      path: `${ROOT}/entries`,
      summary: "Lists the entries of a memory, the newest first",
      access: both,
      query: ListQuery,
      answers: { 200: { description: "One page of entries", schema: EntriesJson } },
      async handle({ query, caller }) {
        const { user: wanted, limit = 50, after, archived, type } = checkedQuery(ListQuery, query);
        const userId = userOf(caller, wanted);
        const page: MemoryEntry[] = [];
        let isBehind = after === undefined;
        const how = { archived: archived === "true", ...(type !== undefined && { slots: { type } }) };
        for await (const entry of memory.list(userId, how)) {
          if (isBehind) page.push(entry);
          else isBehind = entry.id === after;
          // One more than asked for tells whether there is another page.
          if (page.length > limit) break;
        }
        const shown = page.slice(0, limit);
        const last = shown.at(-1);
        return json({
          user: userId,
          entries: shown.map(entryJson),
          ...(page.length > limit && last && { next_after: last.id }),
        } satisfies v.InferOutput<typeof EntriesJson>);
      },
    },
    {
      method: "POST",
      path: `${ROOT}/entries`,
      summary: "Saves an entry",
      access: both,
      body: SaveBody,
      answers: { 201: { description: "The entry", schema: EntryJson } },
      async handle({ request, caller }) {
        const { user: wanted, content, keywords, slots, expires_at: expiresAt } = await bodyOf(SaveBody, request);
        const userId = userOf(caller, wanted);
        const kind = { type: "note", source: "api", ...(slots as Slots | undefined) };
        const entry = await memory.save({ userId, content, keywords, slots: kind, expiresAt });
        changed(caller, "save", `${userId} ${entry.id}`);
        return json(entryJson(entry), 201);
      },
    },
    {
      method: "GET",
      path: ENTRY,
      summary: "Shows an entry, archived or not",
      access: both,
      params: id,
      query: UserQuery,
      answers: { 200: { description: "The entry", schema: EntryJson } },
      async handle({ params, query, caller }) {
        const userId = userOf(caller, checkedQuery(UserQuery, query).user);
        return json(entryJson(await entryOf(userId, params["id"] ?? "")));
      },
    },
    {
      method: "PATCH",
      path: ENTRY,
      summary: "Changes an entry; what is left out stays",
      access: both,
      params: id,
      query: UserQuery,
      body: ChangeBody,
      answers: { 200: { description: "The entry as it is now", schema: EntryJson } },
      async handle({ request, params, query, caller }) {
        const userId = userOf(caller, checkedQuery(UserQuery, query).user);
        const given = await bodyOf(ChangeBody, request);
        const { id: entryId, updatedAt } = await entryOf(userId, params["id"] ?? "");
        if (given.if_updated_at !== undefined && Date.parse(given.if_updated_at) !== updatedAt.getTime())
          throw new ProblemError("CONFLICT", "The entry was changed meanwhile: read it again, and change that");
        const { content, keywords, slots, expires_at: expiresAt } = given;
        const change = { content, keywords, slots: slots as Slots | undefined, expiresAt };
        const entry = await memory.update(userId, entryId, change);
        changed(caller, "edit", `${userId} ${entryId}`);
        return json(entryJson(entry));
      },
    },
    {
      method: "DELETE",
      path: ENTRY,
      summary: "Removes an entry for good",
      access: both,
      params: id,
      query: UserQuery,
      answers: { 204: { description: "It is gone" } },
      async handle({ params, query, caller }) {
        const userId = userOf(caller, checkedQuery(UserQuery, query).user);
        const { id: entryId } = await entryOf(userId, params["id"] ?? "");
        await memory.remove(userId, [entryId]);
        changed(caller, "remove", `${userId} ${entryId}`);
        return new Response(null, { status: 204 });
      },
    },
    moving("archive", "Takes an entry out of recall and keeps it"),
    moving("restore", "Brings an entry back from the archive"),
    {
      method: "GET",
      path: `${ROOT}/users`,
      summary: "Lists whose memories there are, with how much each holds",
      access: ["owner"],
      answers: {
        200: { description: "In the order of their names", schema: v.object({ users: v.array(CountsJson) }) },
      },
      async handle() {
        const users: v.InferOutput<typeof CountsJson>[] = [];
        for await (const userId of memory.users()) users.push(countsJson(await memory.counts(userId)));
        return json({ users });
      },
    },
    {
      method: "GET",
      path: `${ROOT}/counts`,
      summary: "Shows how much a memory holds",
      access: both,
      query: UserQuery,
      answers: { 200: { description: "The numbers", schema: CountsJson } },
      async handle({ query, caller }) {
        return json(countsJson(await memory.counts(userOf(caller, checkedQuery(UserQuery, query).user))));
      },
    },
    {
      method: "GET",
      path: `${ROOT}/files`,
      summary: "Lists the files of a memory that people read and edit: MEMORY.md, and the days, the newest first",
      access: both,
      query: UserQuery,
      answers: {
        200: { description: "Their names", schema: v.strictObject({ user: v.string(), files: v.array(v.string()) }) },
      },
      async handle({ query, caller }) {
        const userId = userOf(caller, checkedQuery(UserQuery, query).user);
        const longTerm = (await memory.files.read(userId, "MEMORY.md")) ? ["MEMORY.md"] : [];
        return json({ user: userId, files: [...longTerm, ...(await memory.files.days(userId))] });
      },
    },
    {
      method: "GET",
      path: `${ROOT}/files/:file`,
      summary: "Shows a file of a memory with its version",
      access: both,
      params: { file: "MEMORY.md, or a day as 2026-02-01" },
      query: UserQuery,
      answers: { 200: { description: "The file", schema: FileJson } },
      async handle({ params, query, caller }) {
        const userId = userOf(caller, checkedQuery(UserQuery, query).user);
        const found = await memory.files.read(userId, params["file"] ?? "");
        if (!found) throw new ProblemError("NOT_FOUND", "There is no such file in this memory");
        return json({ user: userId, ...found } satisfies v.InferOutput<typeof FileJson>);
      },
    },
    {
      method: "PUT",
      path: `${ROOT}/files/:file`,
      summary: "Writes a file of a memory, unless somebody else did since it was read",
      access: both,
      params: { file: "MEMORY.md, or a day as 2026-02-01" },
      query: UserQuery,
      body: FileBody,
      maxBodyBytes: MAX_FILES_BODY_BYTES,
      answers: { 200: { description: "The file as it is now", schema: FileJson } },
      async handle({ request, params, query, caller }) {
        const userId = userOf(caller, checkedQuery(UserQuery, query).user);
        const { text, version: expect } = checked(FileBody, await readJson(request, clock, MAX_FILES_BODY_BYTES));
        const written = await memory.files.write(userId, params["file"] ?? "", text, { expect });
        changed(caller, "edit", `${userId} ${written.file}`);
        return json({ user: userId, ...written } satisfies v.InferOutput<typeof FileJson>);
      },
    },
    {
      method: "POST",
      path: `${ROOT}/digest`,
      summary: "Writes a day's digest anew, and adds to MEMORY.md what recurs",
      access: both,
      body: DigestBody,
      answers: {
        200: {
          description: "The digest, and the lines that MEMORY.md got",
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
    {
      method: "POST",
      path: `${ROOT}/tidy`,
      summary: "Archives what is old and joins duplicates",
      access: ["owner"],
      body: TidyBody,
      answers: {
        200: {
          description: "What was done, by person",
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
      path: `${ROOT}/problems`,
      summary: "Lists files of memories that cannot be read",
      access: ["owner"],
      answers: {
        200: {
          description: "The files, each with its line where that is known",
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
      path: `${ROOT}/export`,
      summary:
        "Streams a memory as JSON lines: its files, its entries, its archive. With an owner's token and no user: everybody's",
      access: both,
      query: UserQuery,
      answers: { 200: { description: "JSON lines", mediaType: "application/x-ndjson" } },
      async handle({ query, caller }) {
        const { user: wanted } = checkedQuery(UserQuery, query);
        const everybody = caller.role === "owner" && wanted === undefined;
        const pieces = await memory.export(everybody ? {} : { userId: userOf(caller, wanted) });
        changed(caller, "export", everybody ? "everybody" : userOf(caller, wanted));
        const headers = {
          "content-type": "application/x-ndjson",
          "content-disposition": 'attachment; filename="memory.jsonl"',
        };
        return new Response(streamOf(pieces), { headers });
      },
    },
    {
      method: "POST",
      path: `${ROOT}/import`,
      summary: "Takes in lines of an export; doing it again changes nothing",
      access: ["owner"],
      body: ImportBody,
      maxBodyBytes: MAX_FILES_BODY_BYTES,
      answers: {
        200: {
          description: "How much came in; of lines, which files stood there already with another text",
          schema: v.union([
            v.strictObject({
              entries: v.number(),
              files: v.number(),
              kept: v.array(v.string()),
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
        const given = checked(ImportBody, await readJson(request, clock, MAX_FILES_BODY_BYTES));
        const userId = given.user === undefined ? undefined : userOf(caller, given.user);
        if (given.files) {
          if (given.lines) throw new ProblemError("OPTION_INVALID", "files: Give either lines or files");
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
      path: `${ROOT}/forget`,
      summary:
        "Removes everything of a person: memory, conversations, files, and what logs say of them. There is no way back",
      access: ["owner"],
      body: NamedBody,
      answers: {
        200: {
          description: "How much there was",
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

function entryJson(entry: MemoryEntry): v.InferOutput<typeof EntryJson> {
  const { id, userId, content, keywords, slots, createdAt, updatedAt, expiresAt } = entry;
  return {
    id,
    user: userId,
    content,
    keywords: [...keywords],
    slots,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    ...(expiresAt && { expires_at: expiresAt.toISOString() }),
  };
}

function hitJson({ entry, score, layer, signals }: RecalledMemory): v.InferOutput<typeof HitsJson>["hits"][number] {
  return { entry: entryJson(entry), score, layer, signals: { ...signals } };
}

function countsJson(counts: Awaited<ReturnType<MemoryPart["counts"]>>): v.InferOutput<typeof CountsJson> {
  const { userId, entries, archived, days, facts } = counts;
  return { user: userId, entries, archived, days, facts };
}
