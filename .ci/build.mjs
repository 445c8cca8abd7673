// Compiles the package into dist/. Plain JavaScript, because `npm install` runs it (as `prepare`) before anybody has checked which Node there is.
// `--if-possible`: an unfinished checkout must still install, so what fails is said and forgiven.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const forgiving = process.argv.includes("--if-possible");
const node = join(root, "node_modules", ".bin", "node");
const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
const command = join(root, "dist", "adapters", "cli", "main.js");

/** Chunks of their own, which the bundler of a Worker leaves out when the program does not use them: of joined modules it keeps all that may do something when loaded. */
const LEFT_OUT_UNUSED = [
  "dist/src/assembly/damaged.js",
  "dist/src/commands/index.js",
  "dist/src/config/parse-config.js",
  "dist/src/config/json-schema.js",
  "dist/src/config/read-options.js",
  "dist/adapters/platform/workers/shell-parser.js",
];

/** What options say for documentation, types and the sample is read from src, and would travel with every Worker. */
const withoutDocs = {
  name: "without words for documentation",
  setup(esbuild) {
    esbuild.onLoad({ filter: /[\\/]dist[\\/]src[\\/]config[\\/]schema[\\/]\w[\w-]*\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replaceAll(
        /(?<=[{,]\s*)(?:what|inCode|type|fileType|example): (["'`])(?:\\.|(?!\1).)*\1(?:,|(?=\s*\}))/g,
        "",
      ),
    }));
  },
};

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
  await bundle();
} catch (cause) {
  // The compiler's own modules work as well, they only load more slowly.
  fail(`the modules could not be joined: ${cause instanceof Error ? cause.message : String(cause)}`);
}
chmodSync(command, 0o755);

function filesIn(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".js") && !path.startsWith("dist/chunks/"));
}

/** Joins the modules behind each entry point: opening some 130 small files is a good part of a cold start. Types stay as the compiler wrote them. */
async function bundle() {
  const { build } = await import("esbuild");
  await writeJsonSchema();
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const entryPoints = Object.values(exports)
    .filter((entry) => typeof entry === "object")
    .flatMap((entry) => Object.values(entry))
    .filter((path) => path.endsWith(".js"));
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...entryPoints, ...LEFT_OUT_UNUSED],
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
    external: ["node:*", "bun:*", "cloudflare:*"],
    metafile: true,
    logLevel: "error",
    plugins: [withoutDocs],
  });
  const written = new Set(Object.keys(metafile.outputs));
  for (const file of written) toAscii(join(root, file));
  for (const file of filesIn("dist")) {
    if (!written.has(file)) rmSync(join(root, file));
  }
}

/** Puts the JSON Schema of the options, which is always the same, in the place of what makes it: nothing else in the package needs their words. */
async function writeJsonSchema() {
  const path = join(root, "dist", "src", "config", "json-schema.js");
  const { configJsonSchema } = await import(pathToFileURL(path).href);
  const text = JSON.stringify(JSON.stringify(await configJsonSchema()));
  writeFileSync(path, `export async function configJsonSchema() {\n  return JSON.parse(${text});\n}\n`);
}

/** A module with one sign of Chinese takes two bytes of memory for each of its characters; esbuild leaves such signs in regular expressions and comments. */
function toAscii(path) {
  const text = readFileSync(path, "utf8");
  const escaped = text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  if (escaped !== text) writeFileSync(path, escaped);
}
