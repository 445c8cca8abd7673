import type { Clock } from "../../clock.ts";
import type { McpMessage, McpStdioLibrary, McpTransport } from "../../libraries.ts";
import { withTimeout } from "../../time-limit.ts";
import type { McpStdioServer } from "./options.ts";

/** Milliseconds that a program has to end after its input ends, and again after a signal. */
const GRACE_MS = 1_000;
const LINE_FEED = 0x0a;

/** A pipe of a child process is a socket, and can be unreferenced so that it does not keep this process alive. */
interface Unreferable {
  unref?(): void;
}

/** The part of a child process that is used here. */
interface Child {
  /** Whether a signal was sent. */
  killed: boolean;
  readonly stdin?: (Unreferable & { end(): void }) | null;
  readonly stdout?: (Unreferable & { on(event: "data", listener: (chunk: Uint8Array) => void): unknown }) | null;
  readonly stderr?: (Unreferable & { on(event: "data", listener: (chunk: Uint8Array) => void): unknown }) | null;
  unref(): void;
  once(event: "exit", listener: () => void): unknown;
  kill(signal: "SIGTERM" | "SIGKILL"): boolean;
}

export interface StdioTransportOptions {
  readonly library: McpStdioLibrary;
  readonly server: McpStdioServer;
  readonly clock: Clock;
  /** Longest message in bytes. */
  readonly maxBytes: number;
  onListChanged(): void;
  onClosed(reason: string): void;
  /** Called with what the program writes to its standard error. */
  onWords(text: string): void;
}

/**
 * Runs a program and speaks MCP with it. Adds what the library's transport lacks: it separates notifications from
 * answers, limits the length of a message, tells the program about a cancelled call, and kills a program that does
 * not end.
 */
export function stdioTransport(options: StdioTransportOptions): McpTransport {
  const { library, server, clock, maxBytes, onListChanged, onClosed, onWords } = options;
  const { command, args = [], env = {}, cwd } = server;
  const inner = new library.StdioMCPTransport({
    command,
    args: [...args],
    env: { ...env },
    stderr: "pipe",
    ...(cwd !== undefined && { cwd }),
  });
  const cancels = new Map<string | number, () => void>();
  let child: Child | undefined;
  let starting: Promise<boolean> | undefined;
  let exited: Promise<void> = Promise.resolve();
  let reason = "the program ended";

  const forget = (id: string | number) => {
    cancels.get(id)?.();
    cancels.delete(id);
  };

  const transport: McpTransport = {
    supportsProtocolVersionDiscovery: true,
    async start() {
      const start = inner.start();
      starting = start.then(
        () => true,
        () => false,
      );
      await start;
      // A private field of the library: there is no other way to kill a program that ignores the request to end.
      child = (inner as unknown as { process?: Child }).process;
      // Calls that wait for the program hold a timer; an idle program must not keep this process alive, like any
      // other server.
      for (const open of [child, child?.stdin, child?.stdout, child?.stderr]) open?.unref?.();
      // Listened for from the start: not every runtime remembers how a program ended.
      exited = new Promise((resolve) => void child?.once("exit", () => resolve()));
      let length = 0;
      child?.stdout?.on("data", (chunk) => {
        const end = chunk.lastIndexOf(LINE_FEED);
        length = end === -1 ? length + chunk.length : chunk.length - end - 1;
        if (length <= maxBytes) return;
        reason = `a message of the program is longer than ${maxBytes} bytes`;
        child?.kill("SIGKILL");
      });
      const decoder = new TextDecoder();
      child?.stderr?.on("data", (chunk) => onWords(decoder.decode(chunk, { stream: true })));
    },
    async send(message, sendOptions) {
      const { id, method } = message as McpMessage;
      const signal = sendOptions?.signal;
      if (id !== undefined && method !== undefined && signal) {
        const onAbort = () => {
          const notice = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } };
          inner.send(notice).catch(() => {}); // The program may be gone, which cancels too.
        };
        signal.addEventListener("abort", onAbort, { once: true });
        cancels.set(id, () => signal.removeEventListener("abort", onAbort));
      }
      await inner.send(message);
    },
    async close() {
      for (const id of [...cancels.keys()]) forget(id);
      // Without a started program the library would still send a signal: Node then uses an unset pid, and 0 is this
      // whole process group.
      if ((await starting) !== true) return;
      if (child) await end(child, exited, clock);
      await inner.close();
    },
  };
  inner.onclose = () => {
    onClosed(reason);
    transport.onclose?.();
  };
  inner.onerror = (error) => transport.onerror?.(error);
  inner.onmessage = (message) => {
    const { id, method } = message as McpMessage;
    if (method !== undefined && id === undefined) {
      if (method === "notifications/tools/list_changed") onListChanged();
      return;
    }
    if (method === undefined && id !== undefined) forget(id);
    transport.onmessage?.(message);
  };
  return transport;
}

/**
 * Ends the program: closes its input, then sends SIGTERM, then SIGKILL. The library itself only asks, and does not
 * wait.
 */
async function end(child: Child, exited: Promise<void>, clock: Clock): Promise<void> {
  child.stdin?.end();
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    const gone = exited.then(() => true);
    if (await withTimeout(clock, GRACE_MS, gone, () => false)) return;
    child.killed = false; // Deno sends no further signal to a process that was sent one.
    child.kill(signal);
  }
  await exited;
}
