import { randomBytes } from "node:crypto";
import { VERSION } from "../../../mod.ts";
import type { RunningServer, Servable, ServeOptions } from "../../runtimes/node/index.ts";
import { type Arguments, type Command, jsonArg, settingsArgs, settingsOf, textOf } from "../command.ts";
import { chatOn, talkerOf } from "../conversation.ts";
import { EXIT } from "../exit-codes.ts";
import { isBegun, keepToken, storeLine } from "../data-place.ts";
import { loadAssistant } from "../load-assistant.ts";
import { stderrLogger } from "../log-sink.ts";
import { watchConfig } from "../config-file.ts";
import { isInWorkspace, policyPath, watchPolicy } from "../policy-file.ts";
import { portOf, readSettings, servedToken, type Settings, urlOn } from "../settings.ts";
import { printJson, printLine, styled, type Terminal } from "../terminal.ts";

const serveArgs = {
  ...settingsArgs,
  ...jsonArg,
  port: { type: "string", description: "Port to listen on; 0 picks any free port", valueHint: "number" },
  host: { type: "string", description: "Address to listen on", valueHint: "address" },
} as const;

export const serveCommand: Command = {
  meta: { name: "serve", description: "Serve the assistant: web page, API, webhooks" },
  args: serveArgs,
  run: (args, terminal) => serveUntilSignal(args, terminal, false),
};

export const startCommand: Command = {
  meta: { name: "start", description: "Serve the assistant and, in a terminal, chat with it" },
  args: serveArgs,
  run: (args, terminal) => serveUntilSignal(args, terminal, terminal.interactive),
};

async function serveUntilSignal(args: Arguments, terminal: Terminal, withChat: boolean): Promise<number> {
  const settings = readSettings(settingsOf(args), terminal);
  const { config } = settings;
  const port = portOf(textOf(args, "port"), settings, terminal.env);
  const known = servedToken(settings, terminal.env);
  const ownerHasOne = known !== undefined || config.server?.tokens?.some(({ role }) => role === "owner") === true;
  const ownToken = randomBytes(24).toString("base64url");
  const isFirst = !isBegun(settings, terminal.cwd);
  const logger = stderrLogger(terminal, config.log ?? {}, withChat ? "warning" : "info");

  // A signal during start-up still ends the program in order.
  let ended = () => {};
  const signalled = new Promise<void>((resolve) => (ended = resolve));
  const stopListening = terminal.onSignal((signal) => {
    if (signal === "SIGTERM" || !withChat) ended();
  });
  try {
    const loaded = await loadAssistant(settings, terminal, {
      logger,
      ...(known !== undefined && { token: known }),
      ownToken,
    });
    const { assistant, modelLine } = loaded;
    const talker = withChat ? talkerOf(assistant) : undefined;
    const hostname = textOf(args, "host") ?? config.server?.host;
    let dropToken = () => {};
    const server = await (async () => {
      // Before it listens: a chat that waits for the server reads the token as soon as it answers.
      dropToken = keepToken(settings, terminal.cwd, ownToken);
      return serve(assistant, { port, ...(hostname !== undefined && { hostname }) });
    })().catch(async (error: unknown) => {
      dropToken();
      await assistant.stop({ graceMs: 0 });
      throw error;
    });
    const watched = (path: string) => ({
      path,
      logger,
      terminal,
      inWorkspace: isInWorkspace(path, settings, terminal.cwd),
    });
    const policyFile = policyPath(settings, terminal.cwd);
    const stopsWatching = [
      ...(policyFile === undefined ? [] : [watchPolicy({ ...watched(policyFile), policy: assistant.policy })]),
      ...(settings.file === undefined
        ? []
        : [
            watchConfig({
              ...watched(settings.file),
              config,
              // Names the file, since the default search would find another one once this file is gone.
              read: () => readSettings({ ...settingsOf(args), config: settings.file }, terminal).config,
              attention: assistant.attention,
            }),
          ]),
    ];
    try {
      loaded.announce(urlOn(hostname, server.port));
      announce(terminal, args["json"] === true, {
        url: server.url,
        port: server.port,
        model: modelLine,
        data: storeLine(settings, terminal.cwd),
        ...(!ownerHasOne && { token: ownToken }),
        ownerCode: await assistant.access.ownerCode(),
        directChats: directChats(config),
        ...(isFirst &&
          directChats(config) === "none" && {
            nextStep: nextStep(settings, { url: server.url, isTokenShown: !ownerHasOne, withChat }),
          }),
      });
      if (talker) await Promise.race([chatOn(talker, terminal, {}), signalled]);
      else await signalled;
    } finally {
      stopListening(); // a second signal has the default effect
      for (const stopWatching of stopsWatching) stopWatching();
      dropToken();
      await server.stop();
    }
    return EXIT.ok;
  } finally {
    stopListening();
  }
}

