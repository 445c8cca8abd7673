import process from "node:process";
import { type Skill, createAssistant, createLibrary, matchSkills, memoryStore } from "../../../entry.host.ts";
import type { MatchInput } from "../../../kit.ts";
import { scriptedModel } from "../../../src/testing/scripted-model.ts";

// Time of matching 1,000 skills, each call by itself, with patterns of the runtime's own engine, with patterns of the linear engine, and with patterns that have
// no certain text; of the first match after a start; of a pattern that explodes elsewhere; of compiling; of loading from a store; and what a library keeps alive.
// Argument: rounds.

const VERBS = [
  "research 调研",
  "summarize 总结",
  "translate 翻译",
  "compare 比较",
  "schedule 安排",
  "draft 起草",
  "review 审阅",
  "plan 规划",
  "track 跟踪",
];
VERBS.push(
  "analyze 分析",
  "collect 收集",
  "organize 整理",
  "explain 解释",
  "test 测试",
  "publish 发布",
  "measure 测量",
  "design 设计",
  "archive 归档",
);
VERBS.push("negotiate 谈判", "audit 审计");
const NOUNS = [
  "competitor 竞品",
  "meeting 会议",
  "budget 预算",
  "report 报告",
  "contract 合同",
  "invoice 发票",
  "roadmap 路线图",
  "customer 客户",
  "survey 问卷",
];
NOUNS.push(
  "newsletter 通讯",
  "release 版本",
  "incident 事故",
  "backlog 待办",
  "hiring 招聘",
  "trip 旅行",
  "recipe 食谱",
  "garden 花园",
  "workout 健身",
);
NOUNS.push(
  "lecture 讲座",
  "thesis 论文",
  "dataset 数据集",
  "market 市场",
  "trend 趋势",
  "launch 上线",
  "pricing 定价",
  "supplier 供应商",
  "inventory 库存",
);
NOUNS.push(
  "shipment 货物",
  "warranty 保修",
  "policy 政策",
  "tax 税务",
  "mortgage 房贷",
  "insurance 保险",
  "calendar 日历",
  "birthday 生日",
  "school 学校",
);
NOUNS.push(
  "homework 作业",
  "vocabulary 词汇",
  "podcast 播客",
  "video 视频",
  "photo 照片",
  "website 网站",
  "server 服务器",
  "database 数据库",
  "backup 备份",
);
NOUNS.push("password 密码", "phone 手机", "laptop 电脑", "printer 打印机", "weather 天气");

const MATCHES = 400;
const pair = (text: string | undefined) => (text ?? "").split(" ") as [string, string];
const skill = (index: number, intentPatterns: (verb: [string, string], noun: [string, string]) => string[]): Skill => {
  const verb = pair(VERBS[index % VERBS.length]);
  const noun = pair(NOUNS[Math.floor(index / VERBS.length) % NOUNS.length]);
  return {
    name: `skill-${index}`,
    description: `${verb.join(" ")} ${noun.join(" ")}`,
    body: "Look at the sources, compare them, and say what is not known.\n\n".repeat(10),
    triggers: {
      intentPatterns: intentPatterns(verb, noun),
      toolSignals: [`tool_${index % 30}`, `tool_${(index + 7) % 30}`],
      contextSignals: { keywords: [...noun, verb[0]], slots: { task_type: [`type_${index % 10}`] } },
      confidenceThreshold: 0.5,
    },
    priority: 1 + (index % 10),
    prerequisites: [],
    maxTokens: 2000,
    cooldown: 300,
    requires: { runtimes: [], channels: [], env: [], bins: [], tools: [] },
    frontmatter: {},
    ...(index % 5 === 0 ? { exclusiveGroup: `group-${index % 50}` } : {}),
  };
};
const thousand = (patterns: Parameters<typeof skill>[1]) =>
  Array.from({ length: 1000 }, (_, index) => skill(index, patterns));
const plain = thousand((verb, noun) => [
  `${verb[0]}.*${noun[0]}|${noun[0]}s? ${verb[0]}|${verb[0]} it`,
  `${verb[1]}.*${noun[1]}|${noun[1]}${verb[1]}`,
]);
const linear = thousand((verb, noun) => [
  `\\b(?:${verb[0]}(?:ing|ed|s)?\\s+)(?:(?:the|our|my)\\s+){0,2}${noun[0]}s?\\b`,
  `(?:帮我|请)*${verb[1]}.*的.*${noun[1]}`,
]);
const uncertain = thousand(() => ["\\w{3}\\d", "^[a-z]+\\?$"]);

const short = VERBS.flatMap((verb, index) => {
  const [first, second] = [pair(verb), pair(NOUNS[(index * 7) % NOUNS.length])];
  return [
    `Could you please ${first[0]} our ${second[0]} for next week, and tell me what changed since the last time?`,
    `帮我${first[1]}一下上个月的${second[1]}，下周要用，谢谢`,
    `Good morning! How was your evening? I had a walk by the river.`,
  ];
});
const long = Array.from({ length: 12 }, (_, index) =>
  Array.from({ length: 40 }, (_, at) => short[(index * 5 + at) % short.length])
    .join("\n")
    .slice(0, 4000),
);
/** Messages with the words of all skills, again and again. */
const full = Array.from({ length: 12 }, (_, index) =>
  Array.from({ length: 12 }, (_, at) => {
    const from = (index * 5 + at * 3) % VERBS.length;
    return [...VERBS.slice(from), ...NOUNS, ...VERBS.slice(0, from)].join(" ");
  })
    .join("\n")
    .slice(0, 4000),
);
const inputOf = (taskInput: string, index: number): MatchInput => ({
  taskInput,
  recentTools: [`tool_${index % 30}`, "file_read"],
  slots: { task_type: `type_${index % 10}`, channel: "telegram", language: "en" },
});

