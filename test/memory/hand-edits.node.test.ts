import { cp, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { type Assistant, type Logger, createAssistant, systemClock } from "../../entry.host.ts";
import { inMemoryChannel } from "../../src/testing/in-memory-channel.ts";
import { says, scriptedModel } from "../../src/testing/scripted-model.ts";
import { withRoot } from "../store/fs-root.ts";
import { promptOf } from "./assistant.ts";
import { within } from "../support/within.ts";

const SOON_MS = 2500;
/** What an editor leaves that was told to write UTF-16. */
const UTF16 = new Uint8Array([0xff, 0xfe, 0x48, 0x00, 0x69, 0x00]);
const USER = "telegram:1";
const FOLDER = ["memory", "telegram=1"] as const;

/** A whole assistant on files and the real clock, and somebody who edits its files in an editor. */
async function edited(
  body: (given: {
    memory(): Assistant["memory"];
    restart(): Promise<void>;
    warnings: readonly string[];
    path(...names: readonly string[]): string;
    /** Editors write beside a file and rename. */
    replace(text: string | Uint8Array, ...names: readonly string[]): Promise<void>;
    recall(words: string): Promise<readonly string[]>;
    /** What the model is shown for a message. */
    say(text: string): Promise<string>;
  }) => Promise<void>,
): Promise<void> {
  await withRoot(async ({ open, path }) => {
    const channel = inMemoryChannel({ name: "telegram", access: { dm: "open" } });
    const model = scriptedModel(() => says("Noted"), { record: true });
    const warnings: string[] = [];
    const warn = (message: string) => void warnings.push(message);
    const logger: Logger = { debug() {}, info() {}, warn, error: warn };
    const begin = async () => {
      const store = await open();
      const assistant = await createAssistant({
        model,
        clock: systemClock(),
        store,
        channels: [channel],
        queue: { debounceMs: 0 },
        logger,
      });
      await assistant.start();
      const end = async () => {
        await assistant.stop();
        await store.close();
      };
      return { assistant, end };
    };
    let running = await begin();
    let count = 0;
    const of = (...names: readonly string[]) => path(...FOLDER, ...names);
    try {
      await body({
        memory: () => running.assistant.memory,
        async restart() {
          await running.end();
          warnings.length = 0;
          running = await begin();
        },
        warnings,
        path: of,
        async replace(text, ...names) {
          await mkdir(of(...names.slice(0, -1)), { recursive: true });
          await writeFile(`${of(...names)}.tmp~`, text);
          await rename(`${of(...names)}.tmp~`, of(...names));
        },
        recall: async (text) =>
          (await running.assistant.memory.recall({ userId: USER, text })).map(({ entry }) => entry.content),
        async say(text) {
          const asked = model.requests.length;
          const message = { id: `m${++count}`, text, peer: { kind: "direct" as const, id: "1" }, sender: { id: "1" } };
          await running.assistant.fetch(channel.request([message]));
          await expect.poll(() => model.requests.length, { timeout: 5000, interval: 5 }).toBeGreaterThan(asked);
          return promptOf(model.requests.slice(asked));
        },
      });
    } finally {
      await running.end();
    }
  });
}

describe("files of a memory that a person edits while the assistant runs", () => {
  it("are in the next prompt, in whichever way an editor writes them", async () => {
    await edited(async ({ memory, recall, say, path, replace }) => {
      await memory().save({ userId: USER, id: "music", content: "Plays the violin" });
      const file = path("entries", "music.md");
      expect(await recall("violin")).toEqual(["Plays the violin"]);
      const text = await readFile(file, "utf8");

      await writeFile(file, text.replace("violin", "cello").replaceAll("\n", "\r\n"));
      await within(
        SOON_MS,
        () => recall("cello"),
        (seen) => expect(seen).toEqual(["Plays the cello"]),
      );
      await replace(`\uFEFF${text.replace("violin", "harp")}`, "entries", "music.md");
      await within(
        SOON_MS,
        () => recall("harp"),
        (seen) => expect(seen).toEqual(["Plays the harp"]),
      );
      expect(await recall("cello")).toEqual([]);
      await rename(file, path("entries", "instrument.md"));
      await within(
        SOON_MS,
        async () => (await memory().get(USER, "instrument"))?.id,
        (seen) => expect(seen).toBe("instrument"),
      );
      await within(
        SOON_MS,
        () => recall("harp"),
        (seen) => expect(seen).toEqual(["Plays the harp"]),
      );
      expect(await memory().get(USER, "music")).toBeUndefined();

      await replace("\uFEFF## User Preferences\r\n\r\n- Allergic to peanuts\r\n", "MEMORY.md");
      await within(
        SOON_MS,
        () => recall("peanuts"),
        (seen) => expect(seen).toEqual(["Allergic to peanuts"]),
      );
      const prompt = await say("Which harp and which peanuts?");
      expect(prompt).toContain("Plays the harp");
      expect(prompt).toContain("Allergic to peanuts");
      await rm(path("entries", "instrument.md"));
      await within(
        SOON_MS,
        () => recall("harp"),
        (seen) => expect(seen).toEqual([]),
      );
    });
  });

  it("serve on when some are damaged, each of which is reported once, with its line; so they do after a restart", async () => {
    await edited(async ({ restart, memory, recall, say, path, replace, warnings }) => {
      await memory().save({ userId: USER, id: "good", content: "Owns a red bicycle" });
      await recall("bicycle");
      await replace("---\nkeywords: {\n---\n\nbroken\n", "entries", "half.md");
      await replace("", "entries", "empty.md");
      await replace("---\nkeywords: []\n---\n\n", "entries", "blank.md");
      await replace(UTF16, "entries", "utf16.md");
      await mkdir(path("entries", "folder.md"));
      await symlink("loop.md", path("entries", "loop.md"));
      await symlink(".", path("entries", "aside.md"));
      await symlink("nowhere", path("entries", "dangling.md"));
      await replace(UTF16, "MEMORY.md");
      await memory().save({ userId: USER, id: "later", content: "Owns a bicycle pump" });
      const folders = ["aside.md", "folder.md"];
      const damaged = ["blank.md", "empty.md", "half.md", "utf16.md"];
      // Runtimes differ in what they say of a link to itself.
      const isSure = (name: string) => name !== "loop.md";
      const byName = (one: string, other: string) => (one < other ? -1 : 1);
      const reported = () =>
        warnings.flatMap((text) => /damaged.*\/([\w.]+\.md), line [1-9]/.exec(text)?.[1] ?? []).filter(isSure);
      const names = async () =>
        ((await memory().problems?.()) ?? [])
          .map(({ file }) => file.split("/").at(-1) ?? "")
          .filter(isSure)
          .sort(byName);

      for (const here of [
        ["MEMORY.md", ...damaged, ...folders],
        ["MEMORY.md", ...damaged],
      ]) {
        const bicycles = async () => new Set(await recall("bicycle"));
        const told = async () => (await bicycles()) && new Set(reported());
        await within(SOON_MS, told, (seen) => expect(seen).toEqual(new Set(here)));
        expect(await bicycles()).toEqual(new Set(["Owns a red bicycle", "Owns a bicycle pump"]));
        expect(await say("Where is my bicycle?")).toContain("Owns a red bicycle");
        await within(SOON_MS, names, (seen) => expect(seen).toEqual(here.toSorted(byName)));
        expect(new Set(reported()).size).toBe(reported().length);
        await restart();
      }
    });
  });

  it("are never overwritten: a MEMORY.md in another encoding stays as it is, and the day is written down", async () => {
    await edited(async ({ memory, path, replace }) => {
      await memory().save({ userId: USER, content: "Never eats fish", slots: { lasting: true } });
      await replace(UTF16, "MEMORY.md");
      await expect(memory().extract({ userId: USER })).rejects.toMatchObject({
        code: "CONFLICT",
        message: expect.stringMatching(/MEMORY\.md.*UTF-8/),
      });
      const { day } = await memory().digest({ userId: USER });
      await replace(UTF16, "daily", `${day}.md`);
      await expect(memory().digest({ userId: USER })).rejects.toMatchObject({ code: "CONFLICT" });
      for (const name of ["MEMORY.md", `daily/${day}.md`])
        expect(new Uint8Array(await readFile(path(name)))).toEqual(UTF16);
    });
  });

  it("are found when the whole folder was removed and put back", async () => {
    await edited(async ({ memory, recall, path }) => {
      await memory().save({ userId: USER, id: "good", content: "Owns a red bicycle" });
      expect(await recall("bicycle")).toEqual(["Owns a red bicycle"]);
      await cp(path(), path("..", "kept"), { recursive: true });
      await rm(path(), { recursive: true });
      await within(
        SOON_MS,
        () => recall("bicycle"),
        (seen) => expect(seen).toEqual([]),
      );
      await rename(path("..", "kept"), path());
      await writeFile(path("entries", "pump.md"), "Owns a bicycle pump\n");
      await within(
        SOON_MS,
        async () => new Set(await recall("bicycle")),
        (seen) => expect(seen).toEqual(new Set(["Owns a red bicycle", "Owns a bicycle pump"])),
      );
    });
  });
});
