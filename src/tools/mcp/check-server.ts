import type { Clock } from "../../clock.ts";
import { AssistantError } from "../../errors.ts";
import type { Platform } from "../../platform.ts";
import { type Connection, createConnector } from "./connect.ts";
import type { McpServerOptions } from "./options.ts";
import { reasonOf } from "./reason.ts";
import { within } from "./within.ts";

/** The server's tools, or the problem and its remedy. */
export type McpCheck =
  | { readonly ok: true; readonly tools: readonly string[] }
  | { readonly ok: false; readonly problem: string; readonly remedy: string };

/** Implements `checkMcpServer`. */
export async function checkServer(
  name: string,
  server: McpServerOptions,
  {
    clock,
    version,
    timeoutMs = 10_000,
  }: { readonly clock: Clock; readonly version: string; readonly timeoutMs?: number },
  platform: Pick<Platform, "load" | "network">,
): Promise<McpCheck> {
  const connect = createConnector({ clock, version, platform });
  const events = { onListChanged() {}, onClosed() {}, onDetail() {} };
  let opened: Connection | undefined;
  try {
    const result = await within(clock, timeoutMs, new AbortController().signal, async (signal) => {
      opened = await connect(name, server, events, signal);
      return opened.client.listTools({ options: { signal } });
    });
    if (result === "late" || result === "stopped")
      throw new Error(`it does not answer within ${timeoutMs / 1000} seconds`);
    return { ok: true, tools: result.value.tools.map((tool) => tool.name) };
  } catch (error) {
    const remedy = AssistantError.is(error, "URL_REFUSED")
      ? "set allow_private if this address is intended"
      : AssistantError.is(error, "OPTION_INVALID")
        ? "fix that, or remove the server"
        : "check that the server runs, and its url or command";
    return { ok: false, problem: reasonOf(error), remedy };
  } finally {
    await opened?.close();
  }
}
