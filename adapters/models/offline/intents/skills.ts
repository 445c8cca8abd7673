import type { Intent, IntentResult, Language, Step } from "../intent.ts";

/** Most characters of a skill's text in a reply. */
const SHOWN_CHARACTERS = 2000;
/** Most skills that a reply lists. */
const MOST = 20;
/** Words that name no skill. */
const NO_NAME =
  /^(?:a|an|the|it|that|this|these|those|them|my|your|any|some|all|every|which|what|to|for|它|你|您|我|所有|全部|这个|那个|这些|那些|哪个|什么|一个)$/iu;

/** The shown fields of a skill in tool output. */
interface Shown {
  readonly name: string;
  readonly slug?: string;
  readonly description: string;
  readonly registry?: string;
}

const isNamed: NonNullable<Intent["accepts"]> = ({ groups: { name = "", slug = "" } }) =>
  !NO_NAME.test(name) && !NO_NAME.test(slug);

const useSkill: Intent = {
  name: "use-skill",
  tools: ["skills"],
  phrasings: {
    en: [
      "(use|apply|follow|run|start) (the |my |your |)skill {name:word} (to|for|on|and) {task}",
      "(use|apply|follow|run|start) (the |my |your |)skill {name:word}",
      "(use|apply|follow|run|start) (the |my |your |){name:word} skill (to|for|on|and) {task}",
      "(use|apply|follow|run|start) (the |my |your |){name:word} skill",
      "with (the |my |your |)skill {name:word}(,|:) {task}",
    ],
    zh: [
      "(用|使用|运行|执行)(一下|)技能(：|:|){name:word}(来|去|做|处理){task}",
      "(用|使用|运行|执行)(一下|)技能(：|:|){name:word}",
      "(用|使用|运行|执行)(一下|){name:word}(这个|的|)技能(来|去|做|处理){task}",
      "(用|使用|运行|执行)(一下|){name:word}(这个|的|)技能",
      "(按照|按|照着|照)技能{name:word}(来做|去做|做|来)",
    ],
  },
  accepts: isNamed,
  call: ({ groups: { name = "" } }) => calling({ action: "show", name }),
  phrase([result], { groups: { name = "" }, language }) {
    const honest =
      language === "zh"
        ? `我是离线模型，读不懂文字，没法照技能 ${name} 做；配置了模型就可以。内容如下：`
        : `I am the offline model and understand no text, so I cannot follow the skill ${name}; a configured model would. This is what it says:`;
    return { say: `${honest}\n${textIn(result)}` };
  },
};

const showSkill: Intent = {
  name: "show-skill",
  tools: ["skills"],
  phrasings: {
    en: [
      "(show|show me|read|open|print|describe|explain) (the |my |your |)skill {name:word}",
      "(show|show me|read|open|print|describe|explain) (the |my |your |){name:word} skill",
      "what does (the |my |your |)skill {name:word} (do|say)",
      "what does (the |my |your |){name:word} skill (do|say)",
      "what (is|is in|'s in) the skill {name:word}",
    ],
    zh: [
      "(显示|看看|看一下|查看|读一下|打开|介绍一下|介绍)技能(：|:|){name:word}",
      "(显示|看看|看一下|查看|读一下|打开|介绍一下|介绍){name:word}(这个|的|)技能",
      "技能{name:word}(是什么|是做什么的|做什么|写了什么|有什么用)",
      "{name:word}(这个|)技能(是什么|是做什么的|做什么|写了什么|有什么用)",
      "技能{name:word}的(内容|说明)",
    ],
  },
  accepts: isNamed,
  call: ({ groups: { name = "" } }) => calling({ action: "show", name }),
  phrase: ([result]) => ({ say: textIn(result) }),
};

