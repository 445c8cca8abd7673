import { inOneLine, shortened } from "../short-text.ts";
import type { PlacedNotice } from "./attention-document.ts";

const HAN = /\p{Script=Han}/u;
/** Longest digest, in characters: about one message of a channel. */
export const MAX_DIGEST = 3500;
/** Characters of each notice in a shortened digest, depending on the room. */
const ITEM = { least: 100, most: 400 } as const;
/** Characters of the question in a shortened digest. The person has to read it to answer. */
const MAX_ASKING = 1000;
/** Room for the number and the blank line of a notice. */
const AROUND_ITEM = 8;
/** A code fence that is cut would extend to the end of the message. */
const FENCE = /(?:`{3,}|~{3,})/g;

/** Joins held notices into one message of limited length, with the question, if any, at the end. */
export function digestOf(first: PlacedNotice, notices: readonly PlacedNotice[]): PlacedNotice {
  const { user, channel, account, chat, thread, sessionKey } = first;
  const asking = notices.find(({ offer, buttons }) => offer !== undefined || buttons !== undefined);
  const told = asking === undefined ? notices : [...notices.filter((one) => one !== asking), asking];
  const isChinese = notices.filter(({ text }) => HAN.test(text)).length * 2 > notices.length;
  const heading = isChinese ? `之前没打扰你的 ${told.length} 件事：` : `${told.length} things that could wait:`;
  const whole = listed(
    heading,
    told.map(({ text }) => text.trim()),
  );
  const isLong = whole.length > MAX_DIGEST;
  return {
    id: `digest:${first.id}`,
    type: "digest",
    text: isLong ? brief(heading, told, asking, isChinese) : whole,
    ...(isLong && { whole }),
    user,
    channel,
    ...(account !== undefined && { account }),
    ...(chat !== undefined && { chat }),
    ...(thread !== undefined && { thread }),
    sessionKey,
    ...(asking?.offer && { offer: { ...asking.offer, noticeType: asking.type } }),
    ...(asking?.buttons && { buttons: asking.buttons }),
  };
}

function listed(heading: string, texts: readonly string[]): string {
  return [heading, ...texts.map((text, index) => `${index + 1}. ${text}`)].join("\n\n");
}

/**
 * A shortened digest: the beginning of each notice as far as there is room, the question, and where to read the rest.
 */
function brief(
  heading: string,
  told: readonly PlacedNotice[],
  asking: PlacedNotice | undefined,
  isChinese: boolean,
): string {
  const others = told.filter((one) => one !== asking);
  const question = asking && cut(asking.text, MAX_ASKING);
  const spare = whereToRead(others.length, isChinese).length + (question?.length ?? 0) + 2 * AROUND_ITEM;
  const room = MAX_DIGEST - heading.length - spare;
  const fair = Math.floor(room / Math.max(1, others.length)) - AROUND_ITEM;
  const most = Math.min(ITEM.most, Math.max(ITEM.least, fair));
  const shown: string[] = [];
  let used = 0;
  for (const { text } of others) {
    const item = cut(text, most - 1);
    used += item.length + AROUND_ITEM;
    if (used > room) break;
    shown.push(item);
  }
  const list = listed(heading, question === undefined ? shown : [...shown, question]);
  return `${list}\n\n${whereToRead(others.length - shown.length, isChinese)}`;
}

function cut(text: string, most: number): string {
  const trimmed = text.trim();
  return trimmed.length <= most ? trimmed : shortened(inOneLine(trimmed.replaceAll(FENCE, "")), most);
}

function whereToRead(left: number, isChinese: boolean): string {
  if (isChinese)
    return `${left > 0 ? `还有 ${left} 件。` : ""}全文在网页的通知里，也可以用 GET /api/v1/notifications 读取。`;
  const more = left > 0 ? `And ${left} more. ` : "";
  return `${more}The whole texts are among the notices of the page, and at GET /api/v1/notifications.`;
}
