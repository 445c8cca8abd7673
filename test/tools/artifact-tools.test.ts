import { describe, expect, it } from "vitest";
import { createArtifacts } from "../../src/artifacts/index.ts";
import { memoryStore } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { type ToolContext, artifactTools } from "../../src/tools/index.ts";
import { callTool, contextOf } from "./call-tool.ts";

function setUp() {
  const artifacts = createArtifacts({ store: memoryStore(), clock: fakeClock(), maxBytes: 100_000 });
  const tools = artifactTools({ artifacts });
  let count = 0;
  const call = (name: string, input: unknown, who: Partial<ToolContext> = {}) =>
    callTool(tools, name, input, contextOf({ callId: `t.0.${(count += 1)}`, ...who }));
  const write = async (content: string, who: Partial<ToolContext> = {}) =>
    ((await call("artifact_write", { name: "a.md", content, media_type: "text/markdown" }, who)) as { id: string }).id;
  return { artifacts, tools, call, write };
}
const BOB = { sessionKey: "agent:main:memory:direct:bob", user: "memory:bob" };
const OWNER = { sessionKey: "agent:main:main", user: "telegram:42", userRoles: ["owner", "user"] };

describe("the artifact tools", () => {
  it("are of the group ui; what is read counts as written by strangers", () => {
    const { tools } = setUp();
    const described = Object.entries(tools).map(([name, { meta }]) => [
      name,
      meta?.category,
      meta?.idempotent,
      meta?.untrusted,
    ]);
    expect(described).toEqual([
      ["artifact_write", "ui", true, undefined],
      ["artifact_read", "ui", true, true],
      ["artifact_list", "ui", true, undefined],
      ["artifact_delete", "ui", undefined, undefined],
    ]);
  });

  it("write, list, read in parts and delete", async () => {
    const { call, write } = setUp();
    const id = await write("0123456789");
    const info = { id, name: "a.md", media_type: "text/markdown", bytes: 10, created: "2026-01-05T08:00:00.000Z" };
    expect(await call("artifact_list", {})).toEqual({ artifacts: [info] });
    expect(await call("artifact_read", { id })).toEqual({ ...info, text: "0123456789", characters: 10 });
    expect(await call("artifact_read", { id, offset: 2, limit: 3 })).toMatchObject({ text: "234", next_offset: 5 });
    expect(await call("artifact_read", { id, offset: 10 })).toMatchObject({ text: "" });
    expect(await call("artifact_read", { id, offset: 11 })).toMatchObject({ refused: "BAD_INPUT" });
    expect(await call("artifact_delete", { id })).toEqual({ deleted: true, id });
    expect(await call("artifact_delete", { id })).toMatchObject({ refused: "NOT_FOUND" });
    expect(await call("artifact_list", {})).toEqual({ artifacts: [] });
  });

  it("show no half of a character", async () => {
    const { call, write } = setUp();
    const id = await write("a😀b");
    expect(await call("artifact_read", { id, limit: 2 })).toMatchObject({ text: "a", next_offset: 1 });
    expect(await call("artifact_read", { id, offset: 1, limit: 1 })).toMatchObject({ text: "😀", next_offset: 3 });
  });

  it("show no more than so much at once, however much is asked for", async () => {
    const { call, write } = setUp();
    const id = await write("x".repeat(50_000));
    expect(await call("artifact_read", { id, limit: 1_000_000 })).toMatchObject({
      next_offset: 12_000,
      characters: 50_000,
    });
  });

  it("reach nothing of another conversation", async () => {
    const { call, write } = setUp();
    const id = await write("Ada's");
    expect(await call("artifact_read", { id }, BOB)).toMatchObject({ refused: "NOT_FOUND" });
    expect(await call("artifact_delete", { id }, BOB)).toMatchObject({ refused: "NOT_FOUND" });
    expect(await call("artifact_list", {}, BOB)).toEqual({ artifacts: [] });
    const unknown = await call("artifact_read", { id: "01JD8XK3VQ5W8T9Y2Z4N6M7P0R" }, BOB);
    const others = await call("artifact_read", { id }, BOB);
    expect(JSON.stringify(others).replace(id, "ID")).toBe(
      JSON.stringify(unknown).replace("01JD8XK3VQ5W8T9Y2Z4N6M7P0R", "ID"),
    );
  });

  it.each([
    ["agent:main:main", true],
    ["agent:main:telegram:direct:42", true],
    ["agent:main:telegram:acc:direct:42", true],
    ["agent:main:direct:@alice", true],
    ["agent:main:telegram:group:-1", false],
    ["agent:main:telegram:group:-1:thread:7", false],
    ["agent:main:direct:group:direct", false],
    ["agent:main:telegram:group:main", false],
  ])("let an owner read another conversation's from %s: %s", async (sessionKey, allowed) => {
    const { call, write } = setUp();
    const id = await write("Ada's");
    const read = await call("artifact_read", { id }, { ...OWNER, sessionKey });
    expect(read).toMatchObject(allowed ? { text: "Ada's" } : { refused: "NOT_FOUND" });
    expect(await call("artifact_delete", { id }, { ...OWNER, sessionKey })).toMatchObject({ refused: "NOT_FOUND" });
  });

  it.each([
    ["text/csv", true],
    ["application/json", true],
    ["application/xml", true],
    ["application/x-yaml", true],
    ["image/svg+xml", true],
    ["application/octet-stream", true],
    ["application/pdf", false],
    ["image/png", false],
    ["audio/ogg", false],
    ["video/mp4", false],
    ["application/zip", false],
  ])("show the bytes of %s as text: %s", async (mediaType, isText) => {
    const { artifacts, call } = setUp();
    const content = new TextEncoder().encode("a,b\n");
    const file = { name: "a", content, mediaType, user: "u", origin: "attachment" } as const;
    const written = await artifacts.write(contextOf().sessionKey, file);
    const shown = await call("artifact_read", { id: written.ok ? written.artifact.id : "" });
    if (isText) expect(shown).toMatchObject({ text: "a,b\n", bytes: 4 });
    else {
      expect(shown).toMatchObject({
        refused: "BINARY_FILE",
        message: expect.stringContaining(`its type is ${mediaType}, its size 4 bytes`) as string,
      });
    }
  });

  it("say why something cannot be kept or shown", async () => {
    const { artifacts, call } = setUp();
    expect(await call("artifact_write", { name: "a", content: "x".repeat(100_001) })).toMatchObject({
      refused: "TOO_LARGE",
    });
    expect(await call("artifact_write", { name: "a", content: "x", media_type: "text" })).toMatchObject({
      refused: "BAD_INPUT",
    });
    const written = await artifacts.write(contextOf().sessionKey, {
      name: "a.png",
      content: new Uint8Array([0, 255]),
      user: "u",
    });
    const id = written.ok ? written.artifact.id : "";
    expect(await call("artifact_read", { id })).toEqual({
      refused: "BINARY_FILE",
      message: expect.stringContaining('"a.png" as it is no text') as string,
    });
  });
});
