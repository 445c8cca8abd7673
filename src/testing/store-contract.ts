import type { Store, StoreCaps } from "../store/index.ts";
import { documentContract } from "./store-contract-documents.ts";
import { keyContract } from "./store-contract-keys.ts";
import { logContract } from "./store-contract-logs.ts";
import { reopenContract } from "./store-contract-reopen.ts";
import { watchContract } from "./store-contract-watch.ts";
import type { StoreGroup } from "./store-contract-group.ts";
import type { TestApi } from "./test-api.ts";

/** A store created for one test. `dispose` removes what it left; the suite has called `store.close()` before. */
export interface OpenedStore {
  /** Empty. */
  readonly store: Store;
  /** Called after each test. */
  dispose(): Promise<void>;
}

/** Options of `storeContract`. */
export interface StoreContractOptions<Opened extends OpenedStore> {
  /** The store's name in the titles of the tests. */
  readonly name: string;
  /** Creates an empty store. Called once for each test. */
  open(): Promise<Opened>;
  /**
   * Opens the data of `opened` again after the suite has closed it. Without it, the tests of a restart are not
   * registered.
   */
  reopen?(opened: Opened): Promise<Store>;
  /**
   * The capabilities that the store must declare. With `cas: "none"` only documents without `expect` are tested: such a
   * store holds blobs and caches.
   */
  readonly caps?: StoreCaps;
  /** Whether the store has `watch`, which is then tested too. Default false. */
  readonly watches?: boolean;
}

/**
 * Registers the contract of the `Store` port as tests: every store passes the same ones, run against the real backend.
 *
 * Source: the Contract lines of `Store`; docs/storage.md, "Write a store of your own".
 *
 * @example
 * ```ts
 * import { describe, expect, it } from "vitest";
 * storeContract({ describe, it, expect }, { name: "memory", open: async () => ({ store: memoryStore(), dispose: async () => {} }) });
 * ```
 */
export function storeContract<Opened extends OpenedStore>(api: TestApi, options: StoreContractOptions<Opened>): void {
  const { name, open, reopen, caps, watches = false } = options;
  const blobsOnly = caps?.cas === "none";

  const group: StoreGroup = {
    expect: api.expect,
    it(title, body) {
      api.it(title, async () => {
        const opened = await open();
        let current = opened.store;
        try {
          await body(current, async () => {
            if (reopen === undefined)
              throw new TypeError(`Cannot reopen the store ${name} as the suite was given no reopen()`);
            await current.close?.();
            current = await reopen(opened);
            return current;
          });
        } finally {
          await current.close?.();
          await opened.dispose();
        }
      });
    },
  };

  api.describe(`${name} keeps the Store contract`, () => {
    if (caps !== undefined) {
      group.it("declares what it can do", async (store) => api.expect(store.caps).toEqual(caps));
    }
    api.describe("documents", () => documentContract(group, { blobsOnly }));
    api.describe("keys and lists", () => keyContract(group, { blobsOnly }));
    if (!blobsOnly) api.describe("logs", () => logContract(group));
    if (watches) api.describe("watching", () => watchContract(group));
    if (reopen !== undefined) api.describe("opened again", () => reopenContract(group));
  });
}
