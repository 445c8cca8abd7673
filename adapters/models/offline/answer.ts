import type { LanguageModelV4CallOptions, LanguageModelV4ToolCallPart } from "@ai-sdk/provider";
import {
  activatedSkillsOf,
  approvalOutcomeOf,
  dueTaskOf,
  isOfPerson,
  notesBefore,
  offeredTools,
  openFrom,
  outcomeOf,
  questionsBefore,
  toolCallsOf,
  turnsBefore,
  utterancesOf,
} from "./conversation.ts";
import type { ToolOutcome, Utterance } from "./conversation.ts";
import { commandResult } from "./intents/commands.ts";
import { RUN_WORKFLOW } from "./intents/workflows.ts";
import type { Ability, Conversation, Intent, IntentCall, IntentResult, Language, Step, Turn } from "./intent.ts";
import type { Understood } from "./matcher.ts";
import { type Known, knownIn } from "./remembered/known.ts";
import { anyQuestionIn } from "./remembered/question.ts";
import { answerFrom } from "./remembered/say.ts";
import { onlyStates } from "./remembered/statements.ts";

/** The model's answer to one call. */
export type Answer = { readonly text: string } | { readonly calls: readonly IntentCall[] };

/** A request of the person that has no answer yet. */
interface Request {
  readonly understood: Understood | undefined;
  readonly conversation: Conversation;
  readonly results: IntentResult[];
  step: Step;
  /** Whether calls were made for it. */
  begun: boolean;
  /** Whether the tool `clarify` sent the question. */
  clarified: boolean;
}

/** Most lines of a message that are read one by one, if each is a request. */
const MAX_LINES = 10;
/** Most open requests: as many messages as an inbox gathers at once. Older ones are dropped. */
const MAX_REQUESTS = 20;
/** Most consecutive questions that are traced back for their slots. */
const MAX_QUESTIONS = 3;
/** Abilities that a short help names. */
const NAMED_ABILITIES = 10;

/**
 * Decides what to say or which tools to call. Keeps no state: everything is read from the prompt. Replays the messages
 * after the last answer in order: each message of the person opens requests, and each round of tool results advances
 * them.
 */
