const HOURS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
const MINUTES: Readonly<Record<string, string>> = {
  fifteen: "15",
  thirty: "30",
  "forty-five": "45",
  "forty five": "45",
};
const HOUR = `\\d{1,2}|${HOURS.join("|")}`;
const FROM_THE_HOUR = new RegExp(`\\b(?<part>half|quarter)\\s+(?<side>past|to)\\s+(?<hour>${HOUR})\\b`, "i");
const IN_WORDS = new RegExp(
  `^(?:(?:at|around|about|make it|let['’]?s say)\\s+)?(?<hour>${HOURS.join("|")})(?:\\s+(?<minutes>${Object.keys(MINUTES).join("|")}))?\\b`,
  "i",
);
const HOUR_ZH = /[零一二两三四五六七八九十\d]{1,3}(?:点.*|[:：]\d\d)/u;
const QUARTER_TO_ZH = /差一刻(?:钟)?(?:到)?(?<hour>[一二两三四五六七八九十]{1,2}|\d{1,2})点/u;
const DIGITS_ZH = ["零", "一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二"];

/** The time of day in an answer, in schedule form: `8:30` for "half past eight", `8:45` for "quarter to nine". */
export function saidHour(answer: string): string | undefined {
  const { part = "", side = "", hour } = FROM_THE_HOUR.exec(answer)?.groups ?? {};
  if (hour !== undefined) {
    const isBefore = side.toLowerCase() === "to";
    const minutes = part.toLowerCase() === "half" ? 30 : 15;
    const full = numberOf(hour) + (isBefore ? 11 : 12);
    return `${full % 12 || 12}:${isBefore ? 60 - minutes : minutes}`;
  }
  const words = IN_WORDS.exec(answer)?.groups;
  if (words?.["hour"]) {
    const minutes = MINUTES[words["minutes"]?.toLowerCase() ?? ""];
    return `${numberOf(words["hour"])}${minutes === undefined ? "" : `:${minutes}`}`;
  }
  return /\d{1,2}(?:[:.]\d\d)?|\b(?:noon|midnight)\b/i.exec(answer)?.[0];
}

const AT_WORDS = new RegExp(
  `\\b(?:(?:at\\s+)?(?:an?\\s+)?${FROM_THE_HOUR.source.slice(2)}|at\\s+(?:${HOURS.join("|")})(?:\\s+(?:${Object.keys(MINUTES).join("|")}))?\\b(?!\\s+(?:\\w+\\s+)?(?:past|to)\\b))`,
  "gi",
);

/** Words for a time with the hour in schedule form: `tomorrow at 8:30` for "tomorrow at half past eight". */
export function withHourInDigits(when: string): string {
  return when.replace(AT_WORDS, (said) => `at ${saidHour(said)}`);
}

/** The same in Chinese: 八点三刻 for 差一刻九点. */
export function saidHourInChinese(answer: string): string | undefined {
  const hour = QUARTER_TO_ZH.exec(answer)?.groups?.["hour"];
  if (hour === undefined) return HOUR_ZH.exec(answer)?.[0];
  const before = (Number(hour) || DIGITS_ZH.indexOf(hour.replace("两", "二"))) - 1;
  return `${DIGITS_ZH[before] ?? before}点三刻`;
}

function numberOf(hour: string): number {
  return Number(hour) || HOURS.indexOf(hour.toLowerCase()) + 1;
}
