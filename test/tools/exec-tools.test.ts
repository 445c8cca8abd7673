import { describe, expect, it } from "vitest";
import { virtualWorkspace } from "../../entry.host.ts";
import { simulatedShell } from "../../adapters/shells/simulated/index.ts";
import { memoryStore } from "../../src/store/index.ts";
import { execTools } from "../../src/tools/index.ts";
import type { CommandRunner, CommandSupport, Workspace } from "../../src/tools/index.ts";
import { callTool, contextOf } from "./call-tool.ts";

const shell = simulatedShell();
const simulated = () => virtualWorkspace({ store: memoryStore(), exec: { shell } });
const off = () => virtualWorkspace({ store: memoryStore(), exec: { mode: "off" } });

/** A workspace whose runner says what it was asked. */
function scripted(mode: CommandRunner["mode"], support: CommandSupport, warnings: readonly string[] = []): Workspace {
  const answer = (what: unknown) =>
    Promise.resolve({ stdout: JSON.stringify(what), stderr: "", exitCode: 0, timedOut: false, truncated: false });
  const exec: CommandRunner = {
    mode,
    warnings,
    inspect: () => Promise.resolve(support),
    run: (command, { timeoutMs } = {}) => answer({ command, timeoutMs }),
    runCode: (language, code) => answer({ language, code }),
  };
  return { ...off(), exec };
}
const able = { ok: true, languages: ["bash", "python"], boundary: "a box" } as const;
const unable = { ok: false, problem: "there is no shell", remedy: "install one" } as const;

const ignore = () => {};
const toolsOf = (workspace: Workspace, warn: (message: string) => void = ignore) =>
  execTools({ workspaceFor: () => workspace, workspaces: [workspace], logger: { warn, debug: ignore } });

describe("execTools()", () => {
  it("runs a command on the files that the file tools see", async () => {
    const workspace = simulated();
    const tools = await toolsOf(workspace);
    expect(await callTool(tools, "bash", { command: "echo hi > a.txt; wc -c < a.txt" })).toEqual({
      exit_code: 0,
      stdout: "3\n",
    });
    expect(new TextDecoder().decode((await workspace.read("a.txt"))?.bytes)).toBe("hi\n");
  });

  it("tells faults, time and what was left out", async () => {
    const tools = await toolsOf(simulated());
    expect(await callTool(tools, "bash", { command: "ls none" })).toEqual({
      exit_code: 2,
      stdout: "",
      stderr: "ls: none: No such file or directory\n",
    });
    expect(await callTool(tools, "bash", { command: "sleep 9", timeout_ms: 50 })).toMatchObject({
      exit_code: 124,
      note: "It was stopped after 50 ms",
    });
    const long = (await callTool(tools, "bash", { command: "seq 1 9999" })) as { stdout: string; note: string };
    expect(long.note).toContain("Output was left out");
    expect(long.stdout.length).toBeLessThan(17_000);
  });

  it("names the limit that a command went over, instead of its time", async () => {
    const workspace = virtualWorkspace({ store: memoryStore(), exec: { shell, limits: { seconds: 1 } } });
    const result = await callTool(await toolsOf(workspace), "bash", { command: "sleep 9" });
    expect(result).toMatchObject({
      exit_code: 124,
      note: "It went over exec.limits.seconds: a command may take at most 1 seconds. The owner can raise exec.limits.seconds of the workspace",
    });
  });

  it("lets the model read why a command was refused", async () => {
    expect(await callTool(await toolsOf(simulated()), "bash", { command: " " })).toEqual({
      refused: "WORKSPACE_REFUSED",
      message: "Cannot run this command: it is empty",
    });
  });

  it.each([
    { command: "" },
    { command: "ls", timeout_ms: 0 },
    { command: "ls", timeout_ms: 1.5 },
    { command: "ls", timeout_ms: 600_001 },
    { command: "ls", cwd: "/" },
    {},
  ])("takes no other input: %j", async (input) => {
    expect(await callTool(await toolsOf(simulated()), "bash", input)).toMatchObject({ refused: "BAD_INPUT" });
  });

  it("runs code in the languages that the workspace has, and no other", async () => {
    const tools = await toolsOf(scripted("sandboxed", able));
    expect(await callTool(tools, "code_execute", { code: "print(1)", language: "python" })).toEqual({
      exit_code: 0,
      stdout: '{"language":"python","code":"print(1)"}',
    });
    expect(await callTool(tools, "code_execute", { code: "1", language: "javascript" })).toMatchObject({
      refused: "BAD_INPUT",
    });
  });

  it.each([
    { mode: "simulated", dangerous: false },
    { mode: "sandboxed", dangerous: true },
    { mode: "host", dangerous: true },
  ] as const)("asks for the owner's leave in the mode $mode: $dangerous", async ({ mode, dangerous }) => {
    const tools = await toolsOf(scripted(mode, able));
    for (const name of ["bash", "code_execute"])
      expect(tools[name]?.meta).toMatchObject({ category: "exec", dangerous });
  });

  it("asks for it as soon as one workspace of several has a real shell", async () => {
    const [one, other] = [simulated(), scripted("host", able)];
    const tools = await execTools({ workspaceFor: () => one, workspaces: [one, other] });
    expect(tools["bash"]?.meta?.dangerous).toBe(true);
  });

  it("has no tool where commands are off", async () => {
    expect(await toolsOf(off())).toEqual({});
  });

  it.each([
    { mode: "sandboxed", level: "warn" },
    // The default, which needs an optional package. `wakeful doctor` says so.
    { mode: "simulated", level: "debug" },
  ] as const)("has no tool where $mode commands cannot run, and says so once as $level", async ({ mode, level }) => {
    const said: string[] = [];
    const logger = { warn: ignore, debug: ignore, [level]: (message: string) => void said.push(message) };
    const workspace = scripted(mode, unable);
    const tools = await execTools({
      workspaceFor: () => workspace,
      workspaces: [workspace, scripted(mode, unable)],
      logger,
    });
    expect(tools).toEqual({});
    expect(said).toEqual([
      "Commands cannot run here, so there is no bash tool: there is no shell. Remedy: install one",
    ]);
  });

  it("has no code_execute where no language runs behind a boundary", async () => {
    const said: string[] = [];
    const open = scripted("host", { ...able, languages: [] }, ["commands have all rights"]);
    expect(Object.keys(await toolsOf(open, (message) => void said.push(message)))).toEqual(["bash"]);
    expect(said).toEqual(["commands have all rights"]);
  });

  it("runs nothing for an agent whose workspace has commands off", async () => {
    const [one, other] = [simulated(), off()];
    const tools = await execTools({
      workspaceFor: ({ agentId }) => (agentId === "main" ? one : other),
      workspaces: [one, other],
    });
    expect(await callTool(tools, "bash", { command: "echo 1" })).toMatchObject({ stdout: "1\n" });
    expect(await callTool(tools, "bash", { command: "echo 1" }, contextOf({ agentId: "quiet" }))).toMatchObject({
      refused: "EXEC_OFF",
    });
  });

  it("stops with the turn", async () => {
    const controller = new AbortController();
    const tools = await toolsOf(simulated());
    const running = callTool(tools, "bash", { command: "sleep 60" }, contextOf({ signal: controller.signal }));
    controller.abort(new Error("the turn is over"));
    await expect(running).rejects.toThrow("the turn is over");
  });
});
