/** Events for one reader, in order. */
export interface EventQueue<Event> extends AsyncIterableIterator<Event> {
  push(event: Event): void;
  /** Ends the stream after the pushed events: `end` quietly, `fail` by throwing. */
  end(): void;
  fail(error: unknown): void;
}

interface Reader<Event> {
  resolve(result: IteratorResult<Event>): void;
  reject(error: unknown): void;
}

/**
 * Not an async generator, because a `yield` takes several rounds of the microtask queue, and a reply
 * consists of many small events.
 *
 * @param options.onStart Called when the first event is asked for.
 * @param options.onEnd Called once, when no more events will be read.
 */
export function createEventQueue<Event>(options: { onStart(): void; onEnd(): void }): EventQueue<Event> {
  const events: Event[] = [];
  const readers: Reader<Event>[] = [];
  let started = false;
  let ending: (() => Promise<IteratorResult<Event>>) | undefined;
  let ended = false;

  const done = (): Promise<IteratorResult<Event>> => Promise.resolve({ value: undefined, done: true });

  /** Reports the end once; later reads are done. */
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
