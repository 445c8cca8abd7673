import { EventEmitter } from "node:events";
import process from "node:process";
import { systemClock } from "../../../mod.ts";
import { type EventOf, createEventBus } from "../../../src/events/index.ts";
import { createMetrics } from "../../../src/telemetry/index.ts";
import { measureCpu } from "./measure-cpu.ts";

// CPU time of one published event with ten handlers that do nothing, beside an EventEmitter. Argument: rounds.

const HANDLERS = 10;
const EVENTS = 20_000;

const bus = createEventBus({ clock: systemClock(), metrics: createMetrics() });
const emitter = new EventEmitter();
let heard = 0;
for (let index = 0; index < HANDLERS; index += 1) {
  bus.subscribe(
    "task.started",
    () => {
      heard += 1;
    },
    { name: `handler-${index}` },
  );
  emitter.on("task.started", () => {
    heard += 1;
  });
}
const event: EventOf<"task.started"> = {
  type: "task.started",
  sessionId: "agent:main:main",
  timestamp: Date.now(),
  payload: {
    taskId: "t",
    text: "Hello",
    user: "sdk",
    channel: "sdk",
    source: "message",
    peer: { kind: "direct", id: "u" },
    roles: ["user"],
    account: "default",
    inject: () => {},
  },
};

const cpu = await measureCpu(
  [
    {
      name: "publish",
      count: EVENTS,
      async run(count) {
        for (let index = 0; index < count; index += 1) await bus.publish(event);
      },
    },
    {
      name: "emit",
      count: EVENTS,
      async run(count) {
        for (let index = 0; index < count; index += 1) {
          emitter.emit("task.started", event);
          await Promise.resolve();
        }
      },
    },
  ],
  Number(process.argv[2] ?? 15),
);
if (heard === 0) throw new Error("No handler was called");
console.log(JSON.stringify(cpu));
process.exit(0);
