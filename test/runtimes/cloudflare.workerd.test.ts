import { abortAllDurableObjects, env, runInDurableObject } from "cloudflare:test";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { type AssistantObject, assistantObject, worker } from "../../adapters/runtimes/cloudflare/index.ts";
import type { Reply } from "../../mod.ts";
import { defineTool } from "../../mod.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { calls, hangs, says, scriptedModel } from "../../src/testing/scripted-model.ts";
import { moment } from "../support/moment.ts";
import { until } from "../support/until.ts";
import type { Box } from "../support/worker.ts";

let boxes = 0;
const newId = () => env.BOX.idFromName(`assistant-${boxes++}`);
const headers = { authorization: "Bearer t", "content-type": "application/json" };

async function ask(
  object: AssistantObject,
  text: string,
  id?: string,
): Promise<Pick<Reply, "text"> & { turn_id: string }> {
  const response = await object.fetch(
    new Request("http://tenant/api/v1/messages", { method: "POST", headers, body: JSON.stringify({ text, id }) }),
  );
  expect(response.status).toBe(200);
  return response.json();
}

describe("assistantObject()", () => {
  it("answers, remembers, and knows a message again in a new life of the object", async () => {
    const Tenant = assistantObject(() => ({
      model: scriptedModel((prompt) => says(`${prompt.length} messages`)),
      server: { token: "t" },
    }));
    await runInDurableObject(env.BOX.get(newId()), async (_box: Box, state) => {
      const first = new Tenant(state, {});
      const answer = await ask(first, "hi", "a");
      const second = new Tenant(state, {});
      expect(await ask(second, "hi", "a")).toEqual(answer);
      expect((await ask(second, "again", "b")).text).toBe("4 messages");
      await state.storage.deleteAlarm();
    });
  });

  it("is the whole assistant: the API, that of memory, and the page", async () => {
    const Tenant = assistantObject(() => ({ model: scriptedModel(() => says("hi")), server: { token: "t" } }));
    await runInDurableObject(env.BOX.get(newId()), async (_box: Box, state) => {
      const object = new Tenant(state, {});
      expect((await ask(object, "hello")).text).toBe("hi");
      const get = (path: string) => object.fetch(new Request(`http://tenant${path}`, { headers }));
      expect((await get("/api/v1/sessions")).status).toBe(200);
      expect((await get("/api/v1/memory/entries")).status).toBe(200);
      const page = await get("/");
      expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
      await state.storage.deleteAlarm();
    });
  });

  it("reads the text of a policy", async () => {
    const Tenant = assistantObject(() => ({
      model: scriptedModel(() => says("hi")),
      server: { token: "t" },
      policy: "profiles: [{ name: default, policy: { deny: [{ group: exec }] } }]",
    }));
    await runInDurableObject(env.BOX.get(newId()), async (_box: Box, state) => {
      expect((await ask(new Tenant(state, {}), "hello")).text).toBe("hi");
      await state.storage.deleteAlarm();
    });
  });

  /** One that cannot be made before it is mended. */
  function withoutSecret() {
    let broken = true;
    const Tenant = assistantObject(() => {
      if (broken) throw new Error("no secret yet");
      return { model: scriptedModel(() => says("ready")), server: { token: "t" } };
    });
    return { Tenant, mend: () => void (broken = false) };
  }

  it("does not remember a failure to start", async () => {
    const { Tenant, mend } = withoutSecret();
    await runInDurableObject(env.BOX.get(newId()), async (_box: Box, state) => {
      const object = new Tenant(state, {});
      await expect(ask(object, "hi")).rejects.toThrow("no secret yet");
      mend();
      expect((await ask(object, "hi")).text).toBe("ready");
      await state.storage.deleteAlarm();
    });
  });

  it("keeps its alarm while it cannot start, however often that fails", async () => {
    const { Tenant, mend } = withoutSecret();
    await runInDurableObject(env.BOX.get(newId()), async (_box: Box, state) => {
      const object = new Tenant(state, {});
      for (let failure = 0; failure < 7; failure += 1) await object.alarm();
      expect(await state.storage.getAlarm()).toBeGreaterThan(Date.now());
      mend();
      await object.alarm();
      expect((await ask(object, "hi")).text).toBe("ready");
      await state.storage.deleteAlarm();
    });
  });

  it("goes on with a turn that the end of its object cut off, and runs no tool twice", async () => {
    const ran: string[] = [];
    let lives = 0;
    const Tenant = assistantObject(() => {
      lives += 1;
      const script = lives === 1 ? [calls(["note", { text: "once" }]), hangs()] : [says("finished")];
      return {
        model: scriptedModel(script),
        server: { token: "t" },
        tools: {
          note: defineTool({
            description: "notes",
            inputSchema: v.object({ text: v.string() }),
            execute: ({ text }) => ran.push(text),
          }),
        },
      };
    });
    const id = newId();
    await runInDurableObject(env.BOX.get(id), async (_box: Box, state) => {
      const object = new Tenant(state, {});
      const body = JSON.stringify({ text: "note it", id: "a", wait: false });
      const accepted = await object.fetch(
        new Request("http://tenant/api/v1/messages", { method: "POST", headers, body }),
      );
      expect(accepted.status).toBe(202);
      while (ran.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    });
    await abortAllDurableObjects();
    await runInDurableObject(env.BOX.get(id), async (_box: Box, state) => {
      const object = new Tenant(state, {});
      await object.alarm();
      expect((await ask(object, "note it", "a")).text).toBe("finished");
      expect(ran).toEqual(["once"]);
      await state.storage.deleteAlarm();
    });
  });

  it("keeps an appointment by its alarm, once, though its object died meanwhile", async () => {
    const clock = fakeClock(Date.UTC(2029, 0, 4, 8)); // later than the platform's own clock, which would call the alarm
    const Tenant = assistantObject(() => ({
      model: scriptedModel((prompt) =>
        says(JSON.stringify(prompt.at(-1)).includes("is due now") ? "Drink water" : "ok"),
      ),
      server: { token: "t" },
      clock,
    }));
    const id = newId();
    const at = new Date(clock.now() + 600_000);
    const call = async (object: AssistantObject, path: string, body?: object): Promise<Record<string, unknown[]>> => {
      const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
      return (await object.fetch(new Request(`http://tenant/api/v1${path}`, init))).json();
    };
    await runInDurableObject(env.BOX.get(id), async (_box: Box, state) => {
      const made = await call(new Tenant(state, {}), "/jobs", { schedule: at.toISOString(), task: "drink water" });
      expect(made).toMatchObject({ next_run_at: at.toISOString() });
      expect(await state.storage.getAlarm()).toBe(at.getTime());
    });
    await abortAllDurableObjects();
    clock.step(600_000);
    await runInDurableObject(env.BOX.get(id), async (_box: Box, state) => {
      const object = new Tenant(state, {});
      await object.alarm();
      const said = async () => (await call(object, "/notifications"))["notifications"] ?? [];
      await until(clock, async () => (await said()).length > 0, { stepMs: 0 });
      await object.alarm();
      expect(await said()).toMatchObject([{ text: "Drink water", kind: "notice" }]);
      expect((await call(object, "/jobs"))["jobs"]).toMatchObject([{ status: "done", last_run_status: "success" }]);
      await state.storage.deleteAlarm();
    });
  });
});

describe("a workflow in a Durable Object", () => {
  it("waits thirty days, and three for an approval, by the alarm alone, each time in a new life", async () => {
    const clock = fakeClock(Date.UTC(2029, 0, 4, 8)); // later than the platform's own clock, which would call the alarm
    const Tenant = assistantObject(() => ({ model: scriptedModel(() => says("ok")), server: { token: "t" }, clock }));
    const id = newId();
    const call = async (object: AssistantObject, path: string, body?: object): Promise<Record<string, unknown>> => {
      const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
      return (await object.fetch(new Request(`http://tenant/api/v1${path}`, init))).json();
    };
    const steps = [
      { id: "wait", run: "wait", with: { days: 30 } },
      { id: "ask", run: "approve", with: { text: "Go on?" }, needs: ["wait"] },
      { id: "then", run: "tool", tool: "time", needs: ["ask"] },
    ];
    let path = "";
    const becomes = (object: AssistantObject, states: string) =>
      until(clock, async () => {
        const run = (await call(object, path)) as { readonly steps: readonly { readonly status: string }[] };
        return run.steps.map(({ status }) => status).join(" ") === states;
      });
    await runInDurableObject(env.BOX.get(id), async (_box: Box, state) => {
      const object = new Tenant(state, {});
      path = `/workflows/${String((await call(object, "/workflows", { definition: { name: "w", steps } }))["run_id"])}`;
      const at = clock.now() + 30 * 86_400_000;
      await becomes(object, "waiting pending pending");
      // The one that would bring it back if it had died.
      clock.step(5000);
      await object.alarm();
      await until(clock, async () => ((await state.storage.getAlarm()) ?? 0) >= at);
    });
    await abortAllDurableObjects();
    clock.step(30 * 86_400_000);
    await runInDurableObject(env.BOX.get(id), async (_box: Box, state) => {
      const object = new Tenant(state, {});
      await object.alarm();
      await becomes(object, "done waiting pending");
    });
    await abortAllDurableObjects();
    clock.step(3 * 86_400_000);
    await runInDurableObject(env.BOX.get(id), async (_box: Box, state) => {
      const object = new Tenant(state, {});
      const [asked] = (await call(object, "/approvals"))["approvals"] as { readonly id: string }[];
      await call(object, `/approvals/${asked?.id}`, { answer: "once" });
      await becomes(object, "done done done");
      await state.storage.deleteAlarm();
    });
  });

  it("sleeps for three days while an approval is open, and ends it at its time", async () => {
    const clock = fakeClock(Date.UTC(2029, 0, 4, 8));
    const Tenant = assistantObject(() => ({ model: scriptedModel(() => says("ok")), server: { token: "t" }, clock }));
    const call = async (object: AssistantObject, path: string, body?: object): Promise<Record<string, unknown>> => {
      const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
      return (await object.fetch(new Request(`http://tenant/api/v1${path}`, init))).json();
    };
    const definition = {
      name: "w",
      steps: [{ id: "ask", run: "approve", with: { text: "Go on?" }, timeout_seconds: 72 * 3600 }],
    };
    await runInDurableObject(env.BOX.get(newId()), async (_box: Box, state) => {
      const object = new Tenant(state, {});
      const path = `/workflows/${String((await call(object, "/workflows", { definition }))["run_id"])}`;
      const becomes = (wanted: string) =>
        until(clock, async () => (await call(object, path))["status"] === wanted, { stepMs: 0 });
      await becomes("waiting");
      const endsAt = clock.now() + 72 * 3_600_000;
      const rang: number[] = [];
      while (clock.now() < endsAt && rang.length < 20) {
        const at = (await state.storage.getAlarm()) ?? 0;
        await state.storage.deleteAlarm(); // as the platform does before it calls
        clock.step(Math.max(0, at - clock.now()));
        rang.push(at);
        await object.alarm();
        for (let turn = 0; turn < 20; turn += 1) await moment();
      }
      // In its first minute it guards what runs, and looks whether the request was shown.
      expect(rang.filter((at) => at > endsAt - 71 * 3_600_000)).toEqual([endsAt]);
      await becomes("failed");
      await state.storage.deleteAlarm();
    });
  });
});

describe("worker()", () => {
  it("hands each tenant's requests to its own object, with everything they hold", async () => {
    const names: string[] = [];
    const ASSISTANT = {
      idFromName: (name: string) => name,
      get: (id: string) => ({
        fetch: async (request: Request) => (names.push(id), new Response(`${request.method} ${await request.text()}`)),
      }),
    };
    const byHost = worker({ tenant: (request) => new URL(request.url).hostname });
    const answer = await byHost.fetch(new Request("http://ada.example/x", { method: "POST", body: "hello" }), {
      ASSISTANT,
    });
    await worker().fetch(new Request("http://bob.example/"), { ASSISTANT });
    expect([await answer.text(), names]).toEqual(["POST hello", ["ada.example", "main"]]);
  });

  it("says what is missing in the configuration when there is no binding", async () => {
    await expect(worker({ binding: "BOT" }).fetch(new Request("http://x/"), {})).rejects.toThrow(
      'no Durable Object binding "BOT"',
    );
  });
});
