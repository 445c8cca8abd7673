import { type Store, memoryStore } from "../../../src/store/index.ts";
import { everythingIn, greet, setUp, shelfRegistry } from "./support.ts";

/** A store of which every write is told before it is done, and may fail. */
export function watched(backing: Store, onWrite: (key: string) => void): Store {
  const told =
    <Arguments extends readonly [string, ...unknown[]], Result>(write: (...given: Arguments) => Promise<Result>) =>
    async (...given: Arguments): Promise<Result> => {
      onWrite(given[0]);
      return write(...given);
    };
  return { ...backing, put: told(backing.put), remove: told(backing.remove), append: told(backing.append) };
}

/** The archive that is there, and the one that comes. */
export const OLD = greet([
  { name: "old.md", data: "old" },
  { name: "both.md", data: "one" },
]);
export const NEW = greet([
  { name: "new.md", data: "new" },
  { name: "both.md", data: "two" },
]);

/** What lies under each key of a store. */
export const valuesIn = async (store: Store) =>
  Object.fromEntries(Object.entries(await everythingIn(store)).map(([key, { value }]) => [key, value]));

/** Does `act` to a store with the old skill in it; the write of number `crashAt` and all after it fail, as when a process is killed. */
export async function crashed(
  crashAt: number,
  act: (room: ReturnType<typeof setUp>) => Promise<unknown>,
  withOld = true,
) {
  const backing = memoryStore();
  const shelf = { greet: { archive: OLD, meta: {} } };
  await backing.put("skills/other/SKILL.md", "kept");
  if (withOld) await setUp([shelfRegistry("shelf", shelf)], backing).installer.install({ slug: "greet" });
  const old = await valuesIn(backing);
  shelf.greet = { archive: NEW, meta: { version: "2.0.0" } };
  let writes = 0;
  const store = watched(backing, () => {
    writes += 1;
    if (crashAt > 0 && writes >= crashAt) throw new Error("crash");
  });
  const outcome = await act(setUp([shelfRegistry("shelf", shelf)], store)).then(
    () => "done",
    () => "failed",
  );
  return { backing, writes, outcome, old };
}
