/**
 * The chat page at `/`, for bundles in which nothing is loaded on demand (Cloudflare Workers). Elsewhere it is there by itself.
 *
 * @example
 * ```ts
 * import { chatPage } from "wakeful/page";
 *
 * assistantObject(() => ({ model, server: { token, page: chatPage } }));
 * ```
 *
 * @module
 */
export type { ChatPage, PageRequest, SignInProblem } from "../../mod.ts";
// Not through mod.ts, which would load for everybody what is loaded late (docs/decisions/0010).
export { chatPage } from "../../src/http/page/page.ts";
