import { accessSync, constants, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import process from "node:process";
import { AssistantError, ConfigError, VERSION, checkMcpServer, memoryStore, systemClock } from "../../../entry.host.ts";
import {
  DEFAULT_ACCOUNT,
  DEFAULT_HOST,
  type McpServerOptions,
  brokenGoals,
  damagedDocuments,
  decideWay,
  messageOf,
  mixedSpellings,
  unfinishedMoves,
  searchProviders,
  webhookUrlOf,
  type Channel,
  type Store,
} from "../../../kit.ts";
import { hostPlatform } from "../../platform/host/index.ts";
import type { AccessRows } from "../access-client.ts";
import { type Command, jsonArg, settingsArgs, settingsOf, textOf } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { isBegun, openStore, storeLine, storePath } from "../data-place.ts";
import { channelsOf, isMissing, modelConfigs, modelName, timezoneOf, workspaceOf } from "../load-assistant.ts";
import { misnamedFiles } from "../misnamed-files.ts";
import { isInWorkspace, policyPath, readPolicy } from "../policy-file.ts";
import {
  type ChannelConnection,
  type Source,
  readConnections,
  readUndelivered,
  runningServer,
  withSource,
} from "../remote.ts";
import { readSettings, type Settings } from "../settings.ts";
import { printJson, printLine, styled, type Terminal } from "../terminal.ts";
import { printable } from "../transcript-lines.ts";
import { utf8Text } from "../utf8-text.ts";
import { attentionRows } from "./doctor-attention.ts";
import { jobRows, retentionRow } from "./doctor-jobs.ts";
import { skillRows } from "./doctor-skills.ts";
import { memoryRows } from "./doctor-memory.ts";
import { personaRows } from "./doctor-persona.ts";
import { workflowRows } from "./doctor-workflows.ts";
import type { Row } from "./doctor-row.ts";
import { workspaceRows } from "./doctor-workspace.ts";

/** Most damaged documents with a row of their own. */
const MAX_DAMAGED = 20;
/** Timeout of each check, in milliseconds. */
const TIMEOUT_MS = 10_000;
/** From this number on, the report says "at least". */
const MAX_UNDELIVERED = 100;
/** Every assistant has this tool, so it is no reason to warn an owner who configured nothing. */
const COMES_WITH_ALL = "workflow_save";
/** This program did not exist earlier, so an earlier clock is wrong. */
const EARLIEST_MS = Date.UTC(2026, 0, 1);

export const doctorCommand: Command = {
  meta: {
    name: "doctor",
    description: "Check configuration, model, storage, channels, clock and runtime, and say how to fix what is wrong",
  },
  args: {
    ...settingsArgs,
    ...jsonArg,
    token: { type: "string", description: "The owner's token for the running server", valueHint: "token" },
  },
  async run(args, terminal) {
    const rows = await examine(settingsOf(args), textOf(args, "token"), terminal);
    const failed = rows.some(({ state }) => state === "fail");
    if (args["json"]) printJson(terminal, { ok: !failed, checks: rows });
    else for (const row of rows) printRow(row, terminal);
    return failed ? EXIT.failed : EXIT.ok;
  },
};

async function examine(
  given: { readonly config: string | undefined; readonly data: string | undefined },
  token: string | undefined,
  terminal: Terminal,
): Promise<readonly Row[]> {
  const runtime = runtimeRow();
  let settings: Settings;
  try {
    settings = readSettings(given, terminal);
  } catch (error) {
    return [
      ...mistakesOf(error).map((line): Row => ({
        check: "config",
        state: "fail",
        what: line,
        remedy: "fix that line, then run wakeful config check",
      })),
      runtime,
    ];
  }
  return [
    configRow(settings),
    ...settings.config.warnings.map(({ message, line }): Row => ({
      check: "config",
      state: "warn",
      what: `line ${line}: ${message}`,
      remedy: "remove it, or keep it for a later version",
    })),
    ...policyRows(settings, terminal),
    ...(await modelRows(settings, terminal)),
    ...(await storageRows(settings, token, terminal)),
    ...workspaceRows(settings, terminal.cwd),
    await commandsRow(settings, terminal),
    ...(await approvalRows(settings, token, terminal)),
    ...(await channelRows(settings, token, terminal)),
    ...(await deliveryRows(settings, token, terminal)),
    ...(await personaRows(settings, token, terminal)),
    ...pageRows(settings),
    ...(await mcpRows(settings)),
    searchRow(settings),
    ...(await accessRows(settings, token, terminal)),
    ...(await jobRows(settings, token, terminal)),
    ...(await workflowRows(settings, token, terminal)),
    ...misnamedRows(settings, terminal.cwd),
    ...(await attentionRows(settings, token, terminal)),
    ...(await skillRows(settings, { token }, terminal)),
    ...(await memoryRows(settings, token, terminal)),
    retentionRow(settings),
    clockRow(),
    runtime,
  ];
}

function configRow({ file }: Settings): Row {
  return { check: "config", state: "ok", what: file ?? "no file, the defaults apply" };
}

/** One line for each mistake. */
function mistakesOf(error: unknown): readonly string[] {
  if (!(error instanceof ConfigError)) return [messageOf(error)];
  return error.issues.map((issue) => `${issue.file}:${issue.line}:${issue.column} ${issue.message}`);
}

function policyRows(settings: Settings, terminal: Terminal): readonly Row[] {
  const path = policyPath(settings, terminal.cwd);
  const check = "policy";
  if (path === undefined) return [{ check, state: "ok", what: "no file, the built-in profiles apply" }];
  try {
    const policy = readPolicy(settings, terminal.cwd);
    const names = policy?.profiles.map(({ name }) => name).join(", ") ?? "";
    const remedy = "fix the name, or keep it for a tool that is added later";
    const warnings = policy?.warnings.map(({ line, message }): Row => ({
      check,
      state: "warn",
      what: `${path}:${line} ${message}`,
      remedy,
    }));
    const reachable: Row = {
      check,
      state: "warn",
      what: `${path} is in the workspace, where the assistant may write`,
      remedy: "move it out of the workspace",
    };
    return [
      { check, state: "ok", what: `${path}: ${names || "no profiles"}` },
      ...(isInWorkspace(path, settings, terminal.cwd) ? [reachable] : []),
      ...(warnings ?? []),
    ];
  } catch (error) {
    const remedy = "fix that line, then run wakeful config check";
    return mistakesOf(error).map((what): Row => ({ check, state: "fail", what, remedy }));
  }
}

async function modelRows(settings: Settings, terminal: Terminal): Promise<readonly Row[]> {
  const models = await modelConfigs(settings.config, terminal.env);
  if (models.length === 0) {
    const remedy = "set OPENAI_API_KEY, or OPENAI_BASE_URL for a local server, or name a model in the configuration";
    return [{ check: "model", state: "warn", what: "the offline model answers; it understands little", remedy }];
  }
  const { checkModel } = await import("../../models/from-config/index.ts");
  return Promise.all(
    models.map(async (model): Promise<Row> => {
      const found = await checkModel(model, { env: terminal.env });
      if (found.ok) return { check: "model", state: "ok", what: found.detail };
      return { check: "model", state: "fail", what: `${modelName(model)}: ${found.problem}`, remedy: found.remedy };
    }),
  );
}

async function storageRows(settings: Settings, token: string | undefined, terminal: Terminal): Promise<readonly Row[]> {
  const where = storeLine(settings, terminal.cwd);
  if (!isBegun(settings, terminal.cwd)) return [notBegunRow(where, storePath(settings, terminal.cwd) ?? "")];
  let store: Store | undefined;
  try {
    store = await openStore(settings, terminal.cwd);
    const key = "health/doctor";
    const value = { at: Date.now() };
    await store.put(key, value);
    const read = await store.get(key);
    await store.remove(key);
    if (JSON.stringify(read?.value) !== JSON.stringify(value))
      return [
        {
          check: "storage",
          state: "fail",
          what: `${where}: the data read differs from the data written`,
          remedy: "check the disk",
        },
      ];
    const { durable } = store.caps;
    if (durable === "none")
      return [
        {
          check: "storage",
          state: "warn",
          what: `${where}: works, but loses everything when the process ends`,
          remedy: "use the fs, sqlite or redis store to keep it",
        },
      ];
    return [
      { check: "storage", state: "ok", what: `${where}: can be written` },
      ...(await spellingRows(store)),
      ...(await damagedRows(store)),
      ...(await belongingRows(store)),
      ...(await goalRows(store)),
    ];
  } catch (error) {
    if (AssistantError.is(error, "STORE_LOCKED")) {
      const path = storePath(settings, terminal.cwd) ?? "";
      return [
        await runningRow(settings, token, terminal, where, error),
        ...(await damagedRows(folderStore(path, jsonIn))),
        ...(await goalRows(folderStore(path, (text) => text))),
      ];
    }
    return [
      {
        check: "storage",
        state: "fail",
        what: `${where}: ${messageOf(error)}`,
        remedy: "check that it exists and has free space, and that this user may write to it",
      },
    ];
  } finally {
    await store?.close?.();
  }
}

/** Data of people whose ids differ in case, written by an earlier version that ignored case. */
async function spellingRows(store: Store): Promise<readonly Row[]> {
  return (await mixedSpellings(store)).map(({ what, id, spellings }): Row => {
    const remedy =
      what === "person"
        ? `read it with wakeful memory list --user ${id}, then give each person their entries, or forget them`
        : `read it with wakeful sessions export ${id}; each spelling has a conversation of its own now`;
    return {
      check: "capitals",
      state: "warn",
      what: `${id} was written by ${spellings.join(" and ")}, and is left unchanged`,
      remedy,
    };
  });
}

/** Data under a name that its person no longer has. */
async function belongingRows(store: Store): Promise<readonly Row[]> {
  return (await unfinishedMoves(store)).map(({ from, to, problem }): Row => ({
    check: "links",
    state: "warn",
    what: `data of ${from} could not be moved to ${to}: ${problem}`,
    remedy: "fix or move that file: each start tries again; wakeful memory forget removes it too",
  }));
}

/** The assistant's own documents that a disk or a person damaged. */
async function damagedRows(store: Store): Promise<readonly Row[]> {
  const found = await damagedDocuments(store);
  const rows = found.slice(0, MAX_DAMAGED).map((what): Row => ({
    check: "documents",
    state: "warn",
    what,
    remedy:
      "fix, restore or remove that file; until then the assistant works without it, but does not start if it is an access file",
  }));
  const more = found.length - rows.length;
  if (more > 0) rows.push({ check: "documents", state: "warn", what: `${more} more cannot be read` });
  return rows;
}

/** Reads documents directly from the files of a store that a server has open. Never writes. */
function folderStore(path: string, parse: (text: string) => unknown): Store {
  function bytesOf(key: string): Uint8Array | undefined {
    try {
      return readFileSync(join(path, key));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined; // removed in the meantime
      throw error;
    }
  }
  async function* list(prefix: string) {
    const folder = prefix.slice(0, prefix.lastIndexOf("/"));
    for (const entry of existsSync(join(path, folder))
      ? readdirSync(join(path, folder), { recursive: true, withFileTypes: true })
      : []) {
      const key = relative(path, join(entry.parentPath, entry.name)).replaceAll("\\", "/");
      if (!entry.isDirectory() && key.startsWith(prefix)) yield { key, version: "" };
    }
  }
  async function* read(key: string) {
    yield bytesOf(key);
  }
  async function get(key: string) {
    const bytes = bytesOf(key);
    if (bytes === undefined) return null;
    const text = utf8Text(bytes);
    return { value: text === undefined ? bytes : parse(text), version: "" };
  }
  return { list, get, read } as unknown as Store; // the only members used here
}

/** The value in a document's envelope. */
function jsonIn(text: string): unknown {
  try {
    return (JSON.parse(text) as { readonly value?: unknown } | null)?.value;
  } catch {
    return undefined;
  }
}

/** Goal files that people wrote and that cannot be read. */
async function goalRows(store: Store): Promise<readonly Row[]> {
  const { files, problems } = await brokenGoals(store, hostPlatform.yaml);
  if (files === 0) return [];
  if (problems.length === 0) return [{ check: "goals", state: "ok", what: `all can be read: ${files}` }];
  return problems.map((what): Row => ({
    check: "goals",
    state: "warn",
    what,
    remedy: "fix that line: until then the assistant neither reads nor changes these goals",
  }));
}

/** Files that a person wrote and no command reads: a store's key never has such a name. */
function misnamedRows(settings: Settings, cwd: string): readonly Row[] {
  return (["jobs", "workflows", "skills"] as const).flatMap((check) =>
    misnamedFiles(settings, cwd, check).map((file): Row => ({ check, state: "warn", ...file })),
  );
}

/** The first start creates the folder, if this user may write to its parent. */
function notBegunRow(where: string, path: string): Row {
  let above = dirname(path);
  while (!existsSync(above) && dirname(above) !== above) above = dirname(above);
  try {
    accessSync(existsSync(path) ? path : above, constants.W_OK);
    return { check: "storage", state: "ok", what: `${where}: nothing is stored yet; wakeful start creates it` };
  } catch (error) {
    const remedy = "let this user write there, or set another place with --data or store";
    return { check: "storage", state: "fail", what: `${where} cannot be created: ${messageOf(error)}`, remedy };
  }
}

/** How commands run, and whether they work. */
async function commandsRow(settings: Settings, terminal: Terminal): Promise<Row> {
  const check = "commands";
  const workspace = settings.config.workspace ?? {};
  const { mode = "simulated" } = workspace.exec ?? {};
  // The test needs a folder. The workspace's own one is created by the first start.
  const spare = isMissing(workspace, terminal.cwd) ? mkdtempSync(join(tmpdir(), "wakeful-doctor-")) : undefined;
  try {
    const own = await workspaceOf(settings, terminal.cwd, memoryStore(), workspace);
    const tried = { ...workspace, ...(spare !== undefined && { root: spare }) };
    const { exec } = spare === undefined ? own : await workspaceOf(settings, terminal.cwd, memoryStore(), tried);
    if (exec === undefined) return { check, state: "ok", what: "off" };
    const found = await exec.inspect();
    if (!found.ok) return { check, state: "warn", what: `${mode}: ${found.problem}`, remedy: found.remedy };
    const code = found.languages.length === 0 ? "no code_execute" : `code_execute for ${found.languages.join(", ")}`;
    const most = found.limits === undefined ? "" : `; at most ${found.limits}`;
    const what = `${mode}: ${found.boundary}; ${code}${most}`;
    const [warning] = exec.warnings;
    if (warning === undefined) return { check, state: "ok", what };
    const remedy = "docs/exec.md says what each mode contains and what it does not";
    return { check, state: "warn", what: `${what}; ${warning}`, remedy };
  } catch (error) {
    return { check, state: "fail", what: messageOf(error), remedy: 'use exec.mode "simulated", or fix the problem' };
  } finally {
    if (spare !== undefined) rmSync(spare, { recursive: true, force: true });
  }
}

/** How many calls wait, who can answer them, and whether there is a way to see that they wait. */
async function approvalRows(
  settings: Settings,
  token: string | undefined,
  terminal: Terminal,
): Promise<readonly Row[]> {
  const check = "approvals";
  const { owner, roles } = settings.config;
  const people = [...new Set([...(owner?.ids ?? []), ...(roles?.["owner"] ?? [])])];
  const who = ["the terminal", "the owner's token", ...people].join(", ");
  try {
    const found = await withSource(
      settings,
      terminal,
      { token },
      async ({ approvals, assistant }) => ({
        waiting: (await approvals.list({ all: false })).filter(({ state }) => state === "open"),
        dangerous: dangerousTools(settings, isMissing(settings.config.workspace, terminal.cwd) ? undefined : assistant),
      }),
      { asks: true },
    );
    const [oldest] = found.waiting;
    const count = found.waiting.length;
    const what =
      oldest === undefined
        ? `none waiting; may answer: ${who}`
        : `${count} waiting, the oldest since ${oldest.requestedAt}; may answer: ${who}`;
    const remedy = oldest === undefined ? undefined : "list and answer them with wakeful approvals";
    const row: Row = { check, state: "ok", what, remedy };
    if (found.dangerous.length === 0 || people.length > 0) return [row];
    const unseen: Row = {
      check,
      state: "warn",
      what: `calls of ${found.dangerous.join(", ")} need an approval, and only the terminal and the owner's token can give it: owner.ids is not set`,
      remedy: 'set owner.ids, for example ["telegram:<your id>"], to be asked in your chat too',
    };
    return [row, unseen];
  } catch (error) {
    return [{ check, state: "warn", what: `cannot be determined: ${messageOf(error)}`, remedy: "see the row storage" }];
  }
}

/**
 * Tools that ask the owner first: the offered ones, or those of the configuration when a server has the store or the
 * workspace does not exist yet.
 */
function dangerousTools({ config }: Settings, assistant: Source["assistant"]): readonly string[] {
  const listed = assistant?.tools.list({ user: "cli", channel: "cli" }) ?? [];
  const offered = listed.filter(({ name, dangerous }) => dangerous && name !== COMES_WITH_ALL);
  const { mode } = config.workspace?.exec ?? {};
  const servers = Object.entries(config.mcp?.servers ?? {}).filter(([, { dangerous = true }]) => dangerous !== false);
  const configured = [
    ...(assistant === undefined && (mode === "sandboxed" || mode === "host") ? ["bash"] : []),
    ...servers.map(([name]) => `mcp__${name}__*`),
  ];
  return [...new Set([...offered.map(({ name }) => name).filter((name) => !name.startsWith("mcp__")), ...configured])];
}

/** Another process has the store open. If it is this assistant's server, it reports the store's state. */
async function runningRow(
  settings: Settings,
  token: string | undefined,
  terminal: Terminal,
  where: string,
  locked: AssistantError,
): Promise<Row> {
  const server = await runningServer(settings, terminal, token);
  try {
    const bad = (await server.ready()).filter(({ ok }) => !ok);
    if (bad.length === 0)
      return { check: "storage", state: "ok", what: `${where}: in use by the server at ${server.url}, which is ready` };
    return {
      check: "storage",
      state: "fail",
      what: `the server at ${server.url} is not ready: ${bad.map(({ name }) => name).join(", ")}`,
      remedy: "see its log for details",
    };
  } catch {
    return { check: "storage", state: "warn", what: locked.message, remedy: "if that is not your server, stop it" };
  }
}

async function channelRows(settings: Settings, token: string | undefined, terminal: Terminal): Promise<readonly Row[]> {
  const publicUrl = settings.config.server?.publicUrl;
  let channels;
  try {
    channels = await channelsOf(settings.config);
  } catch (error) {
    return [{ check: "channels", state: "fail", what: messageOf(error), remedy: "fix the channel's options" }];
  }
  if (channels.length === 0)
    return [{ check: "channels", state: "ok", what: "none; the terminal, the page and the API need none" }];
  const listens = (channel: Channel) => decideWay(channel, publicUrl) === "listen";
  const connections = await connectionRows(channels.filter(listens), settings, token, terminal);
  const rows = channels.map(async (channel): Promise<readonly Row[]> => {
    const check = checkOf(channel);
    const webhookUrl = listens(channel) || publicUrl === undefined ? undefined : webhookUrlOf(channel, publicUrl);
    const what = `receives messages at ${webhookUrl ?? webhookUrlOf(channel, "")}`;
    const address: readonly Row[] = listens(channel) ? [] : [{ check, state: "ok", what }];
    if (channel.verifySetup === undefined) return address;
    try {
      const found = await channel.verifySetup({
        ...(webhookUrl !== undefined && { webhookUrl }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      return [
        ...address,
        ...found.map(({ ok, what, remedy, isMinor }): Row => ({
          check,
          state: ok ? "ok" : isMinor ? "warn" : "fail",
          what,
          remedy,
        })),
      ];
    } catch (error) {
      return [
        ...address,
        {
          check,
          state: "fail",
          what: `cannot be reached: ${causeOf(error)}`,
          remedy: "check the network and api_base",
        },
      ];
    }
  });
  const found = [...connections, ...(await Promise.all(rows)).flat()];
  if (publicUrl !== undefined || channels.every(listens)) return found;
  return [
    ...found,
    {
      check: "channels",
      state: "warn",
      what: "the public address of this server is not known, so the webhook addresses were not compared",
      remedy: "set server.public_url",
    },
  ];
}

/** The listeners of channels without a public address, as far as they are known. */
async function connectionRows(
  channels: readonly Channel[],
  settings: Settings,
  token: string | undefined,
  terminal: Terminal,
): Promise<readonly Row[]> {
  if (channels.length === 0) return [];
  try {
    const found = await readConnections(settings, terminal, { token }, channels);
    return channels.map((channel, index) => connectionRow(checkOf(channel), found[index]));
  } catch (error) {
    const what = `the state of the connections cannot be determined: ${messageOf(error)}`;
    return [{ check: "channels", state: "warn", what, remedy: "see the row storage" }];
  }
}

function connectionRow(check: string, { state, detail }: ChannelConnection = NOBODY): Row {
  if (state === "refused") return { check, state: "fail", what: detail, remedy: "fix it, then restart the server" };
  if (state === "retrying")
    return { check, state: "warn", what: detail, remedy: "the server tries again; see its log for details" };
  return { check, state: "ok", what: detail };
}

const NOBODY: ChannelConnection = {
  state: "off",
  detail: "needs no public address; not listening until wakeful serve runs",
};

/** `telegram`, `telegram/support`. */
function checkOf({ name, access: { account = DEFAULT_ACCOUNT } }: Channel): string {
  return account === DEFAULT_ACCOUNT ? name : `${name}/${account}`;
}

/** Reports messages that were given up: their recipients still wait for them, and no other place shows it. */
async function deliveryRows(
  settings: Settings,
  token: string | undefined,
  terminal: Terminal,
): Promise<readonly Row[]> {
  if (Object.keys(settings.config.channels ?? {}).length === 0) return [];
  const check = "delivery";
  try {
    const found = await readUndelivered(settings, terminal, { token }, MAX_UNDELIVERED);
    const [oldest] = found;
    if (oldest === undefined) return [{ check, state: "ok", what: "no undelivered messages" }];
    const count = found.length < MAX_UNDELIVERED ? String(found.length) : `at least ${MAX_UNDELIVERED}`;
    const what = `${count} ${found.length === 1 ? "message" : "messages"} could not be delivered, since ${oldest.at}; the latest error: ${found.at(-1)?.error}`;
    return [{ check, state: "warn", what, remedy: "list them and send them again with wakeful undelivered" }];
  } catch (error) {
    return [{ check, state: "warn", what: `cannot be determined: ${messageOf(error)}`, remedy: "see the row storage" }];
  }
}

/** Warns about a server that other machines can reach without a configured host name: browsers can use no name for it. */
function pageRows({ config: { server = {} } }: Settings): readonly Row[] {
  const { host = DEFAULT_HOST, publicUrl, hosts = [] } = server;
  if (/^(?:127\.|::1$|localhost$)/.test(host) || publicUrl !== undefined || hosts.length > 0) return [];
  return [
    {
      check: "page",
      state: "warn",
      what: `the server listens on ${host}, and its page answers only under IP addresses and localhost`,
      remedy: "set server.public_url or server.hosts if browsers use a host name",
    },
  ];
}

/** Sends no query to an engine, since each one costs something. */
function searchRow({ config }: Settings): Row {
  try {
    const names = searchProviders(config.search).map(({ name }) => name);
    if (names.length > 0) return { check: "search", state: "ok", what: `web_search asks ${names.join(", then ")}` };
    return { check: "search", state: "ok", what: "no search engine, so there is no web_search; web_fetch needs none" };
  } catch (error) {
    return {
      check: "search",
      state: "fail",
      what: messageOf(error),
      remedy: "set its api_key, or enabled: false",
    };
  }
}

/** Lists the tools of each MCP server; its program is started and ended for that. */
async function mcpRows({ config }: Settings): Promise<readonly Row[]> {
  const parts = { clock: systemClock(), version: VERSION, timeoutMs: TIMEOUT_MS };
  return Promise.all(
    Object.entries(config.mcp?.servers ?? {}).map(async ([name, server]): Promise<Row> => {
      const check = `mcp ${name}`;
      const found = await checkMcpServer(name, server as McpServerOptions, parts);
      if (!found.ok) return { check, state: "fail", what: found.problem, remedy: found.remedy };
      const missing = (server.tools ?? []).filter((tool) => !found.tools.includes(tool));
      if (missing.length > 0)
        return { check, state: "warn", what: `has no tool ${missing.join(", ")}`, remedy: "fix the list under tools" };
      // Without the query, which may hold a key.
      const where = server.url === undefined ? (server.command ?? "") : server.url.split("?")[0];
      return { check, state: "ok", what: `${found.tools.length} tools at ${where}` };
    }),
  );
}

/** Who can reach the assistant by a channel: too many people for the way conversations are kept, or none. */
async function accessRows(settings: Settings, token: string | undefined, terminal: Terminal): Promise<readonly Row[]> {
  const { config } = settings;
  const check = "access";
  const channels = Object.entries(config.channels ?? {}).flatMap(([name, given]) =>
    [given].flat().map(({ dm = "pairing", allow = [] }) => ({ name, dm, allow })),
  );
  const rows: Row[] = [];
  let known: Pick<AccessRows, "pending" | "people" | "owners"> = { pending: [], people: [], owners: [] };
  try {
    if (channels.length > 0)
      known = await withSource(settings, terminal, { token }, ({ access }) => access.list(), { asks: true });
  } catch (error) {
    rows.push({
      check,
      state: "warn",
      what: `cannot be determined: ${messageOf(error)}`,
      remedy: "see the row storage",
    });
  }
  const { pending, people } = known;
  const owners = [
    ...(config.owner?.ids ?? []),
    ...(config.roles?.["owner"] ?? []),
    ...known.owners.map(({ user }) => user),
  ];
  if (owners.length + people.length + pending.length > 0 && channels.length > 0) {
    const what = `owner: ${owners.join(", ") || "none"}; let in by a code: ${people.length}; waiting requests: ${pending.length}`;
    rows.push({ check, state: "ok", what });
  }
  const open = [...new Set(channels.filter(({ dm }) => dm === "open").map(({ name }) => name))];
  if (open.length > 0) {
    const what = `dm is open on ${open.join(", ")}: anyone who finds the assistant there may write, at your cost`;
    rows.push({ check, state: "warn", what, remedy: "use dm: pairing, and let people in by their codes" });
  }
  const tokens = config.server?.tokens ?? [];
  const others = [
    ...channels.flatMap(({ name, dm, allow }) => (dm === "disabled" ? [] : allow.map((id) => `${name}:${id}`))),
    ...people.map(({ user }) => user),
    ...tokens.flatMap(({ role, user }) => (role === "user" && user !== undefined ? [user] : [])),
  ].filter((user) => !owners.includes(user));
  const reach = [...open.map((name) => `everyone on ${name}`), ...new Set(others)];
  if (config.session?.dmScope === "main" && reach.length > 0) {
    const more = reach.length > 5 ? ", …" : "";
    rows.push({
      check: "sessions",
      state: "warn",
      what: `session.dm_scope is main, and not only the owner may write, but also ${reach.slice(0, 5).join(", ")}${more}: all their direct chats are one conversation, in which each can learn what the others said`,
      remedy: "use per-channel-peer",
    });
  }
  if (channels.length > 0 && owners.length + reach.length === 0) {
    const byCode = channels.some(({ dm }) => dm !== "disabled")
      ? "send the owner code that wakeful serve prints, or "
      : "";
    rows.push({
      check,
      state: "warn",
      what: "no one may write: there is no owner, and no channel has allow or dm: open",
      remedy: `${byCode}set owner.ids, for example ["telegram:<your id>"]`,
    });
  }
  return rows;
}

function clockRow(): Row {
  const now = Date.now();
  const time = `${new Date(now).toISOString()}, zone ${timezoneOf({})}`;
  if (now >= EARLIEST_MS) return { check: "clock", state: "ok", what: time };
  return {
    check: "clock",
    state: "fail",
    what: `${time}: the clock is set before 2026`,
    remedy: "set the clock, preferably by NTP: signed webhooks need it",
  };
}

function runtimeRow(): Row {
  const { Bun, Deno } = globalThis as { Bun?: { version: string }; Deno?: { version: { deno: string } } };
  const [name, version, least] = Bun
    ? ["Bun", Bun.version, "1.3"]
    : Deno
      ? ["Deno", Deno.version.deno, "2.5"]
      : ["Node", process.versions.node, "22.0"];
  const old = compareVersions(version, least) < 0;
  return {
    check: "runtime",
    state: old ? "fail" : "ok",
    what: `${name} ${version}`,
    remedy: old ? `use ${name} ${least} or later` : undefined,
  };
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(".").map(Number));
  return (left?.[0] ?? 0) - (right?.[0] ?? 0) || (left?.[1] ?? 0) - (right?.[1] ?? 0);
}

function causeOf(error: unknown): string {
  const inner = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return messageOf(inner) || messageOf(error);
}

const marks = { ok: ["ok  ", "green"], warn: ["warn", "yellow"], fail: ["fail", "red"] } as const;

function printRow({ check, state, what, remedy }: Row, terminal: Terminal): void {
  const [mark, style] = marks[state];
  printLine(terminal.stdout, `${styled(terminal, style, mark)} ${check.padEnd(9)} ${printable(what)}`);
  if (remedy !== undefined && state !== "ok")
    printLine(terminal.stdout, `     ${" ".repeat(9)} fix: ${printable(remedy)}`);
}
