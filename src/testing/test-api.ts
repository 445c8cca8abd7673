/**
 * The part of a test runner that the contract suites use: `describe`, `it` and `expect` of vitest, Jest or `bun:test`
 * fit unchanged.
 */
export interface TestApi {
  /** Groups the tests of one suite. */
  describe(name: string, body: () => void): void;
  /** One test, which fails when its promise rejects. */
  it(name: string, body: () => Promise<void>): void;
  /** Throws when the two values differ: `toBe` by identity, `toEqual` by content. */
  expect(actual: unknown): { toBe(expected: unknown): void; toEqual(expected: unknown): void };
}
