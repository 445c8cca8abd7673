import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type Config, parseConfig } from "../../entry.host.ts";
import { DEFAULT_DATA_FOLDER, DEFAULT_HOST, DEFAULT_PORT, messageOf } from "../../kit.ts";
import { UsageError } from "./exit-codes.ts";
import type { Terminal } from "./terminal.ts";

/** Arguments of every command that reads the configuration. */
export interface SettingsArguments {
  readonly config?: string | undefined;
  readonly data?: string | undefined;
}

/** The configuration and its source. */
export interface Settings {
  readonly config: Config;
  /** Absent when there is no file and the defaults apply. */
  readonly file?: string;
  /** Absolute. */
  readonly dataFolder: string;
  /** Files that hold secrets of the configuration. Absolute. */
  readonly secretFiles?: readonly string[];
}

/** Default name of the configuration file. */
export const DEFAULT_CONFIG = "wakeful.yaml";

/**
 * Finds the configuration file: `--config`, `WAKEFUL_CONFIG`, `./wakeful.yaml`, `<data>/config.yaml`. A named file must
 * exist.
 * Source: docs/config.md, "Which file".
 */
export function findConfig(
  { config, data }: SettingsArguments,
  terminal: Pick<Terminal, "env" | "cwd">,
): string | undefined {
  const named = config ?? (terminal.env["WAKEFUL_CONFIG"] || undefined);
  if (named !== undefined) {
    const path = resolve(terminal.cwd, named);
    if (existsSync(path)) return path;
    const how = config === undefined ? "WAKEFUL_CONFIG" : "--config";
    throw new UsageError(
      `There is no configuration file ${path}, which ${how} names; write one with: wakeful init --config ${named}`,
    );
  }
  const folder = data ?? (terminal.env["WAKEFUL_DATA"] || undefined) ?? DEFAULT_DATA_FOLDER;
  return [resolve(terminal.cwd, DEFAULT_CONFIG), resolve(terminal.cwd, folder, "config.yaml")].find((path) =>
    existsSync(path),
  );
}

/** @throws {ConfigError} With everything that is wrong with the file. */
export function readSettings(given: SettingsArguments, terminal: Pick<Terminal, "env" | "cwd">): Settings {
  const file = findConfig(given, terminal);
  const secretFiles: string[] = [];
  const config =
    file === undefined
      ? parseConfig("")
      : parseConfig(readText(file), {
          env: terminal.env,
          file,
          readFile(path) {
            const secretFile = resolve(dirname(file), path);
            secretFiles.push(secretFile);
            return readFileSync(secretFile, "utf8");
          },
        });
  const data = given.data ?? (terminal.env["WAKEFUL_DATA"] || undefined) ?? config.data ?? DEFAULT_DATA_FOLDER;
  return { config, dataFolder: resolve(terminal.cwd, data), secretFiles, ...(file !== undefined && { file }) };
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new UsageError(`The configuration file ${file} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

/** In this order: `--port`, `PORT`, the file, `DEFAULT_PORT`. */
export function portOf(given: string | undefined, settings: Settings, env: Terminal["env"]): number {
  const [text, from] = given === undefined ? [env["PORT"] || undefined, "PORT"] : [given, "--port"];
  if (text === undefined) return settings.config.server?.port ?? DEFAULT_PORT;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new UsageError(`${from} must be a whole number from 0 to 65535, not ${JSON.stringify(text)}`);
  return port;
}

/** The address by which its own machine reaches a server that listens on `host`. */
export function urlOn(host: string = DEFAULT_HOST, port: number): string {
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}

/** The owner's token for HTTP: `--token` if a command has it, the file, `WAKEFUL_TOKEN`. */
export function tokenOf(settings: Settings, env: Terminal["env"], given?: string): string | undefined {
  return given ?? settings.config.server?.token ?? (env["WAKEFUL_TOKEN"] || undefined);
}

/**
 * The owner's token of a server with these settings, in addition to its `server.tokens`.
 * @throws {UsageError} `WAKEFUL_TOKEN` belongs to another user.
 */
export function servedToken(settings: Settings, env: Terminal["env"]): string | undefined {
  const token = tokenOf(settings, env);
  const { tokens = [], hooks, token: ofFile } = settings.config.server ?? {};
  const others = [
    ...tokens.map((one, index) => ({ ...one, key: `server.tokens[${index}].token` })),
    ...(hooks === undefined ? [] : [{ token: hooks.token, role: "hook", key: "server.hooks.token" }]),
  ];
  const same = others.find((one) => one.token === token);
  if (ofFile !== undefined || same === undefined) return token;
  if (same.role === "owner") return undefined;
  throw new UsageError(`WAKEFUL_TOKEN is the owner's, and the same as ${same.key}: give each a token of its own`);
}

/** The token of a command for a server with these settings. */
export function ownTokenOf(settings: Settings, env: Terminal["env"], given?: string): string | undefined {
  const listed = settings.config.server?.tokens?.find(({ role }) => role === "owner");
  return tokenOf(settings, env, given) ?? listed?.token;
}
