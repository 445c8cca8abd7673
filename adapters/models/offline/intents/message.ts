import type { Intent } from "../intent.ts";

const message: Intent = {
  name: "message",
  tools: ["message"],
  help: { en: ["send a message", "send a message saying dinner is ready"], zh: ["发消息", "发消息说晚饭好了"] },
  phrasings: {
    en: [
      "(send|write) (a |the |)message to {to:word} (saying|that says|with the text|with)(:|) {text}",
      "(send|write) (me |us |)(a |the |)message (saying|that says|with the text|with)(:|) {text} to {to:word}",
      "(send|write) (me |us |)(a |the |)message (saying|that says|with the text|with)(:|) {text}",
      "(send|write) (a |the |)message to {to:word}: {text}",
      "(send|write) (a |the |)message: {text}",
      "(message|tell|text) {to:word}: {text}",
      "send {to:word} (a |the |)message (saying|that says|with)(:|) {text}",
      "send {text} as (a |)message",
      "(send|write) (a |)message to {to:word}",
      "(send|write) (a |me a |)message",
    ],
    zh: [
      "给{to:word}发(送|)(一条|条|个|)(消息|信息|短信)(，|)(说|：|内容是|告诉他|告诉她){text}",
      "(发|发送)(一条|条|个|)(消息|信息|短信)给{to:word}(，说|，内容是|说|：|内容是){text}",
      "向{to:word}发(送|)(一条|条|个|)(消息|信息|短信)(说|：|:|内容是){text}",
      "(发|发送)(一条|条|个|)(消息|信息|短信)(，|,|)(说|：|:|内容是|写着){text}",
      "(发|发送)(一条|条|个|)内容(是|为){text}的(消息|信息|短信)",
      "把{text}(发出去|作为消息发出去|作为消息发送)",
      "给{to:word}发(送|)(一条|条|个|)(消息|信息|短信)",
      "(发|发送)(一条|条|个|)(消息|信息|短信)",
    ],
  },
  accepts: ({ groups }) =>
    !["me", "us", "you", "him", "her", "them", "我", "你", "他", "她"].includes(groups["to"] ?? ""),
  call({ groups, language }) {
    const { text, to } = groups;
    if (text === undefined) {
      return { slot: "text", ask: language === "zh" ? "消息里要写什么？" : "What shall the message say?" };
    }
    return { calls: [{ toolName: "message", input: to === undefined ? { text } : { text, to } }] };
  },
  phrase(_results, { groups, language }) {
    const { to } = groups;
    if (language === "zh") return { say: to === undefined ? "消息已发出。" : `消息已发给 ${to}。` };
    return { say: to === undefined ? "The message is sent." : `The message to ${to} is sent.` };
  },
};

/** Messages to people. */
export const messageIntents: readonly Intent[] = [message];
