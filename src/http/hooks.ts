import * as v from "valibot";
import type { Clock } from "../clock.ts";
import type { Errand, TakenCall, Wake } from "../inbox/index.ts";
import { newId } from "../ids.ts";
import { ProblemError } from "./problem.ts";
import { type GuardedRoute, json } from "./route.ts";
import { filled, name, userName } from "./wire.ts";
import { checkedBody } from "./checked-body.ts";

/** Maximum body of a hook, in bytes. */
const MAX_HOOK_BYTES = 65_536;

const said = (description: string) => filled(16_000, description);
const WakeBody = v.strictObject({
  text: said("What happened"),
  user: v.optional(userName("The user whose conversation is woken, as `channel:id`. Default: `server.hooks.user`")),
  mode: v.optional(
    v.pipe(
      v.picklist(["now", "next"], 'Expected "now" or "next"'),
      v.description(
        "`now`: the assistant decides at once whether to tell the person. `next`: the person's next turn includes it. Default `now`",
      ),
    ),
  ),
});
const AgentBody = v.pipe(
  v.strictObject({
    task: v.optional(said("The task")),
    message: v.optional(said("An alias of `task`")),
    user: v.optional(userName("Recipient of the reply, as `channel:id`. Short for `channel` and `to`")),
    name: v.optional(
      v.pipe(name("Name of the automation, such as `CI`"), v.maxLength(64, "Expected at most 64 characters")),
    ),
    session: v.optional(
      name("Name of a conversation: calls with the same name share it. Default: a new conversation per call"),
    ),
    deliver: v.optional(
      v.pipe(v.boolean("Expected true or false"), v.description("`false` sends no reply. Default true")),
    ),
    channel: v.optional(
      name("With `to`: the channel of the chat that receives the reply, one of `server.hooks.chats`"),
    ),
    to: v.optional(name("With `channel`: the platform's id of that chat. Default: the chat of `server.hooks.user`")),
  }),
  v.check(
    ({ channel, to }) => (channel === undefined) === (to === undefined),
    "Expected channel and to, or neither of them",
  ),
  v.check(({ task, message }) => task !== undefined || message !== undefined, "Expected task"),
  v.check(({ task, message }) => task === undefined || message === undefined, "Expected task or message, not both"),
  v.check(({ user, to }) => user === undefined || to === undefined, "Expected user, or channel and to"),
);
const WokenJson = v.strictObject({ session_key: v.string(), turn_id: v.optional(v.string()) });

/**
 * Handles automation calls. Contract: resolved = durable; a repeated id changes nothing and returns the same result.
 */
export interface HookRoutesDeps {
  readonly hooks: {
    wake(call: Wake): Promise<TakenCall>;
    run(call: Errand): Promise<TakenCall>;
  };
  readonly clock: Clock;
}

/**
 * Routes for automations. They need the automation token, which opens nothing else, or an owner's.
 * Source: docs/automations.md.
 */
export function hookRoutes({ hooks, clock }: HookRoutesDeps): readonly GuardedRoute[] {
  const answers = {
    202: { description: "The call is durable; a repeated Idempotency-Key gets the same answer", schema: WokenJson },
  };
  return [
    {
      method: "POST",
      path: "/hooks/wake",
      summary: "Tells the assistant that something happened. The header Idempotency-Key makes the call safe to repeat",
      access: ["hook", "owner"],
      body: WakeBody,
      maxBodyBytes: MAX_HOOK_BYTES,
      answers,
      async handle({ request, caller: { role } }) {
        const id = callIdOf(request, clock);
        const { text, mode = "now", user } = await checkedBody(WakeBody, request, clock, MAX_HOOK_BYTES);
        return accepted(await hooks.wake({ id, text, mode, user, asOwner: role === "owner" }));
      },
    },
    {
      method: "POST",
      path: "/hooks/agent",
      summary:
        "Gives the assistant a task in a session of its own. The header Idempotency-Key makes the call safe to repeat",
      access: ["hook", "owner"],
      body: AgentBody,
      maxBodyBytes: MAX_HOOK_BYTES,
      answers,
      async handle({ request, caller: { role } }) {
        const id = callIdOf(request, clock);
        const body = await checkedBody(AgentBody, request, clock, MAX_HOOK_BYTES);
        const { task, message = task ?? "", session, deliver = true, channel, to } = body;
        const chat = to === undefined ? body.user : `${channel}:${to}`;
        const asOwner = role === "owner";
        return accepted(await hooks.run({ id, message, name: body.name, session, deliver, to: chat, asOwner }));
      },
    },
  ];
}

/** @throws {ProblemError} `OPTION_INVALID` if the key is too long. */
function callIdOf(request: Request, clock: Clock): string {
  const key = request.headers.get("idempotency-key")?.trim() ?? "";
  if (key.length > 200) throw new ProblemError("OPTION_INVALID", "Idempotency-Key: Expected at most 200 characters");
  // Session names encode capitals, so use lower case.
  return key === "" ? newId(clock).toLowerCase() : key;
}

function accepted({ sessionKey, turnId }: TakenCall): Response {
  return json({ session_key: sessionKey, ...(turnId !== undefined && { turn_id: turnId }) }, 202);
}
