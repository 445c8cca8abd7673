import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { type GateQuality, type LabelledPerson, evaluateGate } from "../../memory/gate/evaluate.ts";

// What is recalled unasked, with the labelled messages of a folder (first argument): of people that the gate was tuned on, and of others. With conversations
// (second argument) the messages for which nothing should come are written to these people too.

export interface UnaskedFigures {
  readonly name: string;
  readonly quality: GateQuality;
}

interface Conversations {
  readonly entries: readonly {
    readonly id: string;
    readonly userId: string;
    readonly createdAt: number;
    readonly text: string;
  }[];
  readonly queries: readonly { readonly text: string; readonly userId: string; readonly gold: readonly string[] }[];
}

const DAY_MS = 86_400_000;
const [folder = "", conversations = ""] = process.argv.slice(2);
const parts = Object.fromEntries(
  ["tuned", "reported"].map((part) => {
    const { people } = JSON.parse(readFileSync(join(folder, `${part}.json`), "utf8")) as { people: LabelledPerson[] };
    return [part, people];
  }),
);
const figures: UnaskedFigures[] = Object.entries(parts).flatMap(([part, people]) => [
  { name: `${part}, all`, quality: evaluateGate(people) },
  ...(["en", "zh"] as const).map((language) => {
    return { name: `${part}, ${language}`, quality: evaluateGate(people.filter((one) => one.language === language)) };
  }),
]);
if (existsSync(conversations)) {
  const unrelated = Object.values(parts).flatMap((people) =>
    people.flatMap((one) => (one.language === "en" ? one.unrelated : [])),
  );
  const { entries, queries } = JSON.parse(readFileSync(conversations, "utf8")) as Conversations;
  const newestMs = Math.max(...entries.map(({ createdAt }) => createdAt));
  const people = [...Map.groupBy(entries, ({ userId }) => userId)].map(([name, own]): LabelledPerson => {
    return {
      name,
      language: "en",
      entries: own.map(({ id, text, createdAt }) => ({ id, text, daysAgo: (newestMs - createdAt) / DAY_MS })),
      related: queries.flatMap(({ text, userId, gold }) => (userId === name ? [{ text, evidence: gold }] : [])),
      unrelated,
    };
  });
  figures.push({ name: "conversations, all", quality: evaluateGate(people) });
}
console.log(JSON.stringify(figures));
