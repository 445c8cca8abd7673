import { describe, expect, it } from "vitest";
import { createArtifacts } from "../../src/artifacts/index.ts";
import { memoryStore } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { ADA, METRICS, OWNER, bodyOf, call, fakeAssistant } from "./support.ts";

const KEY = "agent:main:web:direct:notes";
const ADAS = "agent:main:web:direct:app%3a%41da/notes";

function setUp() {
  const clock = fakeClock();
  const artifacts = createArtifacts({ store: memoryStore(), clock });
  const { app } = fakeAssistant({ clock, parts: { artifacts } });
  const keep = async (content: string | Uint8Array, more: { name?: string; mediaType?: string; key?: string } = {}) => {
    const { key = KEY, name = "a.txt", ...rest } = more;
    const written = await artifacts.write(key, { name, content, user: "app:ada", origin: "attachment", ...rest });
    return written.ok ? written.artifact.id : "";
  };
  const get = async (path: string, token: string | null = OWNER) =>
    app.request(call(`/api/v1/sessions/${path}`, { token }));
  return { clock, artifacts, keep, get };
}

describe("a session's artifacts over HTTP", () => {
  it("are listed with what is known of them, the oldest first", async () => {
    const { keep, get, clock } = setUp();
    const id = await keep("hi");
    await keep(new Uint8Array(3), { name: "b.png", mediaType: "image/png" });
    const { artifacts } = (await bodyOf(await get("web:notes/artifacts"))) as { artifacts: unknown[] };
    expect(artifacts).toMatchObject([{ name: "a.txt" }, { name: "b.png", media_type: "image/png", bytes: 3 }]);
    expect(artifacts[0]).toEqual({
      id,
      name: "a.txt",
      media_type: "text/plain",
      bytes: 2,
      origin: "attachment",
      user: "app:ada",
      created_at_ms: clock.now(),
      expires_at_ms: clock.now() + 30 * 86_400_000,
    });
    expect(await bodyOf(await get("web:other/artifacts"))).toEqual({ artifacts: [] });
  });

  it("come as files to save, byte for byte", async () => {
    const { keep, get } = setUp();
    const bytes = new Uint8Array([0, 255, 1, 128]);
    const response = await get(`web:notes/artifacts/${await keep(bytes, { name: "b.png", mediaType: "image/png" })}`);
    expect(response.status).toBe(200);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/png",
      "content-length": "4",
      "content-disposition": "attachment; filename=\"b.png\"; filename*=UTF-8''b.png",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
      "content-security-policy": expect.stringContaining("sandbox") as string,
    });
    const text = await get(`web:notes/artifacts/${await keep("häst", { mediaType: "text/markdown" })}`);
    expect(text.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    expect(await text.text()).toBe("häst");
  });

  it.each([
    "text/html",
    "application/xhtml+xml",
    "image/svg+xml",
    "text/xml",
    "text/javascript",
    "application/pdf",
    "text/html; charset=utf-8",
    "TEXT/HTML",
    "multipart/related",
  ])("are never a page of this server: %s", async (mediaType) => {
    const { keep, get } = setUp();
    for (const content of ["<script>alert(1)</script>", new TextEncoder().encode("<script>")]) {
      const response = await get(`web:notes/artifacts/${await keep(content, { name: "a.html", mediaType })}`);
      expect(response.headers.get("content-type")).toBe("application/octet-stream");
      expect(response.headers.get("content-disposition")).toMatch(/^attachment; /);
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  it.each([
    ['a"; filename="b.exe', "a__ filename=_b.exe", "a%22%3B%20filename%3D%22b.exe"],
    ["häst 😀.txt", "h_st _.txt", "h%C3%A4st%20%F0%9F%98%80.txt"],
    ["../../x\r\nset-cookie: a=b", ".._.._x set-cookie_ a=b", ".._.._x%20set-cookie%3A%20a%3Db"],
    ["50%25 (1)'s*.txt", "50_25 (1)'s_.txt", "50%2525%20%281%29%27s%2A.txt"],
  ])("have a name that cannot leave its header: %j", async (name, plain, encoded) => {
    const { keep, get } = setUp();
    const response = await get(`web:notes/artifacts/${await keep("x", { name })}`);
    expect(response.headers.get("content-disposition")).toBe(
      `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`,
    );
    expect(response.headers.has("set-cookie")).toBe(false);
  });

  it("are 404 when they never were, are gone or are another session's", async () => {
    const { keep, get, artifacts } = setUp();
    const id = await keep("x");
    const answers: unknown[] = [];
    for (const path of [`web:other/artifacts/${id}`, "web:notes/artifacts/01JD8XK3VQ5W8T9Y2Z4N6M7P0R"]) {
      const response = await get(path);
      expect(response.status).toBe(404);
      answers.push(JSON.stringify(await response.json()).replaceAll(/[0-9A-Z]{26}/g, "ID"));
    }
    expect(answers[0]).toBe(answers[1]);
    await artifacts.remove(KEY, id);
    expect((await get(`web:notes/artifacts/${id}`)).status).toBe(404);
    expect((await get("web:notes/artifacts/..%2F..%2Findex")).status).toBe(404);
  });

  it("are for the owner by any key, for a user's token in conversations of its own", async () => {
    const { keep, get } = setUp();
    const [theirs, own] = [await keep("owner's"), await keep("Ada's", { key: ADAS })];
    expect((await get(`${encodeURIComponent(ADAS)}/artifacts/${own}`)).status).toBe(200);
    expect((await get(`web:notes/artifacts/${own}`, ADA)).status).toBe(200);
    expect((await bodyOf(await get("web:notes/artifacts", ADA)))["artifacts"]).toMatchObject([{ id: own }]);
    expect((await get(`web:notes/artifacts/${theirs}`, ADA)).status).toBe(404);
    for (const path of [`${encodeURIComponent(KEY)}/artifacts`, `${encodeURIComponent(KEY)}/artifacts/${theirs}`]) {
      expect((await get(path, ADA)).status).toBe(403);
      expect((await get(path, METRICS)).status).toBe(403);
      expect((await get(path, null)).status).toBe(401);
    }
  });
});
