import type { PatternEntry } from "../../../src/proactive/index.ts";

// Histories with and without habits. Of every pair of halves one was looked at while the detectors were written, and the other one only measured.

export const DAY = 86_400_000;
export const HOUR = 3_600_000;
/** A Thursday, at noon. */
export const NOW = Date.UTC(2026, 10, 26, 12);

export type Language = "en" | "zh";
export type Part = "first" | "second" | "held-out";

export interface History {
  readonly title: string;
  readonly part: Part;
  /** Names of the detectors that shall find something, and no others. */
  readonly habits: readonly string[];
  readonly entries: readonly PatternEntry[];
}

/** Numbers from 0 to 1, the same for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const list = (text: string) => text.split("|");

const MODIFIERS: Readonly<Record<Part, Readonly<Record<Language, readonly string[]>>>> = {
  first: {
    en: list(
      "ceramic|wooden|leather|Victorian|tropical|electric|Nordic|antique|portable|organic|coastal|alpine|folding|solar|vintage|marble|copper|woollen|handmade|stainless",
    ),
    zh: list(
      "陶瓷|木制|皮质|古典|热带|电动|北欧|仿古|便携|有机|沿海|高山|折叠|太阳能|复古|大理石|铜制|羊毛|手工|不锈钢",
    ),
  },
  second: {
    en: list(
      "bamboo|velvet|concrete|Baroque|desert|hydraulic|Andean|medieval|inflatable|vegan|riverside|arctic|modular|nuclear|retro|granite|bronze|linen|knitted|enamelled",
    ),
    zh: list(
      "竹制|天鹅绒|混凝土|巴洛克|沙漠|液压|安第斯|中世纪|充气|素食|河畔|极地|模块化|核能|怀旧|花岗岩|青铜|亚麻|针织|搪瓷",
    ),
  },
  "held-out": {
    en: list(
      "plastic|silk|brick|Gothic|jungle|pneumatic|Alaskan|colonial|wireless|gluten-free|suburban|volcanic|stackable|geothermal|futuristic|limestone|titanium|cotton|crocheted|lacquered",
    ),
    zh: list(
      "塑料|丝绸|砖砌|哥特|丛林|气动|阿拉斯加|殖民|无线|无麸质|郊区|火山岩|可叠放|地热|未来派|石灰岩|钛合金|棉质|钩编|漆面",
    ),
  },
};
const NOUNS: Readonly<Record<Part, Readonly<Record<Language, readonly string[]>>>> = {
  first: {
    en: list(
      "kettle|violin|bridge|orchid|sofa|tractor|lantern|glacier|mosaic|saddle|compass|bakery|parrot|turbine|cathedral|canoe|chisel|vineyard|telescope|blanket|harbour|accordion|greenhouse|lighthouse|carpet",
    ),
    zh: list(
      "水壶|小提琴|桥梁|兰花|沙发|拖拉机|灯笼|冰川|马赛克|马鞍|罗盘|面包店|鹦鹉|涡轮|教堂|独木舟|凿子|葡萄园|望远镜|毛毯|港口|手风琴|温室|灯塔|地毯",
    ),
  },
  second: {
    en: list(
      "teapot|cello|viaduct|cactus|wardrobe|excavator|chandelier|volcano|fresco|bicycle|sextant|brewery|falcon|generator|monastery|kayak|hammer|orchard|microscope|quilt|marina|harpsichord|aquarium|windmill|tapestry",
    ),
    zh: list(
      "茶壶|大提琴|高架桥|仙人掌|衣柜|挖掘机|吊灯|火山|壁画|自行车|六分仪|酿酒厂|猎鹰|发电机|修道院|皮划艇|锤子|果园|显微镜|被子|码头|羽管键琴|水族馆|风车|挂毯",
    ),
  },
  "held-out": {
    en: list(
      "samovar|trombone|aqueduct|bonsai|bookshelf|bulldozer|chimney|geyser|sculpture|scooter|barometer|distillery|pelican|battery|chapel|trawler|screwdriver|plantation|periscope|cushion|ferry|xylophone|terrarium|watermill|banner",
    ),
    zh: list(
      "茶炊|长号|渡槽|盆景|书架|推土机|烟囱|间歇泉|雕塑|滑板车|气压计|蒸馏厂|鹈鹕|蓄电池|礼拜堂|拖网渔船|螺丝刀|种植园|潜望镜|靠垫|渡轮|木琴|生态缸|水磨|横幅",
    ),
  },
};
const ASKS: Readonly<Record<Language, readonly string[]>> = {
  en: list(
    "How do I restore a {x}?|What is a {x} worth?|Where can I rent a {x}?|Write a poem about a {x}|Translate “{x}” into French|Compare a {x} with a modern one|Draft an email about our {x}|Why would anybody want a {x}?|Is a {x} heavy?|Find three suppliers of a {x}|Summarize this article about a {x}|Sketch a plan for a {x}|Can you describe a {x} for the catalogue?|Who invented the {x}?|Make a list of parts of a {x}",
  ),
  zh: list(
    "怎么修复{x}？|{x}值多少钱？|哪里可以租{x}？|写一首关于{x}的诗|把“{x}”翻译成法语|比较一下{x}和现代的|起草一封关于{x}的邮件|为什么有人要{x}？|{x}重吗？|找三家{x}供应商|总结这篇{x}的文章|给{x}做个方案|能给目录描述一下{x}吗？|谁发明了{x}？|列出{x}的零件",
  ),
};
const TALK: Readonly<Record<Language, readonly string[]>> = {
  en: list(
    "Good morning!|Thanks, perfect|ok|I had a long day|continue|haha nice|My train is late again|We won the match|Hello|that was delicious",
  ),
  zh: list("早上好|谢谢，很好|好的|我今天累死了|继续|哈哈|我的火车又晚点了|我们赢了比赛|你好|这家店真好吃"),
};

export interface Planted {
  readonly text: string;
  readonly at: number;
  readonly slots?: PatternEntry["slots"];
  readonly id?: string;
}

/** What a person says who has no habit: every topic at most twice, greetings, a few tools that failed, promises that were kept. */
export function plainEntries(count: number, language: Language, part: Part, seed: number): Planted[] {
  const random = randomOf(seed);
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)]!;
  const used = new Map<string, number>();
  const entries: Planted[] = [];
  while (entries.length < count) {
    const at = NOW - Math.floor(random() * 60 * DAY) - Math.floor(random() * HOUR);
    const kind = random();
    if (kind < 0.12) entries.push({ text: pick(TALK[language]), at });
    else if (kind < 0.14 && entries.filter(({ slots }) => slots?.["tool"] !== undefined).length < 4)
      entries.push({
        text: "web_fetch",
        at,
        slots: {
          tool: pick(["web_fetch", "web_search"]),
          error: pick(["TIMEOUT", "NOT_FOUND", "PARSE_ERROR", "DNS"]),
          outcome: "failure",
        },
      });
    else {
      const thing = `${pick(MODIFIERS[part][language])}${language === "en" ? " " : ""}${pick(NOUNS[part][language])}`;
      if ((used.get(thing) ?? 0) >= 2) continue;
      used.set(thing, (used.get(thing) ?? 0) + 1);
      const text = pick(ASKS[language]).replace("{x}", thing);
      const isTask = random() < 0.3;
      entries.push(
        isTask
          ? {
              text: `Goal: ${text}\nTools: web_search\nOutcome: success: done`,
              at,
              slots: { type: "auto_capture", outcome: "success" },
            }
          : { text, at },
      );
    }
  }
  return entries;
}

