#!/usr/bin/env node
/**
 * The command `wakeful`: `npx wakeful`, `bunx wakeful`, or run this file with Node, Bun or Deno.
 *
 * @module
 */
import process from "node:process";
import { isServer, keepHeapSmall, processHeap } from "./small-heap.ts";
import { loaded } from "../platform/host/index.ts";
import { flushed, processTerminal } from "./terminal.ts";

const argv = process.argv.slice(2);
if (isServer(argv)) keepHeapSmall(processHeap());
const { runProgram } = await import("./program.ts");

// Who reads it may leave (`| head`): the command goes on to its end, and closes what it opened.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });

const terminal = processTerminal();
await loaded;
const code = await runProgram(argv, terminal);
await flushed(terminal);
// A model's idle connection or a timer of a library must not keep a finished command alive.
process.exit(code);
