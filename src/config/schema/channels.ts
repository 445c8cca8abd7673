import { DEFAULT_ACCOUNT } from "../../message.ts";
import { DEFAULT_DIRECT_ACCESS, DEFAULT_GROUP_ACCESS } from "../../policy/index.ts";
import { promptOptions } from "./context.ts";
import { queueKeys } from "./queue.ts";
import { choice, id, list, section, withFacts } from "../../settings/index.ts";

export const channelKeys = {
  dm: choice(["open", "allowlist", "pairing", "disabled"], {
    what: "Who may write in a direct chat; pairing: the owner, people in `allow`, and people whose pairing code the owner accepted",
    default: DEFAULT_DIRECT_ACCESS,
    type: "channel-options.ts#DirectAccess",
  }),
  groups: choice(["mention", "always", "disabled"], {
    what: "When the assistant answers in a group",
    default: DEFAULT_GROUP_ACCESS,
    type: "channel-options.ts#GroupAccess",
  }),
  allow: list(id({ what: "A person's id on the platform", example: "4242" }), {
    what: "People, besides the owner, who may write",
    inCode: "Stable ids, compared exactly.",
  }),
  account: id({ what: "Name of this account when a channel has several (then give a list)", default: DEFAULT_ACCOUNT }),
  queue: section(queueKeys, { what: "Queue settings that differ on this channel", inSample: false }),
  context: withFacts(promptOptions, { what: "Context settings that differ on this channel", inSample: false }),
};

/** The options that all channels share. */
export const channelAccess = section(channelKeys, {
  what: "Options that all channels share: who may write, and how their messages are queued",
  inCode: "The configuration file has the same names in snake_case.",
  type: "channel-options.ts#ChannelAccess",
});
