/** Increments a counter and appends to one log, beside other processes on the same file. Arguments: path, name, count. */
import { sqliteStore } from "../../adapters/storage/sqlite/index.ts";
import { ConflictError } from "../../mod.ts";

const [path = "", name = "", count = "0"] = process.argv.slice(2);
const store = await sqliteStore({ path });
for (let n = 0; n < Number(count);) {
  const found = await store.get("count");
  const before = (found?.value as { n: number } | undefined)?.n ?? 0;
  try {
    await store.put("count", { n: before + 1 }, { expect: found?.version ?? null });
  } catch (error) {
    if (!ConflictError.is(error)) throw error;
    continue;
  }
  await store.append(
    "log",
    [
      { name, n, part: 0 },
      { name, n, part: 1 },
    ],
    { id: `${name}-${n}` },
  );
  await store.append("log", { name: "all", n }, { id: `all-${n}` });
  n++;
}
await store.close();
