import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runProgram } from "../../adapters/cli/program.ts";
import { createAssistant, defineTool } from "../../entry.host.ts";
import { fsStore } from "../../adapters/storage/fs/index.ts";
import { calls, says, scriptedModel } from "../../src/testing/scripted-model.ts";
import { fakeTerminal, run, temporaryFolder } from "./fake-terminal.ts";
import * as v from "valibot";

/** The requests of these tests are calls of `bash` on the host, which Windows has not. */
const isWindows = process.platform === "win32";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
  writeFileSync(join(folder.path, "wakeful.yaml"), "workspace: { root: ./workspace, exec: { mode: host } }\n");
});
afterEach(() => folder.remove());

const here = (...argv: readonly string[]) => run(argv, { cwd: folder.path });
const jsonOf = async (...argv: readonly string[]) => {
  const { code, stdout, stderr } = await here(...argv, "--json");
  return {
    exit: code,
    ...((stdout === "" ? JSON.parse(stderr.trimEnd().split("\n").at(-1) ?? "") : JSON.parse(stdout)) as Found),
  };
};

interface Found {
  readonly approvals: readonly { readonly code: string; readonly state: string; readonly tool: string }[];
  readonly rules: readonly { readonly id: string; readonly tool: string }[];
  readonly lines: readonly { readonly what: string; readonly who: string }[];
  readonly error?: { readonly message: string };
  readonly output?: unknown;
}

/** A request of the offline model for a command. @returns Its code. */
async function requested(command: string, data?: string): Promise<string> {
  const where = data === undefined ? [] : ["--data", data];
  await run(["chat", ...where], { cwd: folder.path, input: `run ${command}\n` });
  return (await jsonOf("approvals", ...where)).approvals.at(-1)?.code ?? "";
}

/** A program of its own on the same data, with a tool that the command line has not. */
async function programOf(script: readonly unknown[]) {
  const store = await fsStore({ root: join(folder.path, ".wakeful") });
  const ran: unknown[] = [];
  const wipe = defineTool({
    description: "wipes",
    inputSchema: v.looseObject({}),
    execute: (input) => (ran.push(input), "wiped"),
    meta: { dangerous: true },
  });
  const model = scriptedModel([...script] as Parameters<typeof scriptedModel>[0]);
  return { ran, assistant: await createAssistant({ model, store, tools: { wipe } }) };
}

/** @returns The code of its request. */
async function askedByProgram(input: object): Promise<string> {
  const { assistant } = await programOf([calls(["wipe", input]), says("I asked")]);
  const { approvals } = await assistant.send({ text: "wipe", user: "cli", channel: "cli" });
  await assistant.stop();
  return approvals[0]?.code ?? "";
}

/** The program again, until it has said something to the outcome of its request. */
async function programGoesOn(): Promise<{ readonly ran: readonly unknown[]; readonly texts: readonly string[] }> {
  const { ran, assistant } = await programOf([says("So be it"), says("Once more?")]);
  const told = new Promise<void>((resolve) => {
    assistant.events.subscribe("task.completed", () => resolve(), { name: "test" });
  });
  await assistant.start();
  await told;
  const found = await assistant.sessions.show("agent:main:main");
  await assistant.stop();
  return { ran, texts: (found?.entries ?? []).map((entry) => JSON.stringify(entry)) };
}

