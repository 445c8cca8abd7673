#!/usr/bin/env node
/**
 * The command `wakeful`: `npx wakeful`, `bunx wakeful`, or run this file with Node, Bun or Deno.
 *
 * @module
 */
import process from "node:process";
import { isServer, keepHeapSmall, processHeap } from "./small-heap.ts";
import { loaded } from "../platform/host/index.ts";
import { flushed, printLine, processTerminal } from "./terminal.ts";

const argv = process.argv.slice(2);
if (isServer(argv)) keepHeapSmall(processHeap());
const { runProgram } = await import("./program.ts");

// The reader may leave (`| head`), and a log's disk may be full. The command then continues to its end and closes what
// it opened.
let unwritten: Error | undefined;
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE" && stream === process.stdout) unwritten ??= error;
  });

const terminal = processTerminal();
await loaded;
const code = await runProgram(argv, terminal);
await flushed(terminal);
if (unwritten !== undefined)
  printLine(process.stderr, `error: Not all of the output could be written: ${unwritten.message}`);
// An idle connection of a model or a library's timer must not keep a finished command alive.
process.exit(code || (unwritten === undefined ? 0 : 1));
