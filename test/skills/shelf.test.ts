import { describe, expect, it } from "vitest";
import {
  SKILL_CACHE_MS,
  type SkillObjection,
  type SkillShelfDeps,
  type SkillSource,
  builtInSkillSource,
  createSkillShelf,
  storeSkillSource,
} from "../../src/skills/index.ts";
import { memoryStore } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/index.ts";
import { platform } from "../support/this-platform.ts";

const textOf = (name: string, more = "") => `---\nname: ${name}\ndescription: Does ${name}\n${more}---\nDo ${name}.\n`;

/** A source in memory that counts what is asked of it. */
function source(name: string, files: Record<string, string>) {
  const asked: string[] = [];
  let changed = () => {};
  const made: SkillSource = {
    name,
    async list() {
      asked.push("list");
      return Object.entries(files).map(([folder, text]) => ({ name: folder, version: text }));
    },
    async read(folder) {
      asked.push(folder);
      return files[folder] ?? null;
    },
    watch: (callback, signal) => {
      asked.push("watch");
      changed = callback;
      signal.addEventListener("abort", () => void asked.push("stopped"));
    },
  };
  return { source: made, files, asked, changed: () => changed() };
}

function setUp(sources: SkillShelfDeps["sources"], more: Partial<SkillShelfDeps> = {}) {
  const clock = fakeClock();
  const logged: string[] = [];
  const shelf = createSkillShelf({
    sources,
    yaml: platform.yaml,
    clock,
    logger: { warn: (message, fields) => void logged.push(`${message}: ${String(fields?.["problem"])}`) },
    ...more,
  });
  return { shelf, clock, logged };
}

