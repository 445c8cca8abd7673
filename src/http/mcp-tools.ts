import type { Clock } from "../clock.ts";
import type { Reply } from "../reply.ts";
import type { ToolResult } from "../tools/index.ts";
import * as v from "valibot";
import { newId } from "../ids.ts";
import type { Submission } from "../inbox/index.ts";
import type { Caller } from "./auth.ts";
import { failureFor } from "./failure.ts";
import type { McpToolDescription } from "../libraries.ts";
import { messageInput, replyWithin } from "./reply-within.ts";
import { ProblemError } from "./problem.ts";
import { checked } from "./route.ts";
import { MessageBody } from "./wire.ts";

/** A tool that other agents may call. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly input: v.GenericSchema;
  readonly output: v.GenericSchema;
  readonly annotations: NonNullable<McpToolDescription["annotations"]>;
  /** Whether this caller sees the tool. Default: every caller does. */
  isOffered?(caller: Caller): Promise<boolean>;
  /** Contract: a thrown error is reported to the caller as the tool's error. */
  run(
    input: Readonly<Record<string, unknown>>,
    caller: Caller,
  ): Promise<{ readonly text: string; readonly structured: Record<string, unknown>; readonly failed?: boolean }>;
}

/** Has no user: the token alone decides who speaks. */
const SendInput = v.pick(MessageBody, ["text", "session", "id"]);

const SendOutput = v.object({
  text: v.string(),
  turn_id: v.string(),
  session_key: v.string(),
  approvals: v.array(v.looseObject({})),
});

/** As the input of the tool `memory_recall`. */
const RecallInput = v.strictObject({
  query: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(500), v.description("What to look for")),
  limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(20), v.description("Default 5"))),
});

const RecallOutput = v.object({
  memories: v.array(
    v.object({
      id: v.string(),
      content: v.string(),
      date: v.pipe(v.string(), v.description("`2026-02-01`")),
      from: v.optional(v.pipe(v.string(), v.description("`long_term`, `daily` or `archive`; absent for an entry"))),
    }),
  ),
});

/** As the input of the tool `scheduler_create`. */
const CreateJobInput = v.strictObject({
  schedule: v.pipe(
    v.string(),
    v.trim(),
    v.minLength(1),
    v.maxLength(300),
    v.description(
      "When: `in 20 minutes`, `every weekday at 9`, 每天早上九点, a time in ISO 8601, or five fields of cron",
    ),
  ),
  task: v.pipe(
    v.string(),
    v.trim(),
    v.minLength(1),
    v.maxLength(8000),
    v.description("What to do then, in words that are understood without this call"),
  ),
  name: v.optional(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(200), v.description("A short name"))),
  timezone: v.optional(
    v.pipe(v.string(), v.maxLength(64), v.description("IANA zone of the schedule; left out: the person's")),
  ),
});

const JobOutput = v.object({
  id: v.string(),
  name: v.string(),
  task: v.string(),
  status: v.pipe(v.string(), v.description("`active`, `paused`, `error` or `done`")),
  next: v.pipe(v.array(v.string()), v.description("Its next three times, each with its zone")),
});

const JobsOutput = v.object({ jobs: v.array(JobOutput) });

/** As the output of the tool `scheduler_list`. `user` is set if the job is not the speaker's own. */
const ListedJobs = v.object({ jobs: v.array(v.object({ ...JobOutput.entries, user: v.optional(v.string()) })) });

/** Tools of the assistant, run through the dispatch point with the speaker's rights. */
export interface SpokenTools {
  run(name: string, input: unknown, speaker: Submission): Promise<ToolResult>;
  /** Whether the speaker's model would see the tool. */
  isOffered(name: string, speaker: Submission): Promise<boolean>;
}

export interface OfferedToolsDeps {
  send(input: Submission): Promise<Reply>;
  /** If absent, only `send` is offered. */
  readonly tools?: SpokenTools;
  readonly clock: Clock;
}

/**
 * Returns the tools for other agents. A tool acts with the rights of the token and never takes a user from the call.
 */
