import { expect } from "vitest";

/** How long between two looks, in milliseconds. */
const REST_MS = 20;

/**
 * Looks again and again until `check` is content with what is there, for at most so many milliseconds of this process's own time: what it uses of a processor, and the
 * rests between looks. How long a busy machine keeps it waiting besides says nothing of it.
 * @throws What `look` or `check` threw last.
 */
export async function within<Seen>(
  ms: number,
  look: () => Seen | Promise<Seen>,
  check: (seen: Seen) => void = () => {},
  restMs = REST_MS,
): Promise<void> {
  const begunMs = performance.now();
  for (let ownMs = 0; ; ownMs += restMs) {
    const before = process.cpuUsage();
    try {
      check(await look());
      return;
    } catch (error) {
      const { user, system } = process.cpuUsage(before);
      ownMs += (user + system) / 1000;
      // Several threads use more than passes.
      if (Math.min(ownMs, performance.now() - begunMs) >= ms) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, restMs));
  }
}

type Matchers = { readonly not: Matchers } & Readonly<Record<string, (expected: unknown) => void>>;

/** `expect.poll()`, with its default of a second, whose timeout is of this process's own time. */
export function polled<Seen>(
  look: () => Seen | Promise<Seen>,
  { timeout = 1000, interval = REST_MS }: { readonly timeout?: number; readonly interval?: number } = {},
): ReturnType<typeof expect.poll> {
  const through = (matchersOf: (seen: Seen) => Matchers): object =>
    new Proxy(
      {},
      {
        get: (_, name: string) =>
          name === "not"
            ? through((seen) => matchersOf(seen).not)
            : (expected: unknown) => within(timeout, look, (seen) => matchersOf(seen)[name]!(expected), interval),
      },
    );
  return through((seen) => expect(seen) as unknown as Matchers) as ReturnType<typeof expect.poll>;
}
