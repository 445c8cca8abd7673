import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Why tests that need a Redis server are skipped; `undefined` when there is one. */
export function redisMissing(): string | undefined {
  const found = spawnSync("redis-server", ["--version"], { encoding: "utf8" });
  return found.status === 0 ? undefined : "redis-server is not installed (apt-get install redis-server)";
}

const START_SECONDS = 60;
const MAX_STARTS = 5;

export interface RedisServer {
  readonly url: string;
  /** Ends the server as a power switch would, and starts it again on what it left on disk. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

/** A server of its own on a free port of this machine, with its data in a temporary folder. `durable`: each write reaches the disk before it is answered. */
export async function startRedis(options: { durable?: boolean } = {}): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), "wakeful-redis-"));
  const port = await freePort();
  let server: ChildProcess;

  /** Of its port somebody else may have made use while it was gone. */
  async function start(): Promise<void> {
    for (let attempt = 1; !(await isUp()); attempt += 1) {
      if (attempt === MAX_STARTS) throw new Error(`redis-server ended with code ${server.exitCode}, ${attempt} times`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  /** @returns False when it ended instead. */
  async function isUp(): Promise<boolean> {
    const durability =
      options.durable === true ? ["--appendonly", "yes", "--appendfsync", "always"] : ["--appendonly", "no"];
    server = spawn(
      "redis-server",
      [
        "--port",
        String(port),
        "--bind",
        "127.0.0.1",
        "--dir",
        folder,
        "--save",
        "",
        "--daemonize",
        "no",
        ...durability,
      ],
      { stdio: "ignore" },
    );
    const limit = performance.now() + START_SECONDS * 1000;
    while (performance.now() < limit) {
      if (server.exitCode !== null) return false;
      if (await answers(port)) return true;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`redis-server did not answer within ${START_SECONDS} seconds`);
  }

  async function end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const ended = new Promise((resolve) => server.once("exit", resolve));
    if (server.exitCode === null && server.kill(signal)) await ended;
  }

  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    async crash() {
      await end("SIGKILL");
      await start();
    },
    async stop() {
      await end("SIGTERM");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A port of this machine on which nothing listens. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        address === null || typeof address === "string" ? reject(new Error("No port")) : resolve(address.port),
      );
    });
  });
}

/** Does the server answer PING? While it loads its file it answers an error. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const done = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("connect", () => socket.write("PING\r\n"));
    socket.once("data", (data) => done(data.toString().startsWith("+PONG")));
    socket.once("error", () => done(false));
    socket.once("close", () => done(false));
  });
}
