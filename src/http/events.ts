import { type Clock, after } from "../clock.ts";
import type { EventBus, EventMap } from "../events/index.ts";
import { newId } from "../ids.ts";
import { createEventQueue } from "../inbox/index.ts";
import type { Caller } from "./auth.ts";
import type { NotificationsPart } from "./notifications.ts";
import type { GuardedRoute } from "./route.ts";
import { usersOf } from "./speaker.ts";
import { liveStreamOf } from "./text-stream.ts";

/** So often a line goes out when nothing else does: proxies close what is silent. */
const KEEP_ALIVE_MS = 25_000;
/** After a broken connection the browser comes again after so long. */
const RETRY_MS = 3000;

export interface EventRoutesDeps {
  readonly events: Pick<EventBus, "subscribe">;
  readonly notifications: Pick<NotificationsPart, "list">;
  readonly clock: Clock;
  /** Aborts when the assistant stops: nothing happens any more, and a host program's server waits for every answer. */
  readonly ending: AbortSignal;
}

/** What happens to the one who is signed in, as it happens. */
export function eventRoutes({ events, notifications, clock, ending }: EventRoutesDeps): readonly GuardedRoute[] {
  return [
    {
      method: "GET",
      path: "/api/v1/events",
      summary:
        "Tells what happens as server-sent events: `notification`, `reply` (one that comes late), `approval`, `turn`, `job`, `workflow`. What waits comes first; `Last-Event-ID` leaves out what was told",
      access: ["owner", "user"],
      answers: { 200: { description: "The events, until the connection ends", mediaType: "text/event-stream" } },
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
    /** As in the lists of jobs and of requests. */
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
          // What comes of a request or a job is told as such.
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
    // From here on it is news.
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
