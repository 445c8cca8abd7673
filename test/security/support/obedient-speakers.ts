import { BOB_TOKEN, OWNER_TOKEN, type World } from "./obedient-world.ts";

/** Somebody who says something to the assistant, by one of its entrances. */
export interface Speaker {
  readonly name: string;
  /** Whose conversation it is: stands in everything that they say, as `MARK-<this>`. */
  readonly mark: string;
  readonly user: string;
  readonly channel: string;
  readonly isOwner: boolean;
  /** Nobody lets them in: what they say never reaches the model. */
  readonly isStranger?: boolean;
  say(world: World, text: string): Promise<string>;
}

let events = 0;

/** One delivery of the platform. */
export async function deliver(
  world: World,
  message: {
    readonly from: string;
    readonly text: string;
    readonly group?: string;
    readonly kind?: "press" | "note";
    readonly account?: string;
    readonly name?: string;
    readonly mentioned?: boolean;
  },
): Promise<Response> {
  const { from, text, group, kind, account, name, mentioned = true } = message;
  const channel = account === undefined ? world.telegram : world.second;
  const request = channel.request(
    [
      {
        id: `event-${(events += 1)}`,
        text,
        peer: group === undefined ? { kind: "direct", id: from } : { kind: "group", id: group },
        sender: { id: from, ...(name !== undefined && { name }) },
        mentioned,
        ...(kind && { kind }),
        ...(account !== undefined && { account }),
      },
    ],
    { wait: kind === undefined },
  );
  const path = account === undefined ? "telegram" : `telegram/${account}`;
  const response = await world.during(
    world.assistant.fetch(
      new Request(`http://localhost/webhooks/${path}${kind === undefined ? "?wait=true" : ""}`, request),
    ),
  );
  await world.quiet();
  return response;
}

export async function post(
  world: World,
  path: string,
  token: string,
  body: unknown,
): Promise<{ status: number; text: string }> {
  const request = new Request(`http://localhost${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: path === "/mcp" ? "application/json, text/event-stream" : "*/*",
    },
    body: JSON.stringify(body),
  });
  const answered = world.assistant
    .fetch(request)
    .then(async (response) => ({ status: response.status, text: await response.text() }));
  const { status, text } = await world.during(answered);
  await world.quiet();
  return { status, text };
}

const platform = (from: string, group?: string) => async (world: World, text: string) => {
  const response = await deliver(world, { from, text, ...(group !== undefined && { group }) });
  return response.text();
};
const messages =
  (token: string, more: Readonly<Record<string, unknown>> = {}) =>
  async (world: World, text: string) =>
    (await post(world, "/api/v1/messages", token, { text, ...more })).text;
const chat = (token: string) => async (world: World, text: string) =>
  (
    await post(world, "/api/v1/chat", token, {
      id: "c",
      messages: [{ id: `m${(events += 1)}`, role: "user", parts: [{ type: "text", text }] }],
    })
  ).text;
const mcpSend = (token: string) => async (world: World, text: string) =>
  (
    await post(world, "/mcp", token, {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "send", arguments: { text } },
    })
  ).text;

export const SPEAKERS = {
  stranger: {
    name: "a stranger",
    mark: "stranger",
    user: "telegram:66",
    channel: "telegram",
    isOwner: false,
    isStranger: true,
    say: platform("66"),
  },
  ada: {
    name: "somebody who was let in",
    mark: "ada",
    user: "telegram:ada",
    channel: "telegram",
    isOwner: false,
    say: platform("ada"),
  },
  group: {
    name: "a stranger in a group",
    mark: "group",
    user: "telegram:67",
    channel: "telegram",
    isOwner: false,
    say: platform("67", "g1"),
  },
  owner: {
    name: "the owner",
    mark: "owner",
    user: "telegram:1",
    channel: "telegram",
    isOwner: true,
    say: platform("1"),
  },
  sdk: {
    name: "send()",
    mark: "owner",
    user: "sdk",
    channel: "sdk",
    isOwner: false,
    async say(world, text) {
      const reply = await world.during(world.assistant.send({ text }));
      await world.quiet();
      return reply.text;
    },
  },
  carol: {
    name: "send() as a user",
    mark: "carol",
    user: "telegram:carol",
    channel: "telegram",
    isOwner: false,
    async say(world, text) {
      // What a host passes on carelessly from elsewhere has no say.
      const careless = {
        userRoles: ["owner"],
        roles: ["owner"],
        approved: true,
        context: { strategy: "lite" },
      } as const;
      const reply = await world.during(world.assistant.send({ ...careless, text, user: "telegram:carol" }));
      await world.quiet();
      return reply.text;
    },
  },
  dan: {
    name: "stream() as a user",
    mark: "dan",
    user: "app:dan",
    channel: "app",
    isOwner: false,
    async say(world, text) {
      const read = async () => {
        let said = "";
        for await (const event of world.assistant.stream({ text, user: "app:dan" })) said += JSON.stringify(event);
        return said;
      };
      const said = await world.during(read());
      await world.quiet();
      return said;
    },
  },
  bob: {
    name: "a user's token at /messages",
    mark: "bob",
    user: "app:bob",
    channel: "app",
    isOwner: false,
    say: messages(BOB_TOKEN),
  },
  bobChat: {
    name: "a user's token at /chat",
    mark: "bob",
    user: "app:bob",
    channel: "app",
    isOwner: false,
    say: chat(BOB_TOKEN),
  },
  bobMcp: {
    name: "a user's token at /mcp",
    mark: "bob",
    user: "app:bob",
    channel: "app",
    isOwner: false,
    say: mcpSend(BOB_TOKEN),
  },
  eve: {
    name: "the owner's token naming a user",
    mark: "eve",
    user: "app:eve",
    channel: "app",
    isOwner: false,
    say: messages(OWNER_TOKEN, { user: "app:eve" }),
  },
  token: {
    name: "the owner's token",
    mark: "owner",
    user: "sdk",
    channel: "sdk",
    isOwner: true,
    say: messages(OWNER_TOKEN),
  },
  page: { name: "the owner's page", mark: "owner", user: "sdk", channel: "web", isOwner: true, say: chat(OWNER_TOKEN) },
} as const satisfies Readonly<Record<string, Speaker>>;

export type SpeakerName = keyof typeof SPEAKERS;
