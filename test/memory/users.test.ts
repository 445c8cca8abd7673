import { describe, expect, it } from "vitest";
import { createAssistant, memoryStore } from "../../entry.host.ts";
import type { Store } from "../../kit.ts";
import { firstKeys, usersIn } from "../../src/memory/users.ts";
import { scriptedModel } from "../../src/testing/index.ts";

/** A store in which a walk that does not get on is an error, not a hang. */
function walkedStore(): Store {
  const store = memoryStore();
  let lists = 0;
  return {
    ...store,
    list(prefix, options) {
      if (++lists > 1000) throw new Error("The walk does not get on");
      return store.list(prefix, options);
    },
  };
}

describe("whose memories lie in a store", () => {
  it("are found with one step for each person, whatever the keys of others look like", async () => {
    const store = walkedStore();
    const keys = [
      "memory/%40owner/MEMORY.md",
      "memory/%40owner/daily/2026-01-04.md",
      "memory/%zz/a",
      "memory//empty",
      "memory/@owner/MEMORY.md",
      "memory/@owner/entries/a.md",
      "memory/flat.md",
      "memory/sdk:a%2Fb/entries/a.md",
      "memory/sdk:a%2Fb/\uffffa.md",
      "memory/\uffff/entries/a.md",
    ];
    for (const key of keys) await store.put(key, "- tea\n");
    const first: string[] = [];
    for await (const key of firstKeys(store)) first.push(key);
    expect(first).toEqual(keys.filter((key) => !/daily|@owner\/entries/.test(key)).sort()); // of `sdk:a%2Fb` also what sorts behind the jump
    expect(await usersIn(store)).toEqual(["@owner", "sdk:a/b", "\uffff"]);
  });

  it("do not keep an assistant from its start when a folder has a name that it never gives", async () => {
    const store = walkedStore();
    await store.put("memory/%40owner/MEMORY.md", "- I like tea\n");
    const assistant = await createAssistant({ model: scriptedModel(["Yes"]), store });
    expect((await assistant.send({ text: "Is there tea?" })).text).toBe("Yes");
    await assistant.stop();
  });
});
