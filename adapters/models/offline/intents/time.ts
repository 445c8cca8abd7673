import type { Intent, IntentResult, Language, Match, Step } from "../intent.ts";
import { zoneOf } from "./zones.ts";

const WEEKDAYS: Readonly<Record<Language, readonly string[]>> = {
  en: ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"],
  zh: ["星期日", "星期一", "星期二", "星期三", "星期四", "星期五", "星期六"],
};
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

const time: Intent = {
  name: "time",
  tools: ["time"],
  help: {
    en: ["tell the time, here or elsewhere", "what time is it in Tokyo?"],
    zh: ["报时，也可以问别处", "东京现在几点？"],
  },
  phrasings: {
    en: [
      "what time is it( now| right now| please|)",
      "what('s| is|s) the (time|current time)( now| right now|)",
      "(time|current time|the time)( now|)",
      "(tell|give) me the (time|current time)( now|)",
      "do you (know|have) the time",
      "what time is it (now |right now |)in {place:short}",
      "what('s| is|s) the (time|current time|local time) in {place:short}",
      "(time|current time|the time) in {place:short}",
      "(tell|give) me the (time|current time) in {place:short}",
      "how late is it",
    ],
    zh: [
      "(现在|目前|当前|)(是|)几点(钟|)(了|)",
      "(现在|目前|当前)(是|的|)(什么|)时(间|候)(是|)(多少|几点|什么|)",
      "(报时|报一下时间|看看时间|告诉我时间|告诉我现在的时间)",
      "(几点了|几点钟了|什么时间了|什么时候了)",
      "(现在|目前|当前)(是|)(什么|啥)时间",
      "(现在|目前|当前){place:short}(是|)(几点|几点钟|什么时间|的时间)(了|)",
      "{place:short}(现在|目前|当前)(是|的时间是|)(几点|几点钟|什么时间|什么时候)(了|)",
      "{place:short}(是|)(几点|几点钟)(了|)",
      "{place:short}(的|)(时间|当地时间)(是|)(几点|多少|什么|)",
      "(告诉我|查一下|查){place:short}(的|现在的|)时间",
    ],
  },
  accepts: ({ groups, language }) => {
    const { place } = groups;
    // Many Chinese sentences that end in "…时间" or "…几点" ask something else ("我几点开会"), so only known places count there.
    return place === undefined || language === "en" || zoneOf(withoutParticle(place)) !== undefined;
  },
  call: (match) => askTime(match),
  phrase: (results, match) => ({ say: told(results, match, "time") }),
};

const date: Intent = {
  name: "date",
  tools: ["time"],
  help: { en: ["tell the date", "what day is it today?"], zh: ["说出日期", "今天星期几？"] },
  phrasings: {
    en: [
      "what day is (it|today)( today|)",
      "what('s| is|s) (the date|today's date|the date today|today)",
      "what date is (it|today)( today|)",
      "which day (of the week |)is (it|today)( today|)",
      "(today's date|date|date today)",
      "(tell|give) me (the date|today's date)",
    ],
    zh: [
      "今天(是|)(几号|几月几号|什么日子|几月几日|多少号)(了|)",
      "今天(是|)(星期几|周几|礼拜几)(了|)",
      "(今天|现在)(的|)(日期|是哪天)(是|)(什么|多少|几号|)",
      "(几号了|星期几了|周几了)",
      "(告诉我|说说)(今天|)(的|)日期",
      "(现在|今年)(是|)(哪一天|几月几号|几号)",
    ],
  },
  call: (match) => askTime(match),
  phrase: (results, match) => ({ say: told(results, match, "date") }),
};

/** Time and date. */
export const timeIntents: readonly Intent[] = [time, date];

function askTime({ groups, language }: Match): Step {
  const { place } = groups;
  if (place === undefined) return { calls: [{ toolName: "time", input: {} }] };
  const timezone = zoneOf(withoutParticle(place));
  if (timezone !== undefined) return { calls: [{ toolName: "time", input: { timezone } }] };
  return {
    say:
      language === "zh"
        ? `我不知道“${place}”在哪个时区。请说一个大城市，或者时区名，如 Europe/Oslo。`
        : `I do not know the time zone of “${place}”. Name a large city, or a zone such as Europe/Oslo.`,
  };
}

function withoutParticle(place: string): string {
  return place.replace(/^(?:the|在|那)\s{0,3}|(?:那边|那里|的|现在| now| right now| city)$/giu, "");
}

function told(results: readonly IntentResult[], match: Match, asked: "time" | "date"): string {
  const output = results.at(-1)?.output;
  const zh = match.language === "zh";
  const now = readTime(output);
  if (now === undefined) return plainly(output);
  const { place } = match.groups;
  const day = zh
    ? `${now.year}年${now.month}月${now.day}日${WEEKDAYS.zh[now.weekday]}`
    : `${WEEKDAYS.en[now.weekday]}, ${now.day} ${MONTHS[now.month - 1]} ${now.year}`;
  const zone = now.zone === undefined ? "" : zh ? `（${now.zone}）` : ` (${now.zone})`;
  if (asked === "date") return zh ? `今天是${day}${zone}。` : `Today is ${day}${zone}.`;
  if (zh) return `${place === undefined ? "现在是" : `${withoutParticle(place)}现在是`}${day} ${now.clock}${zone}。`;
  return `It is ${now.clock} on ${day}${place === undefined ? "" : ` in ${withoutParticle(place)}`}${zone}.`;
}

interface ReadTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly weekday: number;
  /** Hours and minutes. */
  readonly clock: string;
  readonly zone: string | undefined;
}

/** Reads the local time from the output of a time tool: an ISO 8601 text, or an object with one in any field. */
function readTime(output: unknown): ReadTime | undefined {
  const fields: readonly unknown[] = typeof output === "object" && output !== null ? Object.values(output) : [output];
  const zone = fields.find(
    (field) => typeof field === "string" && /^(?:UTC|[A-Z][A-Za-z_]+\/[A-Za-z_/+-]+)$/.test(field),
  );
  let utc: RegExpExecArray | undefined;
  for (const field of fields) {
    if (typeof field !== "string") continue;
    const found = /(\d{4})-(\d\d)-(\d\d)[T ](\d\d:\d\d)(?::\d\d(?:\.\d+)?)?\s?(Z)?/.exec(field);
    if (found === null) continue;
    // A time with an offset is local. A time in UTC is shown only when there is no other, as UTC.
    if (found[5] === undefined) return timeOf(found, zone as string | undefined);
    utc ??= found;
  }
  return utc === undefined ? undefined : timeOf(utc, "UTC");
}

function timeOf(found: RegExpExecArray, zone: string | undefined): ReadTime {
  const [year, month, day] = [Number(found[1]), Number(found[2]), Number(found[3])];
  const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay();
  return { year, month, day, weekday, clock: found[4] ?? "", zone };
}

function plainly(output: unknown): string {
  return typeof output === "string" ? output : JSON.stringify(output);
}
