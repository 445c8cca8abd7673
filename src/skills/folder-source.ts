import type { MachineFolder } from "../platform.ts";
import { MAX_SKILL_FILE_BYTES, SKILL_FILE, isSkillFolder, partsWithin } from "./skill-path.ts";
import { SKILL_LIMITS } from "./skill-fields.ts";
import type { SkillSource } from "./source.ts";

/** A source whose folder was configured by name, so a missing folder is a mistake. */
export interface NamedFolderSource extends SkillSource {
  isMissing(): Promise<boolean>;
}

/**
 * Skills in a folder of the machine, as `Platform.machine.folder` gives it. Source: docs/skills.md, "Where they lie".
 */
export function folderSkillSource(folder: MachineFolder): NamedFolderSource {
  const { watch } = folder;
  return {
    isMissing: async () => (await folder.exists?.()) === false,
    name: folder.path,
    pathOf: (name) => `${folder.path}/${name}/${SKILL_FILE}`,
    list: async () => (await folder.having(SKILL_FILE)).filter(({ name }) => isSkillFolder(name)),
    async read(name) {
      if (!isSkillFolder(name)) return null;
      // One byte over the limit, so that a file that is too large is noticed.
      const bytes = await folder.read(`${name}/${SKILL_FILE}`, SKILL_LIMITS.fileBytes + 1);
      return bytes === null ? null : new TextDecoder().decode(bytes);
    },
    async readFile(name, path) {
      const parts = partsWithin(path);
      if (parts === undefined || !isSkillFolder(name)) return null;
      return folder.read([name, ...parts].join("/"), MAX_SKILL_FILE_BYTES);
    },
    async files(name) {
      if (!isSkillFolder(name)) return [];
      return (await folder.files(name)).filter((path) => path !== SKILL_FILE && !path.startsWith("."));
    },
    ...(watch && { watch: (changed: () => void, signal: AbortSignal) => watch(changed, signal) }),
  };
}
