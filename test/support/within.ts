/** How long between two looks, in milliseconds. */
const REST_MS = 20;

/**
 * Looks again and again until `check` is content with what is there, for at most so many milliseconds of this process's own time: what a look takes of a processor, and the rests
 * between. How long a busy machine keeps the process waiting besides says nothing of it.
 * @throws What `check` threw last.
 */
export async function within<Seen>(
  ms: number,
  look: () => Seen | Promise<Seen>,
  check: (seen: Seen) => void,
): Promise<void> {
  for (let ownMs = 0; ; ownMs += REST_MS) {
    const before = process.cpuUsage();
    const seen = await look();
    const { user, system } = process.cpuUsage(before);
    ownMs += (user + system) / 1000;
    try {
      check(seen);
      return;
    } catch (error) {
      if (ownMs >= ms) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
  }
}
