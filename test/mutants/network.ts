import { type Mutant, planted } from "./mutant.ts";

const SSRF = { threat: 7, promise: "no request reaches what is not the public internet" };
const ORIGINS = { threat: 5, promise: "credentials do not leave the origin that they are for" };
const ADDRESS = "src/guard/address.ts";
const URLS = "src/guard/url.ts";
const FETCH = "src/guard/guarded-fetch.ts";
const REDIRECT = "src/guard/redirect.ts";

/** Requests to addresses that strangers or models wrote. */
export const NETWORK: readonly Mutant[] = [
  ...planted({ ...SSRF, test: "test/guard/url.test.ts" }, [
    [
      ADDRESS,
      '  ["169.254.0.0/16", "link-local, where clouds keep their metadata"],\n',
      '  ["169.254.0.0/17", "link-local"],\n',
    ],
    [ADDRESS, '  ["168.63.129.16/32", "a cloud\'s metadata"],\n', ""],
    [ADDRESS, 'const PUBLIC_V6 = "2000::/3";', 'const PUBLIC_V6 = "::/0";'],
    [
      ADDRESS,
      'const prefixes = ["::ffff:0:0/96", "::/96", "64:ff9b::/96"];',
      'const prefixes = ["::/96", "64:ff9b::/96"];',
    ],
    [
      ADDRESS,
      'const prefixes = ["::ffff:0:0/96", "::/96", "64:ff9b::/96"];',
      'const prefixes = ["::ffff:0:0/96", "::/96"];',
    ],
    [ADDRESS, "if (problem !== undefined) return `${problem} (${inside.toString()} written as IPv6)`;", ""],
    [URLS, 'const name = host.replace(/\\.$/u, "");', "const name = host;"],
    [URLS, "  for (const address of addresses) {\n", "  for (const address of addresses.slice(0, 1)) {\n"],
    [URLS, 'if (url.username !== "" || url.password !== "")', "if (false)"],
    [URLS, 'if (url.protocol !== "http:" && url.protocol !== "https:")', "if (false)"],
    [URLS, "if (BAD_PORTS.has(url.port))", "if (false)"],
    [URLS, "if (INNER_DOMAINS.some(under))", "if (INNER_DOMAINS.includes(name))"],
    [URLS, "if (METADATA_HOSTS.some(under))", "if (false)"],
    [URLS, "if (ECHO_DOMAINS.some(under))", "if (false)"],
    [URLS, 'if (!name.includes("."))', "if (false)"],
  ]),
  ...planted({ ...SSRF, test: "test/guard/guarded-fetch.test.ts" }, [
    [
      FETCH,
      'if (!checked.ok) throw new AssistantError("URL_REFUSED", refusal ?? checked.reason);',
      "if (!checked.ok) return plainFetch(request.url);",
    ],
    [
      FETCH,
      "const response = await deadline.within(send(request, deadline.signal, refusal));",
      'const response = await deadline.within(redirects === 0 ? send(request, deadline.signal, refusal) : (options.fetch ?? globalThis.fetch)(request.url, { method: request.method, headers: request.headers, redirect: "manual" }));',
    ],
    [FETCH, "if (redirects >= maxRedirects)", "if (redirects > 3 * maxRedirects)"],
    [FETCH, 'if (response.redirected || response.type === "opaqueredirect") {', "if (false) {"],
    [FETCH, "return connect(checked.url, init, checked.addresses);", "return plainFetch(checked.url.href);"],
    [FETCH, 'headers.delete("host");', ""],
    [FETCH, "if (received > maxBytes) throw", "if (received > 100 * maxBytes) throw"],
    [FETCH, 'if (trusted.has(originOf(request.url) ?? "")) return', "if (trusted.size > 0) return"],
  ]),
  ...planted({ ...SSRF, test: "test/guard/guarded-fetch.host.test.ts" }, [
    ["adapters/platform/host/network.ts", "    host: address,\n", "    host: url.hostname,\n"],
  ]),
  ...planted({ ...ORIGINS, test: "test/guard/guarded-fetch.test.ts" }, [
    [
      REDIRECT,
      "const headers = sameOrigin ? new Headers(request.headers) : only(request.headers, CARRIED_TO_OTHERS);",
      "const headers = new Headers(request.headers);",
    ],
    [REDIRECT, "if (keepsBody && !sameOrigin) return", "if (false) return"],
    [
      REDIRECT,
      "const sameOrigin = target.origin === new URL(request.url).origin;",
      "const sameOrigin = target.hostname === new URL(request.url).hostname;",
    ],
  ]),
  ...planted({ ...ORIGINS, test: "test/tools/mcp/connections.test.ts" }, [
    [
      "src/tools/mcp/own-origin-fetch.ts",
      'if (response.type === "opaqueredirect" || (status >= 300 && status < 400)) {',
      "if (false) {",
    ],
  ]),
  ...planted({ ...SSRF, test: "test/tools/mcp/connections.test.ts" }, [
    [
      "src/tools/mcp/connect.ts",
      "const { url, headers = {}, allowPrivate = false } = server;",
      "const { url, headers = {}, allowPrivate = true } = server;",
    ],
  ]),
  ...planted(
    { ...SSRF, promise: "a refusal tells nothing of the network inside", test: "test/guard/guarded-fetch.test.ts" },
    [
      [FETCH, "refusal ?? checked.reason", "checked.reason"],
      [FETCH, "return withoutAddresses(reason) || ", "return reason || "],
      [
        REDIRECT,
        'return "redirects to another origin, to which the data',
        'return `redirects to ${target.origin}` || "the data',
      ],
      [
        "src/guard/network.ts",
        ".some((one) => parseAddress(one) !== undefined)",
        ".every((one) => parseAddress(one) !== undefined)",
      ],
    ],
  ),
  ...planted({ ...SSRF, promise: "a refusal tells nothing of the network inside", test: "test/guard/url.test.ts" }, [
    [URLS, "its host ${name} is not on the public internet`", "its host ${name} has the address ${address}`"],
    [URLS, "withoutAddresses(messageOf(error))", "messageOf(error)"],
  ]),
  ...planted(
    {
      ...SSRF,
      promise: "a refusal tells nothing of the network inside",
      test: "test/security/inner-addresses.test.ts",
    },
    [["src/tools/built-in/web-search.ts", "withoutAddresses(messageOf(error))", "messageOf(error)"]],
  ),
];
