import { type Erasable, type Exportable, eraseUnder, exportUnder, waitsInSessionOf } from "../erasable/index.ts";
import { type JsonValue, type Store, keySegments, storeKey } from "../store/index.ts";
import { PLANS } from "./built-in/plan.ts";
import { LATE_RESULTS } from "./late-results.ts";

/** A folder that no room writes to. A tool is handed the store, and what one of the host's keeps of a person there goes too. */
const FREE_FOLDER = "users/";

/** What tools keep of people: the plans of their sessions, and results that they wait for. */
export interface ToolErasure extends Erasable, Exportable {
  /** Removes the plan of a session that others share, when one of these turns made it. */
  forgetPlanOf(session: string, turns: ReadonlySet<string>): Promise<void>;
}

export function createToolErasure({ store }: { readonly store: Store }): ToolErasure {
  return {
    async forgetPlanOf(session, turns) {
      const key = storeKey(PLANS, session);
      const { turn = "" } = ((await store.get(key))?.value ?? {}) as { readonly turn?: string };
      if (turns.has(turn)) await store.remove(key);
    },
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
