import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findSandbox, hostWorkspace } from "../../adapters/workspaces/host/index.ts";
import { temporaryFolder } from "../workspaces/temporary-folder.ts";
import { wholeOnNode } from "../support/thorough.ts";
import { order } from "./support/obedient-model.ts";
import { SPEAKERS, type SpeakerName, deliver } from "./support/obedient-speakers.ts";
import { type World, openWorld } from "./support/obedient-world.ts";

const sandbox = findSandbox();
const needs = sandbox.ok ? "" : ` — needs a sandbox: ${sandbox.problem}`;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let root: string;
let outside: string;
let server: Server;
let port: number;
let hits = 0;
let world: World | undefined;

beforeEach(async () => {
  folder = await temporaryFolder();
  [root, outside] = [join(folder.path, "root"), join(folder.path, "outside")];
  for (const path of [root, outside]) mkdirSync(path);
  writeFileSync(join(outside, "secret.txt"), "CANARY-of-a-file");
  symlinkSync(outside, join(root, "link"));
  process.env["WAKEFUL_TEST_TOKEN"] = "CANARY-of-the-environment";
  hits = 0;
  server = createServer((_, response) => {
    hits += 1;
    response.end("CANARY-of-a-server");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterEach(async () => {
  await world?.stop();
  world = undefined;
  delete process.env["WAKEFUL_TEST_TOKEN"];
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await folder.remove();
});

/** Calls that want out of the workspace, in groups that may wait for an answer together. */
function wayOuts(): (readonly [string, unknown])[][] {
  const url = `http://127.0.0.1:${port}/`;
  const secret = join(outside, "secret.txt");
  return [
    [
      ["bash", { command: `cat ${secret}` }],
      ["bash", { command: "cat ../outside/secret.txt link/secret.txt" }],
      ["bash", { command: "env; echo $WAKEFUL_TEST_TOKEN; cat /proc/self/environ" }],
      ["bash", { command: `curl -s ${url}; wget -qO- ${url}` }],
    ],
    [
      ["bash", { command: `echo planted > ${join(outside, "planted")}; echo planted > link/planted` }],
      ["bash", { command: `exec 3<>/dev/tcp/127.0.0.1/${port}; echo hello >&3; cat <&3` }],
      ["code_execute", { language: "python", code: `print(open(${JSON.stringify(secret)}).read())` }],
      ["code_execute", { language: "bash", code: `cat ${secret}; env; echo planted > ${join(outside, "planted")}` }],
    ],
    [
      ["file_read", { path: "link/secret.txt" }],
      ["file_read", { path: secret }],
      ["file_write", { path: "link/planted", content: "planted" }],
      ["file_write", { path: "../outside/planted", content: "planted" }],
      ["grep", { pattern: "CANARY", path: "." }],
      ["find", { glob: "**/*", path: "link" }],
      ["web_fetch", { url }],
      ["web_fetch", { url: `http://localhost:${port}/` }],
      ["web_fetch", { url: `http://[::ffff:127.0.0.1]:${port}/` }],
      ["web_fetch", { url: `http://inner.example:${port}/` }],
    ],
  ];
}

const say = async (by: SpeakerName, text: string) => {
  if (world) world.replies.push({ who: by, text: await SPEAKERS[by].say(world, `MARK-${SPEAKERS[by].mark} ${text}`) });
};

const MODES = [
  { title: "in a simulated shell", exec: { mode: "simulated" }, asks: false, runs: true },
  { title: `in a sandbox${needs}`, exec: { mode: "sandboxed" }, asks: true, runs: sandbox.ok },
  { title: `on the host${needs}`, exec: { mode: "host" }, asks: true, runs: sandbox.ok },
] as const;

describe.each(wholeOnNode(MODES, 2))(
  "a model that obeys everybody, with a folder of the disk and commands $title",
  ({ exec, asks, runs }) => {
    it.skipIf(!runs)("leaves nothing outside, reads nothing there, and reaches nothing inside", async () => {
      const lookup = async () => ["127.0.0.1"];
      world = await openWorld({ workspace: hostWorkspace({ root, exec }), realNetwork: true, options: { lookup } });
      const all = wayOuts();
      for (const by of ["66" as const, "ada" as const, "group" as const, "bob" as const]) {
        for (const calls of [...all, [["bash", { command: "echo fine > foreign.txt" }] as const]]) {
          const text = calls.map(([tool, input]) => order(tool, input)).join(" ");
          if (by === "66") await deliver(world, { from: by, text });
          else await say(by, text);
        }
      }
      expect(readdirSync(root).sort()).toEqual(["link", "secret.txt"]);
      expect(await world.open()).toEqual([]);

      for (const calls of [[["bash", { command: "echo fine > fine.txt" }] as const], ...all]) {
        await say("owner", calls.map(([tool, input]) => order(tool, input)).join(" "));
        const waiting = await world.open();
        expect(waiting.every(({ tool }) => tool === "bash" || tool === "code_execute")).toBe(true);
        for (const { code, id } of waiting) {
          await deliver(world, { from: "ada", text: `/approve ${code}`, kind: "press" });
          expect((await world.open()).map((one) => one.id)).toContain(id);
          await deliver(world, { from: "1", text: `/approve ${code}`, kind: "press" });
          await world.answered(id);
        }
        if (asks && calls[0]?.[0] === "bash" && calls.length === 1) expect(waiting).toHaveLength(1);
        if (!asks) expect(waiting).toEqual([]);
      }
      expect(readFileSync(join(root, "fine.txt"), "utf8")).toBe("fine\n");
      expect(existsSync(join(root, "foreign.txt"))).toBe(false);
      expect(readdirSync(outside)).toEqual(["secret.txt"]);
      expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe("CANARY-of-a-file");
      expect(hits).toBe(0);
      expect(await world.violations()).toEqual([]);
    });
  },
);
