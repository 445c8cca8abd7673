import { configureSync, getJsonLinesFormatter, getLogger, type LogLevel, type LogRecord } from "@logtape/logtape";
import type { Config, Logger } from "../../mod.ts";
import { plainJson, printLine, styled, type Style, type Terminal } from "./terminal.ts";
import { printable } from "./transcript-lines.ts";

type Level = NonNullable<NonNullable<Config["log"]>["level"]>;

/** A logger on standard error: one line a message on a terminal, JSON lines elsewhere. */
export function stderrLogger(terminal: Terminal, options: NonNullable<Config["log"]>, fallback: Level): Logger {
  const level = options.level ?? fallback;
  const format =
    options.format === undefined || options.format === "auto" ? (terminal.screen ? "pretty" : "json") : options.format;
  const flat = getJsonLinesFormatter({ message: "rendered", properties: "flatten" });
  const json = (record: LogRecord) => flat({ ...record, properties: withoutReserved(record.properties) });
  const line = (record: LogRecord) =>
    format === "json" ? plainJson(json(record).trimEnd()) : prettyLine(record, terminal);
  configureSync({
    reset: true,
    sinks: { stderr: (record) => printLine(terminal.stderr, line(record)) },
    loggers: [
      { category: "wakeful", lowestLevel: level === "off" ? null : level, sinks: ["stderr"] },
      { category: ["logtape", "meta"], lowestLevel: "error", sinks: ["stderr"] },
    ],
  });
  const target = getLogger("wakeful");
  // LogTape fills `{name}` in messages, and these messages are plain text.
  const plain = (text: string) => text.replaceAll("{", "{{").replaceAll("}", "}}");
  return {
    debug: (message, fields = {}) => target.debug(plain(message), { ...fields }),
    info: (message, fields = {}) => target.info(plain(message), { ...fields }),
    warn: (message, fields = {}) => target.warn(plain(message), { ...fields }),
    error: (message, fields = {}) => target.error(plain(message), { ...fields }),
  };
}

const shown: Partial<Record<LogLevel, readonly [string, Style]>> = {
  debug: ["debug", "dim"],
  info: ["info", "cyan"],
  warning: ["warning", "yellow"],
  error: ["error", "red"],
};

/** Renames a field with the name of a part of the line, which it would replace. */
function withoutReserved(properties: LogRecord["properties"]): LogRecord["properties"] {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [RESERVED.has(name) ? `${name}_` : name, value]),
  );
}

const RESERVED: ReadonlySet<string> = new Set(["@timestamp", "level", "message", "logger"]);

/** Servers and strangers write the values. They must neither control the terminal nor pass for a log line. */
function prettyLine(record: LogRecord, terminal: Terminal): string {
  const [name, style] = shown[record.level] ?? [record.level, "dim"];
  const time = new Date(record.timestamp).toTimeString().slice(0, 8);
  const fields = Object.entries(record.properties).map(
    ([key, value]) => ` ${key}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  const oneLine = (text: string) => printable(text).replaceAll("\n", "\\n");
  const message = oneLine(record.message.map(String).join(""));
  return `${styled(terminal, "dim", time)} ${styled(terminal, style, name)} ${message}${styled(terminal, "dim", oneLine(fields.join("")))}`;
}