describe("createSkillShelf()", () => {
  it("takes the workspace's skill before a given one, that before a global one, and what is built in last", async () => {
    const [a, b, c, d] = ["workspace", "folder", "home", "package"].map((name) =>
      source(name, { greet: textOf("greet", `license: ${name}\n`), [`of-${name}`]: textOf(`of-${name}`) }),
    ) as [ReturnType<typeof source>, ReturnType<typeof source>, ReturnType<typeof source>, ReturnType<typeof source>];
    const { shelf } = setUp([
      { source: d.source, kind: "built-in" },
      { source: c.source, kind: "global" },
      { source: a.source, kind: "workspace" },
      { source: b.source, kind: "given" },
    ]);
    const { skills, hidden } = await shelf.load();
    expect(skills.map(({ skill, source: from, kind }) => `${skill.name} ${from} ${kind}`)).toEqual([
      "greet workspace workspace",
      "of-folder folder given",
      "of-home home global",
      "of-package package built-in",
      "of-workspace workspace workspace",
    ]);
    expect(hidden.map(({ name, source: from, by }) => `${name} of ${from} by ${by}`)).toEqual([
      "greet of folder by workspace",
      "greet of home by workspace",
      "greet of package by workspace",
    ]);
    expect(hidden[0]).toMatchObject({ path: "folder/greet/SKILL.md", byPath: "workspace/greet/SKILL.md" });
  });

  it("takes of one source the skill whose folder has its name", async () => {
    const one = source("workspace", { "a-copy": textOf("greet"), greet: textOf("greet", "license: MIT\n") });
    const { shelf, logged } = setUp([{ source: one.source, kind: "workspace" }]);
    const { skills, hidden, problems } = await shelf.load();
    expect(skills.map(({ skill }) => skill.path)).toEqual(["workspace/greet/SKILL.md"]);
    expect(hidden).toMatchObject([{ name: "greet", path: "workspace/a-copy/SKILL.md" }]);
    expect(problems).toMatchObject([{ level: "warning", skill: "a-copy", path: "name", line: 2 }]);
    expect(logged.length).toBe(2);
  });

  it("reports a bad skill with file, line and field, once, and loads the others", async () => {
    const one = source("workspace", { bad: textOf("bad", "priority: 11\ncooldown: soon\n"), greet: textOf("greet") });
    const { shelf, logged } = setUp([{ source: one.source, kind: "workspace" }]);
    const { skills, problems } = await shelf.load();
    expect(skills.map(({ skill }) => skill.name)).toEqual(["greet"]);
    expect(problems).toMatchObject([
      { level: "error", source: "workspace", skill: "bad", file: "workspace/bad/SKILL.md", line: 4, path: "priority" },
      { level: "error", line: 5, path: "cooldown" },
    ]);
    shelf.invalidate();
    await shelf.load();
    expect(logged).toEqual([
      "A skill is not loaded: workspace/bad/SKILL.md:4:1 priority: expected a whole number from 1 to 10, but it is 11",
      'A skill is not loaded: workspace/bad/SKILL.md:5:1 cooldown: expected a number of seconds from 0 to 31536000, but it is "soon"',
    ]);
    one.files["bad"] = textOf("bad");
    shelf.invalidate();
    expect((await shelf.load()).skills.length).toBe(2);
  });

  it("shows a lower skill again while the higher one cannot be read", async () => {
    const high = source("workspace", { greet: "# no frontmatter" });
    const low = source("package", { greet: textOf("greet") });
    const { shelf } = setUp([
      { source: high.source, kind: "workspace" },
      { source: low.source, kind: "built-in" },
    ]);
    const { skills, problems } = await shelf.load();
    expect(skills.map(({ kind }) => kind)).toEqual(["built-in"]);
    expect(problems).toMatchObject([{ level: "error", file: "workspace/greet/SKILL.md" }]);
  });

  it("reads nothing before the first load, nor until a change, invalidate or 5 minutes", async () => {
    const one = source("workspace", { greet: textOf("greet"), wave: textOf("wave") });
    const { shelf, clock } = setUp([{ source: one.source, kind: "workspace" }]);
    expect(shelf.current()).toBe(undefined);
    expect(one.asked).toEqual([]);
    const first = await shelf.load();
    expect(one.asked).toEqual(["watch", "list", "greet", "wave"]);
    await clock.advance(SKILL_CACHE_MS - 1);
    expect(await shelf.load()).toBe(first);
    expect(shelf.current()).toBe(first);
    expect(one.asked.length).toBe(4);

    await clock.advance(1);
    expect(await shelf.load()).toBe(first);
    expect(one.asked.slice(4)).toEqual(["list"]);

    one.files["greet"] = textOf("greet", "license: MIT\n");
    expect(await shelf.load()).toBe(first);
    one.changed();
    const second = await shelf.load();
    expect(one.asked.slice(5)).toEqual(["list", "greet"]);
    expect([first.revision, second.revision]).toEqual([1, 2]);
    expect(second.skills[1]).toEqual(first.skills[1]);

    shelf.invalidate();
    expect(await shelf.load()).toBe(second);
    shelf.stop();
    expect(one.asked.slice(7)).toEqual(["list", "stopped"]);
  });

  it("reads once for those who load at the same time, and again for who came after a change", async () => {
    const one = source("workspace", { greet: textOf("greet") });
    const { shelf } = setUp([{ source: one.source, kind: "workspace" }]);
    const first = shelf.load();
    const second = shelf.load();
    one.files["greet"] = textOf("greet", "license: MIT\n");
    shelf.invalidate();
    const [before, same, after] = await Promise.all([first, second, shelf.load()]);
    expect(same).toBe(before);
    expect(after.skills[0]?.skill.frontmatter["license"]).toBe("MIT");
    expect(one.asked.filter((what) => what === "list").length).toBe(2);
  });

  it("keeps the skills of a source that cannot be listed, and says so", async () => {
    const one = source("workspace", { greet: textOf("greet") });
    const list = one.source.list.bind(one.source);
    let isBroken = false;
    const { shelf } = setUp([
      {
        source: {
          ...one.source,
          list: async () => {
            if (isBroken) throw new Error("no disk");
            return list();
          },
        },
        kind: "workspace",
      },
    ]);
    const before = await shelf.load();
    isBroken = true;
    shelf.invalidate();
    const after = await shelf.load();
    expect(after.skills).toEqual(before.skills);
    expect(after.problems).toMatchObject([
      { level: "error", skill: "", message: "The skills of workspace cannot be listed: no disk" },
    ]);
  });

  it("asks again for a skill that could not be read", async () => {
    const one = source("workspace", { greet: textOf("greet") });
    let fails = true;
    const read = async (name: string) => {
      if (fails) throw new Error("locked");
      return one.source.read(name);
    };
    const { shelf } = setUp([{ source: { ...one.source, read }, kind: "workspace" }]);
    expect((await shelf.load()).problems).toMatchObject([{ skill: "greet", message: "It cannot be read: locked" }]);
    fails = false;
    shelf.invalidate();
    expect((await shelf.load()).skills.length).toBe(1);
  });

  it("says what is missing, and counts a revision when that changes", async () => {
    const one = source("workspace", { greet: textOf("greet") });
    let missing = ["there is no tool bash"];
    const { shelf } = setUp([{ source: one.source, kind: "workspace" }], { gate: async () => missing });
    expect(await shelf.load()).toMatchObject({ revision: 1, skills: [{ missing: ["there is no tool bash"] }] });
    missing = [];
    shelf.invalidate();
    expect(await shelf.load()).toMatchObject({ revision: 2, skills: [{ missing: [] }] });
    const broken = setUp([{ source: one.source, kind: "workspace" }], { gate: () => Promise.reject(new Error("no")) });
    expect((await broken.shelf.load()).skills[0]?.missing).toEqual(["its requirements cannot be checked: no"]);
  });

  it("leaves out what is objected to, and then what needs it", async () => {
    const one = source("workspace", {
      base: textOf("base", "chain:\n  - skill: nowhere\n"),
      greet: textOf("greet", "prerequisites: [base]\n"),
      wave: textOf("wave"),
    });
    const { shelf } = setUp([{ source: one.source, kind: "workspace" }], {
      validate: (skills) =>
        skills.flatMap(({ name, chain = [], prerequisites }): SkillObjection[] => {
          const known = skills.map((skill) => skill.name);
          return [
            ...chain.flatMap((step, index) =>
              known.includes(step.skill)
                ? []
                : [{ skill: name, path: ["chain", index, "skill"], message: `there is no skill ${step.skill}` }],
            ),
            ...prerequisites
              .filter((other) => !known.includes(other))
              .map((other) => ({ skill: name, path: ["prerequisites"], message: `there is no skill ${other}` })),
          ];
        }),
    });
    const { skills, problems } = await shelf.load();
    expect(skills.map(({ skill }) => skill.name)).toEqual(["wave"]);
    expect(problems.map(({ file, line, path, message }) => `${file}:${line} ${path} ${message}`)).toEqual([
      "workspace/base/SKILL.md:5 chain[0].skill there is no skill nowhere",
      "workspace/greet/SKILL.md:4 prerequisites there is no skill base",
    ]);
  });

  it("tells the hash of the text", async () => {
    const one = source("workspace", { greet: "---\nname: greet\ndescription: a\n---\n" });
    const { shelf } = setUp([{ source: one.source, kind: "workspace" }]);
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(one.files["greet"]));
    const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    expect((await shelf.load()).skills[0]?.hash).toBe(hex);
  });

  it("reads no YAML for what is built in", async () => {
    const text = textOf("greet");
    const builtIn = builtInSkillSource(async () => [
      { name: "greet", hash: "the hash", frontmatter: { name: "greet", description: "Does greet", priority: 7 }, text },
    ]);
    const { shelf } = setUp([{ source: builtIn, kind: "built-in" }], {
      yaml: () => {
        throw new Error("YAML was read");
      },
    });
    expect((await shelf.load()).skills).toMatchObject([
      { skill: { name: "greet", priority: 7, body: "Do greet." }, hash: "the hash", source: "built-in" },
    ]);
  });

  it("follows a store that tells of changes, also when a watch ends, until it fails", async () => {
    const store = memoryStore();
    const watches: { tell(): void; end(): void; fail(error: Error): void }[] = [];
    async function* watch(): AsyncGenerator<{ key: string }> {
      for (;;) {
        const told = await new Promise<boolean>((resolve, reject) =>
          watches.push({ tell: () => resolve(true), end: () => resolve(false), fail: reject }),
        );
        if (!told) return;
        yield { key: "skills/any" };
      }
    }
    const { shelf } = setUp([{ source: storeSkillSource(Object.assign(store, { watch })), kind: "workspace" }]);
    const names = async () => {
      for (let tries = 0; tries < 20; tries += 1) await Promise.resolve();
      return (await shelf.load()).skills.map(({ skill }) => skill.name);
    };
    expect(await names()).toEqual([]);
    const steps = [
      ["a", () => watches.at(-1)?.tell()],
      ["b", () => watches.at(-1)?.end()],
      ["c", () => watches.at(-1)?.tell()],
      ["d", () => watches.at(-1)?.fail(new Error("lost"))],
    ] as const;
    const known: string[] = [];
    for (const [name, happens] of steps) {
      await store.put(`skills/${name}/SKILL.md`, textOf(name));
      expect(await names()).toEqual(known);
      happens();
      known.push(name);
      expect(await names()).toEqual(known);
    }
    shelf.stop();
  });
});
