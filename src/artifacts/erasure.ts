import { type Erasable, eraseUnder } from "../erasable/index.ts";
import type { Store } from "../store/index.ts";
import { ROOT } from "./artifacts.ts";

/** What sessions keep besides their messages. */
export function createArtifactErasure({ store }: { readonly store: Store }): Erasable {
  return { forget: (person) => eraseUnder(store, ROOT, person) };
}
