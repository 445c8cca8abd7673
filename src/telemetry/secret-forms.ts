import { hex } from "../hash.ts";

const UTF8 = new TextEncoder();
/** Shortest form that is searched for. A short secret can have shorter ones as base64. */
const MIN_FORM = 6;

/**
 * Returns all forms of a secret in other texts: plain, as JSON (once and twice), as a URL and a form, as HTML, as
 * hexadecimal digits, and as base64 at any offset in the encoded bytes.
 */
export function secretForms(secret: string): ReadonlySet<string> {
  const bytes = UTF8.encode(secret);
  const asJson = JSON.stringify(secret).slice(1, -1);
  // Half a surrogate pair cannot be encoded in URLs.
  const wellFormed = secret.replaceAll(/\p{Surrogate}/gu, "\ufffd");
  const inUrl = encodeURIComponent(wellFormed);
  const strict = inUrl.replaceAll(/[!'()*~]/gu, (character) => percent(character.charCodeAt(0)));
  const forms = [
    secret,
    asJson,
    JSON.stringify(asJson).slice(1, -1),
    asJson.replaceAll("/", "\\/"),
    inUrl,
    strict,
    inUrl.replaceAll(/%[0-9A-F]{2}/gu, (escape) => escape.toLowerCase()),
    inUrl.replaceAll("%20", "+"),
    strict.replaceAll("%20", "+"),
    encodeURI(wellFormed),
    Array.from(bytes, percent).join(""),
    escapeHtml(secret),
    hex(bytes),
    hex(bytes).toUpperCase(),
    ...[0, 1, 2].flatMap((offset) => base64At(bytes, offset)),
  ];
  return new Set(forms.filter((form) => form.length >= MIN_FORM));
}

/**
 * Returns the base64 characters that depend only on the secret, if the secret starts `offset` bytes after a base64
 * boundary.
 */
function base64At(bytes: Uint8Array, offset: number): string[] {
  const shifted = new Uint8Array(offset + bytes.length);
  shifted.set(bytes, offset);
  let binary = "";
  for (const byte of shifted) binary += String.fromCharCode(byte);
  const core = btoa(binary).slice(Math.ceil((offset * 8) / 6), Math.floor((shifted.length * 8) / 6));
  return [core, core.replaceAll("+", "-").replaceAll("/", "_")];
}

function percent(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
