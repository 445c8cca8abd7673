/** One request of a chain of redirects. */
export interface HopRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/**
 * Headers that may go to another origin. Every other header could be a credential, because keys travel in headers of
 * any name.
 */
const CARRIED_TO_OTHERS = ["accept", "accept-language", "user-agent"];
const ABOUT_A_BODY = ["content-type", "content-encoding", "content-language", "content-length"];

/**
 * Builds the request of a redirect. Source: the Fetch Standard, "HTTP-redirect fetch"
 * (https://fetch.spec.whatwg.org/#http-redirect-fetch), but stricter: a request to another origin keeps no header
 * that could be a credential, and no body.
 *
 * @returns The request, or the reason why there is none, as a text that follows "it".
 */
export function followRedirect(request: HopRequest, status: number, location: string): HopRequest | string {
  const target = resolve(location, request.url);
  if (target === undefined) return "redirects to something that is not a URL";
  const sameOrigin = target.origin === new URL(request.url).origin;
  // 303 always, 301 and 302 after a POST, become a GET.
  const becomesGet =
    (status === 303 && request.method !== "GET" && request.method !== "HEAD") ||
    ((status === 301 || status === 302) && request.method === "POST");
  const keepsBody = request.body !== undefined && !becomesGet;
  if (keepsBody && !sameOrigin) return "redirects to another origin, which must not receive the data of the request";

  const headers = sameOrigin ? new Headers(request.headers) : only(request.headers, CARRIED_TO_OTHERS);
  if (becomesGet) for (const name of ABOUT_A_BODY) headers.delete(name);
  return {
    url: target.href,
    method: becomesGet ? "GET" : request.method,
    headers,
    ...(keepsBody && { body: request.body }),
  };
}

function resolve(location: string, base: string): URL | undefined {
  try {
    return new URL(location, base);
  } catch {
    return undefined;
  }
}

function only(headers: Headers, names: readonly string[]): Headers {
  const kept = new Headers();
  for (const name of names) {
    const value = headers.get(name);
    if (value !== null) kept.set(name, value);
  }
  return kept;
}
