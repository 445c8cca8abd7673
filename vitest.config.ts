import { join } from "node:path";
import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// `*.test.ts` runs on every runtime. `*.host.test.ts` needs files, processes or a server: Node, Bun and Deno. `*.node.test.ts` runs on Node only
// (packaging, child processes that are the same whoever starts them), `*.workerd.test.ts` inside workerd only. `*.stress.test.ts` and `*.stress.host.test.ts`
// are kills, floods, bombs, megabytes and rows of crashes: on the same runtimes, in `npm run faults`. `*.long.test.ts` is a year, a month, a long conversation
// or a row of deaths: only where tests are thorough. `*.machine.test.ts` (Node, Bun and Deno) and `*.browser.test.ts` (Node) need what npm does not install:
// Redis, bubblewrap, Chromium.
const ofMachine = ["test/**/*.machine.test.ts", "test/**/*.browser.test.ts"];
const ofStress = ["test/**/*.stress.test.ts", "test/**/*.stress.host.test.ts"];
const elsewhere = ["test/**/*.host.test.ts", "test/**/*.node.test.ts", ...ofMachine];

const isNode = process.versions["bun"] === undefined && process.versions["deno"] === undefined;

/** What `test/run.ts` asks for: the `suite`, or what is apart from it, `machine` or `stress`. Where files are named, whatever they are of. */
const part = process.env["WAKEFUL_TEST_PART"];
const included = part === "machine" ? ofMachine : part === "stress" ? ofStress : ["test/**/*.test.ts"];
const apart = part === "suite" ? [...ofMachine, ...ofStress] : [];

// Node, Bun and Deno strip the types and find modules themselves, as for whoever uses the package: nothing is transformed on the way, as nothing is mocked.
const native = { viteModuleRunner: false, nodeLoader: false };

// The same made-up cases in every run: a red test is a defect of the change at hand. `npm run faults` looks further, with a seed of the day.
const seed = Number(process.env["WAKEFUL_TEST_SEED"] ?? 20_260_101);
const thorough = process.env["WAKEFUL_TEST_THOROUGH"] === "1";

const tooLong = thorough ? [] : ["test/**/*.long.test.ts"];

// Several runtimes share the cores, and a busy machine is no defect: what hangs is found all the same, and what must be quick says so itself.
const patient = { testTimeout: thorough ? 240_000 : 40_000, hookTimeout: 40_000 };

const seeded = (onNode: boolean) => ({
  provide: { seed, thorough, onNode },
  runner: "./test/support/seeded-runner.ts",
});

// What the export condition `workerd` does for those who use the package.
const onWorkers = [
  { find: /^.*\/entry\.host\.ts$/, replacement: join(import.meta.dirname, "entry.workers.ts") },
  {
    find: /^.*\/support\/this-platform\.ts$/,
    replacement: join(import.meta.dirname, "test/support/this-platform.workerd.ts"),
  },
  { find: /^\.\/this-platform\.ts$/, replacement: join(import.meta.dirname, "test/support/this-platform.workerd.ts") },
];

class OurOrder extends BaseSequencer {
  /** Each piece has its share of the long ones, and the year is in the first: what takes five minutes must not begin when the other pieces end. */
  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { index = 1, count = 1 } = this.ctx.config.shard ?? {};
    const isLong = ({ moduleId }: TestSpecification) => moduleId.endsWith(".long.test.ts");
    const dealt = files
      .filter(isLong)
      .sort((one, other) => other.moduleId.localeCompare(one.moduleId))
      .filter((_, at) => at % count === index - 1);
    return [...dealt, ...(await super.shard(files.filter((file) => !isLong(file))))];
  }

  /** What starts processes comes first: on Node a start takes the longer the more memory the process has that asks for it, 50 ms at 800 MB. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isOfHost = ({ moduleId }: TestSpecification) => /\.(?:host|node|machine|browser)\.test\.ts$/.test(moduleId);
    return [...sorted.filter(isOfHost), ...sorted.filter((file) => !isOfHost(file))];
  }
}

export default defineConfig({
  test: {
    ...(isNode && { sequence: { sequencer: OurOrder } }),
    reporters: ["default"],
    projects: [
      {
        test: {
          name: "node",
          include: included,
          exclude: [
            "test/**/*.workerd.test.ts",
            "**/node_modules/**",
            ...(isNode ? [] : ["test/**/*.node.test.ts", "test/**/*.browser.test.ts"]),
            ...apart,
            ...tooLong,
          ],
          environment: "node",
          isolate: false,
          experimental: native,
          ...seeded(isNode),
          ...patient,
        },
      },
      {
        resolve: { alias: onWorkers },
        plugins: [
          cloudflareTest({
            main: "./test/support/worker.ts",
            miniflare: {
              compatibilityDate: "2026-10-01",
              compatibilityFlags: ["nodejs_compat"],
              durableObjects: { BOX: { className: "Box", useSQLite: true } },
              kvNamespaces: ["BLOBS"],
            },
          }),
        ],
        test: {
          name: "workerd",
          include: included,
          exclude: [...elsewhere, "**/node_modules/**", ...apart, ...tooLong],
          isolate: false,
          ...seeded(false),
          ...patient,
        },
      },
    ],
  },
});
