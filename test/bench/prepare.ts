import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Compiles the package and the programs of the bench, so that what is measured is JavaScript as users run it, and stays as it is meanwhile. */
export function compile(root: string, folder: string): string {
  const build = join(folder, "out", "build");
  rmSync(build, { recursive: true, force: true });
  const { stdout } = spawnSync(
    join(root, "node_modules", ".bin", "node"),
    [join(root, "node_modules", "typescript", "bin", "tsc"), "-p", join(folder, "tsconfig.json")],
    { encoding: "utf8" },
  );
  if (!existsSync(join(build, "entry.host.js"))) throw new Error(`The package could not be compiled:\n${stdout}`);
  standAlone(root, build);
  return build;
}

/** Beside the build, so that its files are modules and nothing of the repository's own manifest is read. */
function standAlone(root: string, build: string): void {
  const { name, version, type, sideEffects } = readPackage(root);
  writeFileSync(join(build, "package.json"), JSON.stringify({ name, version, type, sideEffects }));
}

/** Installs what the rows are measured against, exactly the versions of `peers/package.json`. @returns Their folder. */
export function installPeers(folder: string): string {
  const peers = join(folder, "peers");
  const { dependencies } = readPackage(peers) as { dependencies: Record<string, string> };
  const present = Object.entries(dependencies).every(([name, version]) => {
    const installed = join(peers, "node_modules", name);
    return existsSync(join(installed, "package.json")) && readPackage(installed)["version"] === version;
  });
  if (present) return peers;
  const { status, stderr } = spawnSync(
    "npm",
    ["install", "--no-package-lock", "--ignore-scripts", "--loglevel=error"],
    {
      cwd: peers,
      encoding: "utf8",
    },
  );
  if (status !== 0) throw new Error(`The baselines of ${peers} could not be installed: ${stderr}`);
  return peers;
}

function readPackage(folder: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, unknown>;
}
