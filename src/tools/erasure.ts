import { type Erasable, type Exportable, eraseUnder, exportUnder, waitsInSessionOf } from "../erasable/index.ts";
import { type JsonValue, type Store, keySegments } from "../store/index.ts";
import { PLANS } from "./built-in/plan.ts";
import { LATE_RESULTS } from "./late-results.ts";

/** A folder that no room writes to. A tool is handed the store, and what one of the host's keeps of a person there goes too. */
const FREE_FOLDER = "users/";

/** What tools keep of people: the plans of their sessions, and results that they wait for. */
export function createToolErasure({ store }: { readonly store: Store }): Erasable & Exportable {
  return {
    exportPerson: ({ sessions }) => exportUnder(store, `${PLANS}/`, (key) => sessions.has(keySegments(key)[1] ?? "")),
    async forget(person) {
      await eraseUnder(store, `${PLANS}/`, person);
      const isInTheirs = waitsInSessionOf(person);
      await eraseUnder(store, LATE_RESULTS, person, {
        isOver: (value) => isInTheirs(value) || isInTheirs({ sessionKey: madeIn(value) ?? "" }),
      });
      await eraseUnder(store, FREE_FOLDER, person);
    },
  };
}

/** The session of a run whose call is to be told elsewhere. */
function madeIn(value: JsonValue): string | undefined {
  return (value as { readonly madeIn?: string } | null)?.madeIn;
}
