// Libraries that only some programs need, loaded at their first use.
import type { Libraries, LibraryName } from "../../../kit.ts";

type Loaders = { readonly [Name in LibraryName]: () => Promise<Libraries[Name] | null> };

// Optional packages are imported in a `try`: bundlers refuse a missing package anywhere else.
const LOADERS: Loaders = {
  re2js: () => import("re2js"),
  async "just-bash"() {
    try {
      return { library: await import("just-bash"), javascript: RUNS_QUICKJS };
    } catch (error) {
      return absent(error);
    }
  },
  async "@mozilla/readability"() {
    const [{ Readability }, { parseHTML }, { default: converter }] = await Promise.all([
      import("@mozilla/readability"),
      import("linkedom/worker"),
      import("turndown/lib/turndown.browser.es.js"),
    ]);
    // Deno reads the types of this build as plain functions.
    const Turndown = converter as unknown as Libraries["@mozilla/readability"]["Turndown"];
    return { Readability, parseHTML, Turndown };
  },
  async "@ai-sdk/mcp"() {
    try {
      return await import("@ai-sdk/mcp");
    } catch (error) {
      return absent(error);
    }
  },
  async "@ai-sdk/mcp/mcp-stdio"() {
    try {
      return await import("@ai-sdk/mcp/mcp-stdio");
    } catch (error) {
      return absent(error);
    }
  },
  async "@modelcontextprotocol/server"() {
    try {
      return await import("@modelcontextprotocol/server");
    } catch (error) {
      return absent(error);
    }
  },
  unstorage: () => import("unstorage"),
};

/** The QuickJS worker of just-bash hangs or fails on Bun 1.4 and Deno 2.9. */
const RUNS_QUICKJS = !("Bun" in globalThis) && !("Deno" in globalThis);

/** Loads a library; `null` when its package is not installed. */
export async function load<Name extends LibraryName>(name: Name): Promise<Libraries[Name] | null> {
  return LOADERS[name]().catch(absent);
}

/**
 * Returns `null` if an import failed because the package is missing. Rethrows any other error, which is a fault of the
 * package.
 */
function absent(error: unknown): null {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  if (code === "ERR_MODULE_NOT_FOUND" || /Cannot find (?:module|package)|not found/i.test(String(message))) return null;
  throw error;
}

/**
 * Resolves the package without loading it: loading just-bash takes 70 ms. If a runtime or bundler cannot resolve it, it
 * is loaded.
 */
export async function probe(name: LibraryName): Promise<{ readonly javascript: boolean } | null> {
  if (!isResolved(name) && (await load(name).catch(() => null)) === null) return null;
  return { javascript: RUNS_QUICKJS };
}

function isResolved(name: string): boolean {
  try {
    return import.meta.resolve(name) !== undefined;
  } catch {
    return false;
  }
}
