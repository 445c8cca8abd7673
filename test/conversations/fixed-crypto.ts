import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/**
 * Gives the runtime's cryptography that comes at once, and codes for people that are the same each time: what waits for another thread comes at another
 * moment of a fake clock in each run.
 *
 * @returns `reset` begins the codes again, `restore` gives the real one back.
 */
export function fixCrypto(): { reset(): void; restore(): void } {
  const { subtle } = crypto;
  const real = {
    random: crypto.getRandomValues,
    digest: subtle.digest,
    importKey: subtle.importKey,
    sign: subtle.sign,
    verify: subtle.verify,
  };
  let drawn = 0;
  const bytesOf = (data: ArrayBufferView | ArrayBuffer) =>
    ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data);
  const own = (bytes: Uint8Array) => Uint8Array.from(bytes).buffer;
  /** By the key objects that are handed out. */
  const secrets = new WeakMap<object, Uint8Array>();
  const hmac = (key: object, data: ArrayBufferView | ArrayBuffer) =>
    createHmac("sha256", secrets.get(key) ?? "")
      .update(bytesOf(data))
      .digest();

  Object.assign(crypto, {
    getRandomValues(array: Uint8Array) {
      // Codes are drawn a byte at a time; ids are not, and stand as numbers.
      if (array.length === 1) return array.fill((++drawn * 7) % 240);
      return real.random.call(crypto, array as Uint8Array<ArrayBuffer>);
    },
  });
  Object.assign(subtle, {
    digest: async (_: unknown, data: ArrayBufferView | ArrayBuffer) =>
      own(createHash("sha256").update(bytesOf(data)).digest()),
    async importKey(_: unknown, secret: ArrayBufferView | ArrayBuffer) {
      const key = {};
      secrets.set(key, Uint8Array.from(bytesOf(secret)));
      return key;
    },
    sign: async (_: unknown, key: object, data: ArrayBufferView | ArrayBuffer) => own(hmac(key, data)),
    async verify(
      _: unknown,
      key: object,
      signature: ArrayBufferView | ArrayBuffer,
      data: ArrayBufferView | ArrayBuffer,
    ) {
      const [given, wanted] = [bytesOf(signature), hmac(key, data)];
      return given.length === wanted.length && timingSafeEqual(given, wanted);
    },
  });
  return {
    reset: () => void (drawn = 0),
    restore() {
      const { random, ...methods } = real;
      Object.assign(crypto, { getRandomValues: random });
      Object.assign(subtle, methods);
    },
  };
}
