import { DEFAULT_DIRECT_SCOPE, DEFAULT_IDLE_MINUTES, DEFAULT_THREADS } from "../../session/index.ts";
import { choice, flag, list, names, section, user, whole, type RuleBroken } from "../../settings/index.ts";

const sharing = {
  dmScope: choice(["main", "per-peer", "per-channel-peer", "per-account-channel-peer"], {
    what: "Which direct chats share a conversation",
    inCode: 'Source: docs/sessions.md, "Who shares a conversation".',
    type: "session/options.ts#DirectScope",
    default: DEFAULT_DIRECT_SCOPE,
  }),
  identityLinks: names(
    "person",
    list(user({ what: "One of the person's accounts", example: "telegram:1" }), {
      what: "The person's accounts",
    }),
    {
      what: "People with several accounts: they share one conversation",
    },
  ),
  ownerMain: flag({ what: "Whether the owner's direct chats on all channels are one conversation", default: true }),
  threads: choice(["apart", "together"], {
    what: "Whether each thread of a group is a conversation of its own",
    default: DEFAULT_THREADS,
  }),
};

/** The options that `resolveRoute` reads. */
const routing = section(sharing, {
  what: "Who shares a conversation",
  inCode: "Source: docs/sessions.md.",
  type: "session/options.ts#SessionOptions",
});

const { threads, ...who } = sharing;
export const session = section(
  {
    ...who,
    idleMinutes: whole(0, { what: "Minutes of silence that end a session; 0: never", default: DEFAULT_IDLE_MINUTES }),
    threads,
  },
  { what: "Who shares a conversation", rule: linksRule, base: routing },
);

/**
 * Each name belongs to one person and each account to one person. Otherwise two people would share a conversation and
 * a memory, or the result would depend on the order.
 */
function linksRule(value: Readonly<Record<string, unknown>>): RuleBroken | undefined {
  const names = new Set<string>();
  const owners = new Map<string, string>();
  for (const [name, accounts] of Object.entries((value["identityLinks"] ?? {}) as Readonly<Record<string, string[]>>)) {
    const plain = name.trim().toLowerCase();
    if (names.has(plain)) return { at: ["identityLinks", name], message: "another person has this name" };
    names.add(plain);
    for (const account of accounts) {
      const owner = owners.get(account) ?? name;
      if (owner !== name)
        return { at: ["identityLinks", name], message: `${account} is an account of ${owner} already` };
      owners.set(account, name);
    }
  }
  return undefined;
}
