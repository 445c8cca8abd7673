import { describe, expect, it } from "vitest";
import type { Channel } from "../../src/channel.ts";
import { decideWay, webhookUrlOf } from "../../src/listening/index.ts";

const receive: NonNullable<Channel["receive"]> = async () => ({ messages: [] });
const listen: NonNullable<Channel["listen"]> = async () => {};
const setUp: NonNullable<Channel["setUp"]> = async () => [];
const PUBLIC = "https://bot.example.com";

describe("decideWay()", () => {
  it.each([
    { title: "nothing", channel: {}, url: PUBLIC, way: "program" },
    { title: "a webhook alone", channel: { receive }, url: undefined, way: "webhook" },
    { title: "a webhook alone, registered by itself", channel: { receive, setUp }, url: undefined, way: "webhook" },
    { title: "a connection alone", channel: { listen, setUp }, url: PUBLIC, way: "listen" },
    { title: "both, at a public address", channel: { receive, listen, setUp }, url: PUBLIC, way: "webhook" },
    { title: "both, without an address", channel: { receive, listen, setUp }, url: undefined, way: "listen" },
    { title: "both, at an address without TLS", channel: { receive, listen, setUp }, url: "http://lan", way: "listen" },
    { title: "both, but nobody would register it", channel: { receive, listen }, url: PUBLIC, way: "listen" },
  ])("gives a channel with $title the way $way", ({ channel, url, way }) => {
    expect(decideWay(channel, url)).toBe(way);
  });
});

describe("webhookUrlOf()", () => {
  it.each([
    { access: {}, url: "https://bot.example.com", is: "https://bot.example.com/webhooks/telegram" },
    {
      access: { account: "default" },
      url: "https://x.example/below/",
      is: "https://x.example/below/webhooks/telegram",
    },
    { access: { account: "a b" }, url: "https://x.example", is: "https://x.example/webhooks/telegram/a%20b" },
  ])("is $is", ({ access, url, is }) => {
    expect(webhookUrlOf({ name: "telegram", access }, url)).toBe(is);
  });
});
