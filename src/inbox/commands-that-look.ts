import type { MemoryApi } from "../memory/index.ts";
import { OWNER_ROLE } from "../policy/index.ts";
import type { InRecord, Language, QueueRules, Session, SessionSettings } from "../session/index.ts";
import type { Speaker } from "../speaker.ts";
import { type Command, type CommandSource, type Commands, say } from "./chat-commands.ts";
import { commandText } from "./command-texts.ts";
import type { OwnJobs } from "./own-jobs.ts";

export interface LookingCommandsDeps {
  /** For `/memory`: what the session remembers. Absent: nothing is remembered. */
  readonly recollection?: Pick<MemoryApi, "counts" | "recall"> & {
    /** The user whose memory a session has. */
    memoryUserOf(speaker: Pick<Speaker, "user" | "channel" | "peer" | "roles">): string;
  };
  /** For `/jobs` and `/status`. Absent: there are no jobs. */
  readonly ownJobs?: OwnJobs;
  /** For `/status`: the session's model, the tokens of its next prompt, and today's usage. */
  describe(session: Session): Promise<{
    readonly model: string;
    readonly tokens: number;
    readonly windowTokens: number;
    readonly usedToday: number;
  }>;
  rules(message: InRecord, settings: SessionSettings): QueueRules;
}

/** Lines that `/memory WORDS` shows. */
const MAX_FOUND = 5;
const MAX_LINE_CHARS = 200;
/** Lines that `/jobs` shows. */
const MAX_JOBS = 10;

export function lookingCommands({ recollection, ownJobs, describe, rules }: LookingCommandsDeps): Commands {
  /** Empty if the person has no jobs. */
  async function jobsLine(source: CommandSource, language: Language): Promise<readonly string[]> {
    const jobs = (await ownJobs?.(source, language)) ?? [];
    const count = jobs.length;
    const next = jobs[0]?.next;
    if (count === 0) return [];
    return [
      next === undefined
        ? commandText("STATUS_JOBS", { language }, { count })
        : commandText("STATUS_JOBS_NEXT", { language }, { count, next }),
    ];
  }

  const help: Command = (_argument, _source, _session, language) => say(commandText("HELP", { language }));

  return {
    help,
    // On Telegram, the button that opens a chat with a bot sends `/start` as a person's first message.
    start: help,

    // Admission handles real claims of ownership earlier; this one cannot claim.
    owner: (_argument, _source, _session, language) => say(commandText("OWNER", { language })),

    whoami: (_argument, { sessionKey, message }, _session, language) =>
      say(
        commandText(
          "WHOAMI",
          { language },
          {
            user: message.user,
            roles: message.roles.join(", "),
            session: sessionKey,
          },
        ),
      ),

    async status(_argument, source, session, language) {
      const { message } = source;
      const { model, tokens, windowTokens, usedToday } = await describe(session);
      const { summary, history, waiting, claimed, open } = session;
      const { mode } = rules({ ...message, v: 1, at: 0 }, session.settings);
      const isWorking = open !== undefined || claimed.length > 0;
      const status = commandText(
        "STATUS",
        { language },
        {
          model,
          tokens,
          window: windowTokens,
          turns: history.length,
          summary: summary ? commandText("SUMMARY", { language }, { turns: summary.turns }) : "",
          mode,
          waiting: waiting.filter(({ id }) => !claimed.includes(id)).length,
          state: commandText(isWorking ? "WORKING" : "RESTING", { language }),
        },
      );
      // The usage of all sessions is for the owner only.
      const isOwner = message.roles.includes(OWNER_ROLE);
      const used = isOwner ? [commandText("USED", { language }, { used: usedToday })] : [];
      return say([status, ...(await jobsLine(source, language)), ...used].join("\n"));
    },

    async jobs(_argument, source, _session, language) {
      const jobs = (await ownJobs?.(source, language)) ?? [];
      if (jobs.length === 0) return say(commandText("JOBS_NONE", { language }));
      const more = jobs.length - MAX_JOBS;
      const lines = jobs.slice(0, MAX_JOBS).map(({ line }) => line);
      if (more > 0) lines.push(commandText("JOBS_MORE", { language }, { count: more }));
      return say(commandText("JOBS", { language }, { lines: lines.join("\n") }));
    },

    async memory(argument, { message }, _session, language) {
      if (!recollection) return say(commandText("NOT_YET", { language }, { name: "memory" }));
      // The memory of this session, also for the owner; the console shows other memories.
      const userId = recollection.memoryUserOf(message);
      const text = argument.trim();
      if (text === "") {
        const { entries, archived, days, facts } = await recollection.counts(userId);
        return say(commandText("MEMORY", { language }, { entries, archived, days, facts }));
      }
      const hits = await recollection.recall({ userId, text, limit: MAX_FOUND });
      if (hits.length === 0) return say(commandText("MEMORY_NONE", { language }));
      const lines = hits.slice(0, MAX_FOUND).map(({ entry: { content, createdAt } }) => {
        const line = content.replace(/\s+/gu, " ").trim();
        const shown = line.length > MAX_LINE_CHARS ? `${Array.from(line).slice(0, MAX_LINE_CHARS).join("")}…` : line;
        return `${createdAt.toISOString().slice(0, 10)}  ${shown}`;
      });
      return say(lines.join("\n"));
    },
  };
}
