import type { GroupAccess } from "../../../kit.ts";
import { messageOf } from "../../../kit.ts";
import { isRecord } from "./bot-api.ts";
import type { BotApi } from "./bot-api.ts";
import type { ReceiveWay } from "./set-up.ts";
import { ALLOWED_UPDATES } from "./update.ts";

interface Finding {
  readonly ok: boolean;
  readonly what: string;
  readonly remedy?: string;
  readonly isMinor?: boolean;
}

/** Findings about the bot and its webhook, as far as Telegram reports them. */
export async function verifyTelegram(
  api: BotApi,
  options: {
    webhookUrl: string | undefined;
    secret: string | undefined;
    way: ReceiveWay;
    groups: GroupAccess | undefined;
    signal: AbortSignal;
  },
): Promise<readonly Finding[]> {
  const { webhookUrl, secret, way, groups, signal } = options;
  const findings: Finding[] = [];
  if (secret !== undefined && way === "webhook" && !/^[\w-]{1,256}$/.test(secret)) {
    findings.push({
      ok: false,
      what: "Telegram does not accept this secret",
      remedy: "Use 1 to 256 of the characters A-Z, a-z, 0-9, _ and - as the secret, and call setWebhook with it again",
    });
  }
  const me = await ask(api, "getMe", signal);
  if ("error" in me) {
    findings.push({
      ok: false,
      what: `The bot does not answer: ${me.error}`,
      remedy: "Check the token with @BotFather, and that this machine reaches the Bot API",
    });
    return findings;
  }
  findings.push({ ok: true, what: `The token belongs to @${String(me.result["username"])}` });
  if (groups === "always" && me.result["can_read_all_group_messages"] === false) {
    findings.push({
      ok: false,
      what: "The bot sees only messages of groups that address it, but groups is `always`",
      remedy:
        "Turn privacy mode off with @BotFather (/setprivacy), then take the bot out of the group and add it again",
    });
  }

  const webhook = await ask(api, "getWebhookInfo", signal);
  if ("error" in webhook)
    return [...findings, { ok: false, what: `The webhook could not be read: ${webhook.error}`, remedy: "Try again" }];
  const isAsked = way === "poll" || (way === "auto" && (webhook.result["url"] ?? "") === "");
  return [...findings, ...(isAsked ? pollFindings(webhook.result) : webhookFindings(webhook.result, webhookUrl))];
}

function pollFindings(info: Record<string, unknown>): readonly Finding[] {
  const { url } = info;
  if (typeof url === "string" && url !== "")
    return [
      {
        ok: true,
        what: `Messages are polled (getUpdates), so the webhook ${url} is deleted when the assistant starts${waitingOf(info)}`,
      },
    ];
  return [{ ok: true, what: `Messages are polled (getUpdates), no webhook is registered${waitingOf(info)}` }];
}

function webhookFindings(info: Record<string, unknown>, webhookUrl: string | undefined): readonly Finding[] {
  const { pending_update_count: waiting, last_error_message: lastError } = info;
  const url = typeof info["url"] === "string" ? info["url"] : "";
  const findings: Finding[] = [];
  const setWebhook =
    webhookUrl === undefined
      ? "Set server.public_url to register the webhook automatically, or call setWebhook with url=https://<your host>/webhooks/telegram and secret_token=<the channel's secret>"
      : `Start the assistant (wakeful serve), which calls setWebhook with url=${webhookUrl} and the channel's secret as secret_token`;
  if (url === "") findings.push({ ok: false, what: "No webhook is set, so no message arrives", remedy: setWebhook });
  else if (webhookUrl !== undefined && url !== webhookUrl)
    findings.push({ ok: false, what: `The webhook points to ${url}, not here`, remedy: setWebhook });
  else
    findings.push({ ok: true, what: `The webhook is ${url}${waitingOf(info)}` }, ...missingFindings(info, setWebhook));
  if (typeof lastError === "string" && typeof waiting === "number" && waiting > 0) {
    findings.push({
      ok: false,
      what: `${waiting} updates wait, as the last delivery failed: ${lastError}`,
      remedy: lastError.includes("401")
        ? setWebhook
        : "Check that the webhook's address is reachable from the internet over HTTPS",
    });
  }
  return findings;
}

/** Reports kinds of updates that a webhook registered by hand leaves out. */
function missingFindings(info: Record<string, unknown>, setWebhook: string): readonly Finding[] {
  const allowed = allowedBy(info);
  const missing = ALLOWED_UPDATES.filter((name) => !allowed.includes(name));
  if (missing.length === 0) return [];
  const remedy = `${setWebhook} and allowed_updates=${JSON.stringify(ALLOWED_UPDATES)}`;
  const isMinor = missing.every((name) => name === "message_reaction");
  return [{ ok: false, what: `The webhook does not deliver ${missing.join(", ")}`, remedy, isMinor }];
}

/**
 * The kinds of updates that a webhook delivers. Telegram does not report its own default. Source:
 * https://core.telegram.org/bots/api#setwebhook.
 */
function allowedBy({ allowed_updates: allowed }: Record<string, unknown>): readonly unknown[] {
  if (Array.isArray(allowed) && allowed.length > 0) return allowed;
  return ALLOWED_UPDATES.filter((name) => name !== "message_reaction");
}

/** `, 3 updates wait`; empty when none waits. */
function waitingOf({ pending_update_count: waiting }: Record<string, unknown>): string {
  if (typeof waiting !== "number" || waiting === 0) return "";
  return waiting === 1 ? ", 1 update waits" : `, ${waiting} updates wait`;
}

async function ask(
  api: BotApi,
  method: string,
  signal: AbortSignal,
): Promise<{ result: Record<string, unknown> } | { error: string }> {
  try {
    const answer = await api.call(method, {}, { signal });
    if (!answer.ok) return { error: answer.refusal.description };
    return isRecord(answer.result) ? { result: answer.result } : { error: "the answer is not from the Bot API" };
  } catch (error) {
    return { error: messageOf(error) };
  }
}
