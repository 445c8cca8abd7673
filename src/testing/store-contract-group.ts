import type { Store } from "../store/index.ts";
import type { TestApi } from "./test-api.ts";

/** One group of the suite: `it` hands each test an empty store and cleans up after it. */
export interface StoreGroup {
  it(title: string, body: (store: Store, reopen: () => Promise<Store>) => Promise<void>): void;
  readonly expect: TestApi["expect"];
}