const findSkill: Intent = {
  name: "find-skills",
  tools: ["find_skills"],
  help: {
    en: ["find skills to install", "find a skill for weather reports"],
    zh: ["查找可安装的技能", "找一个天气预报的技能"],
  },
  phrasings: {
    en: [
      "(find|find me|look for|search for|get) (a |an |)(new |)(skill|skills) (for|to|about|that can) {query:short}",
      "(is there|are there) (a |any |)(skill|skills) to install (for|to|about) {query:short}",
      "(search|look in|ask) the (registry|registries|skill registry) for {query:short}",
      "which (skill|skills) can I install (for|to|about) {query:short}",
      "(find|look for|search for) {query:short} (skill|skills)",
    ],
    zh: [
      "(找|找找|查找|搜索|搜一下|找一下)(一个|个|)(能|可以|用来|用于|关于){query:short}的技能",
      "(找|找找|查找|搜索|搜一下|找一下)(一个|个|){query:short}的技能",
      "(找|找找|查找|搜索|搜一下|找一下)(一个|个|)技能(：|:|来|用来|，|,){query:short}",
      "在技能库(里|中)(找|搜索|查找|搜一下){query:short}",
      "(有没有|有什么|有哪些)(可以|能)安装的(关于|)(技能|)(：|:|，|,){query:short}",
    ],
  },
  accepts: ({ groups: { query = "" } }) => !NO_NAME.test(query.trim()),
  call: ({ groups: { query = "" } }) => ({ calls: [{ toolName: "find_skills", input: { query: query.trim() } }] }),
  phrase([result], { language }) {
    const { found, failed } = foundIn(result?.output);
    const lines = found.map(
      ({ slug, name, description, registry }) =>
        `- ${slug ?? name}${registry === undefined ? "" : ` (${registry})`}: ${description}`,
    );
    const none = language === "zh" ? "没有找到这样的技能。" : "I found no skill for that.";
    const head = language === "zh" ? "找到这些技能：" : "These skills can be installed:";
    const asked =
      language === "zh"
        ? failed.map((name) => `无法查询 ${name}。`)
        : failed.map((name) => `${name} could not be asked.`);
    return { say: [...(lines.length === 0 ? [none] : [head, ...lines]), ...asked].join("\n") };
  },
};

const installSkill: Intent = {
  name: "install-skill",
  tools: ["install_skill"],
  help: { en: ["install a skill", "install the skill weather"], zh: ["安装技能", "安装技能 weather"] },
  phrasings: {
    en: [
      "install (the |a |)skill (called |named |){slug:word}",
      "install (the |){slug:word} skill",
      "(add|download|get) the skill {slug:word} from the (registry|registries)",
      "install {slug:word} as a skill",
      "(set up|download) (the |)skill {slug:word}",
    ],
    zh: [
      "(安装|装上|装一下|装)(一下|)技能(：|:|){slug:word}",
      "(安装|装上|装一下|装)(一下|){slug:word}(这个|的|)技能",
      "把技能{slug:word}(安装好|安装|装上)",
      "把{slug:word}(这个|)技能(安装好|安装|装上)",
      "(从技能库|从库里)(安装|下载){slug:word}",
    ],
  },
  accepts: isNamed,
  call: ({ groups: { slug = "" } }) => ({ calls: [{ toolName: "install_skill", input: { slug } }] }),
  phrase: ([result], { groups: { slug = "" }, language }) => ({ say: installed(result, slug, language) }),
};

const searchSkills: Intent = {
  name: "search-skills",
  tools: ["skills"],
  phrasings: {
    en: [
      "(search|look through|look in) (your |my |the |)skills for {query:short}",
      "do you have (a |any |)(skill|skills) (for|about|to) {query:short}",
      "which (of your |)skills (is|are) (for|about) {query:short}",
      "which skill (is|would be|fits) (best |)for {query:short}",
      "have you (got |)(a |any |)(skill|skills) (for|about|to) {query:short}",
    ],
    zh: [
      "(在|)(你的|我的|已有的|)技能(里|中)(找|搜索|查找|搜一下){query:short}",
      "你有(没有|)(关于|用于|用来|能|会){query:short}的技能",
      "(哪个|哪些|什么)技能(是|)(关于|用于|用来|适合|能){query:short}",
      "你有{query:short}的技能",
      "有(没有|)(关于|用于|用来){query:short}的技能",
    ],
  },
  accepts: ({ groups: { query = "" } }) => !NO_NAME.test(query.trim()),
  call: ({ groups: { query = "" } }) => calling({ action: "search", query: query.trim() }),
  phrase: ([result], { language }) => ({ say: listed(result, language) }),
};

