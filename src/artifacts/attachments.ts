import type { Channel, DownloadedFile } from "../channel.ts";
import type { Clock } from "../clock.ts";
import { AssistantError, messageOf } from "../errors.ts";
import { type GuardedFetch, mediaType as mediaTypeOf } from "../guard/index.ts";
import type { Attachment } from "../message.ts";
import type { Logger } from "../telemetry/index.ts";
import { abortable, startDeadline } from "../time-limit.ts";
import { type ArtifactInfo, type Artifacts, DEFAULT_MAX_ARTIFACT_BYTES } from "./artifacts.ts";
import { isDataUrl, readDataUrl } from "./data-url.ts";

export interface AttachmentParts {
  readonly artifacts: Pick<Artifacts, "write" | "ofCall" | "list" | "read">;
  /** The guarded fetch, for addresses outside of channels. Without it they are not fetched. */
  readonly fetch: GuardedFetch | undefined;
  readonly clock: Clock;
  readonly logger: Pick<Logger, "warn">;
  /** `artifacts.maxBytes`. Default 5 MiB. */
  readonly maxBytes?: number | undefined;
}

/** The files of a message, and their owner. */
export interface MessageFiles {
  readonly sessionKey: string;
  /** The id of the message's record. Together with a file's index it identifies the file. */
  readonly messageId: string;
  /** The sender, as `channel:id`. */
  readonly user: string;
  readonly attachments: readonly Attachment[];
}

/** Files stored per message. */
export const MAX_ATTACHMENTS = 20;
/** Time limit for all files of a message, in milliseconds. */
const TIMEOUT_MS = 60_000;
const MAX_TRIES = 2;
const PAUSE_MS = 1000;
const MAX_PAUSE_MS = 10_000;
const MAX_NAME_CHARS = 120;
const MAX_TYPE_CHARS = 100;
const MAX_URL_CHARS = 2048;
const MAX_PROBLEM_CHARS = 160;
const TOO_MANY = `only the first ${MAX_ATTACHMENTS} files of a message are kept`;

/**
 * Moves the content of attachments out of a message before it becomes durable: a `data:` URL becomes an artifact of
 * the session, and the result refers to it. Long lists and fields are cut, so that the record stays small.
 *
 * Contract: never throws; a file that cannot be stored has a `problem`. Idempotent: the same message gives the same
 * artifacts. The artifacts are durable before their record. A crash between the two leaves them without a record,
 * until the message is redelivered or they expire.
 *
 * Source: docs/artifacts.md, "Attachments".
 */
export async function detachInline(parts: AttachmentParts, files: MessageFiles): Promise<readonly Attachment[]> {
  const detached: Attachment[] = [];
  for (const [index, given] of files.attachments.slice(0, MAX_ATTACHMENTS).entries()) {
    detached.push(await detachOne(parts, files, index, given));
  }
  const left = files.attachments.length - MAX_ATTACHMENTS;
  if (left > 0) {
    detached.push({ name: `${left} more files`, mediaType: "application/octet-stream", problem: TOO_MANY });
  }
  return withoutGone(parts, files, detached);
}

/** Whether `storeAttachments` has anything to do. */
export function isUnstored(attachments: readonly Attachment[] = []): boolean {
  return attachments.some(({ artifact, problem }) => artifact === undefined && problem === undefined);
}

/**
 * Fetches and stores what `detachInline` left on its platform. The model is told what this returns, so it must be
 * logged before a prompt shows it.
 *
 * Contract: throws only the reason of `signal`; a file that cannot be fetched or stored has a `problem`. Idempotent:
 * for the same message, stored files are not fetched again. Takes at most a minute.
 *
 * Source: docs/artifacts.md, "Attachments".
 */
export async function storeAttachments(
  parts: AttachmentParts,
  files: MessageFiles & { readonly channel?: Pick<Channel, "download"> | undefined; readonly signal: AbortSignal },
): Promise<readonly Attachment[]> {
  const { clock } = parts;
  const late = () => new NotKeptError("it took too long to fetch");
  const deadline = startDeadline(clock, TIMEOUT_MS, late, files.signal);
  try {
    const stored: Attachment[] = [];
    for (const [index, given] of files.attachments.entries()) {
      // A message of an older log can still hold its content, so it is detached now.
      const attachment = await detachOne(parts, files, index, given);
      if (attachment.artifact !== undefined || attachment.problem !== undefined) stored.push(attachment);
      else if (index >= MAX_ATTACHMENTS) stored.push({ ...attachment, problem: TOO_MANY });
      else
        stored.push(
          await keepFetched(parts, { ...files, signal: deadline.signal, stopped: files.signal }, index, attachment),
        );
    }
    return await withoutGone(parts, files, stored);
  } finally {
    deadline.end();
  }
}