/** Milliseconds of each call. */
const times = (skills: readonly Skill[], texts: readonly string[], count: number, isFitting = true) => {
  const library = createLibrary(skills);
  if (library.problems.length > 0) throw new Error(JSON.stringify(library.problems[0]));
  const results: number[] = [];
  let found = 0;
  for (let index = 0; index < count * 2; index += 1) {
    const input = inputOf(texts[index % texts.length] ?? "", index);
    const from = performance.now();
    found += matchSkills(library, input, { now: 1_000_000, lastActivated: { "skill-7": 999_000 } }).length;
    if (index >= count) results.push(performance.now() - from);
  }
  if (found === 0 && isFitting) throw new Error("Nothing matched");
  return results.sort((one, other) => one - other);
};
const at = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
const timed = (run: () => void) => {
  const from = performance.now();
  run();
  return performance.now() - from;
};

const measured: Record<string, number[]> = {};
const keep = (name: string, value: number) => void (measured[name] ??= []).push(value);
const alive = () => {
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage().heapUsed / 1e6;
};

/** A skill as its file. JSON is YAML. */
const fileOf = ({ name, description, body, triggers, priority, exclusiveGroup }: Skill) =>
  [
    "---",
    `name: ${name}`,
    `description: ${description}`,
    `triggers: { intent_patterns: ${JSON.stringify(triggers?.intentPatterns)}, tool_signals: ${JSON.stringify(triggers?.toolSignals)}, context_signals: { keywords: ${JSON.stringify(triggers?.contextSignals.keywords)}, slots: ${JSON.stringify(triggers?.contextSignals.slots)} } }`,
    `priority: ${priority}`,
    ...(exclusiveGroup === undefined ? [] : [`exclusive_group: ${exclusiveGroup}`]),
    "---",
    body,
  ].join("\n");
/** The time until an assistant that was not asked before has read, compiled and matched all skills of its store. */
const loading = async (skills: readonly Skill[]) => {
  const store = memoryStore();
  for (const skill of skills) await store.put(`skills/${skill.name}/SKILL.md`, fileOf(skill));
  const assistant = await createAssistant({
    model: scriptedModel([]),
    store,
    skills: { builtIn: false, global: false },
  });
  const from = performance.now();
  const found = await assistant.skills.match({ text: short[0] ?? "" });
  const tookMs = performance.now() - from;
  const listed = await assistant.skills.list();
  if (listed.length !== skills.length || found.length === 0) throw new Error(`${listed.length} skills were loaded`);
  await assistant.stop({ graceMs: 0 });
  return tookMs;
};

// The first match of a process compiles regular expressions and counts the tokens of the bodies.
const cold = createLibrary(plain);
keep(
  "firstMs",
  timed(() => void matchSkills(cold, inputOf(short[0] ?? "", 0))),
);
keep("loadMs", await loading(plain));
for (let round = 0; round < Number(process.argv[2] ?? 5); round += 1) {
  keep(
    "plainCompileMs",
    timed(() => void createLibrary(plain)),
  );
  keep(
    "linearCompileMs",
    timed(() => void createLibrary(linear)),
  );
  for (const [name, skills] of Object.entries({ plain, linear, uncertain })) {
    const ofShort = times(skills, short, name === "uncertain" ? MATCHES / 10 : MATCHES * 5, name !== "uncertain");
    keep(`${name}Median`, at(ofShort, 0.5));
    keep(`${name}P99`, at(ofShort, 0.99));
    const ofLong = times(skills, long, name === "uncertain" ? MATCHES / 10 : MATCHES, name !== "uncertain");
    keep(`${name}LongMedian`, at(ofLong, 0.5));
    keep(`${name}LongP99`, at(ofLong, 0.99));
    const ofFull = times(skills, full, MATCHES / 10, name !== "uncertain");
    keep(`${name}FullMedian`, at(ofFull, 0.5));
    keep(`${name}FullP99`, at(ofFull, 0.99));
  }
  const exploding = createLibrary([{ ...plain[0]!, triggers: { ...plain[0]!.triggers!, intentPatterns: ["(a+)+$"] } }]);
  keep(
    "explodingMs",
    timed(() => void matchSkills(exploding, { taskInput: `${"a".repeat(3999)}!` })),
  );
}
for (const [name, skills] of Object.entries({ plain, linear })) {
  const before = alive();
  const library = createLibrary(skills);
  for (const [index, text] of short.entries()) matchSkills(library, inputOf(text, index));
  keep(`${name}Megabytes`, alive() - before);
  if (library.skills.length !== 1000) throw new Error("Skills were left out");
}
console.log(JSON.stringify(measured));
process.exit(0);
