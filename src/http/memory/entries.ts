import * as v from "valibot";
import { type MemoryEntry, type RecalledMemory, type Slots, createSaveOnce } from "../../memory/index.ts";
import { ProblemError } from "../problem.ts";
import { checkedQuery, countParameter, json, type GuardedRoute } from "../route.ts";
import { MEMORY_ROOT, type MemoryCalls, OWNER_AND_USER, UserQuery, user } from "./calls.ts";
import { Time } from "../wire-time.ts";
import { notBlank } from "../wire.ts";

const ENTRIES = `${MEMORY_ROOT}/entries`;
const ENTRY = `${ENTRIES}/:id`;

const id = { id: "The entry's id, percent-encoded" };

const SlotsJson = v.record(v.string(), v.unknown());
/** An entry of the SDK, in snake_case. */
const EntryJson = v.strictObject({
  id: v.string(),
  user_id: v.string(),
  content: v.string(),
  keywords: v.array(v.string()),
  slots: SlotsJson,
  created_at: Time,
  updated_at: Time,
  expires_at: v.optional(Time),
});
const SavedJson = v.strictObject({
  ...EntryJson.entries,
  already_there: v.optional(v.pipe(v.literal(true), v.description("The text was already remembered as this entry"))),
});
const HitsJson = v.strictObject({
  user: v.string(),
  hits: v.array(
    v.strictObject({
      entry: EntryJson,
      score: v.number(),
      layer: v.picklist(["long_term", "daily", "entry", "archive"]),
      signals: v.pipe(v.record(v.string(), v.number()), v.description("Score of each search method")),
    }),
  ),
});
const EntriesJson = v.strictObject({
  user: v.string(),
  entries: v.array(EntryJson),
  next_after: v.optional(v.string()),
});

const SearchQuery = v.object({
  query: v.optional(
    v.pipe(
      v.string("Expected a search text"),
      v.maxLength(2000, "Expected at most 2000 characters"),
      v.description("The search text"),
    ),
  ),
  user,
  limit: countParameter(100, "Maximum number of results. Default 5"),
  since: v.optional(Time),
});
const ListQuery = v.object({
  user,
  limit: countParameter(1000, "Maximum number of entries. Default 50"),
  after: v.optional(v.pipe(v.string(), v.description("`next_after` of the previous page"))),
  archived: v.optional(v.picklist(["true", "false"], "Expected true or false")),
  type: v.optional(v.pipe(v.string(), v.description("Only entries of this type, such as `statement`"))),
});

const Content = v.pipe(
  v.string("Expected a text"),
  notBlank,
  // Memory itself limits the bytes.
  v.maxLength(32_768, "Expected at most 32768 bytes"),
);
const Keywords = v.pipe(v.array(v.string("Expected a text")), v.maxLength(100, "Expected at most 100"));
/** Refuses half a surrogate pair: no id contains one, and no address can carry it. */
const Whose = v.pipe(
  user,
  v.check((text = "") => !/\p{Cs}/u.test(text), "Expected a user id of whole characters"),
);
const SaveBody = v.strictObject({
  content: Content,
  user: Whose,
  keywords: v.optional(Keywords),
  slots: v.optional(SlotsJson),
  expires_at: v.optional(Time),
});
const ChangeBody = v.strictObject({
  content: v.optional(Content),
  keywords: v.optional(Keywords),
  slots: v.optional(SlotsJson),
  expires_at: v.optional(v.nullable(Time)),
  if_updated_at: v.optional(
    v.pipe(Time, v.description("The version that was read: 409 if the entry was changed since then")),
  ),
});

/** Returns a filter for entries after `next_after`, even if that entry was removed. */
function isAfter(place: string | undefined): (entry: MemoryEntry) => boolean {
  if (place === undefined) return () => true;
  const [, time = "", lastId = ""] = /^(\S+) (.+)$/s.exec(place) ?? [];
  const lastMs = Date.parse(time);
  if (Number.isNaN(lastMs))
    throw new ProblemError(
      "OPTION_INVALID",
      `Invalid after ${JSON.stringify(place)}: expected next_after of the previous page`,
    );
  return ({ createdAt, id: own }) => createdAt.getTime() < lastMs || (createdAt.getTime() === lastMs && own < lastId);
}

type EntryCall = Pick<Parameters<GuardedRoute["handle"]>[0], "query" | "caller">;

