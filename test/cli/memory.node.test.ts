import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fsStore } from "../../adapters/storage/fs/index.ts";
import { offlineModel } from "../../adapters/models/offline/index.ts";
import { serve } from "../../adapters/runtimes/node/index.ts";
import { createAssistant } from "../../entry.host.ts";
import { fakeTerminal, run, temporaryFolder, type Run } from "./fake-terminal.ts";
import { polled } from "../support/within.ts";
import { runProgram } from "../../adapters/cli/program.ts";

const TOKEN = "owner-token-0123456789";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => (folder = temporaryFolder()));
afterEach(() => folder.remove());

const here = (argv: readonly string[], options: Parameters<typeof run>[1] = {}): Promise<Run> =>
  run(["memory", ...argv], { cwd: folder.path, ...options });

async function saved(content: string, more: readonly string[] = []): Promise<string> {
  const { stdout } = await here(["save", content, "--json", ...more]);
  return (JSON.parse(stdout) as { id: string }).id;
}

describe("wakeful memory", () => {
  it("saves, lists, searches, shows and removes", async () => {
    expect((await here([])).stdout).toBe("No entries for @owner\n");
    const id = await saved("Likes oat milk\u001B[2J", ["--keywords", "milk, coffee"]);
    await saved("Lives in Oslo", ["--user", "telegram:42"]);
    expect((await here(["list"])).stdout).toMatch(
      new RegExp(`^${id} {2}\\d{4}-\\S+ {2}Likes oat milk\\\\u\\{1b\\}\\[2J\n$`),
    );
    const found = await here(["search", "oat milk"]);
    expect(found.stdout).toMatch(/Likes oat milk[^]*\n {2}entry, score [\d.]+, keyword [\d.]+/);
    expect((await here(["search", "Oslo"])).stdout).toBe("No matching entries\n");
    expect((await here(["search", "Oslo", "--user", "telegram:42"])).stdout).toContain("Lives in Oslo");
    const shown = await here(["show", id]);
    expect(shown.stdout).toContain('keywords: ["milk","coffee"]');
    expect((await here(["users"])).stdout).toBe(
      "@owner  1 entry, 0 archived, 0 days, 0 lines in MEMORY.md\ntelegram:42  1 entry, 0 archived, 0 days, 0 lines in MEMORY.md\n",
    );
    expect((await here(["list", "--archived"])).stdout).toBe("No archived entries for @owner\n");
    expect((await here(["list", "--type", "statement"])).stdout).toBe("No entries of the type statement for @owner\n");
    expect((await here(["archive", id])).stdout).toBe(`Archived ${id}\n`);
    expect((await here(["list", "--archived"])).stdout).toContain(id);
    expect((await here(["restore", id])).stdout).toBe(`Restored ${id}\n`);
    expect((await here(["remove", id])).stdout).toBe(`Removed ${id}\n`);
    expect(await here(["show", id])).toMatchObject({ code: 1, stderr: expect.stringContaining("no entry") as string });
  });

  it("refuses to remember nothing, as a command that is called wrongly", async () => {
    expect(await here(["save", " "])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("content: ") as string,
    });
  });

  it("says that a text is there already", async () => {
    const id = await saved("Likes oat milk");
    expect((await here(["save", "likes  oat milk"])).stdout).toBe(`Already remembered: ${id} of @owner\n`);
  });

  it("names files by hand that cannot be read, with their lines; doctor does too", async () => {
    await saved("Likes oat milk");
    const entries = join(folder.path, ".wakeful", "memory", "@owner", "entries");
    writeFileSync(join(entries, "Kitchen.md"), "The sugar is in the blue tin\n");
    // At once, though nothing ran while it came.
    expect((await here(["list"])).stdout).toContain("Kitchen");
    expect((await here(["search", "sugar"])).stdout).toContain("Kitchen");
    expect((await here(["problems"])).stdout).toBe("Every file can be read\n");
    writeFileSync(join(entries, "my notes.md"), "---\nkeywords: {}\n---\n\ntext\n");
    const named = "memory/@owner/entries/my notes.md, line 2: keywords: expected a list of words, got {}";
    expect((await here(["problems"])).stdout).toContain("my notes.md");
    expect((await run(["doctor"], { cwd: folder.path })).stdout).toContain(named);
  });

  it("edits entries and files from the command line and from standard input", async () => {
    const id = await saved("Likes oat milk");
    expect((await here(["edit", id, "--content", "Likes soy milk"])).stdout).toBe(`Changed ${id}\n`);
    expect((await here(["edit", id, "--content", "-"], { input: "Likes rice milk" })).code).toBe(0);
    expect((await here(["edit", id, "--content", "Likes rice milk"])).stdout).toBe("Nothing was changed\n");
    expect((await here(["list"])).stdout).toContain("Likes rice milk");
    expect((await here(["edit", "MEMORY.md", "--content", "- tea\n"])).stdout).toBe("Changed MEMORY.md\n");
    expect((await here(["show", "MEMORY.md"])).stdout).toBe("- tea\n");
    expect((await here(["show", "2026-02-01"])).code).toBe(1);
  });

  it("edits in the editor, which only a terminal has", async () => {
    const id = await saved("Likes oat milk");
    const editor = join(folder.path, "editor.sh");
    writeFileSync(editor, '#!/bin/sh\nprintf "Likes goat milk" > "$1"\n', { mode: 0o755 });
    expect(await here(["edit", id], { env: { EDITOR: editor } })).toMatchObject({ code: 2 });
    const done = await here(["edit", id], { env: { EDITOR: editor }, interactive: true });
    expect(done.stdout).toBe(`Changed ${id}\n`);
    expect((await here(["list"])).stdout).toContain("Likes goat milk");
    const failing = await here(["edit", id], { env: { EDITOR: "false" }, interactive: true });
    expect(failing).toMatchObject({ code: 1, stderr: expect.stringContaining("nothing was changed") as string });
  });

  it("exports everything of one person, of which another folder takes in the memory", async () => {
    await saved("喜欢茶", ["--user", "memory:7"]);
    const goals = join(folder.path, ".wakeful", "goals");
    mkdirSync(goals, { recursive: true });
    writeFileSync(join(goals, "memory=7.yaml"), "goals:\n  - objective: Write the thesis\n");
    expect(await here(["export", "--everything"])).toMatchObject({ code: 2 });
    const args = ["export", "--user", "memory:7", "--everything", "--output", "all.jsonl"];
    expect((await here(args)).stdout).toContain("Exported 2 lines");
    const text = readFileSync(join(folder.path, "all.jsonl"), "utf8");
    expect(text).toContain('"room":"goals","data":{"file":"goals/memory:7.yaml","text":"goals:\\n  - objective');
    const other = temporaryFolder();
    try {
      writeFileSync(join(other.path, "all.jsonl"), text);
      expect((await run(["memory", "import", "all.jsonl"], { cwd: other.path })).stdout).toBe(
        "1 entry and 0 files of memory:7; 0 already there\nskipped: 1 line that is not a memory\n",
      );
    } finally {
      other.remove();
    }
  });

  it("leaves no part of an export that breaks off", async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { "content-type": "application/x-ndjson" });
      response.write('{"type":"entry"}\n', () => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stderr } = await here(["export", "--output", "all.jsonl", "--url", url, "--token", TOKEN]);
    server.close();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: The export ended early \(.+\)\n$/);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it("puts nothing under the name of an export before all of it is there", async () => {
    const begun = Promise.withResolvers<() => void>();
    const server = createServer((_, response) => {
      response.writeHead(200, { "content-type": "application/x-ndjson" });
      response.write('{"type":"entry"}\n', () => begun.resolve(() => response.end('{"type":"file"}\n')));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const text = (name: string) => readFileSync(join(folder.path, name), "utf8");
    const exported = here(["export", "--output", "all.jsonl", "--url", url, "--token", TOKEN]);
    const end = await begun.promise;
    await polled(() => existsSync(join(folder.path, "all.jsonl.part")) && text("all.jsonl.part")).toContain("entry");
    expect(text("all.jsonl")).toBe("");
    end();
    expect((await exported).code).toBe(0);
    server.close();
    expect(text("all.jsonl")).toBe('{"type":"entry"}\n{"type":"file"}\n');
    expect(readdirSync(folder.path)).toEqual(["all.jsonl"]);
  });

  it("says of a server that ends in the middle of an import that it answers no more, not that there is none", async () => {
    writeFileSync(join(folder.path, "all.jsonl"), "{}\n");
    const server = createServer((request) => request.socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stderr } = await here(["import", "all.jsonl", "--url", url, "--token", TOKEN]);
    server.close();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: The server at http:\/\/127\.0\.0\.1:\d+ no longer answers \(.+\)\n$/);
  });

  it("exports what another folder takes in, exactly", async () => {
    const id = await saved("Likes oat milk");
    await saved("喜欢茶", ["--user", "@lin"]);
    await here(["archive", id]);
    await here(["edit", "MEMORY.md", "--content", "# Memory\n- tea"]);
    expect((await here(["export", "--output", "all.jsonl"])).stdout).toBe(
      `Exported 3 lines to ${join(folder.path, "all.jsonl")}\n`,
    );
    expect(statSync(join(folder.path, "all.jsonl")).mode & 0o077).toBe(0);
    expect((await here(["export", "--output", "all.jsonl"])).code).toBe(2);
    const text = readFileSync(join(folder.path, "all.jsonl"), "utf8");
    const other = temporaryFolder();
    try {
      writeFileSync(join(other.path, "all.jsonl"), text);
      const there = (argv: readonly string[]) => run(["memory", ...argv], { cwd: other.path });
      expect((await there(["import", "all.jsonl"])).stdout).toBe(
        "2 entries and 1 file of @lin, @owner; 0 already there\n",
      );
      expect((await there(["export"])).stdout).toBe(text);
      expect((await there(["import", "all.jsonl"])).stdout).toBe(
        "0 entries and 0 files of @lin, @owner; 3 already there\n",
      );
      expect((await there(["export"])).stdout).toBe(text);
      writeFileSync(join(other.path, "torn.jsonl"), "{}\n");
      expect((await there(["import", "torn.jsonl"])).stderr).toContain("line 1");
    } finally {
      other.remove();
    }
  });

  it("takes in the workspace of another assistant", async () => {
    const workspace = join(folder.path, "workspace");
    mkdirSync(join(workspace, "memory"), { recursive: true });
    writeFileSync(join(workspace, "MEMORY.md"), "# Long-term\n\n- Prefers tea over coffee\n");
    writeFileSync(join(workspace, "memory", "2026-02-01.md"), "# 2026-02-01\n\n- Decided to move to Oslo in May\n");
    writeFileSync(join(workspace, "memory", "notes.txt"), "not this");
    const done = await here(["import", "workspace", "--json"]);
    expect(JSON.parse(done.stdout)).toMatchObject({ facts: 1, entries: 1, left_out: [] });
    expect((await here(["show", "MEMORY.md"])).stdout).toContain("Prefers tea over coffee");
    expect((await here(["search", "Oslo"])).stdout).toContain("Decided to move to Oslo");
    expect(JSON.parse((await here(["import", "workspace", "--json"])).stdout)).toMatchObject({ facts: 0, entries: 0 });
    mkdirSync(join(folder.path, "empty"));
    expect(await here(["import", "empty"])).toMatchObject({ code: 1 });
    expect(await here(["import", "gone"])).toMatchObject({ code: 2 });
  });

  it("digests, tidies up and names what it cannot read", async () => {
    const id = await saved("I decided to use Postgres for the shop", ["--user", "telegram:42"]);
    expect((await here(["digest", "--user", "telegram:42"])).stdout).toMatch(
      /^\d{4}-\d\d-\d\d: 1 entry, 0 lines added/,
    );
    expect((await here(["tidy"])).stdout).toBe("telegram:42: 0 archived, 0 merged, 1 kept\n");
    const screen = await here(["tidy"], { screen: true });
    expect(screen.stderr).toContain("\rTidying up …");
    expect((await here(["tidy"])).stderr).toBe("");
    const entries = join(folder.path, ".wakeful", "memory", "telegram=42", "entries");
    const [file = ""] = readdirSync(entries);
    writeFileSync(join(entries, file), "---\nid: [\n---\nbroken");
    await here(["search", "Postgres", "--user", "telegram:42"]);
    expect((await here(["problems"])).stdout).toContain(`memory/telegram:42/entries/${id}.md:3: Not valid YAML`);
  });

  it("forgets somebody only when they are named twice", async () => {
    await saved("Lives in Oslo", ["--user", "telegram:42"]);
    await saved("Lives in Bergen", ["--user", "telegram:43"]);
    expect(await here(["forget"])).toMatchObject({ code: 2 });
    expect(await here(["forget", "--user", "telegram:42"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--yes") as string,
    });
    const asked = fakeTerminal({ cwd: folder.path, interactive: true });
    asked.stdin.end("telegram:43\n");
    expect(await runProgram(["memory", "forget", "--user", "telegram:42"], asked)).toBe(1);
    expect((await here(["users"])).stdout).toContain("telegram:42");
    for (const [keys, code] of [
      ["\u0003", 130],
      ["\u0004", 1],
    ] as const) {
      const left = fakeTerminal({ cwd: folder.path, interactive: true });
      left.stdin.write(keys);
      expect(await runProgram(["memory", "forget", "--user", "telegram:42"], left)).toBe(code);
      expect(left.errors()).toBe("error: Nothing was deleted\n");
    }
    const named = fakeTerminal({ cwd: folder.path, interactive: true });
    named.stdin.end("telegram:42\n");
    expect(await runProgram(["memory", "forget", "--user", "telegram:42"], named)).toBe(0);
    expect(named.output()).toContain("Forgotten: telegram:42, with 1 entry and 0 conversations\n");
    expect((await here(["users"])).stdout).not.toContain("telegram:42");
    expect((await here(["forget", "--user", "telegram:43", "--yes", "--json"])).stdout).toBe(
      '{"user":"telegram:43","entries":1,"sessions":0}\n',
    );
  });

  it("asks a running server as it asks the store", async () => {
    const store = await fsStore({ root: join(folder.path, ".wakeful") });
    const assistant = await createAssistant({ store, model: offlineModel(), server: { token: TOKEN } });
    const server = await serve(assistant, { port: 0, hostname: "127.0.0.1" });
    try {
      const of = (argv: readonly string[]) => here([...argv, "--url", server.url, "--token", TOKEN]);
      expect((await of(["save", "Lives in Oslo", "--user", "telegram:42"])).stdout).toMatch(
        /^Remembered \w+ of telegram:42\n$/,
      );
      expect((await of(["search", "Oslo", "--user", "telegram:42"])).stdout).toContain("Lives in Oslo");
      expect((await of(["edit", "MEMORY.md", "--content", "- tea"])).code).toBe(0);
      expect((await of(["show", "MEMORY.md"])).stdout).toBe("- tea\n");
      expect((await of(["export"])).stdout.split("\n")).toHaveLength(3);
      expect((await of(["tidy", "--user", "telegram:42"])).stdout).toContain("1 kept");
      expect((await of(["forget", "--user", "telegram:42", "--yes"])).stdout).toContain("Forgotten: telegram:42");
      expect((await of(["show", "nothing"])).code).toBe(1);
    } finally {
      await server.stop();
    }
  });
});
