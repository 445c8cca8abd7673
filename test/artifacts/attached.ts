import {
  type ArtifactLimits,
  type AttachmentParts,
  type MessageFiles,
  createArtifacts,
  detachInline,
  storeAttachments,
} from "../../src/artifacts/index.ts";
import type { Channel } from "../../src/channel.ts";
import { createGuardedFetch } from "../../entry.host.ts";
import type { Attachment } from "../../src/message.ts";
import { memoryStore } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { contextOf } from "../tools/call-tool.ts";

export const { sessionKey: SESSION } = contextOf({});
export const MB = 1_048_576;

/** The attachments of a session's messages: how they are detached, fetched and kept. */
export function setUp(
  options: ArtifactLimits & {
    answer?: (url: string) => Response | Promise<Response>;
    addresses?: readonly string[];
  } = {},
) {
  const { answer = () => new Response("x"), addresses = ["93.184.216.34"], ...limits } = options;
  const store = memoryStore();
  const clock = fakeClock();
  const artifacts = createArtifacts({ store, clock, ...limits });
  const asked: string[] = [];
  const warnings: string[] = [];
  const parts: AttachmentParts = {
    artifacts,
    clock,
    logger: { warn: (_message, fields) => void warnings.push(JSON.stringify(fields)) },
    fetch: createGuardedFetch({
      clock,
      lookup: async () => addresses,
      fetch: async (input) => {
        const { url } = new Request(input);
        asked.push(url);
        return answer(url);
      },
    }),
    ...(limits.maxBytes !== undefined && { maxBytes: limits.maxBytes }),
  };
  const of = (attachments: readonly Attachment[], messageId = "webhook:default:1"): MessageFiles => ({
    sessionKey: SESSION,
    messageId,
    user: "webhook:ada",
    attachments,
  });
  const detach = async (attachments: readonly Attachment[], messageId?: string) =>
    detachInline(parts, of(attachments, messageId));
  const storeAll = async (
    attachments: readonly Attachment[],
    more: { channel?: Pick<Channel, "download">; signal?: AbortSignal; messageId?: string } = {},
  ) => {
    const { signal = new AbortController().signal, messageId, ...rest } = more;
    return storeAttachments(parts, { ...of(attachments, messageId), signal, ...rest });
  };
  const list = async () => artifacts.list(SESSION);
  const keys = async () => {
    const found: string[] = [];
    for await (const { key } of store.list("artifacts/")) found.push(key);
    return found;
  };
  return { store, clock, artifacts, parts, asked, warnings, detach, storeAll, list, keys };
}

export const text = (value: string) => new TextEncoder().encode(value);
export const linked = (url: string, more: Partial<Attachment> = {}): Attachment => ({
  mediaType: "text/plain",
  url,
  ...more,
});
