import type { PlacedNotice } from "./attention-document.ts";

const HAN = /\p{Script=Han}/u;

/** Joins what waited into one message, with the question of the one that asks something at the end. */
export function digestOf(first: PlacedNotice, notices: readonly PlacedNotice[]): PlacedNotice {
  const { user, channel, account, chat, thread, sessionKey } = first;
  const asking = notices.find(({ offer, buttons }) => offer !== undefined || buttons !== undefined);
  const told = asking === undefined ? notices : [...notices.filter((one) => one !== asking), asking];
  const isChinese = notices.filter(({ text }) => HAN.test(text)).length * 2 > notices.length;
  const heading = isChinese ? `之前没打扰你的 ${told.length} 件事：` : `${told.length} things that could wait:`;
  return {
    id: `digest:${first.id}`,
    type: "digest",
    text: [heading, ...told.map(({ text }, index) => `${index + 1}. ${text.trim()}`)].join("\n\n"),
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
