import { type Erasable, type Exportable, eraseUnder, exportUnder, waitsInSessionOf } from "../erasable/index.ts";
import { type JsonValue, type Store, keySegments, storeKey } from "../store/index.ts";
import { PLANS } from "./built-in/plan.ts";
import { LATE_RESULTS } from "./late-results.ts";

/**
 * A folder that no room writes to. The host's tools get the store; what they keep about a person in this folder is
 * erased too.
 */
const FREE_FOLDER = "users/";

/** Erases what tools keep about people: plans of their sessions, and pending results. */
export interface ToolErasure extends Erasable, Exportable {
  /** Removes the plan of a shared session if one of these turns made it. */
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
      await eraseUnder(store, `${PLANS}/`, person, {
        // In a session that work has for itself, which is named after the work.
        isOver: (value) => person.isUser((value as { readonly user?: string } | null)?.user ?? ""),
      });
      const isInTheirs = waitsInSessionOf(person);
      await eraseUnder(store, LATE_RESULTS, person, {
        isOver: (value) => isInTheirs(value) || isInTheirs({ sessionKey: madeIn(value) ?? "" }),
      });
      await eraseUnder(store, FREE_FOLDER, person);
    },
  };
}

/** The session whose turn made the call, if the result goes to another session. */
function madeIn(value: JsonValue): string | undefined {
  return (value as { readonly madeIn?: string } | null)?.madeIn;
}
