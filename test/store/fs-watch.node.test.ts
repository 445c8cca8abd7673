import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { polled } from "../support/within.ts";
import { withRoot } from "./fs-root.ts";

/** The inodes that this process has the kernel watch. */
function watched(): string {
  const texts = readdirSync("/proc/self/fdinfo").map((name) => {
    try {
      return readFileSync(`/proc/self/fdinfo/${name}`, "utf8");
    } catch {
      return ""; // closed meanwhile
    }
  });
  return texts.join("\n");
}

describe("watching a folder that is not there yet", () => {
  it.skipIf(process.platform !== "linux")("looks into no other, and hears of it — needs Linux", async () => {
    await withRoot(async ({ open, path }) => {
      const store = await open();
      await store.put("sessions/a/note", "x");
      const ino = (...names: string[]) => `ino:${statSync(path(...names)).ino.toString(16)} `;
      const stop = new AbortController();
      const heard = new Set<string>();
      const watching = (async () => {
        for await (const { key } of store.watch("skills/", stop.signal)) heard.add(key);
      })();
      expect(watched()).toContain(ino());
      expect(watched()).not.toContain(ino("sessions"));
      mkdirSync(path("sessions", "b"));
      mkdirSync(path("skills", "tea"), { recursive: true });
      writeFileSync(path("skills", "tea", "SKILL.md"), "Boil.");
      await polled(() => heard.has("skills/tea/SKILL.md"), { timeout: 5000, interval: 10 }).toBe(true);
      expect(watched()).not.toContain(ino("sessions"));
      expect(watched()).toContain(ino("skills", "tea"));
      stop.abort();
      await watching;
    });
  });
});