/** Routes for single entries: search, list, save, change, archive, remove. */
export function entryRoutes({ memory, userOf, changed, bodyOf }: MemoryCalls): readonly GuardedRoute[] {
  const saveOnce = createSaveOnce(memory);

  async function entryOf(userId: string, given: string): Promise<MemoryEntry> {
    const entry = await memory.get(userId, given);
    // The same error for an unknown entry and another person's.
    if (!entry) throw new ProblemError("NOT_FOUND", `There is no entry ${JSON.stringify(given)} in this memory`);
    return entry;
  }

  async function search({ query, caller }: EntryCall): Promise<Response> {
    const { user: wanted, query: text = "", limit, since } = checkedQuery(SearchQuery, query);
    const userId = userOf(caller, wanted);
    const hits = await memory.recall({ userId, text, limit, since });
    return json({ user: userId, hits: hits.map(hitJson) } satisfies v.InferOutput<typeof HitsJson>);
  }

  async function list({ query, caller }: EntryCall): Promise<Response> {
    const { user: wanted, limit = 50, after, archived, type } = checkedQuery(ListQuery, query);
    const userId = userOf(caller, wanted);
    const page: MemoryEntry[] = [];
    const isNext = isAfter(after);
    const how = { archived: archived === "true", ...(type !== undefined && { slots: { type } }) };
    for await (const entry of memory.list(userId, how)) {
      if (isNext(entry)) page.push(entry);
      // Reads one more than the limit, to know whether there is another page.
      if (page.length > limit) break;
    }
    const shown = page.slice(0, limit);
    const last = shown.at(-1);
    return json({
      user: userId,
      entries: shown.map(entryJson),
      ...(page.length > limit && last && { next_after: `${last.createdAt.toISOString()} ${last.id}` }),
    } satisfies v.InferOutput<typeof EntriesJson>);
  }

  /** `POST …/archive` and `POST …/restore`. */
  const moving = (act: "archive" | "restore", summary: string): GuardedRoute => ({
    method: "POST",
    path: `${ENTRY}/${act}`,
    summary,
    access: OWNER_AND_USER,
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

  const routes: readonly GuardedRoute[] = [
    {
      method: "GET",
      path: MEMORY_ROOT,
      summary:
        "Searches a memory: lines of MEMORY.md and of recent days first, then entries, with the reason why each was found. Without `query`, lists the entries",
      access: OWNER_AND_USER,
      query: v.object({ ...ListQuery.entries, ...SearchQuery.entries }),
      answers: {
        200: {
          description: "The results, best first; without `query`, newest first",
          schema: v.union([HitsJson, EntriesJson]),
        },
      },
      handle: (call) => (call.query.has("query") ? search(call) : list(call)),
    },
    {
      method: "GET",
      path: ENTRIES,
      summary: "Lists the entries of a memory, newest first",
      access: OWNER_AND_USER,
      query: ListQuery,
      answers: { 200: { description: "One page of entries", schema: EntriesJson } },
      handle: list,
    },
    {
      method: "POST",
      path: ENTRIES,
      summary: "Saves an entry. A text that is already remembered leaves its existing entry unchanged",
      access: OWNER_AND_USER,
      body: SaveBody,
      answers: {
        200: { description: "The existing entry with this text, unchanged", schema: SavedJson },
        201: { description: "The entry", schema: SavedJson },
      },
      async handle({ request, caller }) {
        const { user: wanted, content, keywords, slots, expires_at: expiresAt } = await bodyOf(SaveBody, request);
        const userId = userOf(caller, wanted);
        const kind = { type: "note", source: "api", ...(slots as Slots | undefined) };
        const { entry, wasThere } = await saveOnce({ userId, content, keywords, slots: kind, expiresAt });
        if (wasThere)
          return json({ ...entryJson(entry), already_there: true } satisfies v.InferOutput<typeof SavedJson>);
        changed(caller, "save", `${userId} ${entry.id}`);
        return json(entryJson(entry), 201);
      },
    },
    {
      method: "GET",
      path: ENTRY,
      summary: "Shows an entry, whether archived or not",
      access: OWNER_AND_USER,
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
      summary: "Changes the given fields of an entry",
      access: OWNER_AND_USER,
      params: id,
      query: UserQuery,
      body: ChangeBody,
      answers: { 200: { description: "The entry after the change", schema: EntryJson } },
      async handle({ request, params, query, caller }) {
        const userId = userOf(caller, checkedQuery(UserQuery, query).user);
        const given = await bodyOf(ChangeBody, request);
        const { id: entryId, updatedAt } = await entryOf(userId, params["id"] ?? "");
        if (given.if_updated_at !== undefined && Date.parse(given.if_updated_at) !== updatedAt.getTime())
          throw new ProblemError("CONFLICT", "The entry was changed in the meantime: read it again, then change it");
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
      summary: "Deletes an entry permanently",
      access: OWNER_AND_USER,
      params: id,
      query: UserQuery,
      answers: { 204: { description: "The entry was deleted" } },
      async handle({ params, query, caller }) {
        const userId = userOf(caller, checkedQuery(UserQuery, query).user);
        const { id: entryId } = await entryOf(userId, params["id"] ?? "");
        await memory.remove(userId, [entryId]);
        changed(caller, "remove", `${userId} ${entryId}`);
        return new Response(null, { status: 204 });
      },
    },
    moving("archive", "Archives an entry: it is kept but no longer recalled"),
    moving("restore", "Restores an entry from the archive"),
  ];
  return [...routes, ...routes.filter((route) => !isShort(route)).map(shortened)];
}

const isShort = ({ method, path }: GuardedRoute): boolean =>
  path === MEMORY_ROOT || (method === "GET" && path === ENTRIES);

/** Adds the path without `/entries`, as in other lists. Other routes, as `users` or `files`, take precedence. */
function shortened(route: GuardedRoute): GuardedRoute {
  const { path, summary } = route;
  return { ...route, path: path.replace(ENTRIES, MEMORY_ROOT), summary: `${summary}. Same as \`${path}\`` };
}

function entryJson(entry: MemoryEntry): v.InferOutput<typeof EntryJson> {
  const { id, userId, content, keywords, slots, createdAt, updatedAt, expiresAt } = entry;
  return {
    id,
    user_id: userId,
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
