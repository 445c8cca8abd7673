import { VERSION } from "../../../mod.ts";
import { type McpServerStatus } from "../../../kit.ts";
import { type Command, jsonArg, settingsArgs, settingsOf, textOf } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { isBegun, storeLine } from "../data-place.ts";
import { modelConfigs, modelName } from "../load-assistant.ts";
import { type UsageView, readUsage, withSource } from "../remote.ts";
import { readSettings } from "../settings.ts";
import { printJson, printLine, styled } from "../terminal.ts";
import { printable } from "../transcript-lines.ts";

/** Most sessions that are counted. */
const MAX_COUNTED = 1000;

export const statusCommand: Command = {
  meta: { name: "status", description: "Show what runs, with which model and data" },
  args: {
    ...settingsArgs,
    ...jsonArg,
    url: { type: "string", description: "Address of the running server", valueHint: "address" },
    token: { type: "string", description: "The owner's token for the running server", valueHint: "token" },
  },
  async run(args, terminal) {
    const settings = readSettings(settingsOf(args), terminal);
    const models = await modelConfigs(settings.config, terminal.env);
    const given = { url: textOf(args, "url"), token: textOf(args, "token") };
    const usage = await readUsage(settings, terminal, given);
    const status = await withSource(
      settings,
      terminal,
      given,
      async ({ sessions, server }) => ({
        running: server !== undefined,
        ...(server && { url: server.url, checks: await server.ready(), mcp: await server.mcp() }),
        sessions: (await sessions.list({ limit: MAX_COUNTED })).length,
      }),
      { asks: true },
    );
    const begun = status.running || isBegun(settings, terminal.cwd);
    const model = models.length === 0 ? "offline" : models.map(modelName).join(", then ");
    const channels = Object.keys(settings.config.channels ?? {});
    const data = storeLine(settings, terminal.cwd);
    const healthy = status.checks?.every(({ ok }) => ok) ?? true;
    if (args["json"]) {
      const config = settings.file ?? null;
      printJson(terminal, { version: VERSION, ...status, usage, model, data, begun, config, channels });
    } else {
      const row = (name: string, text: string) =>
        printLine(terminal.stdout, `${styled(terminal, "dim", `${name}:`.padEnd(10))}${text}`);
      row("version", VERSION);
      row(
        "server",
        status.running
          ? `${status.url ?? ""}${healthy ? "" : styled(terminal, "red", " is not healthy: wakeful doctor says why")}`
          : "not running",
      );
      row("model", model);
      for (const line of usageLines(usage)) row("usage", line);
      row("data", begun ? data : `${data}: nothing is stored yet; wakeful start creates it`);
      row("config", settings.file ?? "none, the defaults apply");
      row("channels", channels.length === 0 ? "none" : channels.join(", "));
      for (const line of mcpLines(Object.keys(settings.config.mcp?.servers ?? {}), status.mcp))
        row("mcp", printable(line));
      row("sessions", status.sessions === MAX_COUNTED ? `${MAX_COUNTED} or more` : String(status.sessions));
    }
    return healthy ? EXIT.ok : EXIT.failed;
  },
};

/** Usage of today and this month, and one line for each budget. */
function usageLines(usage: UsageView | null): readonly string[] {
  if (usage === null) return [];
  const show = ({ inputTokens, outputTokens, cost }: UsageView["today"]) =>
    `${number(inputTokens + outputTokens)} tokens${cost === 0 ? "" : ` (${number(cost)})`}`;
  const until =
    usage.untilMs === undefined ? "" : `; no model is asked before ${new Date(usage.untilMs).toISOString()}`;
  return [
    `${show(usage.today)} today, ${show(usage.month)} this month${until}`,
    ...usage.budgets.map(
      ({ budget, kind, used, limit }) =>
        `${budget} budget: ${number(used)} of ${number(limit)}${kind === "tokens" ? " tokens" : ""} (${limit === 0 ? 100 : Math.floor((used / limit) * 100)} %)`,
    ),
  ];
}

function number(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: 2 });
}

/** One line for each server; the configured ones when no running server reports their state. */
function mcpLines(configured: readonly string[], running: readonly McpServerStatus[] | undefined): readonly string[] {
  if (running === undefined)
    return configured.length === 0 ? [] : [`${configured.join(", ")} (not connected: nothing runs)`];
  return running.map(({ name, state, detail, tools, heldBack }) => {
    const offered = `${tools.length} ${tools.length === 1 ? "tool" : "tools"}`;
    const held =
      heldBack.length === 0
        ? ""
        : `; waiting for your approval: ${heldBack.map(({ tool }) => tool).join(", ")} (wakeful approvals shows the questions; once they have expired, a restart asks again)`;
    return `${name} ${state}, ${offered}${held}${detail === undefined ? "" : `; ${detail}`}`;
  });
}
