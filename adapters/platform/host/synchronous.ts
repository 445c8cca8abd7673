// Libraries of synchronous functions. Each is required at its first use: loading `yaml` takes about 20 ms, and the
// grammar of shell commands longer than most of a start.
import { createRequire } from "node:module";
import type { Platform } from "../../../kit.ts";

type Yaml = ReturnType<Platform["yaml"]>;
type Re2 = ReturnType<NonNullable<Platform["linearPatterns"]>>;
type ShellParser = ReturnType<Platform["shellParser"]>;

/** An `https:` module (JSR) cannot require anything. */
const isRemote = !import.meta.url.startsWith("file:");
const library: { yaml?: Yaml; shellParser?: ShellParser; re2?: Re2 } = {};

/** Resolves when all can be used: at once, except for `https:` modules, which load them at the start. */
export const loaded: Promise<void> = isRemote ? loadRemote() : Promise.resolve();

async function loadRemote(): Promise<void> {
  [library.yaml, library.shellParser, library.re2] = await Promise.all([
    import("yaml"),
    import("unbash"),
    import("re2js").catch(() => null),
  ]);
}

export function yaml(): Yaml {
  return (library.yaml ??= required("yaml") as Yaml);
}

export function shellParser(): ShellParser {
  return (library.shellParser ??= required("unbash") as ShellParser);
}

/** `null` when the package is not installed. */
export function linearPatterns(): Re2 {
  if (library.re2 !== undefined) return library.re2;
  try {
    library.re2 = required("re2js") as Re2;
  } catch (error) {
    if (isRemote) throw error;
    library.re2 = null;
  }
  return library.re2;
}

/** @throws {TypeError} In an `https:` module, before `loaded` resolved. */
function required(name: string): unknown {
  if (isRemote) throw new TypeError(`Cannot use the library ${name} yet: wait for the promise loaded`);
  return createRequire(import.meta.url)(name);
}
