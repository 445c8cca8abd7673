import { createHmac } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runProgram } from "../../adapters/cli/program.ts";
import { fsStore } from "../../adapters/storage/fs/index.ts";
import { createAssistant } from "../../entry.host.ts";
import { inMemoryChannel } from "../../src/testing/in-memory-channel.ts";
import { scriptedModel } from "../../src/testing/scripted-model.ts";
import { fakeTerminal, run, temporaryFolder } from "./fake-terminal.ts";

const SECRET = "0123456789abcdef0123456789abcdef";
const CONFIG = `channels:\n  webhook: { secret: ${SECRET}, reply_url: "http://127.0.0.1:9/replies" }\n`;

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const put = (text: string) => writeFileSync(join(folder.path, "wakeful.yaml"), text);
const here = (...argv: readonly string[]) => run(argv, { cwd: folder.path });
interface Found {
  readonly pending: readonly { readonly code: string; readonly key: string; readonly expiresAt: string }[];
  readonly people: readonly { readonly key: string; readonly by: string }[];
  readonly owners: readonly { readonly user: string }[];
}
const listed = async (...argv: readonly string[]) =>
  JSON.parse((await here("access", ...argv, "--json")).stdout) as Found;

/** Somebody who wrote to a program on the same data. @returns Their code. */
async function asked(id: string, name?: string): Promise<string> {
  const store = await fsStore({ root: join(folder.path, ".wakeful") });
  const channel = inMemoryChannel({ access: {} });
  const assistant = await createAssistant({ model: scriptedModel(() => "ok"), store, channels: [channel] });
  const sender = { id, ...(name !== undefined && { name }) };
  await assistant.fetch(new Request("http://localhost/webhooks/memory", channel.request([{ sender }])));
  const { pending } = await assistant.access.list();
  await assistant.stop();
  return pending.find((one) => one.id === id)?.code ?? "";
}

describe("wakeful access, on the store", () => {
  it("says that nobody asks, and lists who does, with nothing hidden", async () => {
    expect((await here("access")).stdout).toBe("No access requests, and no one was let in by a code\n");
    const code = await asked("9", "Ada\nAAAAAAAA  memory:default:1 asks\u202E");
    const { stdout } = await here("access");
    expect(stdout).toContain(
      String.raw`${code}  memory:default:9 "Ada\nAAAAAAAA  memory:default:1 asks\u{202e}" asks for access, since `,
    );
    expect([stdout.split("\n").length, stdout.includes("\u202E")]).toEqual([2, false]);
  });

  it("lets in, once, and takes back", async () => {
    const code = await asked("9", "Ada");
    expect(await here("access", "approve", code.toLowerCase())).toMatchObject({
      code: 0,
      stdout: 'Let in: memory:default:9 "Ada"\n',
    });
    const again = await here("access", "approve", code);
    expect([again.code, again.stderr]).toEqual([1, `error: The request ${code} was already answered by cli\n`]);
    expect(await listed()).toMatchObject({ pending: [], people: [{ key: "memory:default:9", by: "cli" }], owners: [] });
    expect((await here("access", "list")).stdout).toMatch(/^memory:default:9 "Ada": let in, since \S+Z, by cli\n$/);
    expect((await here("access", "remove", "memory:default:9")).stdout).toBe("Access revoked: memory:default:9\n");
    const gone = await here("access", "remove", "memory:9");
    expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining('No person "memory:9" was let in')]);
    expect((await here("audit", "--what", "access")).stdout).toMatch(
      /cli access\.approved memory:9[^]*cli access\.removed/,
    );
  });

  it("denies", async () => {
    const code = await asked("9");
    expect((await here("access", "deny", code)).stdout).toBe("Not let in: memory:default:9\n");
    expect((await here("access", "approve", code)).code).toBe(1);
    expect(await asked("9")).toBe("");
  });

  it.each([
    { argv: ["approve"], code: 2, message: "Missing required positional argument: CODE" },
    { argv: ["approve", "AAAAAAAA"], code: 1, message: 'There is no access request with the code "AAAAAAAA"' },
    { argv: ["remove"], code: 2, message: "Missing required positional argument: USER" },
    { argv: ["everybody"], code: 2, message: "everybody" },
  ])("refuses $argv with $code", async ({ argv, code, message }) => {
    const refused = await here("access", ...argv);
    expect([refused.code, refused.stderr]).toEqual([code, expect.stringContaining(message)]);
  });
});

