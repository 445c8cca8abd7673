/** What the contract suites ask of a test runner: vitest's, Jest's or `bun:test`'s `describe`, `it` and `expect` fit as they are. */
export interface TestApi {
  describe(name: string, body: () => void): void;
  it(name: string, body: () => Promise<void>): void;
  expect(actual: unknown): { toBe(expected: unknown): void; toEqual(expected: unknown): void };
}