const listSkills: Intent = {
  name: "skills",
  tools: ["skills"],
  help: { en: ["list skills", "which skills do you have?"], zh: ["列出技能", "你有哪些技能？"] },
  phrasings: {
    en: [
      "(which|what) skills (do you have|have you got|do you know|are there|are available|can you use)",
      "(list|show|show me|name|tell me) (all |)(your |the |my |all the |)skills",
      "what (are|'re) your skills",
      "do you have (any |)skills",
      "are there (any |)skills",
    ],
    zh: [
      "(你|您|)(都|)有(哪些|什么|啥)技能",
      "(列出|显示|看看|查看|告诉我)(你的|所有|全部|)技能",
      "技能(列表|清单)",
      "(你|您)(会|能用|可以用)(哪些|什么)技能",
      "(你|您)的技能(有哪些|有什么|是什么)",
    ],
  },
  call: () => calling({ action: "list" }),
  phrase: ([result], { language }) => ({ say: listed(result, language) }),
};

const skillHelped: Intent = {
  name: "skill-helped",
  tools: ["skills"],
  help: {
    en: ["note whether a skill helped", "that skill helped"],
    zh: ["记下技能有没有帮助", "这个技能有帮助"],
  },
  phrasings: {
    en: [
      "(that|this|the|your) skill (really |)(helped|was helpful|was useful|was good|worked well)( me|)( a lot|)",
      "(the |)skill {name:word} (really |)(helped|was helpful|was useful|worked well)( me|)( a lot|)",
      "(the |){name:word} skill (really |)(helped|was helpful|was useful|worked well)( me|)( a lot|)",
      "(that|this|it) (really |)(helped|did help)( me|)( a lot|)",
      "(yes, |)(that|this|it) was (a |)(helpful|useful)( skill|)",
    ],
    zh: [
      "(这个|那个|刚才的|刚才那个)技能(很|真的|)(有帮助|有用|好用|帮上忙了|帮到我了)",
      "技能{name:word}(很|真的|)(有帮助|有用|好用|帮上忙了)",
      "{name:word}(这个|)技能(很|真的|)(有帮助|有用|好用|帮上忙了)",
      "(这|那)(很|真的|)(有帮助|有用|帮上忙了|帮到我了)",
      "(帮到我了|帮上忙了|帮了大忙)",
    ],
  },
  accepts: isNamed,
  call: ({ groups: { name } }) => calling({ action: "feedback", helpful: true, ...(name !== undefined && { name }) }),
  phrase: (_, { language }) => ({ say: language === "zh" ? "记下了：有帮助。" : "Noted: it helped." }),
  failed: (reason, { language }) =>
    withoutSkill(reason, language === "zh" ? "那就好。刚才没有用到技能。" : "Good. No skill was part of it."),
};

