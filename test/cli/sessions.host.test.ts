import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fsStore } from "../../adapters/storage/fs/index.ts";
import { createAssistant } from "../../entry.host.ts";
import { offlineModel } from "../../adapters/models/offline/index.ts";
import { createSessions } from "../../src/session/index.ts";
import { systemClock } from "../../src/clock.ts";
import { serve } from "../../adapters/runtimes/node/index.ts";
import { compact, message, out } from "../session/support.ts";
import { run, temporaryFolder, type Run } from "./fake-terminal.ts";

const KEY = "agent:main:telegram:direct:42";
const TOKEN = "owner-token-0123456789";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => (folder = temporaryFolder()));
afterEach(() => folder.remove());

const here = (argv: readonly string[], options: Parameters<typeof run>[1] = {}): Promise<Run> =>
  run(["sessions", ...argv], { cwd: folder.path, ...options });

/** A conversation with a summary, in the folder where the commands look. */
async function talked(key = KEY): Promise<void> {
  const store = await fsStore({ root: join(folder.path, ".wakeful") });
  const sessions = createSessions({ store, clock: systemClock() });
  await sessions.append(key, [
    message("a", { text: "Trip to Oslo\u001B[2J" }),
    out("turn-a", ["a"], { text: "Fine" }),
    compact(3, { summary: "They plan a trip" }),
    { type: "reset", by: "telegram:42" },
    { type: "heard", id: "h", text: "lunch?", user: "telegram:7", sender: { id: "7" } },
    compact(6, { summary: "They talk about lunch" }),
  ]);
  await store.close?.();
}

