import { expect, it } from "vitest";
import { stderrLogger } from "../../adapters/cli/log-sink.ts";
import { lastingStream } from "../../adapters/cli/terminal.ts";
import { fakeTerminal } from "./fake-terminal.ts";

it.each(["pretty", "json"] as const)(
  "a %s log line stays one, and commands no terminal, whatever a server answered",
  (format) => {
    const terminal = fakeTerminal({ screen: true });
    const error = "overloaded\u001B]52;c;cm0=\u0007\u009B2J\n12:00:00 info all is well";
    stderrLogger(terminal, { format }, "info").warn("A model did not answer", { error, models: [error] });
    const said = terminal.errors();
    expect(said).toContain("A model did not answer");
    expect(said.trimEnd()).not.toMatch(/\p{Cc}/u);
  },
);

it("a field does not stand in the place of the line's own", () => {
  const terminal = fakeTerminal();
  stderrLogger(terminal, {}, "info").warn("Not kept", {
    message: "m1",
    level: "debug",
    logger: "x",
    "@timestamp": 0,
    of: "m1",
  });
  const line = JSON.parse(terminal.errors()) as Record<string, unknown>;
  expect(line).toMatchObject({ message: "Not kept", level: "WARN", logger: "wakeful", message_: "m1", of: "m1" });
  expect(line["@timestamp"]).toMatch(/^\d{4}-/);
});

it("a log on a disk that was full goes on when there is room again", async () => {
  let isFull = false;
  let file = "";
  const stderr = lastingStream((chunk) => {
    if (isFull) throw new Error("ENOSPC: no space left on device, write");
    file += new TextDecoder().decode(chunk);
  });
  const logger = stderrLogger({ ...fakeTerminal(), stderr }, {}, "info");
  logger.info("one");
  isFull = true;
  logger.info("two");
  logger.info("three");
  isFull = false;
  logger.info("four");
  await new Promise<void>((resolve) => stderr.write("", () => resolve()));
  expect(file.match(/one|two|three|four/g)).toEqual(["one", "four"]);
});
