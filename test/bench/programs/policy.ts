import process from "node:process";
import { type PolicyFile, decideTool, parsePolicy } from "../../../entry.host.ts";
import { createPolicy, groupsOf } from "../../../src/policy/index.ts";
import { measureCpu } from "./measure-cpu.ts";

// CPU time of one decision with 20 profiles and 200 tools: from memory, by decideTool() anew, and the least that a decision can be, a look into a map.
// Argument: rounds.

const PROFILES = 20;
const TOOLS = 200;
const DECISIONS = 10_000;

const tools = Array.from({ length: TOOLS }, (_, index) => ({
  name: `tool_${index}`,
  tags: [`group:set_${index % 7}`],
  category: `kind_${index % 10}`,
}));
const registered = tools.map((tool) => ({ name: tool.name, groups: groupsOf(tool) }));
const policy: PolicyFile = parsePolicy({
  profiles: Array.from({ length: PROFILES }, (_, index) => ({
    name: index === 0 ? "default" : `profile ${index}`,
    match: {
      channels: [`channel-${index}`, `other-${index}`],
      roles: [`role-${index}`],
      sessions: [`agent:a${index}:`],
    },
    policy: {
      deny: [{ group: `kind_${index}` }, { tool: `tool_${index}*` }, { group: "exec" }],
      allow: [{ group: "set_1" }, { group: "set_2" }, { tool: "tool_1*" }, { group: `kind_${index % 10}` }],
    },
  })),
});
const subjects = Array.from({ length: PROFILES }, (_, index) => ({
  channel: `channel-${index}`,
  roles: ["user", `role-${index}`],
  sessionKey: `agent:a${index}:telegram:direct:42`,
}));
const compiled = createPolicy({ file: policy, parse: parsePolicy });
const table = new Map(subjects.flatMap(({ channel }) => registered.map(({ name }) => [`${channel} ${name}`, true])));

let allowed = 0;
const each = (count: number, decide: (tool: number, subject: number) => boolean) => {
  for (let index = 0; index < count; index += 1) if (decide(index % TOOLS, (index * 7) % PROFILES)) allowed += 1;
  return Promise.resolve();
};
const cpu = await measureCpu(
  [
    {
      name: "decide",
      count: DECISIONS,
      run: (count) => each(count, (tool, subject) => compiled.decide(registered[tool]!, subjects[subject]!).allowed),
    },
    {
      name: "anew",
      count: DECISIONS,
      run: (count) =>
        each(count, (tool, subject) => decideTool(policy, { tool: tools[tool]!, ...subjects[subject]! }).allowed),
    },
    {
      name: "map",
      count: DECISIONS,
      run: (count) =>
        each(count, (tool, subject) => table.get(`${subjects[subject]!.channel} ${registered[tool]!.name}`) === true),
    },
  ],
  Number(process.argv[2] ?? 15),
);
if (allowed === 0) throw new Error("Nothing was allowed");
console.log(JSON.stringify(cpu));
process.exit(0);