interface Announcement {
  readonly url: string;
  readonly port: number;
  readonly model: string;
  readonly data: string;
  readonly token?: string | undefined;
  /** The code that makes a person the owner; `null` when there is an owner. */
  readonly ownerCode: string | null;
  /** Whether a channel can receive the code. */
  readonly directChats: DirectChats;
  /** Advice for a new user. */
  readonly nextStep?: string | undefined;
}

/** `none`: there is no channel; `closed`: no channel accepts direct chats. */
type DirectChats = "none" | "closed" | "open";

function directChats({ channels = {} }: Settings["config"]): DirectChats {
  const all = Object.values(channels).flat();
  if (all.length === 0) return "none";
  return all.some(({ dm }) => dm !== "disabled") ? "open" : "closed";
}

function announce(
  terminal: Terminal,
  json: boolean,
  { url, port, model, data, token, ownerCode, directChats, nextStep }: Announcement,
): void {
  if (json)
    return printJson(terminal, {
      version: VERSION,
      url,
      port,
      model,
      data,
      ...(token !== undefined && { token }),
      ...(ownerCode !== null && { ownerCode }),
    });
  printLine(terminal.stdout, `${styled(terminal, "bold", `Wakeful ${VERSION}`)} on ${styled(terminal, "cyan", url)}`);
  printLine(terminal.stdout, `model: ${model}`);
  printLine(terminal.stdout, `data: ${data}`);
  if (token !== undefined) printLine(terminal.stdout, `token: ${token}`);
  if (ownerCode !== null) {
    printLine(terminal.stdout, `owner code: ${ownerCode}`);
    if (directChats === "open")
      printLine(
        terminal.stdout,
        `There is no owner yet: send /owner ${ownerCode} to the assistant in a direct chat within an hour to become the owner`,
      );
    if (directChats === "closed")
      printLine(
        terminal.stdout,
        "There is no owner yet, and no channel takes direct chats: configure one, restart, and send the new code there as /owner CODE",
      );
  }
  if (nextStep !== undefined) printLine(terminal.stdout, `next: ${nextStep}`);
}

/** The next step for a new user. */
function nextStep(
  { file }: Settings,
  { url, isTokenShown, withChat }: { readonly url: string; readonly isTokenShown: boolean; readonly withChat: boolean },
): string {
  const signIn = `open ${url} and sign in with ${isTokenShown ? "the token above" : "your token"}`;
  const more =
    file === undefined ? "npx wakeful init asks for a model and Telegram" : `configure models and channels in ${file}`;
  return `${withChat ? "write below, or " : ""}${signIn}; ${more}`;
}

/** Starts the server of the current runtime. */
async function serve(assistant: Servable, options: ServeOptions): Promise<RunningServer> {
  if ("Bun" in globalThis) return (await import("../../runtimes/bun/index.ts")).serve(assistant, options);
  if ("Deno" in globalThis) return (await import("../../runtimes/deno/index.ts")).serve(assistant, options);
  return (await import("../../runtimes/node/index.ts")).serve(assistant, options);
}
