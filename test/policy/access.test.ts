import { describe, expect, it } from "vitest";
import type { ChannelAccess } from "../../src/channel.ts";
import type { InboundMessage } from "../../src/message.ts";
import { decideAccess, rolesOf, sharedRoles } from "../../src/policy/index.ts";

const owners = ["telegram:1"];
function from(id: string, rest: Partial<InboundMessage> = {}): InboundMessage {
  return { channel: "telegram", id: "e", peer: { kind: "direct", id }, sender: { id }, text: "hi", ...rest };
}
const inGroup = (id: string, mentioned: boolean) => from(id, { peer: { kind: "group", id: "-5" }, mentioned });

describe("decideAccess()", () => {
  it.each<{ title: string; message: InboundMessage; access: ChannelAccess; verdict: string }>([
    { title: "refuses a stranger by default", message: from("9"), access: {}, verdict: "refuse" },
    { title: "lets the owner in by default", message: from("1"), access: {}, verdict: "let-in" },
    { title: "lets in who is allowed under pairing", message: from("9"), access: { allow: ["9"] }, verdict: "let-in" },
    { title: "lets anyone in when open", message: from("9"), access: { dm: "open" }, verdict: "let-in" },
    {
      title: "refuses who is not listed",
      message: from("9"),
      access: { dm: "allowlist", allow: ["8"] },
      verdict: "refuse",
    },
    {
      title: "lets in who is listed",
      message: from("8"),
      access: { dm: "allowlist", allow: ["8"] },
      verdict: "let-in",
    },
    {
      title: "compares ids exactly",
      message: from("80"),
      access: { dm: "allowlist", allow: ["8"] },
      verdict: "refuse",
    },
    {
      title: "does not read the display name",
      message: from("9", { sender: { id: "9", name: "8" } }),
      access: { dm: "allowlist", allow: ["8"] },
      verdict: "refuse",
    },
    {
      title: "never lets an empty id match",
      message: from(""),
      access: { dm: "allowlist", allow: [""] },
      verdict: "refuse",
    },
    {
      title: "never lets an empty id in, even when open",
      message: from(""),
      access: { dm: "open" },
      verdict: "refuse",
    },
    {
      title: "refuses everybody when disabled, the owner too",
      message: from("1"),
      access: { dm: "disabled", allow: ["1"] },
      verdict: "refuse",
    },
    {
      title: "does not take another channel's owner",
      message: from("1", { channel: "slack" }),
      access: {},
      verdict: "refuse",
    },
    { title: "answers in groups when mentioned", message: inGroup("9", true), access: {}, verdict: "let-in" },
    { title: "stays quiet in groups otherwise", message: inGroup("9", false), access: {}, verdict: "ignore" },
    {
      title: "answers everything in groups when asked to",
      message: inGroup("9", false),
      access: { groups: "always" },
      verdict: "let-in",
    },
    {
      title: "refuses groups when disabled",
      message: inGroup("9", true),
      access: { groups: "disabled" },
      verdict: "refuse",
    },
    {
      title: "does not let the direct allow list open a disabled group",
      message: inGroup("8", true),
      access: { groups: "disabled", allow: ["8"] },
      verdict: "refuse",
    },
  ])("$title", ({ message, access, verdict }) => {
    expect(decideAccess(message, access, owners).verdict).toBe(verdict);
  });
});

describe("rolesOf()", () => {
  const options = { ownerIds: ["telegram:1"], roles: { admin: ["telegram:2"], owner: ["telegram:3"] } };
  it.each([
    ["telegram:1", ["owner", "user"]],
    ["telegram:2", ["user", "admin"]],
    ["telegram:3", ["owner", "user"]],
    ["telegram:4", ["user"]],
    ["", []],
  ])("gives %s the roles of the configuration", (user, roles) => {
    expect(rolesOf(user, options)).toEqual(roles);
  });

  it("gives a turn only what all its speakers may do", () => {
    expect(sharedRoles([["owner", "user"], ["user"]])).toEqual(["user"]);
    expect(sharedRoles([])).toEqual([]);
  });
});
