import { type Clock, after } from "../clock.ts";
import type { EventBus, EventMap } from "../events/index.ts";
import { newId } from "../ids.ts";
import { createEventQueue } from "../inbox/index.ts";
import type { Caller } from "./auth.ts";
import type { NotificationsPart } from "./notifications.ts";
import type { GuardedRoute } from "./route.ts";
import { usersOf } from "./speaker.ts";
import { liveStreamOf } from "./text-stream.ts";

/** Interval of keep-alive lines, since proxies close silent connections. */
const KEEP_ALIVE_MS = 25_000;
/** Time after which a browser reconnects. */
const RETRY_MS = 3000;

export interface EventRoutesDeps {
  readonly events: Pick<EventBus, "subscribe">;
  readonly notifications: Pick<NotificationsPart, "list">;
  readonly clock: Clock;
  /**
   * Aborts when the assistant stops. The feed must end then, because a host program's server waits for every response.
   */
  readonly ending: AbortSignal;
}

/** Routes that stream events to the signed-in person. */
export function eventRoutes({ events, notifications, clock, ending }: EventRoutesDeps): readonly GuardedRoute[] {
  return [
    {
      method: "GET",
      path: "/api/v1/events",
      summary:
        "Streams what happens as server-sent events: `notification`, `reply` (a late reply), `approval`, `turn`, `job`, `workflow`. Waiting notifications and approvals come first; `Last-Event-ID` skips events that were already received",
      access: ["owner", "user"],
      answers: { 200: { description: "The events, until the connection closes", mediaType: "text/event-stream" } },
      async handle({ request, caller, closing }) {
        const since = request.headers.get("last-event-id") ?? "";
        const over = AbortSignal.any([ending, ...(closing ? [closing] : [])]);
        return new Response(liveStreamOf(await feed(caller, since, over)), {
          headers: {
            "content-type": "text/event-stream; charset=utf-8",
            "cache-control": "no-cache, no-transform",
            "x-accel-buffering": "no",
          },
        });
      },
    },
  ];

  async function feed(caller: Caller, since: string, over: AbortSignal) {
    const isTheirs = usersOf(caller);
    /** The same visibility as in the lists of jobs and requests. */
    const maySee = (user: string) => caller.role === "owner" || isTheirs(user);
    const ends: (() => void)[] = [];
    const queue = createEventQueue<string>({ onStart() {}, onEnd: () => ends.forEach((end) => end()) });
    over.addEventListener("abort", queue.end);
    const told = new Set<string>();
    const tell = (event: string, id: string, data: object) => {
      if (told.has(id)) return;
      told.add(id);
      queue.push(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    };
    const tellKept = (kept: {
      readonly id: string;
      readonly eventId: string;
      readonly user: string;
      readonly sessionKey: string;
      readonly kind: string;
      readonly text: string;
      readonly buttons?: readonly { readonly id: string; readonly label: string }[];
    }) => {
      const { eventId, sessionKey, kind, id, user, text, buttons } = kept;
      const message = { id, user, session_key: sessionKey, kind, text, ...(buttons && { buttons }) };
      tell(kind === "reply" ? "reply" : "notification", eventId, message);
    };
    const stay = () => {
      ends[0] = after(clock, KEEP_ALIVE_MS, () => {
        queue.push(": still here\n\n");
        stay();
      });
    };
    stay();
    const options = { name: "events-feed" };
    ends.push(
      () => over.removeEventListener("abort", queue.end),
      events.subscribe(
        "notification.kept",
        ({ payload }) => void (isTheirs(payload.user) && tellKept(payload)),
        options,
      ),
      events.subscribe(
        "job.ended",
        ({ payload }) => void (maySee(payload.user) && tell("job", newId(clock), jobJson(payload))),
        options,
      ),
      events.subscribe(
        "task.completed",
        ({ sessionId, payload: { taskId, user, source } }) => {
          // Turns of jobs and approval requests are reported by their own events.
          if (source === "message" && isTheirs(user))
            tell("turn", newId(clock), { turn_id: taskId, session_key: sessionId });
        },
        options,
      ),
      ...(["workflow.started", "workflow.step", "workflow.ended"] as const).map((type) =>
        events.subscribe(
          type,
          ({ payload }) => void (maySee(payload.user) && tell("workflow", newId(clock), workflowJson(payload))),
          options,
        ),
      ),
      ...(["approval.requested", "approval.resolved"] as const).map((type) =>
        events.subscribe(
          type,
          ({ payload: { id, code, tool, user, state } }) =>
            void (maySee(user) && tell("approval", newId(clock), { id, code, tool, user, state: state ?? "open" })),
          options,
        ),
      ),
    );
    queue.push(`retry: ${RETRY_MS}\n\n`);
    const waiting = (await notifications.list({})).filter(({ user, eventId }) => isTheirs(user) && eventId > since);
    for (const one of waiting) tellKept(one);
    // Everything after this is new.
    queue.push("event: live\ndata: {}\n\n");
    if (over.aborted) queue.end();
    return queue;
  }
}

function jobJson({ runId, consecFailures, ...told }: EventMap["job.ended"]) {
  return { ...told, run_id: runId, consec_failures: consecFailures };
}

function workflowJson({ runId, name, user, status, ...rest }: EventMap["workflow.started" | "workflow.step"]) {
  return { run_id: runId, name, user, status, ...("step" in rest && rest.step && { step: rest.step }) };
}