describe("wakeful serve", () => {
  async function serving(
    work: (url: string, output: string, there: readonly string[]) => Promise<void>,
    argv: readonly string[] = [],
  ) {
    const terminal = fakeTerminal({ cwd: folder.path, env: { WAKEFUL_TOKEN: "an-owners-token" } });
    const ended = runProgram(["serve", "--port", "0", ...argv], terminal);
    await terminal.until(argv.includes("--json") ? "}\n" : "data: ");
    const url = /http:\/\/[^\s"]+/.exec(terminal.output())?.[0] ?? "";
    // The lines are printed in one tick.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      await work(url, terminal.output(), ["--url", url, "--token", "an-owners-token"]);
    } finally {
      terminal.signal("SIGTERM");
      expect(await ended).toBe(0);
    }
  }

  async function says(url: string, id: string, user: string, text: string): Promise<number> {
    const body = JSON.stringify({ id, user, text });
    const timestamp = Math.floor(Date.now() / 1000);
    const signature = createHmac("sha256", SECRET).update(`${timestamp}.${body}`).digest("hex");
    const headers = { "x-timestamp": `${timestamp}`, "x-signature": `sha256=${signature}` };
    return (await fetch(`${url}/webhooks/webhook`, { method: "POST", headers, body })).status;
  }

  it("prints a code while nobody is the owner, which makes one, once; then none, also after a restart", async () => {
    put(CONFIG);
    let code = "";
    await serving(async (url, output, there) => {
      code = /^owner code: (\S+)$/m.exec(output)?.[1] ?? "";
      expect(output).toContain(`send /owner ${code} to the assistant in a direct chat`);
      expect(await says(url, "1", "eve", "/owner AAAA-AAAA-AAAA")).toBe(200);
      expect(await says(url, "2", "ada", `/owner ${code}`)).toBe(200);
      expect(await says(url, "3", "eve", `/owner ${code}`)).toBe(200);
      expect((await listed(...there)).owners).toMatchObject([{ user: "webhook:ada" }]);
      expect((await listed(...there)).pending.map(({ key }) => key)).toEqual(["webhook:default:eve"]);
    });
    await serving(async (url, output, there) => {
      expect(output).not.toContain("owner code");
      expect((await listed(...there)).owners).toMatchObject([{ user: "webhook:ada" }]);
      const [eve] = (await listed(...there)).pending;
      expect((await here("access", "approve", eve?.code ?? "", ...there)).stdout).toBe("Let in: webhook:default:eve\n");
      const twice = await here("access", "deny", eve?.code ?? "", ...there);
      expect([twice.code, twice.stderr]).toEqual([
        1,
        `error: The request ${eve?.code} was already answered by owner\n`,
      ]);
      expect(await says(url, "4", "eve", "hello")).toBe(200);
      expect((await here("access", "remove", "webhook:eve", ...there)).code).toBe(0);
      expect((await here("access", "--url", url, "--token", "wrong")).stderr).toContain("wants the owner's token");
    });
    const sessions = await here("sessions");
    expect(sessions.stdout).toContain("agent:main:webhook:direct:eve");
  }, 30_000);

  it.each([
    { title: "somebody is the owner", config: `owner: { ids: ["webhook:ada"] }\n${CONFIG}` },
    { title: "the role names an owner", config: `roles: { owner: ["webhook:ada"] }\n${CONFIG}` },
  ])("prints none when $title", async ({ config }) => {
    put(config);
    await serving(
      async (_, output) => {
        expect(JSON.parse(output)).not.toHaveProperty("ownerCode");
      },
      ["--json"],
    );
  });

  it.each([
    { title: "there is no channel", config: "", says: "next: " },
    {
      title: "no channel takes direct chats",
      config: CONFIG.replace("{ secret", "{ dm: disabled, secret"),
      says: "no channel takes direct chats: configure one",
    },
  ])("prints one also when $title, and what is missing", async ({ config, says }) => {
    put(config);
    await serving(async (_, output) => {
      expect(output).toMatch(/^owner code: [2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4}$/m);
      expect(output).toContain(says);
    });
    await serving(
      async (_, output) => {
        expect(JSON.parse(output)).toMatchObject({ ownerCode: expect.any(String) as unknown });
      },
      ["--json"],
    );
  });
});