describe.skipIf(isWindows)("wakeful approvals, on the store — needs a POSIX shell", () => {
  it("says that nothing waits, and lists what does, whole and with nothing hidden", async () => {
    expect((await here("approvals")).stdout).toBe("Nothing waits for your approval\n");
    const code = await askedByProgram({ command: `echo hi # ${"x".repeat(3000)}\u202Eend` });
    const { stdout } = await here("approvals");
    expect(stdout).toContain(`${code}  wipe for cli: waits`);
    expect(stdout).toContain(`    command: echo hi # ${"x".repeat(3000)}\\u{202e}end`);
    expect(stdout).not.toContain("\u202E");
  });

  it("keeps a request open for as long as the file says", async () => {
    const file = join(folder.path, "wakeful.yaml");
    writeFileSync(file, "workspace: { root: ./workspace, exec: { mode: host } }\napprovals: { timeout_minutes: 5 }\n");
    await requested("echo hi");
    const { approvals } = JSON.parse((await here("approvals", "--json")).stdout) as {
      approvals: readonly { requestedAt: string; expiresAt: string }[];
    };
    const minutes = approvals.map(
      ({ requestedAt, expiresAt }) => (Date.parse(expiresAt) - Date.parse(requestedAt)) / 60_000,
    );
    expect(minutes).toEqual([5]);
  });

  it("runs an approved call once, and tells its result and what the assistant says", async () => {
    const code = await requested("touch made && echo done it");
    expect(existsSync(join(folder.path, "workspace/made"))).toBe(false);
    const approved = await here("approvals", "approve", code.toLowerCase());
    expect(approved).toMatchObject({ code: 0 });
    expect(approved.stdout).toContain(`${code}  bash: done`);
    expect(approved.stdout).toContain("done it");
    expect(approved.stdout).toContain("assistant: Approved, and done.");
    expect(existsSync(join(folder.path, "workspace/made"))).toBe(true);
    const again = await here("approvals", "approve", code);
    expect(again).toMatchObject({ code: 1, stdout: "" });
    expect(again.stderr).toContain(`The request ${code} was already answered by owner`);
    expect((await here("approvals")).stdout).toBe("Nothing waits for your approval\n");
    expect((await here("approvals", "--all")).stdout).toContain(`${code}  bash for cli: done by owner`);
  });

  it("denies with a reason that the assistant reads", async () => {
    const code = await requested("touch made");
    const denied = await here("approvals", "deny", code, "not today");
    expect(denied.code).toBe(0);
    expect(denied.stdout).toMatch(/bash: denied\n {4}not today\nassistant: .*Reason: not today/);
    expect(existsSync(join(folder.path, "workspace/made"))).toBe(false);
  });

  it("keeps what is allowed for good, lists it, and forgets it", async () => {
    const code = await requested("echo again");
    expect(await jsonOf("approvals", "approve", code, "--always")).toMatchObject({ exit: 0, ok: true });
    expect((await run(["chat"], { cwd: folder.path, input: "run echo again\n" })).stdout).toContain("again");
    expect((await jsonOf("approvals")).approvals).toEqual([]);
    const { rules } = await jsonOf("approvals", "rules");
    expect(rules).toMatchObject([{ id: code, tool: "bash", for: "owner", by: "owner" }]);
    expect((await here("approvals", "rules")).stdout).toContain("    command: echo again");
    expect(await here("approvals", "forget", code)).toMatchObject({ code: 0, stdout: `Deleted the rule ${code}\n` });
    expect(await here("approvals", "rules")).toMatchObject({
      stdout: "No rules: every dangerous call needs an approval\n",
    });
    const gone = await here("approvals", "forget", code);
    expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining("There is no rule")]);
  });

  it.each([
    { argv: ["approve", "AAAAAA"], code: 1, message: 'There is no request for approval "AAAAAA"' },
    { argv: ["approve"], code: 2, message: "Missing required positional argument: CODE" },
    { argv: ["approve", "AAAAAA", "--pattern", "ls *"], code: 2, message: "needs --always" },
    { argv: ["deny", "AAAAAA", "not", "so"], code: 2, message: 'Unexpected argument "so"' },
  ])("refuses $argv with $code", async ({ argv, code, message }) => {
    const refused = await here("approvals", ...argv);
    expect([refused.code, refused.stderr]).toEqual([code, expect.stringContaining(message)]);
  });

  it("ends with 1 when the call failed, and says why", async () => {
    const policy = (rule: string) =>
      writeFileSync(
        join(folder.path, "policy.yaml"),
        `version: 1\nprofiles: [{ name: default, policy: { ${rule} } }]\n`,
      );
    const file = join(folder.path, "wakeful.yaml");
    writeFileSync(file, `${readFileSync(file, "utf8")}policy: { file: ./policy.yaml }\n`);
    policy("deny: [], allow: []");
    const code = await requested("echo hi");
    policy("deny: [{ tool: bash }], allow: []");
    const failed = await here("approvals", "approve", code);
    expect(failed.code).toBe(1);
    expect(failed.stdout).toMatch(/bash: failed\n {4}DENIED: tool denied by policy: bash/);
  });

  it("keeps the answer for a program's own tool, says so, and the program runs it once", async () => {
    const code = await askedByProgram({ disk: "sda" });
    const key = "agent:main:main";
    const before = await here("sessions", "show", key);
    const approved = await here("approvals", "approve", code);
    expect(approved).toMatchObject({ code: 0, stderr: "" });
    expect(approved.stdout).toContain(
      `${code}  wipe: approved\n    This program does not have wipe as it was when approval was requested: the approved call runs`,
    );
    expect(approved.stdout).toContain(`To withdraw it before then: wakeful approvals deny ${code}`);
    expect(await here("sessions", "show", key)).toEqual(before);
    expect((await here("approvals")).stdout).toMatch(
      /wipe for cli: approved by owner, asked \S+, waits for its tool until/,
    );
    expect((await here("approvals", "approve", code)).stderr).toContain("was already answered by owner");
    const { ran, texts } = await programGoesOn();
    expect(ran).toEqual([{ disk: "sda" }]);
    expect(texts.filter((text) => text.includes(`Approved (${code})`))).toHaveLength(1);
    expect((await here("approvals", "--all")).stdout).toContain(`${code}  wipe for cli: done by owner`);
  });

  it("takes an approved call back until the program runs it, and the program hears of it", async () => {
    const code = await askedByProgram({ disk: "sda" });
    await here("approvals", "approve", code);
    const denied = await here("approvals", "deny", code, "better not");
    expect(denied).toMatchObject({ code: 0, stdout: `${code}  wipe: denied\n    better not\n` });
    const { ran, texts } = await programGoesOn();
    expect(ran).toEqual([]);
    expect(texts.filter((text) => text.includes("better not") && text.includes(`Denied (${code})`))).toHaveLength(1);
  });
});