export function answer(
  options: LanguageModelV4CallOptions,
  intents: readonly Intent[],
  match: (text: string) => Understood | undefined,
): Answer {
  const { prompt } = options;
  const offered = offeredTools(options);
  let requests: Request[] = [];
  let calls: readonly LanguageModelV4ToolCallPart[] = [];
  let outcomes = new Map<string, ToolOutcome>();

  const abilities = (language: Language) => abilitiesOf(intents, offered, language);

  function conversationAt(index: number, speaker: string | undefined): Conversation {
    let earlier: readonly Turn[] | undefined;
    let known: readonly Known[] | undefined;
    return {
      speaker,
      get earlier() {
        return (earlier ??= turnsBefore(prompt, index, speaker));
      },
      get known() {
        return (known ??= knownIn(prompt.slice(0, index + 1), speaker));
      },
      get today() {
        return prompt
          .slice(0, index + 1)
          .map((message) => notesBefore(message).day)
          .findLast((day) => day !== undefined);
      },
      offers: (toolName) => offered.has(toolName),
      abilities,
    };
  }

  /** The request in a text. A text counts as the answer to an earlier question only if it is not a request itself. */
  function understand(text: string, question: () => Request | undefined): Understood | undefined {
    const found = match(text);
    if (found !== undefined && (found.intent.tools.length > 0 || ["help", "cancel"].includes(found.intent.name)))
      return found;
    const asked = question();
    if (asked?.understood === undefined || !("ask" in asked.step)) return found;
    return { ...asked.understood, groups: { ...asked.understood.groups, [asked.step.slot]: text } };
  }

  function openRequest(understood: Understood | undefined, { text, speaker }: Utterance, index: number): Request {
    const conversation = conversationAt(index, speaker);
    const step =
      understood === undefined
        ? { say: acknowledged(text) ?? recollected(text, conversation) ?? unknown(text) }
        : begin(understood, conversation);
    return { understood, conversation, results: [], step, begun: false, clarified: false };
  }

  /** The prompt's answer to a question that is not a request. */
  function recollected(text: string, conversation: Conversation): string | undefined {
    const question = anyQuestionIn(text);
    const told = question && answerFrom(question, conversation.known, conversation.today);
    return told?.isAnswer ? told.say : undefined;
  }

  /**
   * Acknowledges a message that only states something about the person. The statement stays in the conversation, where
   * a later question finds it.
   */
  function acknowledged(text: string): string | undefined {
    return onlyStates(text) && prompt.flatMap(activatedSkillsOf).length === 0 ? heard(text) : undefined;
  }

  /**
   * The answer to a text that is not understood. Names a skill that fits it, since a language model would follow that
   * skill.
   */
  function unknown(text: string): string {
    const skills = prompt.flatMap(activatedSkillsOf);
    const said = notUnderstood(text, abilities);
    return skills.length === 0 ? said : `${said}\n${notFollowed(skills, text)}`;
  }

  function begin(understood: Understood, conversation: Conversation): Step {
    const missing = understood.intent.tools.find((tool) => !offered.has(tool));
    return missing === undefined
      ? understood.intent.call(understood, conversation)
      : { say: unable(missing, understood.language) };
  }

  /** The speaker's last message before `index`, as the request that it was then, if the assistant asked about it. */
  function questionBefore(index: number, speaker: string | undefined, depth = 1): Request | undefined {
    const asked = questionsBefore(prompt, index);
    if (asked.length === 0 || depth > MAX_QUESTIONS) return undefined;
    for (let at = index - 1; at >= 0; at--) {
      const message = prompt[at];
      if (message === undefined || !isOfPerson(message)) continue;
      const said = utterancesOf(message).findLast((utterance) => utterance.speaker === speaker);
      if (said === undefined) continue;
      const told = requestsOf(said, at, () => questionBefore(at, speaker, depth + 1));
      for (const request of told) replay(request, at + 1, index);
      return told.findLast(({ step }) => "ask" in step && asked.some((text) => text.includes(step.ask)));
    }
    return undefined;
  }

  /** Advances a request by the results that its calls had then. */
  function replay(request: Request, from: number, to: number): void {
    let called: readonly LanguageModelV4ToolCallPart[] = [];
    for (const message of prompt.slice(from, to)) {
      if (message.role === "assistant") called = toolCallsOf(message);
      if (message.role !== "tool" || !("calls" in request.step)) continue;
      const given = message.content.flatMap((part) => (part.type === "tool-result" ? [part] : []));
      const wanted = callsOf(request.step);
      const results = called.map(({ toolCallId, toolName, input }) => {
        const found = given.find((part) => part.toolCallId === toolCallId);
        return { toolName, input, outcome: found ? outcomeOf(found.output) : undefined };
      });
      const known = results.flatMap(({ outcome, ...call }) => (outcome ? [{ ...call, outcome }] : []));
      if (known.length === wanted.length && wanted.every(({ toolName }, at) => toolName === known[at]?.toolName))
        advance(request, known);
    }
  }

  /** Opens the requests of a new message. An older request without calls got no answer then and is dropped. */
  function hear(said: readonly Utterance[], index: number): void {
    requests = requests.filter(({ begun, clarified }) => begun && !clarified);
    for (const utterance of said)
      requests.push(...requestsOf(utterance, index, () => questionBefore(index, utterance.speaker)));
  }

  /** The requests of a text: one, or one in each line. */
  function requestsOf(utterance: Utterance, index: number, question: () => Request | undefined): readonly Request[] {
    const understood = understand(utterance.text, question);
    const found = linesThatAreRequests(utterance.text);
    // Otherwise the first request would take the other lines as its words.
    const isEach =
      understood === undefined || found.every(({ intent }) => intent === understood.intent || intent.tools.length > 0);
    const lines = isEach && found.length > 0 ? found : [understood];
    return lines.map((line) => openRequest(line, utterance, index));
  }

  /** Reports the result of a call that waited, in the language of the person's last message. */
  function tell(told: string, index: number): Request {
    const conversation = conversationAt(index, undefined);
    const last = conversation.earlier.findLast(({ role }) => role === "user");
    const language = /\p{Script=Han}/u.test(last?.text ?? "") ? "zh" : "en";
    const step = { say: approvalTold(told, language) };
    return { understood: undefined, conversation, results: [], step, begun: true, clarified: false };
  }

  /** Opens the request of a due job: runs a workflow, or reminds the person of anything else. */
  function due(task: string, index: number): Request {
    const understood = match(task);
    if (understood?.intent.name === RUN_WORKFLOW)
      return openRequest(understood, { speaker: undefined, text: task }, index);
    const what = task.replace(/^(?:Remind me of this: |提醒我：)/u, "");
    return { ...tell("", index), step: { say: /\p{Script=Han}/u.test(what) ? `提醒：${what}` : `Reminder: ${what}` } };
  }

  /** The requests in the lines of a text, which holds messages that arrived together. */
  function linesThatAreRequests(text: string): readonly Understood[] {
    const lines = text.split("\n", MAX_LINES + 1).filter((line) => line.trim() !== "");
    if (lines.length < 2 || lines.length > MAX_LINES) return [];
    const found = lines.map(match).filter((line) => line !== undefined);
    return found.length === lines.length ? found : [];
  }

  /** Advances the requests by the results of their calls. */
  function settle(): void {
    if (calls.length === 0) return;
    // Like `spoken`: questions are asked when no request has calls to make.
    const calling = requests.filter(({ step }) => "calls" in step);
    const waiting = calling.length > 0 ? calling : requests.filter(({ step }) => "ask" in step);
    const expected = waiting.flatMap((request) => callsOf(request.step));
    const results = calls.map((call) => ({
      toolName: call.toolName,
      input: call.input,
      outcome: outcomes.get(call.toolCallId) ?? ({ ok: false, reason: "there is no result" } as const),
    }));
    if (expected.length === calls.length && expected.every(({ toolName }, at) => toolName === calls[at]?.toolName)) {
      let at = 0;
      for (const request of waiting) {
        const count = callsOf(request.step).length;
        advance(request, results.slice(at, at + count));
        at += count;
      }
    } else {
      // Another model made these calls. They are not repeated, and their results are shown unchanged.
      requests = requests.filter((request) => !waiting.includes(request));
      const language = waiting[0]?.understood?.language ?? "en";
      const step = { say: results.map(({ toolName, outcome }) => foreign(toolName, outcome, language)).join("\n") };
      requests.push({
        understood: undefined,
        conversation: conversationAt(0, undefined),
        results: [],
        step,
        begun: true,
        clarified: false,
      });
    }
    calls = [];
    outcomes = new Map();
  }

  for (let index = openFrom(prompt); index < prompt.length; index++) {
    const message = prompt[index];
    if (message === undefined || message.role === "system") continue;
    if (message.role === "tool") {
      for (const part of message.content) {
        if (part.type === "tool-result") outcomes.set(part.toolCallId, outcomeOf(part.output));
      }
      continue;
    }
    settle();
    if (message.role === "assistant") {
      calls = toolCallsOf(message);
      continue;
    }
    const task = dueTaskOf(message);
    if (task !== undefined) {
      requests.push(due(task, index));
      continue;
    }
    const said = utterancesOf(message);
    if (said.length > 0) hear(said.slice(-MAX_REQUESTS), index);
    const told = approvalOutcomeOf(message);
    if (told !== undefined) requests.push(tell(told, index));
  }
  settle();
  return spoken(requests, offered, abilities);
}