/** The attachment without its content. Content of a `data:` URL is stored. */
async function detachOne(
  parts: AttachmentParts,
  files: MessageFiles,
  index: number,
  given: Attachment,
): Promise<Attachment> {
  const attachment = withoutExcess(given);
  const url = textOf(given.url);
  if (url === undefined || !isDataUrl(url) || attachment.artifact !== undefined) return attachment;
  const most = maxBytesOf(parts);
  const bytes = readDataUrl(url, most);
  if (bytes === null) return { ...attachment, problem: "its data: URL cannot be read" };
  if (bytes === "too-large") return { ...attachment, problem: tooLarge(most) };
  try {
    return (
      (await knownFile(parts, files, index, attachment)) ?? (await keep(parts, files, index, attachment, { bytes }))
    );
  } catch (error) {
    return notKept(parts, files, attachment, error, "stored");
  }
}

async function keepFetched(
  parts: AttachmentParts,
  files: Parameters<typeof storeAttachments>[1] & { readonly stopped: AbortSignal },
  index: number,
  attachment: Attachment,
): Promise<Attachment> {
  const { channel, signal, stopped } = files;
  const { url, sizeBytes = 0 } = attachment;
  if (url === undefined) return { ...attachment, problem: "it came without its content" };
  const most = maxBytesOf(parts);
  if (sizeBytes > most) return { ...attachment, problem: tooLarge(most) };
  let step: "fetched" | "stored" = "stored";
  try {
    const known = await knownFile(parts, files, index, attachment);
    if (known) return known;
    step = "fetched";
    const file = await fetchWhole(parts, attachment, { url, channel, signal });
    step = "stored";
    return await keep(parts, files, index, attachment, file);
  } catch (error) {
    stopped.throwIfAborted();
    return notKept(parts, files, attachment, signal.aborted ? signal.reason : error, step);
  }
}

interface Source {
  readonly url: string;
  readonly channel: Pick<Channel, "download"> | undefined;
  readonly signal: AbortSignal;
}

async function fetchWhole(parts: AttachmentParts, attachment: Attachment, source: Source): Promise<WholeFile> {
  const { signal } = source;
  for (let tries = 1; ; tries += 1) {
    try {
      const file = await abortable(fetchFile(parts, attachment, source), signal);
      return { ...file, bytes: await readAll(file.bytes, maxBytesOf(parts), signal) };
    } catch (error) {
      const pauseMs = pauseAfter(error);
      if (pauseMs === undefined || tries >= MAX_TRIES || signal.aborted) throw error;
      await parts.clock.sleep(pauseMs, signal);
    }
  }
}

async function knownFile(
  { artifacts }: AttachmentParts,
  { sessionKey, messageId }: MessageFiles,
  index: number,
  attachment: Attachment,
): Promise<Attachment | undefined> {
  const known = await artifacts.ofCall(sessionKey, callIdOf(messageId, index));
  return known ? keptAs(attachment, known) : undefined;
}

/** The same for a newly stored file and a known one, because what the model reads must not change. */
function keptAs(attachment: Attachment, { id, name, mediaType, bytes }: ArtifactInfo): Attachment {
  return { ...attachment, name, mediaType, sizeBytes: bytes, artifact: id };
}

async function fetchFile(
  { fetch, maxBytes = DEFAULT_MAX_ARTIFACT_BYTES }: AttachmentParts,
  attachment: Attachment,
  { url, channel, signal }: Source,
): Promise<DownloadedFile> {
  if (channel?.download) return channel.download(attachment, signal);
  if (!fetch || !/^https?:/i.test(url)) throw new NotKeptError("its address is not one that can be fetched here");
  const response = await fetch(url, { maxBytes, timeoutMs: TIMEOUT_MS, signal });
  const { status, body, headers } = response;
  if (!response.ok) {
    body?.cancel().catch(() => {});
    const message = `its address answered ${status}`;
    throw status >= 500 || status === 429 ? new AssistantError("FETCH_FAILED", message) : new NotKeptError(message);
  }
  const mediaType = mediaTypeOf(headers);
  return { bytes: body ?? new Uint8Array(), ...(mediaType !== "" && { mediaType }) };
}

interface WholeFile extends Omit<DownloadedFile, "bytes"> {
  readonly bytes: Uint8Array;
}

/** Reads the bytes and enforces the limit as they arrive. */
async function readAll(bytes: DownloadedFile["bytes"], maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  if (bytes instanceof Uint8Array) {
    if (bytes.byteLength > maxBytes) throw new NotKeptError(tooLarge(maxBytes));
    return bytes;
  }
  const reader = bytes.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await abortable(reader.read(), signal);
      if (done) break;
      length += value.byteLength;
      if (length > maxBytes) throw new NotKeptError(tooLarge(maxBytes));
      chunks.push(value);
    }
  } catch (error) {
    reader.cancel(error).catch(() => {});
    throw error;
  }
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}

async function keep(
  { artifacts }: AttachmentParts,
  { sessionKey, messageId, user }: MessageFiles,
  index: number,
  attachment: Attachment,
  file: WholeFile,
): Promise<Attachment> {
  const { bytes } = file;
  const isVague = attachment.mediaType === "" || attachment.mediaType === "application/octet-stream";
  const written = await artifacts.write(sessionKey, {
    name: attachment.name ?? fileName(file.name) ?? "file",
    content: bytes,
    mediaType: textOf((isVague ? file.mediaType : undefined) ?? attachment.mediaType, MAX_TYPE_CHARS) ?? "",
    user,
    origin: "attachment",
    callId: callIdOf(messageId, index),
  });
  if (!written.ok) throw new NotKeptError("this conversation has no space for more files");
  return keptAs(attachment, written.artifact);
}

