#!/usr/bin/env node
/**
 * The command `wakeful`: `npx wakeful`, `bunx wakeful`, or run this file with Node, Bun or Deno.
 *
 * @module
 */
import process from "node:process";
import { runProgram } from "./program.ts";
import { flushed, processTerminal } from "./terminal.ts";

// Who reads it may leave (`| head`): the command goes on to its end, and closes what it opened.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });

const terminal = processTerminal();
const code = await runProgram(process.argv.slice(2), terminal);
await flushed(terminal);
// A model's idle connection or a timer of a library must not keep a finished command alive.
process.exit(code);
