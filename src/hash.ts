/** SHA-256 of bytes, or of a text in UTF-8. */
export function digestOf(of: string | Uint8Array): Promise<ArrayBuffer> {
  const bytes = typeof of === "string" ? new TextEncoder().encode(of) : of;
  return crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
}

/** The same in lower-case hexadecimal. */
export async function sha256(of: string | Uint8Array): Promise<string> {
  return hex(new Uint8Array(await digestOf(of)));
}

/** Bytes in lower-case hexadecimal. */
export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
