import { describeCall, visible } from "../../../kit.ts";
import type { AnsweredRow, RequestRow, RuleRow } from "../approvals-client.ts";
import { type Command, textOf } from "../command.ts";
import { EXIT, UsageError } from "../exit-codes.ts";
import { askSource, onSource, sourceArgs } from "../source-args.ts";
import { printJson, printLine, styled, type Terminal } from "../terminal.ts";

const codeArg = {
  code: { type: "positional", description: "The request's code, as `wakeful approvals` lists it" },
} as const;

const listCommand: Command = {
  meta: {
    name: "approvals list",
    description: "List the calls that wait for your approval, oldest first, with all their arguments",
  },
  args: {
    ...sourceArgs,
    all: { type: "boolean", description: "Also list the requests of the last 30 days that ended" },
  },
  run: (args, terminal) =>
    askSource(args, terminal, async ({ approvals }) => {
      const found = await approvals.list({ all: args["all"] === true });
      if (args["json"]) printJson(terminal, { approvals: found });
      else if (found.length === 0) printLine(terminal.stdout, "Nothing waits for your approval");
      else for (const request of found) printRequest(request, terminal);
      return EXIT.ok;
    }),
};

const approveCommand: Command = {
  meta: { name: "approvals approve", description: "Approve a call and wait for its result" },
  args: {
    ...codeArg,
    ...sourceArgs,
    always: { type: "boolean", description: "Do not ask again for exactly these arguments" },
    pattern: {
      type: "string",
      description: "With --always: do not ask again for calls that match this pattern",
      valueHint: "pattern",
    },
  },
  async run(args, terminal) {
    const always = args["always"] === true;
    const pattern = textOf(args, "pattern");
    if (pattern !== undefined && !always)
      throw new UsageError("--pattern names the calls that are allowed from now on, so it needs --always");
    const answer = { answer: always ? "always" : "once", ...(pattern !== undefined && { pattern }) } as const;
    return onSource(args, terminal, async ({ approvals }) => {
      const answered = await approvals.answer(textOf(args, "code") ?? "", answer);
      if (args["json"]) printJson(terminal, answered);
      else printAnswered(answered, terminal);
      return answered.ok || answered.state === "approved" ? EXIT.ok : EXIT.failed;
    });
  },
};

const denyCommand: Command = {
  meta: { name: "approvals deny", description: "Deny a call; the assistant reads the reason" },
  args: {
    ...codeArg,
    reason: {
      type: "positional",
      required: false,
      description: "The reason, for the assistant; in quotes if it contains spaces",
    },
    ...sourceArgs,
  },
  run: (args, terminal) =>
    onSource(args, terminal, async ({ approvals }) => {
      const reason = textOf(args, "reason");
      const answer = { answer: "deny", ...(reason !== undefined && { reason }) } as const;
      const answered = await approvals.answer(textOf(args, "code") ?? "", answer);
      if (args["json"]) printJson(terminal, answered);
      else printAnswered(answered, terminal);
      return EXIT.ok;
    }),
};

const rulesCommand: Command = {
  meta: { name: "approvals rules", description: "List the rules for calls that need no approval" },
  args: sourceArgs,
  run: (args, terminal) =>
    askSource(args, terminal, async ({ approvals }) => {
      const rules = await approvals.rules();
      if (args["json"]) printJson(terminal, { rules });
      else if (rules.length === 0) printLine(terminal.stdout, "No rules: every dangerous call needs an approval");
      else for (const rule of rules) printRule(rule, terminal);
      return EXIT.ok;
    }),
};

const forgetCommand: Command = {
  meta: { name: "approvals forget", description: "Delete a rule: the next call that matches it asks again" },
  args: {
    id: { type: "positional", description: "The rule's id, as `wakeful approvals rules` lists it" },
    ...sourceArgs,
  },
  run: (args, terminal) =>
    onSource(args, terminal, async ({ approvals }) => {
      const id = textOf(args, "id") ?? "";
      await approvals.removeRule(id);
      if (args["json"]) printJson(terminal, { forgotten: id });
      else printLine(terminal.stdout, `Deleted the rule ${visible(id)}`);
      return EXIT.ok;
    }),
};

