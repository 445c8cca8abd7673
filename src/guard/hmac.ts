import { hex } from "../hash.ts";

const encoder = new TextEncoder();
const ALGORITHM = { name: "HMAC", hash: "SHA-256" };
const HEX_SHA256 = /^[0-9a-f]{64}$/;

/** Signs and verifies with one secret. Source: RFC 2104, with SHA-256. */
export interface HmacSigner {
  /** Returns the signature in lower-case hex. */
  sign(data: string | Uint8Array<ArrayBuffer>): Promise<string>;
  /**
   * Whether a signature is valid. Contract: compares in constant time; returns `false`, never throws, for anything
   * that is not 64 lower-case hex digits.
   */
  verify(data: string | Uint8Array<ArrayBuffer>, signature: string): Promise<boolean>;
}

/**
 * Creates an HMAC-SHA256 signer with a secret string, on WebCrypto.
 *
 * @throws {RangeError} If the secret is empty, because anyone could sign.
 */
export function createHmac(secret: string): HmacSigner {
  if (secret === "") throw new RangeError("Cannot sign as the secret is empty: set one of 16 characters or more");
  // Caches the key, not a promise of it: on Workers a promise made in one request must not be awaited in another.
  let imported: CryptoKey | undefined;
  const key = async () =>
    (imported ??= await crypto.subtle.importKey("raw", encoder.encode(secret), ALGORITHM, false, ["sign", "verify"]));
  const bytes = (data: string | Uint8Array<ArrayBuffer>) => (typeof data === "string" ? encoder.encode(data) : data);

  return {
    async sign(data) {
      return hex(new Uint8Array(await crypto.subtle.sign("HMAC", await key(), bytes(data))));
    },
    async verify(data, signature) {
      if (!HEX_SHA256.test(signature)) return false;
      return crypto.subtle.verify("HMAC", await key(), fromHex(signature), bytes(data));
    },
  };
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: text.length / 2 }, (_, index) =>
    Number.parseInt(text.slice(index * 2, index * 2 + 2), 16),
  );
}
