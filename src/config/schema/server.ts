import { DEFAULT_PER_SOURCE, DEFAULT_PER_TOKEN } from "../../http/index.ts";
import {
  choice,
  flag,
  hostName,
  laterValue,
  list,
  network,
  secret,
  section,
  textLike,
  user,
  webAddress,
  whole,
} from "../../settings/index.ts";

const token = section(
  {
    token: secret({ what: "The bearer token", required: true, example: "COLLEAGUE_TOKEN" }),
    role: choice(["owner", "user", "metrics"], { what: "What its calls may do", required: true, example: "user" }),
    user: user({ what: "For the role user: the user that its calls act as", example: "http:ada" }),
  },
  { what: "A token", type: "http/options.ts#ServerToken" },
);

/** Options of the HTTP server that code and the file share. */
export const serverKeys = {
  token: secret({
    what: "Bearer token of the owner for the API and the page; if left out, one is printed at start",
    example: "WAKEFUL_TOKEN",
  }),
  tokens: list(token, { what: "More bearer tokens" }),
  hooks: section(
    {
      token: secret({
        what: "Bearer token of automations: it opens only /hooks/wake and /hooks/agent",
        required: true,
        example: "WAKEFUL_HOOKS_TOKEN",
      }),
      user: user({
        what: "Person whose conversation is woken and who gets the results; default: the first owner",
        example: "telegram:42",
      }),
      chats: list(
        textLike(/^[^:\s]+:\S+$/, 'a chat as "channel:chat", for example "telegram:-100123"', {
          what: "A chat",
          example: "telegram:-100123",
        }),
        { what: "Further chats that /hooks/agent may send its reply to; default: none" },
      ),
    },
    {
      what: "Automations that wake the assistant or give it tasks; if left out, only an owner's token opens these routes",
      inCode: "Source: docs/automations.md.",
      type: "http/options.ts#AutomationOptions",
    },
  ),
  publicUrl: webAddress({
    what: "Address at which platforms and browsers reach this server: doctor compares webhooks with it, and the page answers to its name",
    example: "https://bot.example.com",
  }),
  hosts: list(hostName({ what: "A host name, without a port", example: "bot.example.com" }), {
    inCode:
      "Without a port. Under `serve()` the page and calls with its cookie are answered under these names, the name in `publicUrl`, loopback names and IP addresses. Mounted in a program, and on Workers, the API and the page are answered only under these names. Default: none under `serve()`, else any.",
    what: "Further names of this server: the page and its cookie answer to these, public_url, localhost and IP addresses, other names get 421; if a program mounts the assistant, page and API answer only to these",
  }),
  rateLimit: section(
    {
      enabled: flag({ what: "Whether requests are limited", default: true }),
      perSource: whole(1, {
        what: "Requests per minute from one address, counted before the token is checked; webhooks, health checks, this machine and trusted proxies are not counted",
        default: DEFAULT_PER_SOURCE,
      }),
      perToken: whole(1, { what: "Requests per minute with one token", default: DEFAULT_PER_TOKEN }),
      perSender: laterValue({ what: "Messages per minute of one sender on a channel" }),
    },
    {
      what: "Limits on requests to the API and the page; requests above them get 429",
      inCode: 'Source: docs/http-limits.md, "Limits".',
      type: "http/options.ts#RateLimitOptions",
    },
  ),
  trustedProxies: list(
    network({ what: "Address or network of a proxy whose X-Forwarded-For is trusted", example: "10.0.0.0/8" }),
    {
      what: "Proxies in front of the server; the client's address is the last one in X-Forwarded-For that is not a trusted proxy's",
    },
  ),
};
