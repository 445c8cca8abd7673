import { describe, expect, it } from "vitest";
import { builtInSkillSource, storeSkillSource } from "../../src/skills/index.ts";
import { memoryStore } from "../../src/store/index.ts";
import { skillSourceContract } from "../../src/testing/index.ts";

const keyOf = (path: string) => `skills/${path}`;

skillSourceContract(
  { describe, it, expect },
  {
    name: "over a store",
    async open(files) {
      const store = memoryStore();
      const write = async (path: string, text: string) => void (await store.put(keyOf(path), text));
      for (const [path, text] of Object.entries(files)) await write(path, text);
      return { source: storeSkillSource(store), write, remove: (path) => store.remove(keyOf(path)) };
    },
  },
);

skillSourceContract(
  { describe, it, expect },
  {
    name: "built in",
    async open(files) {
      const names = [...new Set(Object.keys(files).map((path) => path.split("/")[0] ?? ""))];
      const skills = names
        .filter((name) => files[`${name}/SKILL.md`] !== undefined && !name.startsWith("."))
        .map((name) => ({
          name,
          hash: `hash of ${name}`,
          frontmatter: { name, description: "Is built in" },
          text: files[`${name}/SKILL.md`] ?? "",
          files: Object.fromEntries(
            Object.entries(files)
              .filter(([path]) => path.startsWith(`${name}/`) && !path.endsWith("/SKILL.md"))
              .map(([path, text]) => [path.slice(name.length + 1), text]),
          ),
        }));
      return { source: builtInSkillSource(async () => skills) };
    },
  },
);

describe("storeSkillSource()", () => {
  it("passes over what other writers of the store keep under the same prefix", async () => {
    const store = memoryStore();
    await store.put("skills/greet/SKILL.md", "text");
    await store.put("skills/SKILL.md", "no folder");
    await store.put("skills/odd/SKILL.md/inside.txt", "no skill either");
    await store.put("skills/greet/../secret.txt", "of a key that nobody should make");
    await store.put("skills/suggestions.json", { list: [] });
    await store.append("skills/.feedback.jsonl", { skill: "greet" });
    await store.append("skills/greet/runs.jsonl", { at: 1 });
    const source = storeSkillSource(store);
    expect((await source.list()).map(({ name }) => name)).toEqual(["greet"]);
    expect(await source.readFile?.("greet", "runs.jsonl")).toBe(null);
    expect(await source.readFile?.("greet", "../secret.txt")).toBe(null);
    expect(source.pathOf?.("greet")).toBe("skills/greet/SKILL.md");
  });

  it("gives bytes and data of the store as files", async () => {
    const store = memoryStore();
    await store.put("skills/greet/assets/a.bin", new Uint8Array([1, 2]));
    await store.put("skills/greet/data.json", { a: 1 });
    await store.put("skills/greet/SKILL.md", new TextEncoder().encode("bytes"));
    const source = storeSkillSource(store);
    expect(await source.readFile?.("greet", "assets/a.bin")).toEqual(new Uint8Array([1, 2]));
    expect(new TextDecoder().decode((await source.readFile?.("greet", "data.json")) ?? undefined)).toBe(
      '{\n  "a": 1\n}\n',
    );
    expect(await source.read("greet")).toBe("bytes");
  });
});
