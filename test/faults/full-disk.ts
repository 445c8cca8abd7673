import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { seeded } from "../support/seeded.ts";
import { startChats } from "./load.ts";
import { type HostRuntime, statusOf } from "./host-target.ts";
import type { Checks } from "./report.ts";
import { PATIENCE_MS, few, inScene, until } from "./scene.ts";

/** Deliveries go on for so long while the disk is full, and at least until it was noticed. */
const FULL_MS = 2_500;
/** What failed for long while the disk was full is tried again at the latest after five minutes; on a slow machine that long comes about. */
const MAX_WAIT_MS = 330_000;

/** The store's disk fills up under load: deliveries are refused with 5xx, it stays alive, and goes on by itself once there is space. */
export async function fullDisk(checks: Checks, seed: number, runtime: HostRuntime): Promise<void> {
  if (process.getuid?.() !== 0) {
    checks.skip("full-disk", "needs root to mount a small tmpfs");
    return;
  }
  const disk = mkdtempSync(join(tmpdir(), "wakeful-faults-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=6m", "tmpfs", disk], { stdio: "ignore" });
  } catch {
    rmSync(disk, { recursive: true });
    checks.skip("full-disk", "this machine does not allow to mount a small tmpfs");
    return;
  }
  try {
    const root = join(disk, "store");
    mkdirSync(root);
    await inScene({ runtime, root, errorsExpected: true }, (scene) => fillUp(checks, seed, disk, scene));
  } finally {
    execFileSync("umount", [disk]);
    rmSync(disk, { recursive: true });
  }
}

async function fillUp(
  checks: Checks,
  seed: number,
  disk: string,
  { target, bot, sender, start, settle, answers, kill, judge }: Parameters<Parameters<typeof inScene>[1]>[0],
): Promise<{ keep: boolean }> {
  await start();
  const load = startChats({ sender, answered: () => bot.answered, chats: 6, chance: seeded(seed), patienceMs: 3000 });
  await answers(30);
  const filler = join(disk, "filler");
  const statuses = new Set<number>();
  let spaceAtMs = 0;
  for (let round = 0; round < 2; round += 1) {
    const begunMs = performance.now();
    let [health, ready] = [0, 0];
    for (let isRefused = false; ;) {
      // What the store gives up meanwhile is taken too.
      fill(filler);
      const status = await sender.post("5001", sender.newId(), "");
      statuses.add(status);
      isRefused ||= status === 503;
      const tookMs = performance.now() - begunMs;
      if (tookMs > FULL_MS && (isRefused || tookMs > PATIENCE_MS)) {
        [health, ready] = [await statusOf(target.port, "/healthz"), await statusOf(target.port, "/readyz")];
        if (health !== 200 || ready === 503 || tookMs > PATIENCE_MS) break;
      }
      await sleep(20);
    }
    checks.check(
      `full disk ${round + 1}: alive, and says that it is not ready`,
      health === 200 && ready === 503,
      `/healthz ${health}, /readyz ${ready}`,
    );
    rmSync(filler);
    spaceAtMs = performance.now();
    const id = sender.newId();
    void sender.deliver("5002", id, "");
    const answered = await until(() => bot.answered.has(id), PATIENCE_MS);
    checks.check(`full disk ${round + 1}: with space again it answers without a restart`, answered);
    console.log(`  ${Math.round(performance.now() - spaceAtMs)} ms after there was space`);
  }
  const odd = [...statuses].filter((status) => status < 500 && (status < 200 || status > 299));
  checks.check(
    "full disk: deliveries are refused with 5xx",
    statuses.has(503) && odd.length === 0,
    `statuses ${[...statuses].join(", ")}`,
  );
  await Promise.race([load.stop(), sleep(PATIENCE_MS, undefined, { ref: false })]);
  const open = await settle(undefined, MAX_WAIT_MS);
  await kill();
  const again = await start();
  const verdict = await judge({
    // What `post` alone delivered may have been taken without being told.
    acknowledged: sender.acknowledged,
    failuresExpected: true,
    // The mark of what was sent while the disk was full is written with the next try.
    marksFromMs: spaceAtMs,
  });
  const faults = [...open, ...verdict.violations, ...(await target.faults())];
  checks.check(
    `full disk: ${verdict.acknowledged} acknowledged messages are answered, once, also over a restart`,
    again && faults.length === 0,
    few(faults),
  );
  return { keep: faults.length > 0 };
}

/** Takes the last byte that there is. */
function fill(path: string): void {
  const descriptor = openSync(path, "a");
  for (let size = 1 << 20; size >= 1;) {
    try {
      if (writeSync(descriptor, Buffer.alloc(size)) < size) size >>= 1;
    } catch {
      size >>= 1;
    }
  }
  closeSync(descriptor);
}
