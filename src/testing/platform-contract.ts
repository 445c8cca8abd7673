import { systemClock } from "../clock.ts";
import { type LibraryName, type Machine, type Network, type Platform, REMEDIES } from "../platform.ts";
import type { TestApi } from "./test-api.ts";

/**
 * A web server on 127.0.0.1, created for one test: `/echo` answers with JSON `{ method, host, body }`, `/moved` with a
 * redirect to `/echo`, `/packed` with the text `packed` in gzip, `/never` not at all.
 */
export interface OpenedOrigin {
  /** The port that it listens on. */
  readonly port: number;
  /** Stops the server. Called after each test. */
  dispose(): Promise<void>;
}

/** Options of `platformContract`. */
export interface PlatformContractOptions {
  /** The platform's name in the titles of the tests. */
  readonly name: string;
  /** The platform under test. With `network: null` the network tests are left out. */
  readonly platform: Platform;
  /** Starts a server for the tests of `network`. Required for a platform that has a network. */
  open?(): Promise<OpenedOrigin>;
}

/**
 * Registers the contract of the `Platform` port as tests.
 *
 * Source: the Contract lines of `Platform`; docs/deploy.md, "What a runtime lends".
 *
 * @example
 * ```ts
 * import { describe, expect, it } from "vitest";
 * platformContract({ describe, it, expect }, { name: "workers", platform: workersPlatform });
 * ```
 */
export function platformContract(api: TestApi, { name, platform, open }: PlatformContractOptions): void {
  const { it, expect } = api;
  const { network } = platform;
  api.describe(`the platform ${name}`, () => {
    it("gives the same YAML and the same grammar each time", async () => {
      expect(platform.yaml()).toBe(platform.yaml());
      expect(platform.yaml().parseAllDocuments("a: 1")[0]?.toJS()).toEqual({ a: 1 });
      expect(platform.shellParser()).toBe(platform.shellParser());
      expect(platform.shellParser().parse("ls -la").errors ?? []).toEqual([]);
    });

    for (const library of Object.keys(REMEDIES) as LibraryName[]) {
      it(`finds ${library} exactly when it loads it`, async () => {
        const found = await platform.probe(library);
        expect(found === null).toBe((await platform.load(library)) === null);
      });
    }

    it("lets a process go that it kept alive, once or more often", async () => {
      const release = platform.keepAlive();
      platform.keepAlive()();
      release();
      release();
    });

    it("lets a timer fire that keeps no process alive", async () => {
      await systemClock(platform).sleep(1, undefined, { idle: true });
    });

    it("says whether somebody traces", async () => {
      expect(typeof platform.isTracing()).toBe("boolean");
    });

    it("finds no telemetry as long as nothing is registered", async () => {
      expect(platform.telemetry?.()).toBe(undefined);
    });

    it("gives the same engine for patterns each time, or none", async () => {
      const engine = platform.linearPatterns?.() ?? null;
      expect(platform.linearPatterns?.() ?? null).toBe(engine);
      if (engine !== null) expect(engine.RE2JS.compile("(?i)^(a+)+$").test(`${"A".repeat(5000)}b`)).toBe(false);
    });

    const { machine } = platform;
    if (machine) machineContract(api, machine);
    if (network) networkContract(api, network, open);
  });
}

function machineContract({ it, expect }: TestApi, machine: Machine): void {
  it("knows its runtime", async () => {
    expect(["bun", "node", "deno", "workers"].includes(machine.runtime)).toBe(true);
  });

  it("finds no variable and no program that is not there, whatever the name", async () => {
    for (const name of ["", "WAKEFUL_NO_SUCH_NAME", "no such program", "../sh", "/bin/sh", "a\0b", "a=b"]) {
      expect(machine.hasEnvironment?.(name) ?? false).toBe(false);
      expect((await machine.hasProgram?.(name)) ?? false).toBe(false);
    }
  });

  it("reads a folder that is not there as an empty one", async () => {
    const folder = machine.folder?.("no-such-folder-of-wakeful");
    if (folder === undefined) return;
    expect(folder.path.endsWith("no-such-folder-of-wakeful")).toBe(true);
    expect(await folder.having("SKILL.md")).toEqual([]);
    expect(await folder.read("a/SKILL.md", 10)).toBe(null);
    expect(await folder.files("a")).toEqual([]);
    folder.watch?.(() => {}, AbortSignal.abort());
  });

  it("tells a home folder or none, and does not throw", async () => {
    expect(machine.home?.() === "").toBe(false);
  });
}

function networkContract({ it, expect }: TestApi, network: Network, open: PlatformContractOptions["open"]): void {
  const test = (title: string, body: (port: number) => Promise<void>) =>
    it(title, async () => {
      if (!open) throw new Error("A platform with a network is tested with a server: give open");
      const { port, dispose } = await open();
      try {
        await body(port);
      } finally {
        await dispose();
      }
    });
  const get = (url: string, addresses: readonly string[], signal = new AbortController().signal) =>
    network.fetchAt(new URL(url), { method: "GET", headers: new Headers(), signal }, addresses);

  it("resolves a name, and throws for one that does not exist", async () => {
    const found = await network.lookup("localhost");
    expect(found.some((address) => ["127.0.0.1", "::1"].includes(address))).toBe(true);
    expect(await outcomeOf(network.lookup("no-such-name.invalid"))).toBe("rejected");
  });

  test("connects to the address that it is given, and keeps the name", async (port) => {
    const answer = await get(`http://name.example:${port}/echo`, ["127.0.0.1"]);
    expect(await answer.json()).toEqual({ method: "GET", host: `name.example:${port}`, body: "" });
  });

  test("sends method, headers and body", async (port) => {
    const answer = await network.fetchAt(
      new URL(`http://name.example:${port}/echo`),
      {
        method: "POST",
        headers: new Headers({ "content-type": "text/plain" }),
        signal: new AbortController().signal,
        body: "text",
      },
      ["127.0.0.1"],
    );
    expect(await answer.json()).toEqual({ method: "POST", host: `name.example:${port}`, body: "text" });
  });

  test("goes to the next address when nobody listens at the first", async (port) => {
    expect((await get(`http://name.example:${port}/echo`, ["127.0.0.2", "127.0.0.1"])).status).toBe(200);
  });

  test("follows no redirect", async (port) => {
    expect((await get(`http://name.example:${port}/moved`, ["127.0.0.1"])).status).toBe(302);
  });

  test("unpacks the body", async (port) => {
    expect(await (await get(`http://name.example:${port}/packed`, ["127.0.0.1"])).text()).toBe("packed");
  });

  test("ends a request that is aborted", async (port) => {
    const stop = new AbortController();
    const asked = outcomeOf(get(`http://name.example:${port}/never`, ["127.0.0.1"], stop.signal));
    stop.abort();
    expect(await asked).toBe("rejected");
  });

  it("throws where there is no address", async () => {
    expect(await outcomeOf(get("http://name.example/echo", []))).toBe("rejected");
  });
}

function outcomeOf(work: Promise<unknown>): Promise<"resolved" | "rejected"> {
  return work.then(
    () => "resolved" as const,
    () => "rejected" as const,
  );
}