function spoken(
  requests: readonly Request[],
  offered: ReadonlySet<string>,
  abilities: Conversation["abilities"],
): Answer {
  const calls = requests.flatMap(({ step }) => ("calls" in step ? step.calls : []));
  if (calls.length > 0) return { calls };
  const last = requests.at(-1);
  if (last === undefined) return { text: notUnderstood("", abilities) };
  if (requests.length === 1 && "ask" in last.step && !last.clarified && offered.has("clarify")) {
    return { calls: callsOf(last.step) };
  }
  const texts = requests.map(({ step }) => textOf(step));
  return { text: [...new Set(texts)].join("\n\n") };
}

function textOf(step: Step): string {
  if ("say" in step) return step.say;
  return "ask" in step ? step.ask : "";
}

function callsOf(step: Step): readonly IntentCall[] {
  if ("calls" in step) return step.calls;
  if ("say" in step) return [];
  const { ask, options } = step;
  return [{ toolName: "clarify", input: options === undefined ? { question: ask } : { question: ask, options } }];
}

function advance(
  request: Request,
  results: readonly { toolName: string; input: unknown; outcome: ToolOutcome }[],
): void {
  const { understood, conversation } = request;
  request.begun = true;
  if (understood === undefined || results.length === 0) return;
  if ("ask" in request.step) {
    request.clarified = true;
    return;
  }
  const { language, intent } = understood;
  for (const { toolName, input, outcome } of results) {
    const code = outcome.ok ? awaitedCode(outcome.output) : undefined;
    if (code !== undefined) {
      request.step = { say: awaiting(code, language) };
      return;
    }
    if (!outcome.ok) {
      request.step = intent.failed?.(outcome.reason, understood, conversation) ?? {
        say: failed(outcome.reason, language),
      };
      return;
    }
    request.results.push({ toolName, input, output: outcome.output });
  }
  request.step = intent.phrase?.(request.results, understood, conversation) ?? {
    say: request.results.map(({ toolName, output }) => foreign(toolName, { ok: true, output }, language)).join("\n"),
  };
}

