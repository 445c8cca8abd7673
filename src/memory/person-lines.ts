import type { Clock } from "../clock.ts";
import { messageOf } from "../errors.ts";
import { type Store, type Version, storeKey } from "../store/index.ts";
import { type Logger, silentLogger } from "../telemetry/index.ts";
import { withTimeout } from "../time-limit.ts";
import { createBackground } from "./background.ts";
import type { FileProblem } from "./entry-folder.ts";
import { ENTRY_TYPES, type MemoryEntry } from "./entry.ts";
import { createKeywordIndex } from "./keyword/keyword-index.ts";
import { tokensOf } from "./keyword/tokens.ts";
import type { KeywordIndex } from "./keyword/types.ts";
import { createLoaded } from "./loaded.ts";
import { isDay } from "../calendar.ts";
import { readLine } from "./days/lines.ts";
import { type LineLayer, dateOfFile, lineIdOf, memoryLines } from "./memory-lines.ts";

/** A line as a recall returns it. */
export interface Line {
  readonly entry: MemoryEntry;
  readonly layer: LineLayer;
  /** The day of a digest, as `2026-02-01`. */
  readonly day?: string;
  /** Id of the entry that the line came from. */
  readonly from?: string;
  readonly tokens: ReadonlySet<string>;
}

/** The lines of a person's MEMORY.md and of the digests of the last seven days. */
export interface PersonLines {
  readonly index: KeywordIndex;
  readonly lines: ReadonlyMap<string, Line>;
  /** The lines in order. */
  readonly places: readonly Line[];
  /** Indexes into `places` of the lines that have a token. */
  readonly byToken: ReadonlyMap<string, readonly number[]>;
}

/** A file whose lines cannot be recalled. */
type LineProblem = Pick<FileProblem, "key" | "message">;

/** Lines of a file at one version. */
interface ReadFile {
  readonly version: Version;
  readonly lines: readonly Line[];
}

interface Cached {
  problems: readonly LineProblem[];
  versions: ReadonlyMap<string, Version>;
  /** Readable files, by key. */
  files: ReadonlyMap<string, ReadFile>;
  checkedMs: number;
  content: PersonLines;
}

const DAY_MS = 86_400_000;
/** Days whose digests are recalled. */
const RECALLED_DAYS = 7;
const SWEEP_MS = 2000;
const SWEEP_WAIT_MS = 50;
const MAX_BYTES = 16_777_216;
const MAX_USERS = 256;

