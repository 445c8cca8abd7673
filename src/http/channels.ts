import * as v from "valibot";
import type { ChannelStatuses } from "../listening/index.ts";
import { type GuardedRoute, json } from "./route.ts";

const ChannelsJson = v.object({
  channels: v.array(
    v.strictObject({
      channel: v.string(),
      account: v.string(),
      by: v.pipe(v.picklist(["webhook", "listen"]), v.description("How the channel receives messages")),
      state: v.pipe(
        v.picklist(["off", "connecting", "open", "waiting", "retrying", "refused"]),
        v.description("`waiting`: another process listens. `off`: this process connects no channels"),
      ),
      detail: v.optional(v.pipe(v.string(), v.description("Which process listens instead, or what went wrong"))),
    }),
  ),
});

export function channelRoutes(statuses: Pick<ChannelStatuses, "all">): readonly GuardedRoute[] {
  return [
    {
      method: "GET",
      path: "/api/v1/channels",
      summary: "Shows how this process receives the messages of each channel",
      access: ["owner"],
      answers: { 200: { description: "One entry per account", schema: ChannelsJson } },
      handle: () => json({ channels: statuses.all() }),
    },
  ];
}