function abilitiesOf(intents: readonly Intent[], offered: ReadonlySet<string>, language: Language): Ability[] {
  const abilities: Ability[] = [];
  for (const { help, tools } of intents) {
    if (help !== undefined && tools.every((tool) => offered.has(tool))) abilities.push(help[language]);
  }
  return abilities;
}

function notUnderstood(text: string, abilities: Conversation["abilities"]): string {
  const language = /\p{Script=Han}/u.test(text) ? "zh" : "en";
  const does = abilities(language).map(([what]) => what);
  const named = does.slice(0, NAMED_ABILITIES);
  const more = does.length > named.length;
  return language === "zh"
    ? `我没听懂。没有配置模型时，我只会：${named.join("；")}${more ? "等" : ""}。说“帮助”看看怎么问。`
    : `I did not understand that. Without a configured model I can only: ${named.join("; ")}${more ? " and a little more" : ""}. Say “help” to see how to ask.`;
}

function heard(text: string): string {
  return /\p{Script=Han}/u.test(text)
    ? "我看到了，你问起时可以照着告诉你。要聊别的，请配置一个模型（见 docs/models.md）。"
    : "I have read that, and can tell you when you ask about it. To talk about it, configure a model (docs/models.md).";
}

function notFollowed(skills: readonly string[], text: string): string {
  const names = skills.join(", ");
  if (/\p{Script=Han}/u.test(text)) return `技能 ${names} 适合这件事：模型会照着做，但我是离线模型，读不懂文字。`;
  const fits = skills.length === 1 ? `The skill ${names} fits` : `The skills ${names} fit`;
  return `${fits} this and would be followed, but I am the offline model and understand no text.`;
}

function unable(tool: string, language: Language): string {
  return language === "zh"
    ? `这里做不到：没有给我 ${tool} 这个工具。`
    : `I cannot do that here: I have not got the tool ${tool}.`;
}

/** The code in the placeholder of a result while the owner is asked. */
function awaitedCode(output: unknown): string | undefined {
  return typeof output === "string" ? /^awaiting approval ([A-Z0-9]{1,16}): /.exec(output)?.[1] : undefined;
}

function awaiting(code: string, language: Language): string {
  return language === "zh"
    ? `正在等待所有者批准（${code}），还没有执行。`
    : `That waits for the owner's approval (${code}); nothing ran yet.`;
}

function approvalTold(told: string, language: Language): string {
  const marker = " ran. Result: ";
  // The request may contain the marker itself. The result is the part after a marker that parses.
  for (let at = told.indexOf(marker); at !== -1; at = told.indexOf(marker, at + 1)) {
    try {
      const output: unknown = JSON.parse(told.slice(at + marker.length));
      const head = language === "zh" ? "已批准并执行。" : "Approved, and done.";
      return `${head}\n${commandResult(output, language)}`;
    } catch {
      // Not this marker.
    }
  }
  return told;
}

function failed(reason: string, language: Language): string {
  return language === "zh" ? `没有成功：${reason}` : `That did not work: ${reason}`;
}

function foreign(toolName: string, outcome: ToolOutcome, language: Language): string {
  if (!outcome.ok) return failed(outcome.reason, language);
  const output = typeof outcome.output === "string" ? outcome.output : JSON.stringify(outcome.output);
  return language === "zh" ? `${toolName} 的结果：${output}` : `${toolName} answered: ${output}`;
}
