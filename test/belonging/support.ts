import { type Assistant, memoryStore } from "../../entry.host.ts";
import type { Store } from "../../kit.ts";
import { isLog, storeKey } from "../../src/store/index.ts";
import { type TestAssistantOptions, testAssistant } from "../support/assistant.ts";

export const ANNA = { identityLinks: { anna: ["telegram:42", "slack:u1"] } };

/** A store with the same in it. */
export async function copyOf(store: Store): Promise<Store> {
  const copy = memoryStore();
  const keys: string[] = [];
  for await (const { key } of store.list("")) keys.push(key);
  for (const key of keys) {
    if (await isLog(store, key)) for await (const { record } of store.read(key)) await copy.append(key, record);
    else await copy.put(key, (await store.get(key))!.value);
  }
  return copy;
}

export async function keysIn(store: Store, prefix = ""): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(prefix)) keys.push(key);
  return keys.sort();
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

export async function textOf(lines: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const line of lines) text += line;
  return text;
}

/** What is kept of a person, whatever versions and indexes say. */
export async function keptOf({ memory, jobs, skills }: Assistant, store: Store, userId: string) {
  const entries = [];
  for (const archived of [false, true])
    for await (const { id, content, keywords, slots, createdAt } of memory.list(userId, { archived }))
      entries.push({ id, content, keywords, slots, at: createdAt.getTime(), archived });
  const files: Record<string, string | undefined> = {};
  for (const name of ["MEMORY.md", ...(await memory.files.days(userId))])
    files[name] = (await memory.files.read(userId, name))?.text;
  const documents: Record<string, unknown> = {};
  for (const room of ["contexts", "goals", "patterns", ".index/pattern-evidence", "skill-suggestions", "skills"])
    for (const key of await keysIn(store, `${room}/`)) documents[key] = (await store.get(key))?.value;
  const stats = await skills.stats();
  const recalled = await memory.recall({ userId, text: "a green bike", limit: 10 });
  return {
    entries: entries.sort((a, b) => (a.id < b.id ? -1 : 1)),
    recalled: recalled.map(({ entry }) => entry.content).sort(),
    files,
    documents,
    stats,
    jobs: (await jobs.list()).map(({ job: { id, name, status } }) => `${id} ${name} ${status}`).sort(),
    users: await all(memory.users()),
  };
}