let made = 0;
export function historyOf(title: string, part: Part, habits: readonly string[], planted: readonly Planted[]): History {
  made += 1;
  const entries = planted.map(({ text, at, slots, id }, at_) => ({
    id: id ?? `h${made}-${String(at_).padStart(4, "0")}`,
    userId: "telegram:42",
    content: text,
    keywords: [],
    createdAt: new Date(at),
    slots: slots ?? {},
  }));
  return { title, part, habits, entries };
}

const daysAgo = (days: number, hour = 10, minute = 0) => NOW - (NOW % DAY) - days * DAY + hour * HOUR + minute * 60_000;

/** The same question, in the words of each time. */
const QUESTIONS: Readonly<Record<Part, Readonly<Record<Language, readonly (readonly string[])[]>>>> = {
  first: {
    en: [
      [
        "What's the wifi password of the office?",
        "office wifi password?",
        "Can you tell me the wifi password for the office again?",
      ],
      [
        "How do I reset the VPN client?",
        "how to reset my VPN client",
        "what were the steps to reset the VPN client?",
        "VPN client reset, how?",
      ],
      ["Which port does the staging database use?", "What port is the staging database on?", "staging database port?"],
      [
        "How do I submit an expense report?",
        "Where do I submit my expense report?",
        "how does one submit expense reports",
      ],
      ["What does EBITDA mean?", "remind me what EBITDA is", "What is EBITDA?"],
    ],
    zh: [
      ["公司VPN密码是多少？", "VPN的密码是什么来着", "告诉我VPN密码是多少"],
      ["报销单怎么提交？", "怎么提交报销单", "报销单要在哪里提交？"],
      ["测试环境的数据库端口是多少？", "测试环境数据库端口多少", "数据库测试环境用哪个端口？"],
      ["年假还能结转吗？", "年假可以结转到明年吗？", "请问年假能不能结转"],
    ],
  },
  second: {
    en: [
      ["What's our VAT number?", "vat number please, what was it?", "Tell me what our VAT number is"],
      [
        "How do I rotate the signing keys?",
        "how to rotate signing keys",
        "what's the procedure to rotate the signing keys?",
      ],
      [
        "Where is the parental leave policy?",
        "Where can I find the parental leave policy?",
        "parental leave policy, where is it?",
      ],
      ["How long do I roast chestnuts?", "how long should chestnuts roast?", "Roast chestnuts: how long?"],
      [
        "Which gate does the shuttle bus leave from?",
        "shuttle bus: which gate?",
        "From which gate does the shuttle bus go?",
      ],
    ],
    zh: [
      ["打印机怎么连接？", "怎么连接打印机", "办公室打印机怎么连接啊？"],
      ["公司税号是多少？", "公司的税号多少来着", "告诉我公司税号是什么"],
      ["公司邮编是多少？", "公司的邮编多少来着", "请问公司邮编是什么"],
      ["产假有多少天？", "产假一共多少天？", "请问产假是多少天"],
      ["加密证书怎么续期？", "怎么给加密证书续期", "加密证书续期怎么操作？"],
    ],
  },
  "held-out": {
    en: [
      ["What is the door code of the garage?", "garage door code?", "Tell me the code for the garage door again"],
      ["How do I export an invoice as PDF?", "how to export invoices as pdf", "export invoice to PDF, how?"],
      ["Who is our contact at the insurer?", "Who's the contact at our insurer?", "insurer contact, who was it?"],
      [
        "What's the difference between TCP and UDP?",
        "difference between UDP and TCP?",
        "Explain the difference between TCP and UDP",
      ],
      [
        "When does the pharmacy close?",
        "Until when is the pharmacy open, when does it close?",
        "when does the pharmacy close on Fridays?",
      ],
    ],
    zh: [
      ["停车场的收费标准是什么？", "停车场怎么收费", "停车场收费标准是多少？"],
      ["发票抬头怎么写？", "公司发票抬头怎么写", "发票抬头要怎么写来着"],
      ["服务器怎么重启？", "怎么重启服务器", "重启服务器的命令是什么？"],
      ["班车几点发车？", "班车早上几点发车", "请问班车几点发车？"],
    ],
  },
};

