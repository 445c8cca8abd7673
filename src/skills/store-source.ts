import { type Store, type Value, keySegments } from "../store/index.ts";
import { MAX_SKILL_FILE_BYTES, SKILLS_ROOM, SKILL_FILE, isSkillFolder, partsWithin, skillKey } from "./skill-path.ts";
import type { ListedSkill, SkillSource } from "./source.ts";

/**
 * Skills in the store, `skills/<name>/SKILL.md` and files next to it, which people may edit. Source: docs/skills.md,
 * "Where they lie".
 */
export function storeSkillSource(store: Store): SkillSource {
  const readText = async (key: string): Promise<Uint8Array | string | null> => {
    const found = await store.get(key);
    return found === null ? null : textOf(found.value);
  };
  const { watch } = store;
  return {
    name: "workspace",
    pathOf: (name) => skillKey(name),
    async list() {
      const found: ListedSkill[] = [];
      for await (const { key, version } of store.list(`${SKILLS_ROOM}/`)) {
        const [, name = "", file, ...deeper] = keySegments(key);
        if (file === SKILL_FILE && deeper.length === 0 && isSkillFolder(name)) found.push({ name, version });
      }
      return found;
    },
    async read(name) {
      if (!isSkillFolder(name)) return null;
      const text = await readText(skillKey(name));
      return text instanceof Uint8Array ? new TextDecoder().decode(text) : text;
    },
    async readFile(name, path) {
      const parts = partsWithin(path);
      if (parts === undefined || !isSkillFolder(name)) return null;
      const text = await readText(skillKey(name, ...parts)).catch((error: unknown) => {
        // The key belongs to a log, as `runs.jsonl`.
        if (error instanceof TypeError) return null;
        throw error;
      });
      const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
      return bytes?.subarray(0, MAX_SKILL_FILE_BYTES) ?? null;
    },
    async files(name) {
      const found: string[] = [];
      if (!isSkillFolder(name)) return found;
      for await (const { key } of store.list(skillKey(name).slice(0, -SKILL_FILE.length))) {
        const path = keySegments(key).slice(2).join("/");
        if (path !== SKILL_FILE && !path.startsWith(".")) found.push(path);
      }
      return found.toSorted();
    },
    ...(watch && {
      watch(changed: () => void, signal: AbortSignal) {
        void follow(() => watch.call(store, `${SKILLS_ROOM}/`, signal), changed, signal);
      },
    }),
  };
}

/**
 * Reports a change for each event, and also when a watch ends. A watch ends when the folder of skills is removed, and
 * a new watch begins for the next folder. It throws when changes by other processes can no longer be seen; skills are
 * then listed again when the cache expires.
 */
async function follow(watch: () => AsyncIterable<unknown>, changed: () => void, signal: AbortSignal): Promise<void> {
  try {
    for (let isAlive = true; isAlive && !signal.aborted;) {
      isAlive = false;
      for await (const _ of watch()) {
        isAlive = true;
        changed();
      }
      if (!signal.aborted) changed();
    }
  } catch {
    changed();
  }
}

function textOf(value: Value): Uint8Array | string {
  if (typeof value === "string" || value instanceof Uint8Array) return value;
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