describe("wakeful doctor", () => {
  const rows = async (config: string, check: string) => {
    put(config);
    const { checks } = JSON.parse((await here("doctor", "--json")).stdout) as {
      checks: readonly { check: string; state: string; what: string; remedy?: string }[];
    };
    return checks.filter((row) => row.check === check);
  };
  const main = 'session: { dm_scope: main }\nowner: { ids: ["webhook:me"] }\n';
  const withMode = (mode: string) => CONFIG.replace("{ secret", `{ ${mode}, secret`);

  it.each([
    { who: "everybody", config: main + withMode("dm: open"), shown: "everyone on webhook" },
    { who: "the allow list", config: main + withMode("dm: allowlist, allow: [me, ada]"), shown: "webhook:ada" },
    { who: "the allow list under pairing", config: main + withMode("allow: [ada]"), shown: "webhook:ada" },
    {
      who: "a token",
      config: `${main}server: { tokens: [{ token: a-token-of-ada, role: user, user: "http:ada" }] }\n`,
      shown: "http:ada",
    },
  ])("warns that $who shares the main session with the owner", async ({ config, shown }) => {
    expect(await rows(config, "sessions")).toMatchObject([
      { state: "warn", what: expect.stringContaining(`but also ${shown}:`), remedy: "use per-channel-peer" },
    ]);
  });

  it("lets no id of a person command the terminal", async () => {
    put(main + withMode('dm: allowlist, allow: ["ada\\e[2J"]'));
    const { stdout } = await here("doctor");
    expect(stdout).toContain(String.raw`webhook:ada\u{1b}[2J`);
    expect(stdout).not.toMatch(/[^\P{Cc}\n]/u);
  });

  it.each([
    { who: "the owner alone is listed", config: main + withMode("dm: allowlist, allow: [me]") },
    { who: "nobody asked yet", config: main + CONFIG },
    { who: "conversations are apart", config: withMode("dm: open") },
    { who: "direct chats are disabled", config: main + withMode("dm: disabled, allow: [ada]") },
  ])("does not when $who", async ({ config }) => {
    expect(await rows(config, "sessions")).toEqual([]);
  });

  it("warns of somebody who was let in by a code, and tells how many there are", async () => {
    await here("access", "approve", await asked("9"));
    await asked("8");
    expect(await rows(main + CONFIG, "sessions")).toMatchObject([
      { state: "warn", what: expect.stringContaining("memory:9") },
    ]);
    expect(await rows(main + CONFIG, "access")).toMatchObject([
      { state: "ok", what: "owner: webhook:me; let in by a code: 1; waiting requests: 1" },
    ]);
  });

  it("warns of dm: open, and when nobody is let in", async () => {
    expect(await rows(withMode("dm: open"), "access")).toMatchObject([
      {
        state: "warn",
        what: expect.stringContaining("dm is open on webhook"),
        remedy: expect.stringContaining("pairing"),
      },
    ]);
    expect(await rows(CONFIG, "access")).toMatchObject([
      {
        state: "warn",
        what: expect.stringContaining("no one may write"),
        remedy: expect.stringContaining("owner code"),
      },
    ]);
    expect(await rows(withMode("dm: disabled"), "access")).toMatchObject([
      { state: "warn", remedy: expect.not.stringContaining("owner code") },
    ]);
  });
});
