/** Adds headers that forbid caching, framing, sniffing and running as a page, unless the response sets its own. */
export function hardened(response: Response): Response {
  const { headers } = response;
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
  if (!headers.has("content-security-policy"))
    headers.set("content-security-policy", "default-src 'none'; frame-ancestors 'none'");
  headers.set("x-content-type-options", "nosniff");
  headers.set("referrer-policy", "no-referrer");
  headers.set("cross-origin-resource-policy", "same-origin");
  return response;
}
