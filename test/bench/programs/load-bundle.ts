import process from "node:process";
import { pathToFileURL } from "node:url";

// CPU time of loading one module with all that stands in it, in milliseconds. Argument: its path.

const before = process.cpuUsage();
await import(pathToFileURL(process.argv[2] ?? "").href);
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify((user + system) / 1000));
process.exit(0);
