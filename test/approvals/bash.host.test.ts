import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { createAssistant } from "../../entry.host.ts";
import { findSandbox, hostWorkspace } from "../../adapters/workspaces/host/index.ts";
import { testAssistant } from "../support/assistant.ts";

const OWNER = "memory:1";

async function withBash(
  use: (t: {
    run: (command: string) => Promise<unknown>;
    assistant: Awaited<ReturnType<typeof createAssistant>>;
    root: string;
  }) => Promise<void>,
) {
  const root = await mkdtemp(join(tmpdir(), "wakeful-bash-"));
  const { assistant } = await testAssistant({
    channels: [],
    owner: { ids: [OWNER] },
    workspace: hostWorkspace({ root, exec: { mode: "host" } }),
  });
  try {
    const run = (command: string) => assistant.tools.run("bash", { command }, { user: OWNER });
    await use({ run, assistant, root });
  } finally {
    await assistant.stop();
    await rm(root, { recursive: true, force: true });
  }
}

describe("bash with a real shell", () => {
  it("runs when the owner says so, bound to the folder and the sandbox", async (context) => {
    if (!findSandbox().ok) context.skip("the boundary of commands — needs bubblewrap");
    await withBash(async ({ run, assistant, root }) => {
      expect(await run("echo hi > note.txt")).toMatchObject({ ok: false, approval: {} });
      const [request] = await assistant.approvals.list();
      expect(request?.boundTo).toMatchObject({ mode: "host", folder: root, network: false });
      const result = await assistant.approvals.answer(request?.code ?? "", { answer: "once", user: OWNER });
      expect(result).toMatchObject({ ok: true, output: { exit_code: 0 } });
      expect(await readFile(join(root, "note.txt"), "utf8")).toBe("hi\n");
    });
  });

  it("is refused by its guard before anybody is asked", async () => {
    await withBash(async ({ run, assistant }) => {
      expect(await run("sudo rm -rf /")).toMatchObject({ ok: false, error: { code: "REFUSED" } });
      expect(await assistant.approvals.list()).toEqual([]);
    });
  });

  it("needs no approval for what fits a pattern that the owner typed, and nothing else", async () => {
    await withBash(async ({ run, assistant }) => {
      await run("ls");
      const [request] = await assistant.approvals.list();
      const answer = { answer: "always", pattern: "ls *", user: OWNER } as const;
      await expect(
        assistant.approvals.answer(request?.code ?? "", { ...answer, pattern: "ls; *" }),
      ).rejects.toMatchObject({ code: "OPTION_INVALID" });
      expect(await assistant.approvals.answer(request?.code ?? "", answer)).toMatchObject({ ok: true });
      expect(await run("ls -a")).toMatchObject({ ok: true });
      for (const command of ["ls; echo x", "ls > x", "cat x", "X=1 ls"])
        expect(await run(command), command).toMatchObject({ ok: false, approval: {} });
    });
  });
});