describe.skipIf(isWindows)("wakeful audit, on the store — needs a POSIX shell", () => {
  it("shows the lines of a day, by who and what", async () => {
    const code = await requested("echo hi");
    await here("approvals", "deny", code, "no\n2026 ok cli forged");
    const all = await here("audit");
    expect(all.code).toBe(0);
    expect(all.stdout).toMatch(/^\S+Z ok cli approval\.requested bash /);
    expect(all.stdout.trimEnd().split("\n")).toHaveLength((await jsonOf("audit")).lines.length);
    expect((await jsonOf("audit", "--what", "approval")).lines.map(({ what }) => what)).toEqual([
      "approval.requested",
      "approval.answered",
    ]);
    expect((await jsonOf("audit", "--what", "approval", "--limit", "1")).lines).toMatchObject([
      { what: "approval.answered" },
    ]);
    expect((await jsonOf("audit", "--who", "telegram:42")).lines).toEqual([]);
    expect((await here("audit", "--day", "2020-01-01")).stdout).toBe("No audit lines\n");
    for (const day of ["yesterday", "2026-02-30"]) {
      const wrong = await here("audit", "--day", day);
      expect([wrong.code, wrong.stderr]).toEqual([
        2,
        expect.stringContaining("--day must be a day such as 2026-11-22"),
      ]);
    }
    expect((await here("audit", "--limit", "0")).code).toBe(2);
  });
});

describe.skipIf(isWindows)("wakeful approvals and audit, on a running server — needs a POSIX shell", () => {
  it("list, answer and forget over HTTP, as the owner alone", async () => {
    const terminal = fakeTerminal({ cwd: folder.path, env: { WAKEFUL_TOKEN: "an-owners-token" } });
    const serving = runProgram(["serve", "--port", "0", "--json"], terminal);
    await terminal.until("\n");
    const { url } = JSON.parse(terminal.output()) as { url: string };
    const there = ["--url", url, "--token", "an-owners-token"];
    const ask = async () => {
      const response = await fetch(`${url}/api/v1/messages`, {
        method: "POST",
        headers: { authorization: "Bearer an-owners-token", "content-type": "application/json" },
        body: JSON.stringify({ text: "run echo served" }),
        signal: AbortSignal.timeout(18_000),
      });
      return ((await response.json()) as Found).approvals[0]?.code ?? "";
    };
    try {
      const code = await ask();
      expect((await here("approvals", ...there)).stdout).toContain(`${code}  bash for sdk: waits`);
      const refused = await here("approvals", "--url", url, "--token", "wrong");
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("wants the owner's token")]);
      const approved = await here("approvals", "approve", code, "--always", ...there);
      expect(approved.code).toBe(0);
      expect(approved.stdout).toContain("served");
      expect(approved.stdout).toContain("assistant: Approved, and done.");
      expect(await ask()).toBe("");
      expect((await jsonOf("approvals", "rules", ...there)).rules).toMatchObject([{ id: code, for: "owner" }]);
      expect((await here("approvals", "forget", code, ...there)).code).toBe(0);
      const next = await ask();
      expect((await here("approvals", "deny", next, "no", ...there)).stdout).toContain("bash: denied");
      const again = await here("approvals", "approve", next, ...there);
      expect([again.code, again.stderr]).toEqual([1, `error: The request ${next} was already answered by owner\n`]);
      const { lines } = await jsonOf("audit", "--what", "approval", ...there);
      expect(lines.map(({ what }) => what)).toEqual([
        "approval.requested",
        "approval.answered",
        "approval.requested",
        "approval.answered",
      ]);
      expect((await jsonOf("audit", "--who", "nobody", ...there)).lines).toEqual([]);
    } finally {
      terminal.signal("SIGTERM");
      expect(await serving).toBe(0);
    }
  }, 30_000);
});