export const approvalsCommand: Command = {
  meta: {
    name: "approvals",
    description: "List and answer calls that wait for your approval, and manage the rules for calls you always allow",
  },
  subCommands: {
    list: async () => listCommand,
    approve: async () => approveCommand,
    deny: async () => denyCommand,
    rules: async () => rulesCommand,
    forget: async () => forgetCommand,
  },
  standard: "list",
};

function printRequest(request: RequestRow, terminal: Terminal): void {
  const { stdout } = terminal;
  const { code, tool, user, state, requestedAt, expiresAt, outcome, answeredBy, runBy } = request;
  const until =
    state === "open" ? `, open until ${expiresAt}` : runBy === undefined ? "" : `, waits for its tool until ${runBy}`;
  const how = outcome === undefined ? (state === "open" ? "waits" : state) : outcome.verdict;
  const by = answeredBy === undefined ? "" : ` by ${answeredBy}`;
  printLine(
    stdout,
    `${styled(terminal, "bold", code)}  ${visible(tool)} for ${visible(user)}: ${how}${visible(by)}${styled(terminal, "dim", `, asked ${requestedAt}${until}`)}`,
  );
  printLine(stdout, indented(describeCall(request)));
  if (outcome?.reason !== undefined) printLine(stdout, indented(`reason: ${visible(outcome.reason)}`));
  if (outcome?.error !== undefined)
    printLine(stdout, indented(visible(`${outcome.error.code}: ${outcome.error.message}`)));
  if (outcome?.output !== undefined) printLine(stdout, indented(`result: ${shown(outcome.output)}`));
}

function printAnswered(answered: AnsweredRow, terminal: Terminal): void {
  const { stdout } = terminal;
  const { code, tool, state, ok, output, error, outcome, reply } = answered;
  const verdict = outcome?.verdict ?? state;
  printLine(stdout, `${styled(terminal, "bold", code)}  ${visible(tool)}: ${verdict}`);
  if (state === "approved" && error) {
    printLine(stdout, indented(visible(error.message)));
    printLine(stdout, indented(`To withdraw it before then: wakeful approvals deny ${code}`));
  } else if (ok) printLine(stdout, indented(shown(output)));
  else if (verdict !== "denied" && error)
    printLine(stdout, styled(terminal, "red", indented(visible(`${error.code}: ${error.message}`))));
  else if (outcome?.reason !== undefined) printLine(stdout, indented(visible(outcome.reason)));
  if (reply === undefined || reply.silent) return;
  printLine(stdout, `${styled(terminal, "green", "assistant")}: ${visible(reply.text)}`);
  for (const next of reply.approvals)
    printLine(stdout, `${visible(next.name)} also waits: wakeful approvals shows ${next.code}`);
}

function printRule(rule: RuleRow, terminal: Terminal): void {
  const what = rule.pattern === undefined ? "exactly these arguments" : `calls that match ${visible(rule.pattern)}`;
  printLine(
    terminal.stdout,
    `${styled(terminal, "bold", rule.id)}  ${visible(rule.tool)} for ${visible(rule.for)}: ${what}${styled(terminal, "dim", `, created ${rule.madeAt} by ${visible(rule.by)}`)}`,
  );
  if (rule.input !== undefined)
    printLine(terminal.stdout, indented(describeCall({ input: rule.input, boundTo: null })));
}

function shown(value: unknown): string {
  return visible(typeof value === "string" ? value : JSON.stringify(value ?? null, null, 2));
}

/** Indents every line, so that none can pass for a line of this program. */
function indented(text: string): string {
  return text.replaceAll(/^/gm, "    ");
}
