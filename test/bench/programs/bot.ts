import process from "node:process";

/** What the three bots of the webhook row have in common. */
export const TOKEN = "7001:bench-token";
export const SECRET = "bench-secret";
export const INSTRUCTIONS = "You are a helpful assistant. Answer briefly, in the language of the question.";
/** Earlier messages of a chat that each bot shows its model. */
export const HISTORY_MESSAGES = 10;

export type Fetch = (request: Request) => Response | Promise<Response>;

/** Serves as each runtime's own documentation does. @returns The port. */
export async function listen(fetch: Fetch): Promise<number> {
  const { Bun, Deno } = globalThis as unknown as {
    Bun?: { serve(options: { port: number; hostname: string; fetch: Fetch }): { port: number } };
    Deno?: {
      serve(options: { port: number; hostname: string; onListen(): void }, fetch: Fetch): { addr: { port: number } };
    };
  };
  if (Bun) return Bun.serve({ port: 0, hostname: "127.0.0.1", fetch }).port;
  if (Deno) return Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, fetch).addr.port;
  const { serve } = await import("@hono/node-server");
  return new Promise((resolve) => serve({ fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => resolve(port)));
}

/** Says where it listens, and ends when its input does. */
export function ready(port: number, end: () => Promise<void> = async () => {}): void {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}/webhooks/telegram` }));
  process.stdin.on("end", () => void end().finally(() => process.exit(0))).resume();
}
