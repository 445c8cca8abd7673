// Compiles the package into dist/. Plain JavaScript, because `npm install` runs it (as `prepare`) before anybody has checked which Node there is.
// `--if-possible`: an unfinished checkout must still install, so what fails is said and forgiven.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, rmSync } from "node:fs";
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
chmodSync(command, 0o755);
