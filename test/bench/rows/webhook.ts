import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type RunningProgram, startProgram } from "../child.ts";
import { type Result, type Row, type RowContext, judge } from "../row.ts";
import { type Runtime, commandFor } from "../runtimes.ts";
import { type Sample, ratios, summarize } from "../statistics.ts";
import { formatNumber } from "../table.ts";

interface Load {
  readonly repliesPerSecond: number;
  readonly acknowledgedP50: number;
  readonly acknowledgedP99: number;
  readonly lost: number;
}

const WARM_UP_SECONDS = 1.5;
const SECONDS = 2;

/** Sixteen senders who wait for each answer, over HTTP; platform and senders in one other process. */
export const webhook: Row = {
  name: "webhook",
  rounds: 5,
  async run(context) {
    const results: Result[] = [];
    for (const runtime of context.runtimes) results.push(...(await onRuntime(context, runtime)));
    return results;
  },
};

async function onRuntime(
  { build, peers, root, rounds, say }: RowContext,
  runtime: Runtime,
): Promise<readonly Result[]> {
  const programs = {
    wakeful: join(build, "test/bench/programs/bot-wakeful.js"),
    "by hand": join(build, "test/bench/programs/bot-by-hand.js"),
    "Chat SDK": join(peers, "bot-chat-sdk.ts"),
  };
  const names = Object.keys(programs) as (keyof typeof programs)[];
  const load = await startLoad(root, join(build, "test/bench/programs/load.js"));
  const bots = new Map<string, RunningProgram<{ url: string }>>();
  const measured = new Map<string, Load[]>(names.map((name) => [name, []]));
  try {
    for (const name of names)
      bots.set(name, await startProgram(programs[name], { root, runtime, args: [load.platform] }));
    for (let round = -1; round < rounds; round += 1) {
      for (const name of names) {
        say(`webhook on ${runtime}: ${name}, round ${Math.max(0, round + 1)}`);
        const url = bots.get(name)?.hello.url ?? "";
        const result = await load.send(url, round < 0 ? WARM_UP_SECONDS : SECONDS);
        if (round >= 0) measured.get(name)?.push(result);
      }
    }
  } finally {
    for (const bot of bots.values()) await bot.stop();
    load.stop();
  }
  const of = (name: string) => measured.get(name) ?? [];
  return toResults(runtime, { ours: of("wakeful"), byHand: of("by hand"), chatSdk: of("Chat SDK") });
}

function toResults(
  runtime: Runtime,
  { ours, byHand, chatSdk }: { ours: readonly Load[]; byHand: readonly Load[]; chatSdk: readonly Load[] },
): readonly Result[] {
  const rate = (loads: readonly Load[]) => loads.map((load) => load.repliesPerSecond);
  const measured = (name: string, loads: readonly Load[]) => ({ name, unit: "/s", sample: summarize(rate(loads)) });
  const byHandRatio = ratios(rate(ours), rate(byHand));
  const chatSdkRatio = ratios(rate(ours), rate(chatSdk));
  const p99 = summarize(ours.map((load) => load.acknowledgedP99));
  const lost = (loads: readonly Load[]) => loads.reduce((sum, load) => sum + load.lost, 0);
  return [
    {
      name: `webhook to reply against a route by hand, ${runtime}`,
      figure: times(byHandRatio),
      bar: "≥ 0.4 ×",
      verdict: judge(byHandRatio.median, { least: 0.4 }),
      measured: [measured("wakeful, durable", ours), measured("by hand", byHand)],
      note: `not answered within 5 s: wakeful ${lost(ours)}, by hand ${lost(byHand)}`,
    },
    {
      name: `webhook to reply against Chat SDK, ${runtime}`,
      figure: times(chatSdkRatio),
      bar: "> 1 ×",
      verdict: chatSdkRatio.median > 1 ? "pass" : "fail",
      measured: [measured("wakeful, durable", ours), measured("Chat SDK, in memory", chatSdk)],
      note: `not answered within 5 s: Chat SDK ${lost(chatSdk)}`,
    },
    {
      name: `webhook acknowledged while turns run, p99, ${runtime}`,
      figure: `${formatNumber(p99.median)} ms`,
      bar: "< 50 ms",
      verdict: p99.median < 50 ? "pass" : "fail",
      measured: [
        { name: "p50", unit: "ms", sample: summarize(ours.map((load) => load.acknowledgedP50)) },
        { name: "p99", unit: "ms", sample: p99 },
        {
          name: "p99 by hand, which answers first",
          unit: "ms",
          sample: summarize(byHand.map((load) => load.acknowledgedP99)),
        },
      ],
    },
  ];
}

/** The platform and its people, told line by line what to do. */
async function startLoad(root: string, program: string) {
  const [command, args] = commandFor(root, "node", program, []);
  const child: ChildProcess = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw new Error("The load generator has no pipes");
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  const nextLine = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error("The load generator ended");
    return JSON.parse(value) as unknown;
  };
  const { url: platform } = (await nextLine()) as { url: string };
  return {
    platform,
    async send(url: string, seconds: number): Promise<Load> {
      stdin.write(`${JSON.stringify({ url, seconds })}\n`);
      return (await nextLine()) as Load;
    },
    stop: () => void stdin.end(),
  };
}

function times({ median, lowest, highest }: Sample): string {
  return `${formatNumber(median)} × (${formatNumber(lowest)}–${formatNumber(highest)})`;
}
