import { DEFAULT_ACCOUNT } from "../../message.ts";
import { DEFAULT_DIRECT_ACCESS, DEFAULT_GROUP_ACCESS } from "../../policy/index.ts";
import { promptOptions } from "./context.ts";
import { queueKeys } from "./queue.ts";
import { choice, id, list, section, withFacts } from "../../settings/index.ts";

export const channelKeys = {
  dm: choice(["open", "allowlist", "pairing", "disabled"], {
    what: "Who may write in a direct chat; pairing lets in the owner, `allow`, and whom the owner lets in by a code",
    default: DEFAULT_DIRECT_ACCESS,
    type: "channel-options.ts#DirectAccess",
  }),
  groups: choice(["mention", "always", "disabled"], {
    what: "When the assistant answers in a group",
    default: DEFAULT_GROUP_ACCESS,
    type: "channel-options.ts#GroupAccess",
  }),
  allow: list(id({ what: "A person's id on the platform", example: "4242" }), {
    what: "People who may write besides the owner",
    inCode: "Stable ids, compared exactly.",
  }),
  account: id({ what: "Names this account, where a channel has several (then give a list)", default: DEFAULT_ACCOUNT }),
  queue: section(queueKeys, { what: "Other queue settings for this channel", inSample: false }),
  context: withFacts(promptOptions, { what: "Other context settings for this channel", inSample: false }),
};

/** What every channel takes, whatever its own options are. */
export const channelAccess = section(channelKeys, {
  what: "Who may write, and how their messages are queued",
  inCode: "What the options of every channel share, with the same names in snake_case in the configuration file.",
  type: "channel-options.ts#ChannelAccess",
});
