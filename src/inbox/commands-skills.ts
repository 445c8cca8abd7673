import type { Buttons } from "../buttons/index.ts";
import { AssistantError } from "../errors.ts";
import type { Language } from "../session/index.ts";
import type { MemoryUsers } from "../session/index.ts";
import { SKILL_BUTTONS, type KeptSuggestion, type Suggestions } from "../skills/index.ts";
import { type CommandOutcome, type CommandSource, type Commands, say } from "./chat-commands.ts";
import { type GiveFeedback, type SuggestionAnswers, sayWhy } from "./skill-presses.ts";
import { skillText } from "./skill-texts.ts";

/** Lines that `/skills` shows. */
const MAX_SKILLS = 20;
const MAX_SUGGESTIONS = 5;
const MAX_LINE_CHARS = 160;

export interface SkillCommandsDeps {
  /** The skills that are offered to the speaker. */
  offered(source: CommandSource): Promise<readonly { readonly name: string; readonly description: string }[]>;
  readonly suggestions: Pick<Suggestions, "list" | "get">;
  readonly answers: SuggestionAnswers;
  readonly giveFeedback: GiveFeedback;
  readonly users: Pick<MemoryUsers, "memoryUserOf" | "personOf">;
  readonly buttons: Pick<Buttons, "offer">;
}

/** `/skills`: lists skills and suggestions, and takes feedback on both. */
export function skillCommands(deps: SkillCommandsDeps): Commands {
  const { offered, suggestions, answers, giveFeedback, users, buttons } = deps;

  async function list(source: CommandSource, language: Language): Promise<CommandOutcome> {
    const { message } = source;
    const skills = (await offered(source)).map(({ name, description }) => lineOf(`${name}: ${description}`));
    const shown = skills.slice(0, MAX_SKILLS);
    if (skills.length > shown.length)
      shown.push(skillText("MORE", { language }, { count: skills.length - shown.length }));
    const texts = [
      shown.length === 0
        ? skillText("NONE", { language })
        : skillText("SKILLS", { language }, { lines: shown.join("\n") }),
    ];
    // A group must not read what one person does often.
    const open =
      message.peer.kind === "direct"
        ? (await suggestions.list(users.memoryUserOf(message), { state: "open" })).slice(0, MAX_SUGGESTIONS)
        : [];
    if (open.length > 0) {
      const lines = open.map((one) => suggestionLine(one, language)).join("\n");
      texts.push(skillText("SUGGESTED", { language }, { lines }));
    }
    if (skills.length > 0) texts.push(skillText("HOW", { language }));
    const [first] = open;
    const text = texts.join("\n\n");
    return first && open.length === 1
      ? { kind: "say", text, buttons: await buttonsOf(first, source, language) }
      : say(text);
  }

  /** Buttons for a single open suggestion. With several open ones people name the one that they mean. */
  async function buttonsOf({ id, userId }: KeptSuggestion, { sessionKey, message }: CommandSource, language: Language) {
    const { target } = message;
    if (!target) return [];
    const made = await buttons.offer({
      source: `${SKILL_BUTTONS.suggestion} ${id} ${message.id}`,
      kind: SKILL_BUTTONS.suggestion,
      people: [message.user],
      session: sessionKey,
      choices: [
        { id: "yes", label: skillText("YES", { language }) },
        { id: "later", label: skillText("LATER", { language }) },
        { id: "never", label: skillText("NEVER", { language }) },
      ],
      data: { user: userId, suggestion: id },
      language,
      shown: { target, messageId: `answer:${message.id}` },
    });
    return made.buttons;
  }

  async function answerSuggestion(
    verb: "accept" | "decline",
    name: string,
    { message }: CommandSource,
    language: Language,
  ): Promise<string> {
    if (message.peer.kind !== "direct") return skillText("DIRECT_ONLY", { language });
    const user = users.memoryUserOf(message);
    if (name === "") {
      const open = await suggestions.list(user, { state: "open" });
      const names = open.map((one) => one.name).join(", ");
      return open.length === 0 ? skillText("NO_SUGGESTION", { language }) : skillText("WHICH", { language }, { names });
    }
    if (!(await suggestions.get(user, name))) return skillText("NO_SUGGESTION", { language });
    return sayWhy({ language }, async () => {
      const kept = await answers[verb](user, name);
      return skillText(verb === "accept" ? "ACCEPTED" : "DECLINED", { language }, { name: kept });
    });
  }

  /** Takes feedback on a skill. In a group it concerns what was done for this person alone. */
  async function judge(verb: "good" | "bad", name: string, source: CommandSource, language: Language): Promise<string> {
    try {
      await giveFeedback({
        user: users.personOf(source.message),
        session: source.sessionKey,
        ...(name !== "" && { skill: name.toLowerCase() }),
        helpful: verb === "good",
        via: "command",
      });
    } catch (error) {
      if (!AssistantError.is(error, "NOT_FOUND")) throw error;
      return skillText("NO_ACTIVATION", { language });
    }
    return skillText(verb === "good" ? "GOOD" : "BAD", { language });
  }

  return {
    async skills(argument, source, _session, language) {
      const [verb = "", name = "", ...more] = argument.trim().split(/\s+/);
      if (verb === "") return list(source, language);
      if (more.length > 0) return say(skillText("UNCLEAR", { language }));
      if (verb === "accept" || verb === "decline") return say(await answerSuggestion(verb, name, source, language));
      if (verb === "good" || verb === "bad") return say(await judge(verb, name, source, language));
      return say(skillText("UNCLEAR", { language }));
    },
  };
}

function suggestionLine({ name, description, toolSequence, occurrences }: KeptSuggestion, language: Language): string {
  const values = { name, description: lineOf(description), steps: toolSequence.join(" → "), count: occurrences };
  return skillText("SUGGESTION", { language }, values);
}

function lineOf(text: string): string {
  const line = text.replaceAll(/\s+/gu, " ").trim();
  return line.length > MAX_LINE_CHARS ? `${Array.from(line).slice(0, MAX_LINE_CHARS).join("")}…` : line;
}
