import { readFileSync } from "node:fs";
import process from "node:process";
import { BUILT_IN_SKILLS } from "../../../src/skills/built-in-skills.ts";
import { prepare } from "../../../src/skills/built-in-source.ts";
import { createLibrary } from "../../../src/skills/index.ts";
import { type Evaluation, type Messages, evaluate } from "../../skills/evaluation/evaluate.ts";

// How well the built-in skills come with the labelled messages of a file (first argument).

export type SkillFigures = Readonly<Record<keyof Messages, Evaluation & { readonly messages: number }>>;

const parts = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Messages;
const library = createLibrary(BUILT_IN_SKILLS.map(prepare), { engine: null }, () => null);
const figures = Object.entries(parts).map(([part, messages]) => [
  part,
  { ...evaluate(library, messages), messages: messages.length },
]);
console.log(JSON.stringify(Object.fromEntries(figures)));
