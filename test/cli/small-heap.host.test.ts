import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type HeapHost, isServer, keepHeapSmall, processHeap } from "../../adapters/cli/small-heap.ts";

const YOUNG = "--max-semi-space-size=4";
const OLD = "--heap-growing-percent=40";

/** What is done to a process, in order: it is begun anew with arguments, V8 is told. `begins`: a program can be put in the place of this one. */
function doneTo(host: Partial<HeapHost>, begins = false): string[] {
  const done: string[] = [];
  const anew = new Error("this program is over");
  try {
    keepHeapSmall({
      runtime: "node",
      execArgv: [],
      env: {},
      startAnew(runtimeArguments) {
        done.push(`anew ${runtimeArguments.join(" ")}`);
        if (begins) throw anew;
      },
      setV8: (flag) => done.push(flag),
      ...host,
    });
  } catch (error) {
    if (error !== anew) throw error;
  }
  return done;
}

describe("the heap of a server", () => {
  it("is limited by beginning anew, with the options that Node was given", () => {
    expect(doneTo({ execArgv: ["--enable-source-maps"] }, true)).toEqual([`anew --enable-source-maps ${YOUNG}`]);
  });

  it("does not begin anew again, and then grows slowly", () => {
    expect(doneTo({ execArgv: [YOUNG] }, true)).toEqual([OLD]);
    expect(doneTo({ env: { NODE_OPTIONS: `--no-warnings ${YOUNG}` } }, true)).toEqual([OLD]);
  });

  it.each([
    ["bun", 1],
    ["bun.exe", 1],
    ["wakeful", 0],
    ["ld-linux-x86-64.so.2", 0],
  ])("begins anew once at the most, also when its options get lost, as %s: %i times", (name, times) => {
    const folder = mkdtempSync(join(tmpdir(), "wakeful-heap-"));
    const execPath = join(folder, name);
    writeFileSync(execPath, "", { mode: 0o700 });
    let begun = 0;
    let env: Record<string, string | undefined> = {};
    for (let run = 0; run < 3; run++) {
      const host = processHeap({
        argv: [name, "main.js", "serve"],
        execArgv: [],
        execPath,
        env,
        pid: 1,
        platform: "linux",
        execve(_path, _words, given) {
          begun++;
          env = { ...given };
          throw new Error("this program is over");
        },
      });
      keepHeapSmall({ ...host, runtime: "bun" });
    }
    rmSync(folder, { recursive: true });
    expect(begun).toBe(times);
  });

  it("grows slowly where a program cannot begin anew", () => {
    expect(doneTo({})).toEqual([`anew ${YOUNG}`, OLD]);
  });

  it("is Bun's small one on Bun, and is told of growth alone on Deno", () => {
    expect(doneTo({ runtime: "bun" }, true)).toEqual(["anew --smol"]);
    expect(doneTo({ runtime: "bun", execArgv: ["--smol"] }, true)).toEqual([]);
    expect(doneTo({ runtime: "deno" }, true)).toEqual([OLD]);
  });

  it.each<[string, Partial<HeapHost>]>([
    ["the owner wants it large", { env: { WAKEFUL_HEAP: "large" } }],
    ["Node was told a limit of its own", { execArgv: ["--max-semi-space-size=40"] }],
    ["Node was told so in its environment", { env: { NODE_OPTIONS: "--max_semi_space_size=64" } }],
  ])("is left as it is when %s", (_, host) => {
    expect(doneTo(host, true)).toEqual([]);
  });

  it.each([
    [["serve", "--port", "0"], true],
    [["--data", "x", "start"], true],
    [["serve", "--help"], false],
    [["chat"], false],
    [[], false],
  ])("is looked after for %j: %j", (argv, is) => {
    expect(isServer(argv)).toBe(is);
  });
});
