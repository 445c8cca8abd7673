import { ConflictError } from "../../errors.ts";
import { type JsonValue, type Store, isObject, storeKey } from "../../store/index.ts";
import type { McpDefinition } from "./fingerprint.ts";

/** A tool in its accepted form. */
export interface Pin {
  readonly name: string;
  readonly fingerprint: string;
  /** Absent if it was accepted while the server could not be asked. */
  readonly definition?: McpDefinition;
}

/** A change about which the owner was asked. */
export interface Asked {
  readonly name: string;
  readonly fingerprint: string;
  /** Time of the last question, in milliseconds since the epoch. */
  readonly atMs: number;
  /** Number of questions so far. Default 1. */
  readonly times?: number;
}

/** The stored state of one server. Lists instead of maps, because the server chooses the names. */
export interface PinFile {
  readonly pins: readonly Pin[];
  readonly asked: readonly Asked[];
}

const FORMAT = 1;
/** Compare-and-set attempts; more conflicts with another process count as a fault. */
const MAX_TRIES = 10;

export type Pins = ReturnType<typeof createPins>;

/** The accepted definitions of a server's tools, in the document `mcp/<server>`. */
export function createPins({ store, server }: { readonly store: Store; readonly server: string }) {
  const key = storeKey("mcp", server);

  async function read(): Promise<{ file: PinFile | null; version: string | null }> {
    const found = await store.get(key);
    if (found === null) return { file: null, version: null };
    const value = found.value as JsonValue;
    const pins = isObject(value) && Array.isArray(value["pins"]) ? (value["pins"] as unknown as readonly Pin[]) : [];
    const asked =
      isObject(value) && Array.isArray(value["asked"]) ? (value["asked"] as unknown as readonly Asked[]) : [];
    return { file: { pins, asked }, version: found.version };
  }

  return {
    /** `null` if this server was never seen. */
    read: async (): Promise<PinFile | null> => (await read()).file,
    /** Changes the document by compare-and-set; `change` may run again. */
    async update(change: (file: PinFile) => PinFile): Promise<void> {
      for (let tries = 1; ; tries++) {
        const { file, version } = await read();
        const { pins, asked } = change(file ?? { pins: [], asked: [] });
        const document = { v: FORMAT, pins, asked } as unknown as JsonValue;
        try {
          await store.put(key, document, { expect: version });
          return;
        } catch (error) {
          if (!ConflictError.is(error) || tries >= MAX_TRIES) throw error;
        }
      }
    },
  };
}

/** Stores the form of a tool that the owner accepted. */
export function acceptPin(pins: Pins, pin: Pin): Promise<void> {
  return pins.update((file) => ({
    pins: [...file.pins.filter((one) => one.name !== pin.name), pin],
    asked: file.asked.filter((one) => one.name !== pin.name || one.fingerprint !== pin.fingerprint),
  }));
}

export interface Fingerprinted {
  readonly definition: McpDefinition;
  readonly fingerprint: string;
}

/** A tool that is not offered until the owner accepts it. */
export interface HeldBack extends Fingerprinted {
  readonly kind: "new" | "changed";
  readonly before?: McpDefinition;
}

export interface DriftDecision {
  readonly offered: readonly Fingerprinted[];
  readonly heldBack: readonly HeldBack[];
  /** Tools to store as accepted from now on. */
  readonly toPin: readonly Fingerprinted[];
}

/**
 * Decides which of a server's tools may be offered. At first sight all of them, because the configuration chose the
 * server as it is. After that only tools that are exactly as accepted, and new tools if the configuration trusts
 * them.
 */
export function decideDrift(
  known: readonly Pin[] | null,
  listed: readonly Fingerprinted[],
  trustNewTools: boolean,
): DriftDecision {
  if (known === null) return { offered: listed, heldBack: [], toPin: listed };
  const pins = new Map(known.map((pin) => [pin.name, pin]));
  const offered: Fingerprinted[] = [];
  const heldBack: HeldBack[] = [];
  const toPin: Fingerprinted[] = [];
  for (const tool of listed) {
    const pin = pins.get(tool.definition.name);
    if (pin?.fingerprint === tool.fingerprint) {
      offered.push(tool);
    } else if (pin === undefined && trustNewTools) {
      offered.push(tool);
      toPin.push(tool);
    } else {
      const before = pin?.definition;
      heldBack.push({ ...tool, kind: pin === undefined ? "new" : "changed", ...(before && { before }) });
    }
  }
  return { offered, heldBack, toPin };
}
