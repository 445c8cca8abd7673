// What synchronous functions need. Loading `yaml` takes about 20 ms and the grammar of shell commands longer than most of a start, which programs that use none
// should not pay: so each is required with its first use.
import { createRequire } from "node:module";
import type { Platform } from "../../../mod.ts";

type Yaml = ReturnType<Platform["yaml"]>;
type ShellParser = ReturnType<Platform["shellParser"]>;
type LinearPatterns = NonNullable<ReturnType<NonNullable<Platform["linearPatterns"]>>>;

/** From an `https:` module (JSR) nothing can be required. */
const isRemote = !import.meta.url.startsWith("file:");
const library: { yaml?: Yaml; shellParser?: ShellParser; re2js?: LinearPatterns } = {};

/** Resolves when all can be used: at once, but for `https:` modules, which load them at the start. */
export const loaded: Promise<void> = isRemote ? loadRemote() : Promise.resolve();

async function loadRemote(): Promise<void> {
  [library.yaml, library.shellParser, library.re2js] = await Promise.all([
    import("yaml"),
    import("unbash"),
    import("re2js"),
  ]);
}

export function yaml(): Yaml {
  return (library.yaml ??= required("yaml") as Yaml);
}

export function shellParser(): ShellParser {
  return (library.shellParser ??= required("unbash") as ShellParser);
}

export function linearPatterns(): LinearPatterns {
  return (library.re2js ??= required("re2js") as LinearPatterns);
}

/** @throws {TypeError} In an `https:` module, before `loaded` resolved. */
function required(name: string): unknown {
  if (isRemote) throw new TypeError(`Cannot use the library ${name} yet: wait for the promise loaded`);
  return createRequire(import.meta.url)(name);
}
