/** Maximum characters buffered before sending. */
const PIECE_CHARS = 16_384;

/** Streams at the reader's pace and stops when the reader does. */
export function streamOf(pieces: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const reader = pieces[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      let text = "";
      while (text.length < PIECE_CHARS) {
        const { done, value } = await reader.next();
        if (done) {
          if (text !== "") controller.enqueue(encoder.encode(text));
          controller.close();
          return;
        }
        text += value;
      }
      controller.enqueue(encoder.encode(text));
    },
    async cancel() {
      await reader.return?.();
    },
  });
}

/** Sends each piece immediately, for rare pieces that the reader waits for. */
export function liveStreamOf(pieces: AsyncIterableIterator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await pieces.return?.();
    },
  });
}
