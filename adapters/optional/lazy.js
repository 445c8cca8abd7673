// Heavy or optional libraries, loaded when they are first asked for. A bundle for Workers takes none.js instead and is given them as options.
// Each function gives null when the library is not installed. Plain JavaScript, because one path must hold in the repository and in the published package.

/** What a failed import of an optional library means: `null` when it is not there; anything else is a real fault. */
async function ifInstalled(load) {
  try {
    return await load();
  } catch (error) {
    if (
      error?.code === "ERR_MODULE_NOT_FOUND" ||
      /Cannot find (?:module|package)|not found/i.test(String(error?.message))
    )
      return null;
    throw error;
  }
}

/** Finding it costs nothing, loading it 70 ms. False may also mean that this runtime or bundler cannot say. */
function isResolved(name) {
  try {
    return import.meta.resolve(name) !== undefined;
  } catch {
    return false;
  }
}

export const loadJustBash = () => ifInstalled(() => import("just-bash"));

export async function findJustBash() {
  if (!isResolved("just-bash") && (await loadJustBash()) === null) return null;
  // Its QuickJS worker hangs or fails on Bun 1.4 and Deno 2.9.
  return { javascript: globalThis.Bun === undefined && globalThis.Deno === undefined };
}

export const loadRe2 = () => ifInstalled(() => import("re2js"));

export const loadMcpClient = () => ifInstalled(() => import("@ai-sdk/mcp"));

export const loadMcpStdio = () => ifInstalled(() => import("@ai-sdk/mcp/mcp-stdio"));

export const loadMcpServer = () => ifInstalled(() => import("@modelcontextprotocol/server"));

export const loadPageLibraries = () =>
  ifInstalled(async () => {
    const [{ Readability }, { parseHTML }, { default: Turndown }] = await Promise.all([
      import("@mozilla/readability"),
      import("linkedom/worker"),
      import("turndown/lib/turndown.browser.es.js"),
    ]);
    return { Readability, parseHTML, Turndown };
  });

/** Built into the runtime, so always there; loaded late because it costs start-up time. */
export const loadNetwork = () => ifInstalled(() => import("./network.js"));

export const loadUnstorage = () => import("unstorage");

export { keepAlive, unref } from "./process-life.js";
export { isTracingModelCalls } from "./tracing.js";
