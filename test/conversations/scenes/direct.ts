import { calls, delayed, fails, hangs, says, scriptedModel } from "../../../src/testing/index.ts";
import { OWNER, lastText, openWorld } from "../world.ts";

export const direct = {
  async "a direct chat"() {
    const t = await openWorld();
    await t.say("Good morning");
    await t.say("How are you?");
    await t.clock.advance(86_400_000);
    await t.say("And today?");
    await t.say("I am the owner", { from: OWNER });
    return t.close();
  },

  async "a burst that is gathered"() {
    const t = await openWorld({ queue: { debounceMs: 1500 } });
    for (const text of ["one", "two", "three"]) {
      await t.arrive(text);
      await t.clock.advance(500);
    }
    await t.settle();
    await t.arrive("the same", { id: "same" });
    await t.arrive("the same", { id: "same" });
    await t.settle();
    return t.close();
  },

  async "the queue modes"() {
    const t = await openWorld({ script: (_, index) => delayed(3000, says(`Answer ${index}`)) });
    for (const mode of ["collect", "followup", "steer", "interrupt"]) {
      await t.say(`/queue ${mode}`, { from: OWNER });
      await t.arrive("first", { from: OWNER });
      await t.clock.advance(1000);
      await t.arrive("second", { from: OWNER });
      await t.arrive("third", { from: OWNER });
      await t.settle(15_000);
    }
    return t.close();
  },

  async "a turn that is stopped"() {
    const t = await openWorld({
      script: (prompt) => (lastText(prompt).includes("photos") ? hangs("I am deleting") : says("Good morning")),
    });
    await t.arrive("please delete the whole folder photos");
    await t.settle(1000);
    await t.say("/stop");
    await t.say("good morning");
    await t.say("/retry");
    return t.close();
  },

  async "the commands"() {
    const t = await openWorld();
    await t.say("hello");
    for (const command of ["/help", "/status", "/whoami", "/queue", "/queue steer", "/compact", "/new", "/nonsense"])
      await t.say(command);
    for (const command of ["/status", "/help", "/approve", "/memory"]) await t.say(command, { from: OWNER });
    await t.say("hello again");
    return t.close();
  },

  async "models that fail"() {
    const answers = [fails(500), fails(401), fails(429)];
    let count = 0;
    const second = scriptedModel(() => says("The second model answers"), { modelId: "second" });
    const t = await openWorld({ script: () => answers[count++ % answers.length]! });
    await t.say("nobody answers");
    await t.settle(60_000);
    await t.restart({ model: [scriptedModel(() => fails(503), { modelId: "first" }), second] });
    await t.say("somebody answers");
    await t.settle(60_000);
    await t.say("and again", { from: OWNER });
    return t.close();
  },

  async "people who are one person"() {
    const t = await openWorld({
      session: { identityLinks: { ada: ["memory:42", "app:ada", "web:ada"] } },
      users: { "app:ada": { name: "Ada", timezone: "Europe/Oslo", language: "en" } },
      roles: { friend: ["memory:42"] },
    });
    await t.say("from the channel");
    await t.send({ text: "from the app", user: "app:ada" });
    await t.send({ text: "from elsewhere", user: "app:Ada" });
    await t.send({ text: "in a session", user: "app:ada", session: "Plans" });
    return t.close();
  },

  async "silence and long answers"() {
    const t = await openWorld({
      maxTextLength: 200,
      script: (prompt) =>
        says(
          lastText(prompt).includes("long")
            ? Array.from({ length: 12 }, (_, n) => `Paragraph ${n}. It has a few words.`).join("\n\n")
            : "",
        ),
    });
    await t.say("say nothing");
    await t.say("something long");
    return t.close();
  },

  async "a call that is made twice"() {
    const t = await openWorld();
    await t.send({ text: "once", id: "mine" });
    await t.send({ text: "once", id: "mine" });
    await t.send({ text: "   ", user: "app:ada" });
    await t.send({ text: "hello", user: "no such thing:" });
    return t.close();
  },

  async "a stream"() {
    const t = await openWorld({
      script: (_, index) => (index === 0 ? calls("Let me look. ", ["time", {}]) : says("It is late")),
    });
    await t.outcome("streamed", async () => {
      const events: unknown[] = [];
      for await (const event of t.assistant.stream({ text: "What time is it?" })) events.push(event);
      return events;
    });
    return t.close();
  },

  async "agents that are bound"() {
    const t = await openWorld({
      agents: [
        { id: "main", name: "Main", instructions: "Answer everybody." },
        { id: "work", name: "Work", instructions: "Answer about work only." },
      ],
      bindings: [{ agentId: "work", match: { channel: "memory", peer: { kind: "direct", id: "7" } } }],
      timezone: "Asia/Shanghai",
    });
    await t.say("to main");
    await t.say("to work", { from: "7" });
    await t.send({ text: "to main from the app", user: "app:ada" });
    return t.close();
  },

  async "strangers who ask to be let in"() {
    const t = await openWorld({ access: { dm: "pairing", groups: "mention" } });
    await t.say("let me in", { from: "9" });
    await t.say("please", { from: "9" });
    await t.say("/approve", { from: OWNER });
    await t.outcome("pending", () => t.assistant.access.list());
    await t.http("GET", "/api/v1/access");
    const [request] = (await t.assistant.access.list()).pending;
    await t.say(`/approve ${request?.code ?? "none"}`, { from: OWNER });
    await t.say("thank you", { from: "9" });
    await t.say("and me", { from: "10" });
    return t.close();
  },
};
