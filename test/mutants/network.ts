import { type Mutant, planted } from "./mutant.ts";

const SSRF = { threat: 7, promise: "no request reaches what is not the public internet" };
const ORIGINS = { threat: 5, promise: "credentials do not leave the origin that they are for" };
const GUARD = "src/guard";
const TOOLS = "src/tools";

/** Requests to addresses that strangers or models wrote. */
export const NETWORK: readonly Mutant[] = [
  ...planted({ ...SSRF, test: "test/guard/url.test.ts" }, [
    [
      GUARD,
      "NOT_PUBLIC_V4",
      '["169.254.0.0/16", "link-local, where clouds keep their metadata"],',
      '["169.254.0.0/17", "link-local"],',
    ],
    [GUARD, "NOT_PUBLIC_V4", '["168.63.129.16/32", "a cloud\'s metadata"],', ""],
    [GUARD, "PUBLIC_V6", 'const PUBLIC_V6 = "2000::/3";', 'const PUBLIC_V6 = "::/0";'],
    [
      GUARD,
      "v4Inside",
      'const prefixes = ["::ffff:0:0/96", "::/96", "64:ff9b::/96"];',
      'const prefixes = ["::/96", "64:ff9b::/96"];',
    ],
    [
      GUARD,
      "v4Inside",
      'const prefixes = ["::ffff:0:0/96", "::/96", "64:ff9b::/96"];',
      'const prefixes = ["::ffff:0:0/96", "::/96"];',
    ],
    [
      GUARD,
      "addressProblem",
      "if (problem !== undefined) return `${problem} (${inside.toString()} written as IPv6)`;",
      "",
    ],
    [GUARD, "checkUrl", 'const name = host.replace(/\\.$/u, "");', "const name = host;"],
    [GUARD, "checkUrl", "for (const address of addresses) {", "for (const address of addresses.slice(0, 1)) {"],
    [GUARD, "problemOfUrl", 'if (url.username !== "" || url.password !== "")', "if (false)"],
    [GUARD, "problemOfUrl", 'if (url.protocol !== "http:" && url.protocol !== "https:")', "if (false)"],
    [GUARD, "problemOfUrl", "if (BAD_PORTS.has(url.port))", "if (false)"],
    [GUARD, "problemOfName", "if (INNER_DOMAINS.some(under))", "if (INNER_DOMAINS.includes(name))"],
    [GUARD, "problemOfName", "if (METADATA_HOSTS.some(under))", "if (false)"],
    [GUARD, "problemOfName", "if (ECHO_DOMAINS.some(under))", "if (false)"],
    [GUARD, "problemOfName", 'if (!name.includes("."))', "if (false)"],
  ]),
  ...planted({ ...SSRF, test: "test/guard/guarded-fetch.test.ts" }, [
    [
      GUARD,
      "send",
      'if (!checked.ok) throw new AssistantError("URL_REFUSED", refusal ?? checked.reason);',
      "if (!checked.ok) return plainFetch(request.url);",
    ],
    [
      GUARD,
      "createGuardedFetch",
      "const response = await deadline.within(send(request, deadline.signal, refusal));",
      'const response = await deadline.within(redirects === 0 ? send(request, deadline.signal, refusal) : (options.fetch ?? globalThis.fetch)(request.url, { method: request.method, headers: request.headers, redirect: "manual" }));',
    ],
    [GUARD, "createGuardedFetch", "if (redirects >= maxRedirects)", "if (redirects > 3 * maxRedirects)"],
    [GUARD, "createGuardedFetch", 'if (response.redirected || response.type === "opaqueredirect") {', "if (false) {"],
    [GUARD, "send", "return connect(checked.url, init, checked.addresses);", "return plainFetch(checked.url.href);"],
    [GUARD, "firstRequest", 'headers.delete("host");', ""],
    [GUARD, "pull", "if (received > maxBytes) throw", "if (received > 100 * maxBytes) throw"],
    [GUARD, "send", 'if (trusted.has(originOf(request.url) ?? "")) return', "if (trusted.size > 0) return"],
  ]),
  ...planted({ ...SSRF, test: "test/guard/guarded-fetch.host.test.ts" }, [
    ["adapters/platform/host", "requestAt", "host: address,", "host: url.hostname,"],
  ]),
  ...planted({ ...ORIGINS, test: "test/guard/guarded-fetch.test.ts" }, [
    [
      GUARD,
      "followRedirect",
      "const headers = sameOrigin ? new Headers(request.headers) : only(request.headers, CARRIED_TO_OTHERS);",
      "const headers = new Headers(request.headers);",
    ],
    [GUARD, "followRedirect", "if (keepsBody && !sameOrigin) return", "if (false) return"],
    [
      GUARD,
      "followRedirect",
      "const sameOrigin = target.origin === new URL(request.url).origin;",
      "const sameOrigin = target.hostname === new URL(request.url).hostname;",
    ],
  ]),
  ...planted({ ...ORIGINS, test: "test/tools/mcp/connections.test.ts" }, [
    [
      TOOLS,
      "ownOriginFetch",
      'if (response.type === "opaqueredirect" || (status >= 300 && status < 400)) {',
      "if (false) {",
    ],
  ]),
  ...planted({ ...SSRF, test: "test/tools/mcp/connections.test.ts" }, [
    [
      TOOLS,
      "http",
      "const { url, headers = {}, allowPrivate = false } = server;",
      "const { url, headers = {}, allowPrivate = true } = server;",
    ],
  ]),
  ...planted(
    { ...SSRF, promise: "a refusal tells nothing of the network inside", test: "test/guard/guarded-fetch.test.ts" },
    [
      [GUARD, "send", "refusal ?? checked.reason", "checked.reason"],
      [GUARD, "reasonOf", "return withoutAddresses(reason) ||", "return reason ||"],
      [
        GUARD,
        "followRedirect",
        'return "redirects to another origin, which must not receive the data of the request"',
        'return `redirects to ${target.origin}` || "the data of the request must not go"',
      ],
      [
        GUARD,
        "withoutAddresses",
        ".some((one) => parseAddress(one) !== undefined)",
        ".every((one) => parseAddress(one) !== undefined)",
      ],
    ],
  ),
  ...planted({ ...SSRF, promise: "a refusal tells nothing of the network inside", test: "test/guard/url.test.ts" }, [
    [
      GUARD,
      "checkUrl",
      "`its host ${name} is not on the public internet`",
      "`its host ${name} has the address ${address}`",
    ],
    [GUARD, "checkUrl", "withoutAddresses(messageOf(error))", "messageOf(error)"],
  ]),
  ...planted(
    {
      ...SSRF,
      promise: "a refusal tells nothing of the network inside",
      test: "test/security/inner-addresses.test.ts",
    },
    [[TOOLS, "webSearchTool.execute", "withoutAddresses(messageOf(error))", "messageOf(error)"]],
  ),
];
