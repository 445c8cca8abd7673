/** Keeps the beginning and the end of a command's output, in bounded memory. */
export interface OutputKeeper {
  /** Takes the next bytes of the output. */
  add(bytes: Uint8Array): void;
  /** Number of bytes that were added, kept or not. */
  readonly totalBytes: number;
  /** Whether bytes were left out of the middle. */
  readonly truncated: boolean;
  /** The kept text, with one line in place of what was left out. */
  text(): string;
}

/**
 * Creates a keeper for one command's output. @param maxBytes Bytes that are kept: half from the beginning, half from
 * the end.
 */
export function createOutputKeeper(maxBytes: number): OutputKeeper {
  const headSize = Math.ceil(maxBytes / 2);
  const tailSize = maxBytes - headSize;
  const head = new Uint8Array(headSize);
  let headLength = 0;
  let tail: Uint8Array[] = [];
  let tailLength = 0;
  let totalBytes = 0;

  function add(bytes: Uint8Array): void {
    totalBytes += bytes.byteLength;
    const first = bytes.subarray(0, headSize - headLength);
    head.set(first, headLength);
    headLength += first.byteLength;
    const rest = bytes.subarray(first.byteLength);
    if (rest.byteLength === 0 || tailSize === 0) return;
    // Copied: the caller may reuse its buffer.
    tail.push(rest.slice(-tailSize));
    tailLength += tail.at(-1)?.byteLength ?? 0;
    // Pieces are joined only occasionally, so that many small pieces cost no more than one large one.
    if (tailLength > 2 * tailSize + 65_536 || tail.length > 1024) {
      const joined = lastOf(joinedOf(tail), tailSize);
      tail = [joined];
      tailLength = joined.byteLength;
    }
  }

  return {
    add,
    get totalBytes() {
      return totalBytes;
    },
    get truncated() {
      return totalBytes > maxBytes;
    },
    text() {
      const end = lastOf(joinedOf(tail), tailSize);
      if (totalBytes <= maxBytes) return new TextDecoder().decode(joinedOf([head.subarray(0, headLength), end]));
      const start = wholeCharacters(head.subarray(0, headLength));
      const last = withoutRest(end);
      const left = totalBytes - start.byteLength - last.byteLength;
      const decoder = new TextDecoder();
      return `${decoder.decode(start)}\n[… ${left} bytes left out …]\n${decoder.decode(last)}`;
    },
  };
}

function lastOf(bytes: Uint8Array, size: number): Uint8Array {
  return bytes.subarray(Math.max(0, bytes.byteLength - size));
}

function joinedOf(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}

/** Drops a character at the end that is cut off. */
function wholeCharacters(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(3, bytes.byteLength); back++) {
    const byte = bytes[bytes.byteLength - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.subarray(0, bytes.byteLength - back) : bytes;
  }
  return bytes;
}

/** Drops the rest of a character whose start is missing. */
function withoutRest(bytes: Uint8Array): Uint8Array {
  let from = 0;
  while (from < Math.min(3, bytes.byteLength) && ((bytes[from] ?? 0) & 0xc0) === 0x80) from++;
  return bytes.subarray(from);
}