/** Caches the lines of MEMORY.md and digests, and keeps them in step with the files, including changes by others. */
export function createPersonLines(parts: { store: Store; clock: Clock; logger?: Logger | undefined }) {
  const { store, clock, logger = silentLogger } = parts;
  const background = createBackground((cause) =>
    logger.warn("MEMORY.md or a digest could not be read; that is tried again", { error: messageOf(cause) }),
  );
  const people = createLoaded<Cached>({
    maxBytes: MAX_BYTES,
    maxUsers: MAX_USERS,
    async load(userId) {
      const versions = await versionsOf(userId);
      const nowMs = clock.now();
      return { versions, checkedMs: nowMs, ...(await read(userId, versions)) };
    },
    bytesOf: ({ content }) => content.index.bytes + content.lines.size * 400,
    onDrop() {},
  });

  async function versionsOf(userId: string): Promise<ReadonlyMap<string, Version>> {
    const versions = new Map<string, Version>();
    const daily = `${storeKey("memory", userId, "daily")}/`;
    // One day more, since days follow the person's time zone.
    const first = new Date(clock.now() - RECALLED_DAYS * DAY_MS).toISOString().slice(0, 10);
    for await (const { key, version } of store.list(daily, { after: daily + first })) versions.set(key, version);
    const longTerm = storeKey("memory", userId, "MEMORY.md");
    for await (const { key, version } of store.list(longTerm, { limit: 1 }))
      if (key === longTerm) versions.set(key, version);
    return versions;
  }

  async function textOf(key: string): Promise<string | LineProblem | undefined> {
    try {
      const found = await store.get(key);
      if (found === null || typeof found.value === "string") return found?.value as string | undefined;
      return { key, message: "expected a text file in UTF-8" };
    } catch (cause) {
      return { key, message: `expected a file that can be read: ${messageOf(cause)}` };
    }
  }

  /** Reads only new and changed files. A file that cannot be read is logged once; the others are used. */
  async function read(
    userId: string,
    versions: ReadonlyMap<string, Version>,
    known: Pick<Cached, "files" | "problems"> = { files: new Map(), problems: [] },
  ): Promise<Pick<Cached, "files" | "content" | "problems">> {
    const problems: LineProblem[] = [];
    const files = new Map<string, ReadFile>();
    for (const [key, version] of versions) {
      const before = known.files.get(key);
      if (before?.version === version) {
        files.set(key, before);
        continue;
      }
      const text = await textOf(key);
      if (text === undefined) continue;
      if (typeof text === "string") {
        files.set(key, { version, lines: linesOf(userId, key, text, clock.now()) });
        continue;
      }
      problems.push(text);
      if (!known.problems.some(({ message, key: other }) => other === key && message === text.message))
        logger.warn(`A memory is damaged and left out: ${key}, line 1: ${text.message}`, { key, line: 1 });
    }
    return { files, content: contentOf(files), problems };
  }

  function contentOf(files: Cached["files"]): PersonLines {
    const lines = new Map<string, Line>();
    const placeOf = new Map<string, number>();
    const byToken = new Map<string, number[]>();
    const index = createKeywordIndex();
    for (const file of files.values())
      for (const line of file.lines) {
        lines.set(line.entry.id, line);
        const place = placeOf.get(line.entry.id) ?? placeOf.size;
        placeOf.set(line.entry.id, place);
        for (const token of line.tokens) {
          const places = byToken.get(token);
          if (places === undefined) byToken.set(token, [place]);
          else places.push(place);
        }
        index.add({
          id: line.entry.id,
          text: line.entry.content,
          keywords: [],
          createdAtMs: line.entry.createdAt.getTime(),
          type: line.layer,
          thread: "",
          body: "",
        });
      }
    return { index, lines, places: [...lines.values()], byToken };
  }

  async function freshen(userId: string, cached: Cached): Promise<void> {
    const versions = await versionsOf(userId);
    const { versions: before } = cached;
    const isSame =
      versions.size === before.size && [...versions].every(([key, version]) => before.get(key) === version);
    // A file that could not be read may be readable now, under the same version.
    if (isSame && cached.problems.length === 0) return;
    Object.assign(cached, await read(userId, versions, cached), { versions });
  }

  async function misnamed(userId: string): Promise<readonly LineProblem[]> {
    const problems: LineProblem[] = [];
    const daily = `${storeKey("memory", userId, "daily")}/`;
    const message = "expected a day as the file's name, such as 2026-02-01.md: exports omit this file; rename it";
    for await (const { key } of store.list(daily))
      if (key.endsWith(".md") && !isDay(key.slice(daily.length, -".md".length))) problems.push({ key, message });
    return problems;
  }

  return {
    async of(userId: string): Promise<PersonLines> {
      return people.use(userId, async (cached) => {
        const nowMs = clock.now();
        if (Math.abs(nowMs - cached.checkedMs) >= SWEEP_MS) {
          cached.checkedMs = nowMs;
          const compared = background(() => freshen(userId, cached));
          await withTimeout(clock, SWEEP_WAIT_MS, compared, () => {});
        }
        return cached.content;
      });
    },
    /** Checks a person's files now. @returns Those that cannot be read or have a wrong name. */
    async problems(userId: string): Promise<readonly FileProblem[]> {
      return people.use(userId, async (cached) => {
        await freshen(userId, cached);
        const problems = [...cached.problems, ...(await misnamed(userId))];
        return problems.map((problem) => ({ ...problem, userId, line: 1 }));
      });
    },
    /** Drops a person's lines; they are read again on the next use. */
    forget: (userId: string) => people.drop(userId),
    settled: () => background.settled(),
  };
}

function linesOf(userId: string, key: string, text: string, nowMs: number): Line[] {
  const file = key.slice(key.indexOf("/", "memory/".length) + 1);
  const day = /^daily\/(\d{4}-\d{2}-\d{2})\.md$/.exec(file)?.[1];
  if (day === undefined && file !== "MEMORY.md") return [];
  const type = day === undefined ? ENTRY_TYPES.longTerm : ENTRY_TYPES.daily;
  const at = day === undefined ? (dateOfFile(text) ?? new Date(nowMs)) : noonOf(day);
  return memoryLines(text).map(({ line, text: whole, section, entryId }) => {
    // An extracted line says on which day it was last said.
    const { text: content, day: lastSaid = "" } = day === undefined ? readLine(whole) : { text: whole };
    const madeAt = isDay(lastSaid) ? noonOf(lastSaid) : at;
    return {
      entry: {
        id: lineIdOf(file, content),
        userId,
        content,
        keywords: [],
        slots: {
          type,
          source: file,
          line,
          ...(section !== "" && { section }),
          ...(entryId !== undefined && { entry_id: entryId }),
          ...(isDay(lastSaid) && { day: lastSaid }),
        },
        createdAt: madeAt,
        updatedAt: madeAt,
      },
      layer: day === undefined ? "long_term" : "daily",
      ...(day !== undefined && { day }),
      ...(entryId !== undefined && { from: entryId }),
      tokens: new Set(tokensOf(content)),
    };
  });
}

/** Noon UTC is that day in nearly every time zone. */
function noonOf(day: string): Date {
  return new Date(`${day}T12:00:00Z`);
}