/** A large file can have evicted an earlier one of the same message. */
async function withoutGone(
  { artifacts }: AttachmentParts,
  { sessionKey }: MessageFiles,
  stored: readonly Attachment[],
): Promise<readonly Attachment[]> {
  if (stored.filter(({ artifact }) => artifact !== undefined).length < 2) return stored;
  const listed = await artifacts.list(sessionKey).catch(() => undefined);
  if (listed === undefined) return stored;
  const there = new Set(listed.map(({ id }) => id));
  return stored.map(({ artifact, ...rest }) => {
    if (artifact === undefined) return rest;
    if (there.has(artifact)) return { ...rest, artifact };
    return { ...rest, problem: "later files used up its space" };
  });
}

function notKept(
  { logger }: AttachmentParts,
  { sessionKey, messageId }: MessageFiles,
  attachment: Attachment,
  error: unknown,
  step: "fetched" | "stored",
): Attachment {
  logger.warn("An attachment was not kept", { session: sessionKey, of: messageId, error: messageOf(error) });
  return { ...attachment, problem: (reasonOf(error) ?? `it could not be ${step}`).slice(0, MAX_PROBLEM_CHARS) };
}

/** A reason that the model is told unchanged. */
class NotKeptError extends Error {}

/** The reason that the model is told. Nothing of an unknown error, which can contain anything. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof NotKeptError || isSendError(error)) return error.message;
  if (AssistantError.is(error, "BODY_TOO_LARGE")) return "it is larger than the limit for kept files";
  return AssistantError.is(error, "URL_REFUSED") ? "its address may not be fetched" : undefined;
}

/** Milliseconds to wait before another try; `undefined` if another try is useless. */
function pauseAfter(error: unknown): number | undefined {
  if (AssistantError.is(error, "FETCH_FAILED")) return PAUSE_MS;
  if (!isSendError(error) || !error.retryable) return undefined;
  const pauseMs = error.retryAfterMs ?? PAUSE_MS;
  return pauseMs <= MAX_PAUSE_MS ? pauseMs : undefined;
}

/** Recognizes a `ChannelSendError` of any copy of this package. */
function isSendError(error: unknown): error is Error & { retryable: boolean; retryAfterMs?: number } {
  return error instanceof Error && "retryable" in error;
}

function tooLarge(maxBytes: number): string {
  return `it is larger than ${formatBytes(maxBytes)}`;
}

function maxBytesOf({ maxBytes = DEFAULT_MAX_ARTIFACT_BYTES }: Pick<AttachmentParts, "maxBytes">): number {
  return maxBytes;
}

function callIdOf(messageId: string, index: number): string {
  return `attachment:${index}:${messageId}`;
}

/** The known fields, shortened, without content. */
function withoutExcess({ name, mediaType, url, sizeBytes, artifact, problem }: Attachment): Attachment {
  const plainName = fileName(textOf(name));
  const keeper = textOf(artifact, MAX_TYPE_CHARS);
  const address = textOf(url);
  const isLong = address !== undefined && !isDataUrl(address) && address.length > MAX_URL_CHARS;
  const why = isLong ? "its address is too long" : textOf(problem, MAX_PROBLEM_CHARS);
  return {
    ...(plainName !== undefined && { name: plainName }),
    mediaType: textOf(mediaType, MAX_TYPE_CHARS) ?? "",
    ...(address !== undefined && !isLong && !isDataUrl(address) && { url: address }),
    ...(typeof sizeBytes === "number" && { sizeBytes }),
    ...(keeper !== undefined && { artifact: keeper }),
    ...(why !== undefined && { problem: why }),
  };
}

function textOf(value: unknown, mostChars = Infinity): string | undefined {
  return typeof value === "string" ? value.slice(0, mostChars) : undefined;
}

/** A file name without its path and without invisible characters; `undefined` if nothing is left. */
export function fileName(name: string | undefined): string | undefined {
  const plain = (name ?? "")
    .slice(-4096)
    .replace(/^.*[/\\]/s, "")
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]+/gu, " ")
    .trim();
  if (/^\.*$/.test(plain)) return undefined;
  const signs = Array.from(plain);
  // Keeps the end of a long name, which has the file's extension.
  return signs.length <= MAX_NAME_CHARS ? plain : `…${signs.slice(1 - MAX_NAME_CHARS).join("")}`;
}

/** Formats a size as `120 KB` or `5 MB`: units of 1024, one decimal below 10. */
export function formatBytes(bytes: number): string {
  const units = ["bytes", "KB", "MB", "GB"];
  let size = bytes;
  let unit = 0;
  for (; size >= 1024 && unit < units.length - 1; unit += 1) size /= 1024;
  return `${Number(size.toFixed(size < 10 ? 1 : 0))} ${units[unit]}`;
}