const skillDidNotHelp: Intent = {
  name: "skill-did-not-help",
  tools: ["skills"],
  phrasings: {
    en: [
      "(that|this|the|your) skill (did not help|didn't help|didn’t help|was not helpful|wasn't helpful|wasn’t helpful|was no help|was useless|was not useful)( me|)( at all|)",
      "(the |)skill {name:word} (did not help|didn't help|didn’t help|was not helpful|was no help|was useless)( me|)( at all|)",
      "(the |){name:word} skill (did not help|didn't help|didn’t help|was not helpful|was no help|was useless)( me|)( at all|)",
      "(that|this|it) (did not help|didn't help|didn’t help|was no help|was not helpful|wasn't helpful)( me|)( at all|)",
      "(no, |)(that|this|it) was (a |)useless( skill|)",
    ],
    zh: [
      "(这个|那个|刚才的|刚才那个)技能(没有帮助|没帮助|没用|没有用|不好用|没帮上忙)",
      "技能{name:word}(没有帮助|没帮助|没用|没有用|不好用|没帮上忙)",
      "{name:word}(这个|)技能(没有帮助|没帮助|没用|没有用|不好用|没帮上忙)",
      "(这|那)(没有帮助|没帮助|没用|没有用|没帮上忙)",
      "(没帮上忙|没帮到我)",
    ],
  },
  accepts: isNamed,
  call: ({ groups: { name } }) => calling({ action: "feedback", helpful: false, ...(name !== undefined && { name }) }),
  phrase: (_, { language }) => ({ say: language === "zh" ? "记下了：没有帮助。" : "Noted: it did not help." }),
  failed: (reason, { language }) =>
    withoutSkill(reason, language === "zh" ? "抱歉。刚才没有用到技能。" : "I am sorry. No skill was part of it."),
};

const acceptSkill: Intent = {
  name: "accept-skill",
  tools: ["skills"],
  phrasings: {
    en: [
      "(yes|yes please|sure|ok|okay),? (please |)make (it|that|this) (a|into a) skill",
      "(please |)(make|turn) (it|that|this) (a|into a) skill",
      "(yes,? |)(make|keep|save) (the |that |this |)(skill|suggestion) {name:word}",
      "(yes,? |)(keep|save) (it|that|this) as a skill",
      "(yes,? |)accept the (skill|suggestion|suggested skill)",
    ],
    zh: [
      "(好的|好|是的|可以|行|嗯)(，|,|)(把它|把这个|)(做成|变成|存成|保存为|建成)(一个|)技能",
      "(把它|把这个|把这)(做成|变成|存成|保存为|建成)(一个|)技能",
      "(做成|变成|存成|保存为|建成)(一个|)技能(吧|)",
      "接受(这个|)(技能建议|技能|建议){name:word}",
      "接受(这个|)(技能建议|建议的技能)",
    ],
  },
  accepts: isNamed,
  call: ({ groups: { name } }) => calling({ action: "accept", ...(name !== undefined && { name }) }),
  phrase([result], { language }) {
    const name = fieldIn(result?.output, "skill") ?? fieldIn(result?.output, "name");
    if (language === "zh") return { say: name === undefined ? "技能已建好。" : `技能 ${name} 已建好。` };
    return { say: name === undefined ? "It is a skill now." : `It is a skill now: ${name}` };
  },
};

const declineSkill: Intent = {
  name: "decline-skill",
  tools: ["skills"],
  phrasings: {
    en: [
      "(no|nope|no thanks|no thank you),? not (as|like) a skill",
      "(no,? |)(do not|don't|don’t) make (it|that|this) (a|into a) skill",
      "(no,? |)(I |we |)(do not|don't|don’t) (need|want) (a |that |this |)skill (for that|for this|for it|from that)",
      "(no,? |)(drop|decline|reject) the (skill|suggestion|suggested skill)",
      "(no,? |)(drop|decline|reject) the (suggestion|suggested skill) {name:word}",
    ],
    zh: [
      "(不用|不要|不|别)(了|)(，|,|)(不用|不要|别|)(做成|变成|存成|建成)(一个|)技能",
      "(不用|不要|别)(把它|把这个)(做成|变成|存成|建成)(一个|)技能",
      "(拒绝|忽略)(这个|)(技能建议|建议的技能)",
      "(拒绝|忽略)(这个|)(技能建议|建议){name:word}",
      "这个(不用|不要|不需要)(做成|)技能",
    ],
  },
  accepts: isNamed,
  call: ({ groups: { name } }) => calling({ action: "decline", ...(name !== undefined && { name }) }),
  phrase: (_, { language }) => ({
    say: language === "zh" ? "好的，不再建议。" : "All right: I do not suggest it again.",
  }),
};

