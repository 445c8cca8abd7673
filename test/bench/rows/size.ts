import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build as bundle } from "esbuild";
import { type Measured, type Result, type Row, judge } from "../row.ts";
import { summarize } from "../statistics.ts";
import { formatNumber } from "../table.ts";

interface PackageJson {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, string | { readonly workerd?: string; readonly default: string }>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

interface Sizes {
  readonly minified: number;
  readonly gzip: number;
  /** Names of the packages of which something is in it. */
  readonly packages: ReadonlySet<string>;
}

function size(name: string, bytes: number): Measured {
  return { name, unit: "KB", sample: summarize([bytes / 1000]) };
}

const AI_ALONE = 'export { generateText } from "ai";';

/** What runtimes and users bring: never part of a bundle. */
const BROUGHT = ["node:*", "bun:*", "cloudflare:*", "ioredis"];

export const bundleSize: Row = {
  name: "bundle",
  rounds: 1,
  async run({ build, root, say }) {
    say("bundles");
    const { worker, offline } = await measureWorker(root, build);
    const ai = await measureText(AI_ALONE, root);
    const kilobytes = worker.gzip / 1000;
    const results: Result[] = [
      {
        name: "Worker bundle, Telegram and Durable Object, without a model's provider, gzip",
        figure: `${formatNumber(kilobytes)} KB`,
        bar: "≤ 650 KB",
        verdict: judge(kilobytes, { most: 650 }),
        measured: [
          size("minified", worker.minified),
          size("with the example's offline model, gzip", offline.gzip),
          size("generateText of ai alone, gzip", ai.gzip),
        ],
      },
    ];
    for (const [name, { minified, gzip }] of await measureEntryPoints(root, build)) {
      results.push({
        name: `entry point ${name}, gzip`,
        figure: `${formatNumber(gzip / 1000)} KB`,
        verdict: "told",
        measured: [size("minified", minified)],
      });
    }
    return results;
  },
};

/** The Worker of the example as its wrangler.jsonc bundles it, from compiled modules: without a model, and with its offline model. */
export async function measureWorker(
  root: string,
  build: string,
): Promise<Readonly<Record<"worker" | "offline", Sizes>>> {
  const entries = entryPoints(readManifest(root), build);
  const folder = join(root, "examples/cloudflare");
  const example = readFileSync(join(folder, "worker.ts"), "utf8");
  const of = (leftOut: readonly string[]) =>
    measureBundle({ stdin: { contents: example, resolveDir: folder, loader: "ts" } }, root, entries, leftOut);
  return { worker: await of(["wakeful/models/offline"]), offline: await of([]) };
}

/** The Worker of the example as one module for a process to load, with its model left empty; and the AI SDK's `generateText` alone. */
export async function bundlesToLoad(
  root: string,
  build: string,
): Promise<Readonly<Record<"worker" | "ai", Uint8Array>>> {
  const folder = join(root, "examples/cloudflare");
  const example = readFileSync(join(folder, "worker.ts"), "utf8").replace(
    /^import \{ offlineModel \} from .*$/m,
    "const offlineModel = () => ({}) as never;",
  );
  const entries = entryPoints(readManifest(root), build);
  const worker = await bundled({ stdin: { contents: example, resolveDir: folder, loader: "ts" } }, root, entries, []);
  const ai = await bundled({ stdin: { contents: AI_ALONE, resolveDir: root } }, root, new Map(), []);
  return { worker: worker.contents, ai: ai.contents };
}

/** What no Worker loads: it looks for programs and packages of a machine. */
const HOST_ONLY = /^wakeful\/(?:cli|platform\/host|workspaces\/host)$/;

/** Each entry point for Workers with everything that it imports, by its published name. */
export async function measureEntryPoints(root: string, build: string): Promise<readonly (readonly [string, Sizes])[]> {
  const entries = entryPoints(readManifest(root), build);
  const modules = [...entries].filter(
    ([name, path]) => path.endsWith(".js") && existsSync(path) && !HOST_ONLY.test(name),
  );
  return Promise.all(modules.map(async ([name, path]) => [name, await measure(path, root, entries, [])] as const));
}

export const installedSize: Row = {
  name: "install",
  rounds: 1,
  async run({ build, root, peers, say }) {
    const folder = mkdtempSync(join(tmpdir(), "wakeful-bench-"));
    try {
      say("packing and installing the package");
      const manifest = readManifest(root);
      const tarball = pack(manifest, root, build, folder);
      const ours = install(join(folder, "ours"), [tarball]);
      say("installing ai");
      const ai = install(join(folder, "ai"), [`ai@${manifest.devDependencies["ai"] ?? ""}`]);
      const chatSdk = weigh(join(peers, "node_modules"));
      const measured = (unit: string, of: "megabytes" | "packages"): Measured[] => [
        { name: "wakeful", unit, sample: summarize([ours[of]]) },
        { name: "ai alone", unit, sample: summarize([ai[of]]) },
        { name: "Chat SDK with one channel, without ai", unit, sample: summarize([chatSdk[of]]) },
      ];
      return [
        {
          name: "installed size, peers apart",
          figure: `${formatNumber(ours.megabytes)} MB`,
          bar: "≤ 90 MB",
          verdict: judge(ours.megabytes, { most: 90 }),
          measured: measured("MB", "megabytes"),
        },
        {
          name: "installed packages, peers apart",
          figure: String(ours.packages),
          bar: "≤ 90",
          verdict: judge(ours.packages, { most: 90 }),
          measured: measured("", "packages"),
        },
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

function readManifest(root: string): PackageJson {
  return JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as PackageJson;
}

/** Published names to compiled files. */
function entryPoints({ name, exports }: PackageJson, build: string): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(exports).map(([path, target]) => {
      const file = typeof target === "string" ? target : (target.workerd ?? target.default);
      return [join(name, path), join(build, file.replace(/^\.\/dist\//, ""))];
    }),
  );
}

function measure(
  entry: string,
  root: string,
  entries: ReadonlyMap<string, string>,
  leftOut: readonly string[],
): Promise<Sizes> {
  return measureBundle({ entryPoints: [entry] }, root, entries, leftOut);
}

function measureText(contents: string, root: string): Promise<Sizes> {
  return measureBundle({ stdin: { contents, resolveDir: root } }, root, new Map(), []);
}

type Input = { entryPoints: string[] } | { stdin: { contents: string; resolveDir: string; loader?: "ts" } };

async function measureBundle(
  input: Input,
  root: string,
  entries: ReadonlyMap<string, string>,
  leftOut: readonly string[],
): Promise<Sizes> {
  const { contents, packages } = await bundled(input, root, entries, leftOut);
  return { minified: contents.length, gzip: gzipSync(contents, { level: 9 }).length, packages };
}

async function bundled(
  input: Input,
  root: string,
  entries: ReadonlyMap<string, string>,
  leftOut: readonly string[],
): Promise<{ readonly contents: Uint8Array; readonly packages: ReadonlySet<string> }> {
  const { outputFiles, metafile } = await bundle({
    ...input,
    absWorkingDir: root,
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
    metafile: true,
    conditions: ["workerd", "worker", "browser"],
    external: [...BROUGHT, ...leftOut],
    logLevel: "silent",
    plugins: [
      {
        name: "own entry points",
        setup(esbuild) {
          esbuild.onResolve({ filter: /^wakeful(\/|$)/ }, ({ path }) =>
            leftOut.includes(path) ? { path, external: true } : { path: entries.get(path) ?? path },
          );
          // Files that a runtime provides under their plain names.
          esbuild.onResolve({ filter: /^(fs|path|os|crypto|http|https|stream|url|util|module)$/ }, ({ path }) => ({
            path: `node:${path}`,
            external: true,
          }));
        },
      },
    ],
  });
  const contents = outputFiles[0]?.contents ?? new Uint8Array();
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs));
  const packages = new Set(inputs.flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []));
  return { contents, packages };
}

/** Packs what would be published, from the compiled files of this run. @returns The tarball. */
function pack(manifest: PackageJson, root: string, build: string, folder: string): string {
  const staged = join(folder, "package");
  mkdirSync(staged);
  for (const path of [
    "mod.js",
    "mod.d.ts",
    "entry.host.js",
    "entry.host.d.ts",
    "entry.workers.js",
    "entry.workers.d.ts",
    "src",
    "adapters",
  ])
    cpSync(join(build, path), join(staged, "dist", path), { recursive: true });
  for (const path of ["README.md", "LICENSE", "CHANGELOG.md", "wakeful.example.yaml"])
    if (existsSync(join(root, path))) cpSync(join(root, path), join(staged, path), { recursive: true });
  writeFileSync(join(staged, "package.json"), JSON.stringify({ ...manifest, scripts: undefined }));
  run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], staged);
  return join(folder, `${manifest.name}-${manifest.version}.tgz`);
}

function install(folder: string, packages: readonly string[]) {
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "fresh", private: true }));
  run(
    "npm",
    ["install", "--omit=dev", "--omit=peer", "--ignore-scripts", "--no-audit", "--no-fund", ...packages],
    folder,
  );
  return weigh(join(folder, "node_modules"));
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status, stderr } = spawnSync(command, [...args, "--loglevel=error"], { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed: ${stderr}`);
}

function weigh(folder: string): { megabytes: number; packages: number } {
  let bytes = 0;
  let packages = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) bytes += lstatSync(path).size;
    if (entry.name === "package.json" && /node_modules\/(@[^/]+\/)?[^/]+$/.test(entry.parentPath)) packages += 1;
  }
  return { megabytes: bytes / 1e6, packages };
}