const ROUTINES: Readonly<Record<Part, Readonly<Record<Language, readonly (readonly string[])[]>>>> = {
  first: {
    en: [
      ["Summarize my unread emails", "summarize unread emails please", "Please summarize my unread emails"],
      ["What's the weather in Stockholm today?", "weather Stockholm today?", "How is the weather in Stockholm today?"],
      ["Write the standup report", "write my standup report", "Standup report please"],
      ["Give me the headlines from Reuters", "Reuters headlines", "Reuters headlines please"],
    ],
    zh: [
      ["今天上海天气怎么样？", "上海今天天气", "看看上海今天的天气"],
      ["帮我总结一下未读邮件", "总结未读邮件", "请总结未读邮件"],
      ["写今天的站会日报", "帮我写站会日报", "站会日报写一下"],
    ],
  },
  second: {
    en: [
      ["Check the ticket queue", "check ticket queue please", "Please check the ticket queue"],
      [
        "What meetings do I have on my calendar today?",
        "meetings on my calendar today?",
        "Which meetings are on my calendar today?",
      ],
      ["Post the build status to the team", "post build status", "Please post the build status"],
      ["Log my blood pressure and plot it", "plot my blood pressure", "blood pressure plot please"],
    ],
    zh: [
      ["看看今天人民币汇率", "人民币汇率今天多少？", "人民币今天汇率"],
      ["整理一下工单队列", "帮我整理工单队列", "请整理工单队列"],
      ["生成销售日报", "帮我生成销售日报", "销售日报生成一下"],
    ],
  },
  "held-out": {
    en: [
      ["Collect the overnight alerts", "collect overnight alerts please", "Please collect the overnight alerts"],
      ["How is the Nikkei doing today?", "Nikkei today?", "What's the Nikkei today?"],
      ["Prepare the timesheet for the team", "prepare the team timesheet", "Please prepare the team timesheet"],
      ["Suggest a vegetarian dinner recipe", "vegetarian dinner recipe please", "Suggest vegetarian dinner recipe"],
    ],
    zh: [
      ["查一下今天的金价", "今天金价多少？", "看看今天的金价"],
      ["汇总夜间告警", "帮我汇总夜间告警", "请汇总一下夜间告警"],
      ["准备团队工时表", "帮我准备团队工时表", "团队工时表准备一下"],
    ],
  },
};

