import { writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { serve } from "@hono/node-server";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { OWNER_TOKEN, testAssistant } from "../support/assistant.ts";
import { until } from "../support/until.ts";
import { run, temporaryFolder } from "./fake-terminal.ts";

const NIGHT = Date.UTC(2026, 0, 5, 23);
const MORNING = "2026-01-06T08:00:00.000Z";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
  configure();
});
afterEach(() => folder.remove());

const configure = (more = "") =>
  writeFileSync(join(folder.path, "wakeful.yaml"), `models: [{ provider: offline }]\ntimezone: UTC\n${more}`);
const here = (...argv: string[]) => run(argv, { cwd: folder.path });

/** A server on which it is night, and the command beside it. */
async function beside() {
  const t = await testAssistant({
    clock: fakeClock(NIGHT),
    timezone: "UTC",
    owner: { ids: ["memory:42"] },
    server: { token: OWNER_TOKEN },
  });
  const server = serve({ fetch: (request) => t.assistant.fetch(request), port: 0, hostname: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    t,
    notifications: (...argv: string[]) => here("notifications", ...argv, "--url", url, "--token", OWNER_TOKEN),
  };
}

describe("wakeful notifications", () => {
  it("shows of a running server what waits to be read, what is held until when, and why", async () => {
    const { t, notifications } = await beside();
    const { attention } = t.assistant;
    expect((await notifications()).stdout).toBe("No unsolicited messages to @owner, and none waiting\n");
    await attention.notify({ user: "memory:42", text: "The parcel\n is there \u001B[31m", id: "a", type: "parcel" });
    await attention.notify({ user: "cli", text: "Drink water", requested: true });
    await attention.notify({ user: "memory:9", text: "For somebody else" });
    await attention.less({ type: "weather", times: 2 });
    await until(t.clock, async () => (await notifications()).stdout.includes("Waiting"));
    const shown = (await notifications()).stdout.replaceAll(/2026-01-05T23:\d\d:\d\d\.\d{3}Z/g, "NOW");
    expect(shown).toBe(
      [
        "Less of: weather (2×)",
        "Waiting to be read",
        "  NOW Drink water cli",
        "Held",
        `  until ${MORNING} parcel: The parcel is there \\u{1b}[31m (quiet hours)`,
        "Decided",
        "  NOW sent note: Drink water (asked for, or urgent)",
        "  NOW held parcel: The parcel is there \\u{1b}[31m (quiet hours)\n",
      ].join("\n"),
    );
    expect((await notifications("--limit", "1")).stdout).not.toContain("held parcel");
    expect(JSON.parse((await notifications("--limit", "1", "--json")).stdout)).toMatchObject({
      decisions: [{ text: "Drink water" }],
    });
    expect((await notifications("list", "--user", "memory:9")).stdout).toContain(
      "note: For somebody else (quiet hours)",
    );
    expect(JSON.parse((await notifications("--json")).stdout)).toMatchObject({
      waiting: [{ user: "cli", text: "Drink water" }],
      user: "@owner",
      less: { weather: 2 },
      held: [{ id: "a", until: MORNING, rule: "quiet_hours" }],
      muted_until: null,
    });
  });

  it("mutes and wants less of a type on a running server", async () => {
    const { t, notifications } = await beside();
    const view = () => t.assistant.attention.view();
    expect((await notifications("less", "weather")).stdout).toBe("Less of weather: requested 1 time\n");
    expect((await notifications("less", "weather")).stdout).toBe("Less of weather: requested 2 times\n");
    expect((await view()).less).toEqual({ weather: 2 });
    expect((await notifications("less", "weather", "--times", "0")).stdout).toBe("weather is back to normal\n");
    expect((await view()).less).toEqual({});
    // The time is that of the command's machine.
    const before = Date.now();
    expect((await notifications("mute", "3h")).stdout).toMatch(/^Muted until 20\S+Z: unsolicited messages wait\n$/);
    const mutedMs = (await view()).mutedUntil?.getTime() ?? 0;
    expect(mutedMs - before).toBeGreaterThanOrEqual(3 * 3_600_000);
    expect((await notifications()).stdout).toContain(`Muted until ${new Date(mutedMs).toISOString()}\n`);
    expect(JSON.parse((await notifications("mute", "tomorrow", "--json", "--user", "memory:9")).stdout)).toEqual({
      user: "memory:9",
      muted_until: expect.stringMatching(/T00:00:00.000Z$/) as string,
    });
    expect((await notifications("mute", "off")).stdout).toBe("No longer muted\n");
    expect((await view()).mutedUntil).toBe(null);
  });

  it("does the same without a server, and doctor tells the quiet hours and what is held", async () => {
    const attention = async () => {
      const { checks } = JSON.parse((await here("doctor", "--json")).stdout) as {
        checks: readonly { check: string; what: string }[];
      };
      return checks.filter(({ check }) => check === "attention").map(({ what }) => what);
    };
    expect(await attention()).toEqual(["quiet from 22 to 8 in UTC"]);
    configure("owner: { ids: [telegram:42] }\nusers: { telegram:42: { timezone: Asia/Shanghai } }\n");
    expect((await here("notifications")).stderr).toContain("Nothing is stored in");
    expect((await here("notifications", "mute", "2d")).code).toBe(0);
    expect(await attention()).toEqual([
      expect.stringMatching(/^quiet from 22 to 8 in Asia\/Shanghai, muted until 20\S+Z; nothing held$/),
    ]);
    expect((await here("notifications", "less", "weather")).stdout).toBe("Less of weather: requested 1 time\n");
    expect((await here("notifications")).stdout).toMatch(/^Muted until \S+\nLess of: weather \(1×\)\n$/);
    expect(JSON.parse((await here("notifications", "mute", "tomorrow", "--json")).stdout)).toMatchObject({
      // Midnight there.
      muted_until: expect.stringMatching(/T16:00:00.000Z$/) as string,
    });
    configure("attention: { enabled: false }\n");
    expect(await attention()).toEqual(["switched off: unsolicited messages are sent at once"]);
  });

  it.each([
    { argv: ["mute", "soon"], message: 'Cannot mute "soon": expected 30m, 3h, 2d (30 days at most), tomorrow or off' },
    { argv: ["mute", " "], message: 'Cannot mute " "' },
    { argv: ["mute", "31d"], message: 'Cannot mute "31d"' },
    { argv: ["mute"], message: "UNTIL" },
    { argv: ["less", "x", "--times", "11"], message: "--times must be a whole number from 0 to 10" },
    { argv: ["--limit", "0"], message: "--limit must be a whole number from 1 to 50" },
  ])("says what is wrong with $argv", async ({ argv, message }) => {
    const refused = await here("notifications", ...argv);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(message);
  });

  it("says what a server refuses", async () => {
    const { notifications } = await beside();
    expect(await notifications("less", "Two words")).toMatchObject({
      code: 2,
      stderr: "error: type: Expected a word of small letters, as note\n",
    });
  });
});
