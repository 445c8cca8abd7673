import type { Clock } from "../clock.ts";
import { type Erasable, type Exportable, eraseUnder, exportUnder } from "../erasable/index.ts";
import { AssistantError, ConflictError } from "../errors.ts";
import { type Store, type Version, storeKey } from "../store/index.ts";
import type { ModelRedactor } from "../telemetry/index.ts";
import { saidIn } from "./persona-text.ts";

/** The files of a persona. Source: docs/persona.md. */
export const PERSONA_FILES = ["SOUL.md", "IDENTITY.md", "USER.md", "AGENTS.md", "TOOLS.md", "HEARTBEAT.md"] as const;
export type PersonaFile = (typeof PERSONA_FILES)[number];

/** A file as stored. */
export interface PersonaText {
  readonly name: PersonaFile;
  readonly text: string;
  readonly version: Version;
}

/** The text of a file for the model, and its source. */
export interface SaidByPersona {
  readonly text: string;
  /** Key in the store, such as `persona/SOUL.md`. */
  readonly source: string;
}

/**
 * The Markdown files that define the assistant and its owner: shared by all agents, or of one agent. Source:
 * docs/persona.md.
 */
export interface Persona extends Erasable, Exportable {
  /** Loads what `said` returns for an agent. Returns undefined if that was done a moment ago. */
  refresh(agentId: string): Promise<void> | undefined;
  /**
   * Returns the last read text of a file, with secrets redacted. The agent's own file replaces the shared one.
   * `undefined`: no text.
   */
  said(agentId: string, name: PersonaFile): SaidByPersona | undefined;
  /** Lists the existing files, shared or of one agent, and whether each is empty for the model. */
  list(agentId?: string): Promise<readonly { readonly name: PersonaFile; readonly isEmpty: boolean }[]>;
  /** Returns `undefined` when there is no such file. */
  read(name: PersonaFile, agentId?: string): Promise<PersonaText | undefined>;
  /**
   * Writes a file; an empty text removes it.
   * @param options.expect The version that was read, `null` when there was none.
   * @throws {AssistantError} `CONFLICT` when the version has changed; `OPTION_INVALID` for a text of more than 65,536
   * characters.
   */
  write(
    name: PersonaFile,
    text: string,
    options: { readonly expect: Version | null; readonly agentId?: string | undefined },
  ): Promise<PersonaText | undefined>;
}

const SHARED = "persona";
const AGENTS = "agents";
/** Largest file that is written, in characters. */
const MAX_FILE_CHARS = 65_536;
/** Most milliseconds that a file in prompts may be out of date: an edit by hand shows at the next turn after that. */
const FRESH_MS = 1500;

type ReadFile = SaidByPersona & { readonly version: Version };
type Folder = ReadonlyMap<PersonaFile, ReadFile>;

/** A folder as last read. */
interface KeptFolder {
  files: Folder;
  atMs: number;
  reading?: Promise<void> | undefined;
}

export function createPersona({
  store,
  clock,
  redact,
}: {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  /** Redacts secrets in the text for the model; the file itself stays as a person wrote it. */
  readonly redact: ModelRedactor;
}): Persona {
  const kept = new Map<string, KeptFolder>();

  /** Reads the files of a folder that changed since the last read. */
  async function readFolder(folder: string, before: Folder): Promise<Folder> {
    const files = new Map<PersonaFile, ReadFile>();
    for await (const { key, version } of store.list(`${folder}/`)) {
      const name = PERSONA_FILES.find((one) => key === `${folder}/${one}`);
      if (name === undefined) continue;
      const known = before.get(name);
      const found = known?.version === version ? undefined : await store.get(key);
      if (known?.version === version) files.set(name, known);
      else if (typeof found?.value === "string")
        files.set(name, { text: redact(saidIn(found.value)), source: key, version: found.version });
    }
    return files;
  }

  function refreshFolder(folder: string): Promise<void> | undefined {
    const entry: KeptFolder = kept.get(folder) ?? { files: new Map(), atMs: -Infinity };
    kept.set(folder, entry);
    const age = clock.now() - entry.atMs;
    if (age >= 0 && age < FRESH_MS) return entry.reading;
    entry.atMs = clock.now();
    entry.reading = readFolder(folder, entry.files)
      .then(
        (files) => void (entry.files = files),
        (error: unknown) => {
          entry.atMs = -Infinity;
          throw error;
        },
      )
      .finally(() => (entry.reading = undefined));
    return entry.reading;
  }

  async function read(name: PersonaFile, agentId?: string): Promise<PersonaText | undefined> {
    const found = await store.get(`${folderOf(agentId)}/${name}`);
    return typeof found?.value === "string" ? { name, text: found.value, version: found.version } : undefined;
  }

  return {
    refresh(agentId) {
      const [own, shared] = [refreshFolder(folderOf(agentId)), refreshFolder(folderOf())];
      return own || shared ? Promise.all([own, shared]).then(() => {}) : undefined;
    },
    said(agentId, name) {
      const found = kept.get(folderOf(agentId))?.files.get(name) ?? kept.get(folderOf())?.files.get(name);
      return found === undefined || found.text === "" ? undefined : found;
    },
    async list(agentId) {
      const files = await readFolder(folderOf(agentId), new Map());
      return PERSONA_FILES.flatMap((name) => {
        const found = files.get(name);
        return found === undefined ? [] : { name, isEmpty: found.text === "" };
      });
    },
    read,
    async write(name, text, { expect, agentId }) {
      if (text.length > MAX_FILE_CHARS) {
        throw new AssistantError(
          "OPTION_INVALID",
          `Invalid text: expected at most ${MAX_FILE_CHARS} characters, got ${text.length}`,
        );
      }
      const folder = folderOf(agentId);
      const key = `${folder}/${name}`;
      try {
        if (text !== "") return { name, text, version: await store.put(key, text, { expect }) };
        if (expect !== null) await store.remove(key, { expect });
        return undefined;
      } catch (cause) {
        if (!ConflictError.is(cause)) throw cause;
        throw new AssistantError("CONFLICT", `${name} was changed in the meantime: read it again, then edit it`, {
          cause,
        });
      } finally {
        kept.delete(folder);
      }
    },
    /** Exports what the owner wrote about themselves. */
    async *exportPerson({ isOwner }) {
      if (!isOwner) return;
      const isOfOwner = (key: string) => key.endsWith("/USER.md");
      for (const folder of [SHARED, AGENTS]) yield* exportUnder(store, `${folder}/`, isOfOwner);
    },
    async forget(person) {
      // Erases what the owner wrote about themselves. All else stays, without the person's names.
      const isTheirs = (key: string) => person.isOwner && key.endsWith("/USER.md");
      try {
        for (const folder of [SHARED, AGENTS]) await eraseUnder(store, `${folder}/`, person, { isTheirs });
      } finally {
        kept.clear();
      }
    },
  };
}

function folderOf(agentId?: string): string {
  return agentId === undefined ? SHARED : storeKey(AGENTS, agentId, "persona");
}
