/** The part of workerd's built-in modules that the tests and the Cloudflare adapters use. Source: https://developers.cloudflare.com/durable-objects/api/ */

interface WorkerdSqlCursor extends Iterable<Record<string, ArrayBuffer | string | number | null>> {
  toArray(): Record<string, ArrayBuffer | string | number | null>[];
}

interface WorkerdStorage {
  readonly sql: {
    exec(query: string, ...bindings: (ArrayBuffer | string | number | null)[]): WorkerdSqlCursor;
    readonly databaseSize: number;
  };
  transactionSync<T>(work: () => T): T;
  getAlarm(): Promise<number | null>;
  setAlarm(scheduledTime: number | Date): Promise<void>;
  deleteAlarm(): Promise<void>;
  deleteAll(): Promise<void>;
  sync(): Promise<void>;
}

interface WorkerdState {
  readonly id: { toString(): string; readonly name?: string };
  readonly storage: WorkerdStorage;
  waitUntil(promise: Promise<unknown>): void;
  blockConcurrencyWhile<T>(work: () => Promise<T>): Promise<T>;
}

interface WorkerdStub {
  fetch(request: Request | string, init?: RequestInit): Promise<Response>;
}

interface WorkerdNamespace {
  newUniqueId(): { toString(): string };
  idFromName(name: string): { toString(): string };
  get(id: { toString(): string }): WorkerdStub;
  getByName(name: string): WorkerdStub;
}

interface WorkerdKv {
  get(key: string, type: "text"): Promise<string | null>;
  getWithMetadata(
    key: string,
    type: "arrayBuffer",
  ): Promise<{ readonly value: ArrayBuffer | null; readonly metadata: unknown }>;
  put(
    key: string,
    value: string | ArrayBuffer | ArrayBufferView<ArrayBuffer>,
    options?: { metadata?: unknown; expirationTtl?: number },
  ): Promise<void>;
  delete(key: string): Promise<void>;
  list(options?: { prefix?: string; cursor?: string; limit?: number }): Promise<{
    readonly keys: readonly { readonly name: string; readonly metadata?: unknown }[];
    readonly list_complete: boolean;
    readonly cursor?: string;
  }>;
}

declare module "cloudflare:workers" {
  export abstract class DurableObject<Env = unknown> {
    protected readonly ctx: WorkerdState;
    protected readonly env: Env;
    constructor(ctx: WorkerdState, env: Env);
    fetch?(request: Request): Response | Promise<Response>;
    alarm?(info?: { readonly retryCount: number; readonly isRetry: boolean }): void | Promise<void>;
  }
  /** The bindings of the test worker, as vitest.config.ts declares them. */
  export const env: { readonly BOX: WorkerdNamespace; readonly BLOBS: WorkerdKv };
}

declare module "cloudflare:test" {
  export { env } from "cloudflare:workers";
  /** Runs the callback inside the object. The caller names the object's class by annotating the first parameter. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  export function runInDurableObject<Instance, Result>(
    stub: WorkerdStub,
    callback: (instance: Instance, state: WorkerdState) => Result | Promise<Result>,
  ): Promise<Result>;
  /** Runs the object's alarm now, if there is one. */
  export function runDurableObjectAlarm(stub: WorkerdStub): Promise<boolean>;
  /** Ends the running object; its storage stays. */
  export function evictDurableObject(stub: WorkerdStub): Promise<void>;
  /** Ends every object at once; their storage stays, and stubs made before are of no more use. */
  export function abortAllDurableObjects(): Promise<void>;
}