/** Puts under one name of a person all that rooms keep under names of memory. `word` tells whose it is; both say what is `shared`. */
export async function fill(assistant: Assistant, store: Store, userId: string, word: string): Promise<void> {
  const { memory, goals } = assistant;
  const at = (day: number) => Date.UTC(2026, 0, day, 12);
  for (const [day, text] of ["oat milk", "a green bike", "two cats"].entries())
    await memory.save({
      userId,
      id: `01JD8XK3VQ5W8T9Y2Z4N6M7P${day}${word === "telegram" ? "A" : "B"}`,
      content: `${word}: likes ${text}`,
      keywords: [word],
      slots: { type: "statement", lasting: true },
      createdAt: at(day + 1),
    });
  // The same id, and the same text under another.
  await memory.save({ userId, id: "shared-id", content: `${word}: of the shared id`, createdAt: at(2) });
  await memory.save({ userId, content: "Born on 3 May", id: `${word}-birthday`, createdAt: at(3) });
  const old = await memory.save({ userId, id: `${word}-old`, content: `${word}: an old bike`, createdAt: at(1) });
  await memory.archive(userId, [old.id]);
  for (const day of ["2026-01-02", "2026-01-03"]) await memory.digest({ userId, day });
  await memory.extract({ userId });
  const lasting = (await memory.files.read(userId, "MEMORY.md"))!;
  const more = `${lasting.text}\n## Family\n\n- Sister Nora (2026-01-0${word === "telegram" ? 3 : 1})\n- ${word} cousin\n\nWritten by hand: ${word}.\n`;
  await memory.files.write(userId, "MEMORY.md", more, { expect: lasting.version });
  const digest = (await memory.files.read(userId, "2026-01-03"))!;
  await memory.files.write(userId, "2026-01-03", `${digest.text}\n## Notes\n\nA note: ${word}.\n`);
  await store.put(storeKey("contexts", "main", "peers", userId, "PEER.md"), `# Ada\n\n- calm\n- ${word} note\n`);
  await goals.write({
    user: userId,
    goals: {
      goals: [
        {
          objective: `Finish the ${word} book`,
          keyResults: [{ metric: "pages", target: 100 }],
          reviewCadence: "weekly",
        },
        { objective: "Sleep well", keyResults: [{ metric: `${word} hours`, target: 8 }] },
      ],
    },
  });
  const line = { v: 1, type: "activation", skill: "tea", session: "s", activatedBy: "auto", signals: [], score: 1 };
  const activation = (n: number) => ({
    ...{
      ...line,
      id: `${word}-${n} tea`,
      turn: `${word}-${n}`,
      user: userId,
      at: at(n),
      outcome: "success",
      toolsUsed: [],
    },
  });
  const log = storeKey("skill-activations", userId, "000001.jsonl");
  await store.append(log, [activation(1), activation(2)]);
  await store.append(log, {
    v: 1,
    type: "feedback",
    of: `${word}-1 tea`,
    skill: "tea",
    was: null,
    helpful: true,
    at: at(2),
  });
  const suggestion = { name: "a-skill", toolSequence: ["a", word], occurrences: 3, confidence: 0.5, offeredAt: [] };
  const suggestions = [
    { ...suggestion, id: `of-${word}`, userId, state: "open" },
    {
      ...suggestion,
      id: `both-${word}`,
      userId,
      toolSequence: ["b"],
      state: word === "telegram" ? "declined" : "open",
    },
  ];
  await store.put(storeKey("skill-suggestions", userId), { v: 1, suggestions });
  const finding = { detector: "time_routine", evidenceIds: [], raisedAt: 1, raised: 1 };
  await store.put(storeKey("patterns", userId), {
    v: 1,
    answers: { pattern_suggestion: { useful: word === "telegram" ? 3 : 1, notUseful: 1 } },
    findings: [
      { ...finding, id: `of-${word}`, key: `time_routine:${word}`, state: "open" },
      { ...finding, id: `both-${word}`, key: "time_routine:both", state: word === "telegram" ? "declined" : "open" },
    ],
  });
  const said = { at: 1, turn: word, text: `the ${word} question?` };
  await store.put(storeKey(".index", "pattern-evidence", userId), {
    v: 1,
    said: [{ ...said, id: `m-${word}`, session: `s-${word}` }],
    cursors: [{ session: `s-${word}`, seq: 1, from: 2 }],
  });
  await assistant.skills.write(
    `---\nname: ${word}-skill\ndescription: Tea\nmetadata: { wakeful: { people: ["${userId}"] } }\n---\nBoil.\n`,
  );
}

/** Lines of the log, each with its fields. */
function logged() {
  const lines: string[] = [];
  const write = (message: string, fields?: object) => void lines.push(`${message} ${JSON.stringify(fields ?? {})}`);
  return { lines, logger: { debug() {}, info: write, warn: write, error: write } };
}

/** An assistant, what it logs and what is remembered of a user. */
export async function setUp(options: TestAssistantOptions = {}) {
  const log = logged();
  const t = await testAssistant({ logger: log.logger, ...options });
  const save = (userId: string, content: string, id = content) =>
    t.assistant.memory.save({ userId, content, id: id.replaceAll(" ", "-") });
  const contents = async (userId: string, archived = false) =>
    (await all(t.assistant.memory.list(userId, { archived }))).map(({ content }) => content).sort();
  return { ...t, lines: log.lines, save, contents };
}
