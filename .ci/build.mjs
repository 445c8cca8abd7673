// Compiles the package into dist/. Plain JavaScript, because `npm install` runs it (as `prepare`) before anybody has checked which Node there is.
// `--if-possible`: an unfinished checkout must still install, so what fails is said and forgiven.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const forgiving = process.argv.includes("--if-possible");
const node = join(root, "node_modules", ".bin", "node");
const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
const command = join(root, "dist", "adapters", "cli", "main.js");

function fail(message) {
  console.error(forgiving ? `dist/ was not built: ${message} (npm run build tries again)` : message);
  process.exit(forgiving ? 0 : 1);
}

if (!existsSync(tsc)) fail("TypeScript is not installed");
if (!forgiving) rmSync(join(root, "dist"), { recursive: true, force: true });
const { status, error } = spawnSync(existsSync(node) ? node : process.execPath, [tsc, "-p", "tsconfig.build.json"], {
  cwd: root,
  stdio: forgiving ? "ignore" : "inherit",
});
if (status !== 0 && !forgiving) fail(error?.message ?? "the compiler found mistakes");
if (!existsSync(command)) fail(error?.message ?? "the compiler wrote nothing");
try {
  await separate();
  await bundle();
} catch (cause) {
  // The compiler's own modules work as well, they only load more slowly.
  fail(`the modules could not be joined: ${cause instanceof Error ? cause.message : String(cause)}`);
}
chmodSync(command, 0o755);

/**
 * The modules one by one, for the bundlers of Workers (the condition `workerd`): they leave out a module that nobody uses, and of joined ones only what
 * surely does nothing when it is loaded, which cost 35 KB of a Worker.
 */
async function separate() {
  const { build } = await import("esbuild");
  await build({
    absWorkingDir: root,
    entryPoints: filesIn("dist").filter((path) => !path.startsWith("dist/adapters/cli/")),
    outbase: "dist",
    outdir: "dist/modules",
    format: "esm",
    target: "es2023",
    logLevel: "error",
  });
}

function filesIn(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".js") && !path.startsWith("dist/modules/") && !path.startsWith("dist/chunks/"));
}

/**
 * Joins the modules behind each entry point: opening some 130 small files is a good part of a cold start. Types stay as the compiler wrote them.
 * What the sources name `#late/…` (a file of `src`) is `#late-built/…` (the same, compiled) in the package: docs/decisions/0010-optional-libraries.md.
 */
async function bundle() {
  const { build } = await import("esbuild");
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const entryPoints = Object.values(exports)
    .map((entry) => entry.default)
    .filter((path) => path?.endsWith(".js"));
  const late = new Set(
    filesIn("dist/src")
      .flatMap((path) => [...readFileSync(join(root, path), "utf8").matchAll(/"#late\/([^"]+)"/g)])
      .map(([, name]) => `dist/src/${name}.js`),
  );
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...entryPoints, ...late],
    outbase: "dist",
    outdir: "dist",
    allowOverwrite: true,
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "neutral",
    target: "es2023",
    packages: "external",
    external: ["#docs", "#yaml", "#yaml-if-present", "#optional", "#shell-parser", "node:*", "bun:*", "cloudflare:*"],
    plugins: [
      {
        name: "late",
        setup({ onResolve }) {
          onResolve({ filter: /^#late\// }, ({ path }) => ({
            path: path.replace("#late/", "#late-built/"),
            external: true,
          }));
        },
      },
    ],
    metafile: true,
    logLevel: "error",
  });
  const written = new Set(Object.keys(metafile.outputs));
  for (const file of filesIn("dist")) {
    if (!written.has(file)) rmSync(join(root, file));
  }
}
