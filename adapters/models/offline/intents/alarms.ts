import type { Intent } from "../intent.ts";
import { remind } from "./reminders.ts";
import { isWhen, splitWhen } from "./when.ts";

const SPAN_EN = /^(.*?\b(?:sec(?:ond)?|min(?:ute)?|h(?:ou)?r|day)s?)(?: (?:timer|alarm))?$/i;
const AGAIN_EN = /\b(?:every|each|daily|weekdays?|weekends?)\b/i;
const SPAN_ZH = /(?:秒钟?|分钟?|刻钟|小时|钟头)$/u;

/** `for 10 minutes` becomes in 10 minutes, `for 7am` at 7am. */
function timeEn(said: string): string {
  const bare = said.replace(/^(?:for|at|to|in|on)\s+/i, "");
  const span = AGAIN_EN.test(bare) ? undefined : SPAN_EN.exec(bare.replace("-", " "))?.[1];
  if (span !== undefined) return `in ${/^(?:an?|one|1|half)\b/i.test(span) ? span : span.replace(/s?$/i, "s")}`;
  return /^(?:\d|noon|midnight)/i.test(bare) ? `at ${bare}` : bare;
}

/** Everything that rings at a time: a reminder with its own word. */
const alarm: Intent = {
  name: "alarm",
  tools: ["scheduler_create"],
  help: {
    en: ["ring at a time, or after one", "set a timer for 10 minutes"],
    zh: ["到时间叫你", "定一个十分钟的闹钟"],
  },
  phrasings: {
    en: [
      "(set|start|make) (a|an|another|my|the) (timer|alarm) {rest}",
      "(set|start) (a|an|another) {timed} (timer|alarm)",
      "I (need|want) (a|an) (timer|alarm) {rest}",
      "wake me (up |){awake}",
      "I (want|need) to be woken (up |){awake}",
      "(ping|nudge|buzz|alert) me {ping}",
    ],
    zh: [
      "(设|定|设置){rest}的(闹钟|闹铃|计时器|定时器)",
      "(设|定|设置)(一个|个|)(闹钟|闹铃|计时器|定时器)(：|:|，|,|){rest}",
      "闹钟(定在|设在|定到|设到){rest}",
      "{awake}(叫我起床|叫醒我|喊我起床)",
      "(倒计时|计时){rest}",
      "{before}(叫我|喊我|叫我一声|喊我一声|通知我)",
      "{before}(叫我|喊我|通知我|告诉我){ping}",
    ],
  },
  accepts: ({ groups: { before }, language }) => before === undefined || isWhen(before, language),
  call({ groups: { rest, timed, awake, ping, ...answers }, language, text }, conversation) {
    if (ping !== undefined || answers.before !== undefined) {
      const split = splitWhen(answers.before ?? "", ping ?? "", language);
      const isBare = split?.what === "" && split.isClear;
      const task = language === "zh" ? "时间到了" : "the time is up";
      const groups = isBare ? { ...answers, before: split.when, rest: task } : { ...answers, rest: ping ?? "" };
      return remind.call({ groups, language, text }, conversation);
    }
    const said = (awake ?? timed ?? rest ?? "").trim();
    const isTimer = /\btimer\b|计时|定时器/iu.test(text);
    if (language === "zh") {
      const bare = said.replace(/^一?个/u, "");
      const before = SPAN_ZH.test(bare) && !bare.startsWith("每") ? `${bare}后` : bare;
      const task = awake !== undefined ? "起床" : isTimer ? "时间到了" : "闹钟响了";
      return remind.call({ groups: { ...answers, before, rest: task }, language, text }, conversation);
    }
    const task = awake !== undefined ? "wake up" : isTimer ? "the time is up" : "the alarm that you set";
    return remind.call({ groups: { ...answers, before: timeEn(said), rest: task }, language, text }, conversation);
  },
  failed: (reason, match, conversation) => remind.failed?.(reason, match, conversation),
  phrase: (results, match, conversation) => remind.phrase?.(results, match, conversation) ?? { say: "" },
};

export const alarmIntents: readonly Intent[] = [alarm];
