/** Events for one reader, in order. */
export interface EventQueue<Event> extends AsyncIterableIterator<Event> {
  push(event: Event): void;
  /** Ends the reading after what was pushed: quietly, or by throwing. */
  end(): void;
  fail(error: unknown): void;
}

interface Reader<Event> {
  resolve(result: IteratorResult<Event>): void;
  reject(error: unknown): void;
}

/**
 * An object and no async generator: a `yield` takes several rounds of the microtask queue, and a reply is told in many small pieces.
 *
 * @param options.onStart Called when the first event is asked for.
 * @param options.onEnd Called once, when nothing more will be read.
 */
export function createEventQueue<Event>(options: { onStart(): void; onEnd(): void }): EventQueue<Event> {
  const events: Event[] = [];
  const readers: Reader<Event>[] = [];
  let started = false;
  let ending: (() => Promise<IteratorResult<Event>>) | undefined;
  let ended = false;

  const done = (): Promise<IteratorResult<Event>> => Promise.resolve({ value: undefined, done: true });

  /** The end is told once; after it there is nothing. */
  function finish(how: () => Promise<IteratorResult<Event>>): Promise<IteratorResult<Event>> {
    ending = done;
    if (!ended) {
      ended = true;
      options.onEnd();
    }
    return how();
  }

  function endWith(how: () => Promise<IteratorResult<Event>>): void {
    if (ending) return;
    ending = how;
    for (const reader of readers.splice(0)) finish(ending).then(reader.resolve, reader.reject);
  }

  const queue: EventQueue<Event> = {
    push(event) {
      if (ending) return;
      const reader = readers.shift();
      if (reader) reader.resolve({ value: event, done: false });
      else events.push(event);
    },
    end: () => endWith(done),
    fail: (error) =>
      endWith(async () => {
        throw error;
      }),
    next() {
      if (!started) {
        started = true;
        if (!ending) options.onStart();
      }
      const event = events.shift();
      if (event !== undefined) return Promise.resolve({ value: event, done: false });
      if (ending) return finish(ending);
      return new Promise((resolve, reject) => readers.push({ resolve, reject }));
    },
    return() {
      events.length = 0;
      endWith(done);
      return finish(done);
    },
    [Symbol.asyncIterator]: () => queue,
  };
  return queue;
}
