import process from "node:process";
import { guardCommand } from "../../../entry.host.ts";
import { EVERYDAY, TRICKY } from "../../commands/command-table.ts";

// Time of judging one command, cold and warm. Argument: rounds.

const rounds = Number(process.argv[2] ?? 15);
const commands = [...EVERYDAY, ...TRICKY].map(([, command]) => command);
const judge = (command: string) => {
  const startedAt = performance.now();
  guardCommand(command, { workspace: "/srv/assistant/workspace" });
  return performance.now() - startedAt;
};

const first = judge("ls -la");
const slowest: number[] = [];
const median: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  const times = commands.map(judge).sort((one, other) => one - other);
  median.push(times[Math.floor(times.length / 2)] ?? 0);
  slowest.push(times[Math.floor(times.length * 0.99)] ?? 0);
}
console.log(JSON.stringify({ first, median, slowest }));
process.exit(0);
