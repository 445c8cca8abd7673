import * as v from "valibot";
import { name } from "./wire.ts";

const TextPart = v.looseObject({ type: v.literal("text"), text: v.string("Expected a text") });
const FilePart = v.looseObject({
  type: v.literal("file"),
  mediaType: v.string("Expected a media type such as image/png"),
  url: v.string("Expected a URL; data: URLs are allowed"),
  filename: v.optional(v.string()),
});

/** A part that the assistant ignores: `data-…`, `step-start`. */
const OtherPart = v.looseObject({ type: v.string("Expected the type of the part, such as text") });

const PARTS: Readonly<Record<string, typeof TextPart | typeof FilePart | undefined>> = {
  text: TextPart,
  file: FilePart,
};

function typeOf(part: unknown): string {
  return typeof part === "object" && part !== null && "type" in part ? String(part.type) : "";
}

/**
 * `POST /chat`: the body that `useChat` sends. Only the last user message of `messages` is read, so only that one is
 * checked fully.
 */
export const ChatBody = v.looseObject({
  id: name("The conversation"),
  messages: v.pipe(
    v.array(
      v.looseObject({
        id: v.optional(v.string("Expected a text")),
        role: v.picklist(["user", "assistant", "system"], "Expected user, assistant or system"),
        parts: v.array(OtherPart, "Expected a list of parts"),
      }),
      "Expected the list of messages of useChat",
    ),
    v.minLength(1, "Expected at least one message"),
    v.description("UI messages. Only the last user message is read; earlier messages come from the session's log"),
  ),
  trigger: v.optional(v.string()),
  messageId: v.optional(v.string()),
});

/** The last user message of a `ChatBody`. */
export const UserMessage = v.looseObject({
  id: name("Id of the message. A repeated id gets the first reply"),
  parts: v.pipe(
    v.array(v.lazy((part) => PARTS[typeOf(part)] ?? OtherPart)),
    v.check(
      (parts) =>
        parts.some((part) => part.type === "file" || (part.type === "text" && String(part["text"]).trim() !== "")),
      "Expected a text part that is not blank, or a file part",
    ),
  ),
});
