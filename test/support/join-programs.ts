import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { PROGRAMS } from "./programs.ts";

const root = join(import.meta.dirname, "../..");

/**
 * Makes few files of each program, where it finds the same libraries. One that cannot be joined is a mistake that its tests would show less plainly.
 *
 * @returns The folder that they are in, which whoever asked removes: for `WAKEFUL_TEST_PROGRAMS`, which `programFile` reads.
 */
export async function joinPrograms(): Promise<string> {
  const folder = mkdtempSync(join(root, "node_modules", ".programs-"));
  await build({
    absWorkingDir: root,
    entryPoints: [...PROGRAMS],
    outbase: root,
    outdir: folder,
    bundle: true,
    splitting: true,
    packages: "external",
    format: "esm",
    platform: "node",
    logLevel: "warning",
  });
  return folder;
}
