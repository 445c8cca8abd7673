import { writeFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";

/** How often it is noted that tests end, in milliseconds. */
const NOTE_MS = 1000;

/** What one run counted, for each project. Read by test/run.ts from the file that WAKEFUL_TEST_COUNTS names. */
export interface Counts {
  readonly [project: string]: {
    passed: number;
    failed: number;
    skipped: { title: string; reason: string }[];
    failures: string[];
  };
}

/**
 * Counts tests by project, and notes why each skipped one was skipped. While they run, the file that WAKEFUL_TEST_PROGRESS names holds the test files that have
 * begun and not ended; it is written again while tests end.
 */
export default class CountReporter implements Reporter {
  readonly #running = new Set<string>();
  #notedAt = 0;

  onTestModuleStart(module: TestModule): void {
    this.#running.add(module.relativeModuleId);
    this.#note();
  }

  onTestCaseResult(): void {
    if (performance.now() - this.#notedAt >= NOTE_MS) this.#note();
  }

  onTestModuleEnd(module: TestModule): void {
    this.#running.delete(module.relativeModuleId);
    this.#note();
  }

  #note(): void {
    const path = process.env["WAKEFUL_TEST_PROGRESS"];
    if (path === undefined) return;
    this.#notedAt = performance.now();
    writeFileSync(path, [...this.#running].join(", "));
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly { readonly message: string }[]): void {
    const counts: Record<string, Counts[string]> = {};
    const of = (project: string) => (counts[project] ??= { passed: 0, failed: 0, skipped: [], failures: [] });
    const fail = (project: string, title: string) => {
      of(project).failed += 1;
      of(project).failures.push(title);
    };

    for (const module of modules) {
      const project = module.project.name;
      of(project);
      for (const error of module.errors()) fail(project, `${module.relativeModuleId}: ${firstLine(error.message)}`);
      for (const test of module.children.allTests()) {
        const result = test.result();
        const title = `${module.relativeModuleId}: ${test.fullName}`;
        if (result.state === "passed") of(project).passed += 1;
        else if (result.state === "skipped")
          of(project).skipped.push({ title, reason: reasonOf(test.fullName, result.note) });
        else fail(project, title);
      }
    }
    for (const error of unhandled)
      fail(modules[0]?.project.name ?? "node", `outside of tests: ${firstLine(error.message)}`);
    const path = process.env["WAKEFUL_TEST_COUNTS"];
    if (path !== undefined) writeFileSync(path, JSON.stringify(counts));
  }
}

/** A test says why it may be skipped: `context.skip("why")`, or a title that ends in ` — needs …`. */
function reasonOf(title: string, note: string | undefined): string {
  const needs = title.split(" — needs ");
  return note ?? (needs.length > 1 ? `needs ${needs.at(-1)?.split(" > ")[0]}` : "no reason given");
}

function firstLine(message: string): string {
  return message.split("\n")[0] ?? message;
}
