import { calendarOrUtc } from "../calendar.ts";
import { OWNER_ROLE } from "../policy/index.ts";
import type { JobService, PlannedJob } from "../schedule/index.ts";
import type { Language, MemoryUsers } from "../session/index.ts";
import type { CommandSource } from "./chat-commands.ts";
import { commandText } from "./command-texts.ts";

export interface OwnJobsDeps {
  readonly jobs: Pick<JobService, "list">;
  readonly users: Pick<MemoryUsers, "memoryUserOf" | "usersOf" | "isTheirs">;
  timezoneOf(user: string): string;
}

/**
 * Lists jobs of the person who asks, the next one first, one per line. A group sees only
 * jobs that the person made there.
 */
export type OwnJobs = (source: CommandSource, language: Language) => Promise<readonly OwnJob[]>;

export interface OwnJob {
  readonly line: string;
  /** Next run in the person's time zone. Absent if the job does not run. */
  readonly next?: string;
}

export function createOwnJobs({ jobs, users, timezoneOf }: OwnJobsDeps): OwnJobs {
  return async ({ sessionKey, message }, language) => {
    const isGroup = message.peer.kind !== "direct";
    const isOwner = !isGroup && message.roles.includes(OWNER_ROLE);
    const accounts = new Set([message.user, ...(isGroup || isOwner ? [] : users.usersOf(users.memoryUserOf(message)))]);
    const listed: PlannedJob[] = [];
    for (const user of accounts) listed.push(...(await jobs.list({ user, isOwner })));
    const zone = timezoneOf(message.user);
    const { show } = calendarOrUtc(zone);
    return listed
      .filter(
        ({ job }) => users.isTheirs(message, job) && job.status !== "done" && (!isGroup || job.session === sessionKey),
      )
      .toSorted((a, b) => (a.next[0]?.getTime() ?? Infinity) - (b.next[0]?.getTime() ?? Infinity))
      .map(({ job: { name, status }, next: [time] }): OwnJob => {
        if (time === undefined)
          return { line: commandText(status === "error" ? "JOB_BROKEN" : "JOB_PAUSED", { language }, { name }) };
        const next = `${show(time.getTime())} (${zone})`;
        return { line: commandText("JOB_NEXT", { language }, { name, next }), next };
      });
  };
}
