import { estimateTokenCount } from "tokenx";
import { taskTypeOf } from "../../../src/memory/index.ts";
import { catalogueOf } from "../../../src/skills/catalogue.ts";
import { type SkillLibrary, matchSkills } from "../../../src/skills/index.ts";

/** A message as a person wrote it, and the skills that should come with it; none: a skill would be in the way. */
export interface LabelledMessage {
  readonly text: string;
  readonly language: "en" | "zh";
  readonly skills: readonly string[];
  readonly recentTools?: readonly string[];
  readonly slots?: Readonly<Record<string, string>>;
}

/** `messages.json`: what patterns were written with, and what they were not written with. Where each part comes from: docs/skills-built-in.md, "How well they come". */
export type Messages = Readonly<Record<"tune" | "held" | "fresh", readonly LabelledMessage[]>>;

/** Right, wrong and missed activations. */
export interface Quality {
  readonly right: number;
  readonly wrong: number;
  readonly missed: number;
  readonly precision: number;
  readonly recall: number;
}

/** How well a library's skills come. */
export interface Evaluation {
  readonly all: Quality;
  readonly languages: Readonly<Record<string, Quality>>;
  readonly skills: Readonly<Record<string, Quality>>;
  /** What came that should not, and what should have come. */
  readonly mistakes: readonly string[];
  /** Mean tokens for a message: the catalogue and the bodies that came, and the bodies of all skills. */
  readonly tokens: { readonly section: number; readonly everything: number };
}

/** Matches each message as a turn does, without a linear engine. */
export function evaluate(library: SkillLibrary, messages: readonly LabelledMessage[]): Evaluation {
  const counts = new Map<string, { right: number; wrong: number; missed: number }>();
  const count = (kind: "right" | "wrong" | "missed", ...names: readonly string[]) => {
    for (const name of names) {
      const counted = counts.get(name) ?? { right: 0, wrong: 0, missed: 0 };
      counted[kind] += 1;
      counts.set(name, counted);
    }
  };
  const mistakes: string[] = [];
  let bodies = 0;
  for (const { text, language, skills, recentTools = [], slots } of messages) {
    const input = { taskInput: text, recentTools, slots: { task_type: taskTypeOf(text), language, ...slots } };
    const results = matchSkills(library, input, {}, () => null);
    for (const { name, tokens } of results) {
      const isRight = skills.includes(name);
      count(isRight ? "right" : "wrong", "all", language, name);
      if (!isRight) mistakes.push(`${name} came: ${text}`);
      bodies += tokens;
    }
    for (const name of skills.filter((one) => !results.some((result) => result.name === one))) {
      count("missed", "all", language, name);
      mistakes.push(`${name} did not come: ${text}`);
    }
  }
  const qualityOf = (name: string): Quality => {
    const { right, wrong, missed } = counts.get(name) ?? { right: 0, wrong: 0, missed: 0 };
    return { right, wrong, missed, precision: right / (right + wrong), recall: right / (right + missed) };
  };
  const qualities = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, qualityOf(name)]));
  return {
    all: qualityOf("all"),
    languages: qualities(["en", "zh"]),
    skills: qualities(library.skills.map(({ name }) => name)),
    mistakes,
    tokens: {
      section: estimateTokenCount(catalogueOf(library.skills) ?? "") + bodies / messages.length,
      everything: library.skills.reduce((sum, { body }) => sum + estimateTokenCount(body), 0),
    },
  };
}