const COMMITMENTS: Readonly<Record<Part, Readonly<Record<Language, readonly string[]>>>> = {
  first: {
    en: [
      "I'll send the pension forms to Anna",
      "I will renew the fishing licence",
      "I promised to review Tom's thesis",
    ],
    zh: ["我会把合同发给李雷", "我要续签护照", "我答应审阅小王的论文"],
  },
  second: {
    en: [
      "I'll return the ladder to Henrik",
      "I will book the dentist appointment",
      "I promised to translate the brochure",
    ],
    zh: ["我会把梯子还给老张", "我要预约牙医", "我答应翻译宣传册"],
  },
  "held-out": {
    en: [
      "I'll forward the blueprint to Marta",
      "I will renew the library card",
      "I promised to proofread Ola's cover letter",
    ],
    zh: ["我会把图纸转给小陈", "我要续借图书馆的书", "我答应校对小林的求职信"],
  },
};

const FAILURES: Readonly<Record<Part, readonly { readonly tool: string; readonly errors: readonly string[] }[]>> = {
  first: [
    { tool: "calendar_read", errors: ["TOKEN_EXPIRED", "TOKEN_EXPIRED", "TOKEN_EXPIRED"] },
    {
      tool: "web_fetch",
      errors: ["The request timed out after 30 s", "The request timed out after 20 s", "request timed out after 31 s"],
    },
    {
      tool: "bash",
      errors: [
        "permission denied: /var/log",
        "permission denied: /var/spool",
        "permission denied: /var/mail",
        "permission denied: /var/log",
      ],
    },
  ],
  second: [
    { tool: "jira_search", errors: ["UNAUTHORIZED", "UNAUTHORIZED", "UNAUTHORIZED", "UNAUTHORIZED"] },
    {
      tool: "send_mail",
      errors: [
        "Connection refused by smtp.example.org:587",
        "connection refused by smtp.example.org:465",
        "Connection refused by smtp.example.org",
      ],
    },
    { tool: "vision_analyze", errors: ["RATE_LIMITED", "RATE_LIMITED", "RATE_LIMITED"] },
  ],
  "held-out": [
    { tool: "drive_upload", errors: ["QUOTA_EXCEEDED", "QUOTA_EXCEEDED", "QUOTA_EXCEEDED"] },
    {
      tool: "translate",
      errors: ["Invalid API key provided: sk-1***", "invalid api key provided: sk-2***", "Invalid API key provided"],
    },
    { tool: "list_files", errors: ["EACCES", "EACCES", "EACCES", "EACCES", "EACCES"] },
  ],
};

const SEQUENCES: Readonly<Record<Part, readonly (readonly string[])[]>> = {
  first: [
    ["web_search", "web_fetch", "file_write"],
    ["calendar_read", "send_mail"],
    ["grep", "file_read", "file_edit"],
  ],
  second: [
    ["jira_search", "jira_comment"],
    ["web_fetch", "vision_analyze", "artifact_write"],
    ["find", "file_read", "bash"],
  ],
  "held-out": [
    ["drive_list", "drive_download"],
    ["grep", "bash", "git_commit"],
    ["web_search", "translate", "send_mail"],
  ],
};

function traceOf(tools: readonly string[], at: number, turn: string): Planted {
  return {
    text: `${tools.join("→")}: success. ${turn}`,
    at,
    slots: {
      type: "workflow_trace",
      task_id: turn,
      tool_seq: tools.join("→"),
      outcome: "success",
      steps: tools.map((name) => ({ name, arguments: {}, duration_ms: 10, success: true })),
    },
  };
}