/** In the order in which they are tried. */
export const skillIntents: readonly Intent[] = [
  declineSkill,
  acceptSkill,
  skillDidNotHelp,
  skillHelped,
  useSkill,
  showSkill,
  searchSkills,
  listSkills,
  installSkill,
  findSkill,
];

function calling(input: Readonly<Record<string, unknown>>): Step {
  return { calls: [{ toolName: "skills", input }] };
}

/** The reply when a person says that something helped although no skill was active. */
function withoutSkill(reason: string, say: string): Step | undefined {
  return reason.includes("name is missing") ? { say } : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fieldIn(output: unknown, name: string): string | undefined {
  const value = isRecord(output) ? output[name] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The skills of an output: a list, or an object with a list. */
function skillsIn(output: unknown, key: string): readonly Shown[] {
  const list = isRecord(output) ? output[key] : output;
  if (!Array.isArray(list)) return [];
  return list.slice(0, MOST).flatMap((one: unknown) => {
    const name = fieldIn(one, "name") ?? fieldIn(one, "slug");
    if (name === undefined) return [];
    const [slug, registry] = [fieldIn(one, "slug"), fieldIn(one, "registry")];
    const description = (fieldIn(one, "description") ?? "").replaceAll(/\s+/g, " ");
    return [{ name, description, ...(slug !== undefined && { slug }), ...(registry !== undefined && { registry }) }];
  });
}

function foundIn(output: unknown): { readonly found: readonly Shown[]; readonly failed: readonly string[] } {
  const failed = isRecord(output) && Array.isArray(output["failed"]) ? output["failed"] : [];
  return {
    found: skillsIn(output, "skills"),
    failed: failed.flatMap((one: unknown) => fieldIn(one, "registry") ?? []),
  };
}

function listed(result: IntentResult | undefined, language: Language): string {
  const output = result?.output;
  if (typeof output === "string" && output.trim() !== "") return output;
  const skills = skillsIn(output, "skills");
  if (skills.length === 0) return language === "zh" ? "没有这样的技能。" : "There are no such skills.";
  const lines = skills.map(({ name, description }) => `- ${name}: ${description}`);
  return [language === "zh" ? "技能：" : "Skills:", ...lines].join("\n");
}

/** A skill's text, or its name and description if there is none. */
function textIn(result: IntentResult | undefined): string {
  const output = result?.output;
  const text = typeof output === "string" ? output : (fieldIn(output, "instructions") ?? fieldIn(output, "text"));
  const about = [fieldIn(output, "name"), fieldIn(output, "description")].filter((one) => one !== undefined);
  const whole = [about.join(": "), text ?? ""].filter((part) => part.trim() !== "").join("\n\n");
  const hidden = whole.length - SHOWN_CHARACTERS;
  return hidden > 0 ? `${whole.slice(0, SHOWN_CHARACTERS).replace(/[\uD800-\uDBFF]$/, "")}…` : whole;
}

function installed(result: IntentResult | undefined, slug: string, language: Language): string {
  const output = result?.output;
  const name = fieldIn(output, "name") ?? slug;
  const version = fieldIn(output, "version");
  const whole = version === undefined ? name : `${name} ${version}`;
  // A note is present while the skill is not used yet.
  const waits = fieldIn(output, "note") !== undefined;
  if (language === "zh")
    return waits ? `技能 ${whole} 已安装，但技能库认为它可疑：所有者同意之后才会使用。` : `技能 ${whole} 已安装。`;
  return waits
    ? `The skill ${whole} is installed. Its registry calls it suspicious, so it waits for the owner's consent.`
    : `The skill ${whole} is installed.`;
}
