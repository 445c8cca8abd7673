import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { watch } from "../../../adapters/platform/host/folder.ts";

const stopped = new AbortController();
const root = await mkdtemp(join(tmpdir(), "wakeful-folder-"));

afterEach(async () => {
  stopped.abort();
  // The spy of the fake timers first: put back later it would leave them in place of the real ones.
  vi.restoreAllMocks();
  vi.useRealTimers();
  await rm(root, { recursive: true, force: true });
});

it("looks for a folder that nobody makes ever less often, and finds it all the same", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const set = vi.spyOn(globalThis, "setTimeout");
  const changed = vi.fn();
  watch(join(root, "later"), changed, stopped.signal);
  vi.advanceTimersByTime(10 * 60_000);
  expect(set.mock.calls.length).toBeGreaterThan(15);
  expect(set.mock.calls.length).toBeLessThan(30);
  expect(changed).not.toHaveBeenCalled();
  await mkdir(join(root, "later"));
  vi.advanceTimersByTime(31_000);
  expect(changed).toHaveBeenCalledOnce();
});