/** All histories of a part. */
export function histories(part: Part): readonly History[] {
  const all: History[] = [];
  let seed = { first: 1000, second: 5000, "held-out": 9000 }[part];
  const random = randomOf(seed);
  const around = (language: Language) => plainEntries(40, language, part, (seed += 1));
  const add = (title: string, habits: readonly string[], planted: readonly Planted[], language: Language) =>
    all.push(historyOf(`${title} (${language})`, part, habits, [...around(language), ...planted]));

  for (const language of ["en", "zh"] as const) {
    for (const asked of QUESTIONS[part][language])
      add(
        `asks ${asked[0]}`,
        ["repeated_question"],
        asked.map((text, at) => ({ text, at: daysAgo(1 + 4 * at, 8 + 3 * at, Math.floor(random() * 60)) })),
        language,
      );
    for (const [which, asked] of ROUTINES[part][language].entries()) {
      const days = [
        [1, 2, 3, 4, 5],
        [1, 3, 4, 6],
        [2, 9, 16, 23],
        [1, 2, 5],
      ][which % 4]!;
      add(
        `asks every day or week: ${asked[0]}`,
        ["time_routine"],
        days.map((day, at) => ({
          text: asked[at % asked.length]!,
          at: daysAgo(day, 7 + which, Math.floor(random() * 40)),
        })),
        language,
      );
    }
    const [dated = "", kept = "", undated = ""] = COMMITMENTS[part][language];
    const committed = (text: string, at: number, due?: string): Planted => ({
      text,
      at,
      slots: { type: "statement", kind: "commitment", ...(due !== undefined && { due }) },
    });
    add("a date has passed", ["stale_commitment"], [committed(dated, daysAgo(9), "2026-11-24")], language);
    add("nothing followed", ["stale_commitment"], [committed(undated, daysAgo(9))], language);
    add(
      "nothing followed, as a slot says",
      ["stale_commitment"],
      [{ text: kept, at: daysAgo(11), slots: { type: "commitment" } }],
      language,
    );
    add("a date is to come", [], [committed(dated, daysAgo(9), "2026-11-28")], language);
    add("said yesterday", [], [committed(undated, daysAgo(1))], language);
    add(
      "kept",
      [],
      [
        committed(kept, daysAgo(9), "2026-11-24"),
        { text: `${kept}${language === "en" ? ": done, it is sent" : "，已经办好了"}`, at: daysAgo(3) },
      ],
      language,
    );
    add(
      "followed",
      [],
      [
        committed(undated, daysAgo(12)),
        { text: undated.replace(/^I'll |^I will |^I promised to |^我会?要?答?应?/, ""), at: daysAgo(8) },
      ],
      language,
    );
  }
  for (const { tool, errors } of FAILURES[part]) {
    add(
      `${tool} fails`,
      ["tool_failure_pattern"],
      errors.map((error, at) => ({
        text: `${tool} failed: ${error}`,
        at: daysAgo(1 + 2 * at, 11),
        slots: { tool, error, outcome: "failure" },
      })),
      "en",
    );
    add(
      `${tool} fails in different ways`,
      [],
      ["SCHEMA_MISMATCH", "disk quota exceeded", "socket hang up"].map((error, at) => ({
        text: `${tool} failed: ${error}`,
        at: daysAgo(1 + 2 * at, 11),
        slots: { tool, error, outcome: "failure" },
      })),
      "zh",
    );
  }
  for (const tools of SEQUENCES[part]) {
    add(
      `uses ${tools.join(", ")}`,
      ["workflow_sequence"],
      [1, 4, 6, 8].map((day) => traceOf(tools, daysAgo(day, 9 + day), `t${day}`)),
      "en",
    );
    add(
      `uses ${tools.join(", ")} twice`,
      [],
      [1, 4].map((day) => traceOf(tools, daysAgo(day, 9 + day), `t${day}`)),
      "zh",
    );
  }
  for (const language of ["en", "zh"] as const) {
    const [routine = [], other = []] = ROUTINES[part][language];
    add(
      "the like at other times of the day",
      [],
      [1, 3, 6, 8, 11]
        .map((day, at) => ({ text: routine[at % 3]!.replace(/\?|？/g, ""), at: daysAgo(day, (7 + 5 * at) % 24) }))
        .slice(0, 2),
      language,
    );
    add(
      "twice at a like time",
      [],
      [1, 2].map((day) => ({ text: other[0]!, at: daysAgo(day, 8) })),
      language,
    );
    add(
      "a routine that is over",
      [],
      [30, 31, 32].map((day) => ({ text: routine[1]!, at: daysAgo(day, 8) })),
      language,
    );
    add(
      "a question asked twice",
      [],
      QUESTIONS[part][language][0]!.slice(0, 2).map((text, at) => ({ text, at: daysAgo(2 + at * 5, 9 + at) })),
      language,
    );
    add(
      "greets every morning",
      [],
      [1, 2, 3, 4, 5, 6].map((day) => ({ text: TALK[language][0]!, at: daysAgo(day, 8) })),
      language,
    );
    for (let more = 0; more < 3; more += 1)
      add(`nothing in particular ${more}`, [], plainEntries(60, language, part, (seed += 1)).slice(0, 20), language);
    all.push(
      historyOf(`500 entries without a habit (${language})`, part, [], plainEntries(500, language, part, (seed += 1))),
    );
  }
  return all;
}
