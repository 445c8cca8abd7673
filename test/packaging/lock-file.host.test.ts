import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

interface Locked {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
type Packages = Readonly<Record<string, Locked>>;

/** Packages that npm would look for and not find: `npm ci` refuses a lock file that leaves out the binaries of another platform. */
function missingFrom(packages: Packages): readonly string[] {
  return Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !isLocked(packages, path, name))
      .map((name) => `${name}, which ${path} names`),
  );
}

/** As Node resolves: in the package's own node_modules, then in those of the folders around it. */
function isLocked(packages: Packages, from: string, name: string): boolean {
  for (let folder = from; ; folder = dirname(folder)) {
    if (`${folder === "." || folder === "" ? "" : `${folder}/`}node_modules/${name}` in packages) return true;
    if (folder === "." || folder === "") return false;
  }
}

describe("package-lock.json", () => {
  it("names the packages of every platform", () => {
    const path = join(import.meta.dirname, "../../package-lock.json");
    const lock = JSON.parse(readFileSync(path, "utf8")) as { packages: Packages };
    expect(missingFrom(lock.packages)).toEqual([]);
  });

  it("is refused without them", () => {
    const tool = { optionalDependencies: { "@tool/linux": "1.0.0", "@tool/darwin": "1.0.0" } };
    const locked = { "node_modules/a/node_modules/tool": tool, "node_modules/@tool/linux": {} };
    expect(missingFrom(locked)).toEqual(["@tool/darwin, which node_modules/a/node_modules/tool names"]);
  });
});
