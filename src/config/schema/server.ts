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
    role: choice(["owner", "user", "metrics"], { what: "What it may do", required: true, example: "user" }),
    user: user({ what: "Who a call with it speaks as, for the role user", example: "http:ada" }),
  },
  { what: "A token", type: "http/options.ts#ServerToken" },
);

/** What the program and the file both say of the HTTP server. */
export const serverKeys = {
  token: secret({
    what: "Bearer token of the owner for the API and the page; when left out, one is printed at start",
    example: "WAKEFUL_TOKEN",
  }),
  tokens: list(token, { what: "More bearer tokens" }),
  hooks: section(
    {
      token: secret({
        what: "Bearer token of automations: it opens /hooks/wake and /hooks/agent, and nothing else",
        required: true,
        example: "WAKEFUL_HOOKS_TOKEN",
      }),
      user: user({
        what: "Whose conversation is woken, and who is sent what comes of it; when left out, the first owner",
        example: "telegram:42",
      }),
      chats: list(
        textLike(/^[^:\s]+:\S+$/, 'a chat as "channel:chat", for example "telegram:-100123"', {
          what: "A chat",
          example: "telegram:-100123",
        }),
        { what: "Further chats that /hooks/agent may send its reply to; when left out, none" },
      ),
    },
    {
      what: "Automations that wake the assistant or give it something to do; when left out, only an owner's token opens these routes",
      inCode: "Source: docs/automations.md.",
      type: "http/options.ts#AutomationOptions",
    },
  ),
  publicUrl: webAddress({
    what: "Where platforms and browsers reach this server: doctor compares webhooks with it, and the page answers to its name",
    example: "https://bot.example.com",
  }),
  hosts: list(hostName({ what: "A host name, without a port", example: "bot.example.com" }), {
    inCode:
      "Without a port. Under `serve()` the page and calls by its cookie are answered under these, the name in `publicUrl`, loopback names and IP addresses. Mounted in a program, and on Workers, the API and the page are answered under these alone. Default: none under `serve()`, else any.",
    what: "More names of this server: the page and its cookie answer to these, public_url, localhost and IP addresses, others get 421; for a program that mounts the assistant, the only names of page and API",
  }),
  rateLimit: section(
    {
      enabled: flag({ what: "Are requests limited at all?", default: true }),
      perSource: whole(1, {
        what: "Requests a minute from one address, before the token is looked at; webhooks, health checks, this machine and trusted proxies do not count",
        default: DEFAULT_PER_SOURCE,
      }),
      perToken: whole(1, { what: "Requests a minute with one token", default: DEFAULT_PER_TOKEN }),
      perSender: laterValue({ what: "Messages a minute of one sender of a channel" }),
    },
    {
      what: "How often the API and the page may be asked; over it requests are answered 429",
      inCode: 'Source: docs/http-limits.md, "Limits".',
      type: "http/options.ts#RateLimitOptions",
    },
  ),
  trustedProxies: list(
    network({ what: "Address or network of a proxy whose X-Forwarded-For is believed", example: "10.0.0.0/8" }),
    {
      what: "Proxies in front of the server: behind them the client's address is the last one that is not theirs",
    },
  ),
};
