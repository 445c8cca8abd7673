import { calls, says } from "../../../src/testing/index.ts";
import { ADA_TOKEN, openWorld } from "../world.ts";

const message = (text: string, id: string) => ({ id, role: "user", parts: [{ type: "text", text }] });

export const http = {
  async "messages and sessions over HTTP"() {
    const t = await openWorld();
    await t.http("POST", "/api/v1/messages", { text: "hello" });
    await t.http("POST", "/api/v1/messages", { text: "hello from Ada" }, ADA_TOKEN);
    await t.http("POST", "/api/v1/messages", { text: "" });
    await t.http("POST", "/api/v1/messages", { text: "hello" }, null);
    await t.http("POST", "/api/v1/messages", { text: "hello" }, "wrong-token-0123456789abcdef");
    await t.http("GET", "/api/v1/sessions");
    await t.http("GET", "/api/v1/sessions", undefined, ADA_TOKEN);
    const [session] = await t.assistant.sessions.list();
    const key = encodeURIComponent(session?.key ?? "");
    for (const path of ["", "/export", "/settings", "/summary", "/context", "/artifacts"])
      await t.http("GET", `/api/v1/sessions/${key}${path}`);
    await t.http("GET", "/api/v1/nothing");
    await t.http("DELETE", `/api/v1/sessions/${key}`);
    await t.http("GET", "/healthz", undefined, null);
    await t.http("GET", "/api/v1/audit");
    await t.http("GET", "/api/v1/notifications");
    return t.close();
  },

  async "a chat of the page"() {
    const t = await openWorld({
      script: (_, index) => (index === 0 ? calls("Let me look. ", ["time", {}]) : says(`Answer ${index}`)),
    });
    await t.http("POST", "/api/v1/chat", { id: "plans", messages: [message("What time is it?", "m1")] });
    await t.http("POST", "/api/v1/chat", { id: "plans", messages: [message("And now?", "m2")] });
    await t.http("POST", "/api/v1/chat", { id: "plans", messages: [message("Ada here", "m3")] }, ADA_TOKEN);
    await t.http("GET", "/api/v1/conversations");
    await t.http("GET", "/api/v1/conversations", undefined, ADA_TOKEN);
    return t.close();
  },
};
