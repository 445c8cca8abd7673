import { type Mutant, planted } from "./mutant.ts";

const PATHS = { threat: 8, promise: "of skills only what lies in their folders is read" };
const FLOODS = { threat: 6, promise: "no file of a skill takes for ever, or all memory" };
const OWN = { threat: 13, promise: "a skill is offered to whom it is for, and where it can run" };
const SKILLS = "src/skills";
const HOST = "adapters/platform/host";

/** Files of skills, which people fetch from strangers. */
export const SKILL_MUTANTS: readonly Mutant[] = [
  ...planted({ ...PATHS, test: "test/skills/folder.host.test.ts" }, [
    [HOST, "versionOf", "if (!isWithin(inside, target)) return undefined;", ""],
    [
      HOST,
      "read",
      "if (inside === undefined || target === undefined || !isWithin(inside, target)) return null;",
      "if (target === undefined) return null;",
    ],
    [HOST, "isWithin", "folder.endsWith(sep) ? folder : `${folder}${sep}`", "folder.slice(0, -6)"],
    [HOST, "files", "|| !isWithin(inside, top)", ""],
    [HOST, "isProgram", "return (await stat(path)).isFile();", "return true;"],
    [HOST, "isProgram", "await access(path, constants.X_OK);", ""],
    [SKILLS, "folderSkillSource", "SKILL_LIMITS.fileBytes + 1", "SKILL_LIMITS.fileBytes"],
  ]),
  ...planted({ ...PATHS, test: "test/skills/sources.test.ts" }, [
    [SKILLS, "partsWithin", 'part === ".." ||', ""],
    [SKILLS, "isSkillFolder", '!name.startsWith(".") &&', ""],
    [SKILLS, "storeSkillSource", "deeper.length === 0 &&", ""],
    [SKILLS, "storeSkillSource", "?.subarray(0, MAX_SKILL_FILE_BYTES)", ""],
  ]),
  ...planted({ ...FLOODS, test: "test/skills/parse-skill.test.ts" }, [
    ["src/settings", "readYaml", "if (++nodes > MAX_NODES) {", "if (++nodes > 1000 * MAX_NODES) {"],
    ["src/settings", "readYaml", "target !== undefined && !within.includes(target)", "target !== undefined"],
    [SKILLS, "readSkill", "if (isLarger(text, SKILL_LIMITS.fileBytes))", "if (false)"],
    [SKILLS, "isLarger", "text.length * 3 > bytes &&", "false &&"],
    [SKILLS, "readFrontmatter", "if (parts.yaml.length > SKILL_LIMITS.frontmatterChars)", "if (false)"],
    [SKILLS, "SKILL_LIMITS", "patterns: 50,", "patterns: 60,"],
    [SKILLS, "SKILL_LIMITS", "patternChars: 500,", "patternChars: 600,"],
    [SKILLS, "SKILL_LIMITS", "descriptionChars: 1024,", "descriptionChars: 2048,"],
  ]),
  ...planted({ ...OWN, test: "test/skills/parse-skill.test.ts" }, [
    [SKILLS, "FIELD_SCHEMAS", "v.minLength(1, PEOPLE_RULE),", ""],
    [SKILLS, "readFields", "if (valueAt(frontmatter, path) === null)", "if (false)"],
    [SKILLS, "levelOf", 'meant === "people" ? "error" : "warning"', '"warning"'],
    [SKILLS, "isSkillName", "&& SKILL_NAME.test(name)", ""],
  ]),
  ...planted({ ...OWN, test: "test/skills/whole.test.ts" }, [
    [SKILLS, "choose", "&& neededBy(library, skill).every(isFor)", ""],
    [SKILLS, "createSkillsApi.match", "user === undefined || offered.find(name) !== undefined", "true"],
  ]),
  ...planted({ ...OWN, test: "test/skills/gating.test.ts" }, [
    [SKILLS, "missingFor", "runtime === undefined ||", "runtime !== undefined &&"],
    [SKILLS, "missingFor", "else if (!hasEnv(name))", "else if (false)"],
    [SKILLS, "missingFor", "else if (!hasBin(name))", "else if (false)"],
  ]),
  ...planted({ ...OWN, test: "test/skills/shelf.test.ts" }, [
    [SKILLS, "createSkillShelf", "PRECEDENCE.indexOf(one.kind) - PRECEDENCE.indexOf(other.kind)", "0"],
    [SKILLS, "createSkillShelf.withoutObjections", "left = left.filter((one) => !refused.includes(one));", "break;"],
  ]),
];