export function offeredTools({ send, tools, clock }: OfferedToolsDeps): readonly OfferedTool[] {
  const isOffered = (name: string) => async (caller: Caller) =>
    speaks(caller) && (await tools?.isOffered(name, speakerIn(caller))) === true;

  /** Runs a tool and checks its output. @throws {ProblemError} If it failed or its output does not fit the schema. */
  async function outputOf<Schema extends v.GenericSchema>(
    name: string,
    input: unknown,
    caller: Caller,
    schema: Schema,
  ): Promise<v.InferOutput<Schema>> {
    const found = await tools?.run(name, input, speakerIn(caller));
    if (!found) throw new ProblemError("NOT_FOUND", `This assistant has no ${name}`);
    if (!found.ok)
      throw new ProblemError("FORBIDDEN", "error" in found ? found.error.message : "It waits for the owner's approval");
    const output = v.safeParse(schema, found.output);
    if (output.success) return output.output;
    // An oversized result arrives as a shortened text.
    throw new ProblemError("OPTION_INVALID", "More was found than fits: ask for less");
  }

  return [
    {
      name: "send",
      description:
        "Says something to the assistant and waits for its reply, which may take minutes. It remembers the conversation.",
      input: SendInput,
      output: SendOutput,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
      async run(given, caller) {
        const { text, session, id = newId(clock) } = checked(SendInput, given);
        // The speaker is a program, whatever the token's role.
        const message = { ...messageInput(caller, { text, session }, id), isProgram: true };
        const reply = failureFor(caller, await replyWithin({ send, clock }, message, id));
        const structured = {
          text: reply.text,
          turn_id: reply.turnId,
          session_key: reply.sessionKey,
          approvals: [...reply.approvals],
        };
        if (reply.error) return { text: reply.error.message, structured, failed: true };
        return { text: reply.text, structured };
      },
    },
    {
      name: "recall",
      description:
        "Looks in what the assistant remembers of the person whose token this is, from earlier conversations. Nothing is said to the assistant, and nothing changes.",
      input: RecallInput,
      output: RecallOutput,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      isOffered: isOffered("memory_recall"),
      async run(given, caller) {
        const found = await outputOf("memory_recall", checked(RecallInput, given), caller, RecallOutput);
        const lines = found.memories.map(({ date, content }) => `${date}  ${content}`);
        return { text: lines.length === 0 ? "Nothing was found" : lines.join("\n"), structured: found };
      },
    },
    {
      name: "jobs_list",
      description: "Lists what the assistant does later for the person whose token this is, with the next times.",
      input: v.strictObject({}),
      output: JobsOutput,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      isOffered: isOffered("scheduler_list"),
      async run(given, caller) {
        const found = await outputOf("scheduler_list", checked(v.strictObject({}), given), caller, ListedJobs);
        // An owner's model sees all jobs; a program sees only those of the token's user.
        const jobs = found.jobs.filter(({ user }) => user === undefined);
        return { text: jobs.length === 0 ? "There are no jobs" : jobs.map(jobLine).join("\n"), structured: { jobs } };
      },
    },
    {
      name: "jobs_create",
      description:
        "Makes a job for the person whose token this is: at its time the assistant does the task and tells them what came of it. Gives its next three times.",
      input: CreateJobInput,
      output: JobOutput,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
      isOffered: isOffered("scheduler_create"),
      async run(given, caller) {
        const job = await outputOf("scheduler_create", checked(CreateJobInput, given), caller, JobOutput);
        return { text: jobLine(job), structured: job };
      },
    },
  ];
}

function jobLine({ id, name, status, next: [next] }: v.InferOutput<typeof JobOutput>): string {
  return `${id}  ${name}: ${next ?? status}`;
}

/** Returns the caller as a speaker without a message. @throws {ProblemError} For a token without a user. */
function speakerIn(caller: Caller): Submission {
  return messageInput(caller, { text: "" }, "");
}

function speaks({ role, user }: Caller): boolean {
  return role === "owner" || user !== undefined;
}