describe("wakeful sessions", () => {
  it("lists conversations with their first words", async () => {
    await talked();
    const { stdout } = await here([]);
    expect(stdout).toMatch(/^agent:main:telegram:direct:42 {2}6 records, last \d{4}-\S+ {2}Trip to Oslo \[2J\n$/);
  });

  it("shows summaries in purple with a C, and lets no text move the cursor", async () => {
    await talked();
    const plain = await here(["show", KEY]);
    expect(plain.stdout).toContain("telegram:42: Trip to Oslo\\u{1b}[2J\n");
    expect(plain.stdout).toContain(" C summary of 3 turns: They plan a trip\n");
    expect(plain.stdout).toContain(" — a new conversation (telegram:42) —\n");
    expect(plain.stdout).toContain(" telegram:7 (heard): lunch?\n");
    expect(plain.stdout).not.toContain("\u001B");
    const coloured = await here(["show", KEY], { colours: true });
    expect(coloured.stdout).toContain("\u001B[35mC summary of 3 turns: They plan a trip\u001B[39m");
  });

  it("exports what a terminal would obey to a pipe as it is, and to a terminal written out", async () => {
    const store = await fsStore({ root: join(folder.path, ".wakeful") });
    const sessions = createSessions({ store, clock: systemClock() });
    await sessions.append(KEY, [message("a", { text: "clear \u009B2J and turn \u202Eaway" })]);
    await store.close?.();
    const piped = await here(["export", KEY, "--format", "jsonl"]);
    expect(piped.stdout).toContain("clear \u009B2J");
    const shown = await here(["export", KEY, "--format", "jsonl"], { screen: true });
    expect(shown.stdout).toContain("clear \\u009b2J");
    expect(JSON.parse(shown.stdout)).toEqual(JSON.parse(piped.stdout));
    expect((await here(["export", KEY], { screen: true })).stdout).toContain("turn \\u{202e}away");
    for (const command of ["show", "export"])
      expect((await here([command, KEY, "--json"], { screen: true })).stdout).not.toContain("\u009B");
  });

  it("exports to standard output, and to a new file of this user's only", async () => {
    await talked();
    const { stdout } = await here(["export", KEY]);
    expect(stdout).toContain("\n**Ada (telegram:42)** · ");
    const lines = (await here(["export", KEY, "--json"])).stdout.trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual([1, 2, 3, 4, 5, 6]);
    const file = join(folder.path, "talk.md");
    expect(await here(["export", KEY, "--output", "talk.md"])).toMatchObject({
      code: 0,
      stdout: `Exported ${KEY} to ${file}\n`,
    });
    expect(readFileSync(file, "utf8")).toBe(stdout);
    expect(statSync(file).mode & 0o077).toBe(0);
    const again = await here(["export", KEY, "--output", "talk.md", "--format", "jsonl"]);
    expect(again).toMatchObject({
      code: 2,
      stderr: `error: ${file} already exists and was not changed: name a file that does not exist yet\n`,
    });
    expect(readFileSync(file, "utf8")).toBe(stdout);
  });

  it.each([
    { argv: ["export", KEY, "--format", "html"], code: 2, message: '--format must be markdown or jsonl, not "html"' },
    { argv: ["export", "agent:main:nobody"], code: 1, message: 'There is no conversation "agent:main:nobody"' },
    { argv: ["summary", KEY, "--edit", "gone.txt"], code: 2, message: "gone.txt cannot be read" },
    { argv: ["set", KEY, "--queue-mode", "random"], code: 2, message: "expected one of collect, followup" },
    { argv: ["set", KEY, "--model", "no/model"], code: 2, message: 'Invalid model "no/model": expected one of ' },
    { argv: ["set", "agent:main:nobody"], code: 1, message: 'There is no session "agent:main:nobody"' },
  ])("refuses $argv", async ({ argv, code, message: said }) => {
    await talked();
    const refused = await here(argv);
    expect([refused.code, refused.stderr]).toEqual([code, expect.stringContaining(said)]);
    expect(existsSync(join(folder.path, "talk.md"))).toBe(false);
  });

  it("shows summaries and writes the newest anew, from a file or standard input", async () => {
    await talked();
    expect((await here(["summary", KEY])).stdout).toContain("C summary of 6 turns: They talk about lunch");
    writeFileSync(join(folder.path, "mine.txt"), "Ada likes tea\n");
    const { stdout } = await here(["summary", KEY, "--edit", "mine.txt"], { colours: true });
    expect(stdout).toContain("\u001B[35mC summary of 6 turns, written by cli: Ada likes tea\u001B[39m");
    await here(["summary", KEY, "--edit", "-"], { input: "Ada likes coffee" });
    const { summaries } = JSON.parse((await here(["summary", KEY, "--json"])).stdout) as {
      summaries: readonly { summary: string; reason: string }[];
    };
    expect(summaries.map(({ summary, reason }) => `${reason}: ${summary}`)).toEqual([
      "history: They talk about lunch",
      "edit: Ada likes tea",
      "edit: Ada likes coffee",
    ]);
  });

  it("sets the queue mode and takes it back", async () => {
    await talked();
    const set = await here(["set", KEY, "--queue-mode", "followup"]);
    expect(set.stdout).toBe("queue mode: followup\nmodel: as configured\n");
    expect(JSON.parse((await here(["set", KEY, "--json"])).stdout)).toEqual({ queueMode: "followup" });
    const back = await here(["set", KEY, "--queue-mode", "default"]);
    expect(back.stdout).toBe("queue mode: as configured\nmodel: as configured\n");
  });
});

describe("wakeful chat", () => {
  const chat = (options: Parameters<typeof run>[1]) =>
    run(["chat"], { cwd: folder.path, input: "/exit\n", ...options });

  it("shows on a terminal where the conversation stands, summaries in purple with a C", async () => {
    await talked("agent:main:main");
    const { code, stdout } = await chat({ interactive: true, colours: true });
    expect(code).toBe(0);
    expect(stdout).toContain("\u001B[35mC summary of 6 turns: They talk about lunch\u001B[39m");
    expect(stdout.indexOf("lunch?")).toBeLessThan(stdout.indexOf("Type a message"));
    expect((await chat({})).stdout).not.toContain("lunch");
  });
});

describe("wakeful sessions beside a running server", () => {
  it("asks it for all of this", async () => {
    await talked();
    const store = await fsStore({ root: join(folder.path, ".wakeful") });
    const assistant = await createAssistant({ model: offlineModel(), store, server: { token: TOKEN } });
    const server = await serve(assistant, { port: 0, hostname: "127.0.0.1" });
    const remote = (...argv: string[]) => here([...argv, "--url", `http://127.0.0.1:${server.port}`, "--token", TOKEN]);
    try {
      expect((await remote("list")).stdout).toContain("Trip to Oslo");
      expect((await remote("show", KEY)).stdout).toContain("C summary of 3 turns: They plan a trip");
      expect((await remote("export", KEY)).stdout).toContain("> Fine\n");
      expect(await remote("export", "agent:main:nobody")).toMatchObject({ code: 1 });
      writeFileSync(join(folder.path, "mine.txt"), "Ada likes tea");
      expect((await remote("summary", KEY, "--edit", "mine.txt")).stdout).toContain("written by owner: Ada likes tea");
      expect((await remote("set", KEY, "--queue-mode", "steer")).stdout).toContain("queue mode: steer");
      expect((await remote("set", KEY, "--model", "no/model")).stderr).toContain('Invalid model "no/model"');
      expect((await remote("delete", KEY)).stdout).toBe(`Deleted ${KEY}\n`);
      expect((await remote("list")).stdout).toBe("No conversations yet\n");
    } finally {
      await server.stop();
    }
  });
});
