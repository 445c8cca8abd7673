import { messageOf } from "../../kit.ts";
import { EXIT, ExitError } from "./exit-codes.ts";
import type { ApiCall } from "./approvals-client.ts";
import type { ApiAsk } from "./sessions-client.ts";

/** An entry as the API writes it. Times are ISO 8601 texts. */
export interface EntryRow {
  readonly id: string;
  readonly user_id: string;
  readonly content: string;
  readonly keywords: readonly string[];
  readonly slots: Readonly<Record<string, unknown>>;
  readonly created_at: string;
  readonly updated_at: string;
  readonly expires_at?: string;
}

export interface HitRow {
  readonly entry: EntryRow;
  readonly score: number;
  readonly layer: string;
  readonly signals: Readonly<Record<string, number>>;
}

export interface CountsRow {
  readonly user: string;
  readonly entries: number;
  readonly archived: number;
  readonly days: number;
  readonly facts: number;
}

export interface FileRow {
  readonly user: string;
  readonly file: string;
  readonly text: string;
  readonly version: string;
}

export interface TidyRow {
  readonly user: string;
  readonly archived: number;
  readonly merged: number;
  readonly kept: number;
}

export interface DigestRow {
  readonly user: string;
  readonly day: string;
  readonly entry_count: number;
  readonly text?: string;
  readonly added: readonly string[];
}

export interface ImportRow {
  readonly entries: number;
  readonly files: number;
  readonly unchanged: number;
  readonly kept: readonly string[];
  /** Lines that are not memories. */
  readonly others?: number;
  readonly users: readonly string[];
}

export interface FilesImportRow {
  readonly facts: number;
  readonly entries: number;
  readonly known: number;
  readonly left_out: readonly { readonly path: string; readonly reason: string }[];
}

export interface ProblemRow {
  readonly user: string;
  readonly file: string;
  readonly line?: number;
  readonly problem: string;
}

/** The user; `undefined` for the owner. */
type Whose = string | undefined;

/** The memory of a store or of a server, in the API's terms. */
export interface MemoryClient {
  users(): Promise<readonly CountsRow[]>;
  search(user: Whose, text: string, limit: number | undefined): Promise<{ user: string; hits: readonly HitRow[] }>;
  list(
    user: Whose,
    options: { readonly limit?: number; readonly archived?: boolean; readonly type?: string | undefined },
  ): Promise<{ user: string; entries: readonly EntryRow[]; next_after?: string }>;
  get(user: Whose, id: string): Promise<EntryRow>;
  save(entry: {
    user: Whose;
    content: string;
    keywords?: readonly string[];
  }): Promise<EntryRow & { readonly already_there?: true }>;
  edit(user: Whose, id: string, content: string, ifUpdatedAt?: string): Promise<EntryRow>;
  move(act: "archive" | "restore", user: Whose, id: string): Promise<EntryRow>;
  remove(user: Whose, id: string): Promise<void>;
  /** `null` when there is no such file. */
  file(user: Whose, name: string): Promise<FileRow | null>;
  writeFile(user: Whose, name: string, text: string, version: string | null): Promise<FileRow>;
  digest(user: Whose, day: string | undefined): Promise<DigestRow>;
  tidy(user: Whose, onProgress?: (done: number, of: number) => void): Promise<readonly TidyRow[]>;
  problems(): Promise<readonly ProblemRow[]>;
  /** @param everything Whether to include the user's other data too. */
  export(user: Whose, everything: boolean): Promise<AsyncIterable<string>>;
  importLines(user: Whose, lines: readonly string[]): Promise<ImportRow>;
  importFiles(user: Whose, files: readonly { path: string; text: string }[]): Promise<FilesImportRow>;
  forget(user: string): Promise<{ user: string; entries: number; sessions: number }>;
}

const ROOT = "/api/v1/memory";
/** The memories of all users may be large. */
const LONG_MS = 600_000;

/** Uses the API's routes. */
export function memoryClient(
  ask: ApiAsk,
  call: ApiCall,
  jsonOf: (response: Response) => Promise<Record<string, unknown>>,
): MemoryClient {
  const queryOf = (values: Readonly<Record<string, string | number | boolean | undefined>>) => {
    const given = Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    );
    return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
  };
  const entryAt = (id: string, user: Whose, act = "") =>
    `${ROOT}/entries/${encodeURIComponent(id)}${act}${queryOf({ user })}`;
  const fileAt = (name: string, user: Whose) => `${ROOT}/files/${encodeURIComponent(name)}${queryOf({ user })}`;
  const withUser = (user: Whose) => (user === undefined ? {} : { user });
  // The server's own schemas guarantee the type.
  const got = async <T>(answer: Promise<unknown>) => (await answer) as T;

  return {
    users: async () => (await got<{ users: readonly CountsRow[] }>(call(`${ROOT}/users`))).users,
    search: (user, query, limit) => got(call(`${ROOT}${queryOf({ query, user, limit })}`)),
    list: (user, options) => got(call(`${ROOT}/entries${queryOf({ user, ...options })}`)),
    get: (user, id) => got(call(entryAt(id, user))),
    save: ({ user, ...entry }) =>
      got(call(`${ROOT}/entries`, { method: "POST", body: { ...entry, ...withUser(user) } })),
    edit: (user, id, content, updatedAt) =>
      got(
        call(entryAt(id, user), {
          method: "PATCH",
          body: { content, ...(updatedAt !== undefined && { if_updated_at: updatedAt }) },
        }),
      ),
    move: (act, user, id) => got(call(entryAt(id, user, `/${act}`), { method: "POST" })),
    async remove(user, id) {
      await call(entryAt(id, user), { method: "DELETE" });
    },
    async file(user, name) {
      const response = await ask(fileAt(name, user));
      return response.status === 404 ? null : got(jsonOf(response));
    },
    writeFile: (user, name, text, version) => got(call(fileAt(name, user), { method: "PUT", body: { text, version } })),
    digest: (user, day) =>
      got(call(`${ROOT}/digest`, { method: "POST", body: { ...withUser(user), ...(day !== undefined && { day }) } })),
    async tidy(user) {
      const answer = call(`${ROOT}/tidy`, { method: "POST", body: withUser(user), timeoutMs: LONG_MS });
      return (await got<{ users: readonly TidyRow[] }>(answer)).users;
    },
    problems: async () => (await got<{ problems: readonly ProblemRow[] }>(call(`${ROOT}/problems`))).problems,
    async export(user, everything) {
      const response = await ask(`${ROOT}/export${queryOf({ user, ...(everything && { everything }) })}`, {
        timeoutMs: LONG_MS,
      });
      if (!response.ok) await jsonOf(response);
      return textsOf(response);
    },
    importLines: (user, lines) =>
      got(call(`${ROOT}/import`, { method: "POST", body: { ...withUser(user), lines }, timeoutMs: LONG_MS })),
    importFiles: (user, files) =>
      got(call(`${ROOT}/import`, { method: "POST", body: { ...withUser(user), files }, timeoutMs: LONG_MS })),
    forget: (user) => got(call(`${ROOT}/forget`, { method: "POST", body: { user }, timeoutMs: LONG_MS })),
  };
}

async function* textsOf(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  try {
    for await (const piece of response.body ?? []) yield decoder.decode(piece, { stream: true });
  } catch (cause) {
    throw new ExitError(EXIT.failed, `The export ended early (${messageOf(cause)})`);
  }
}
