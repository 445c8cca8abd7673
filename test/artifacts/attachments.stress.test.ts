import { describe, expect, it } from "vitest";
import { artifactTools } from "../../src/tools/index.ts";
import { callTool, contextOf } from "../tools/call-tool.ts";
import { MB, SESSION, linked, setUp, text } from "./attached.ts";

/** In parts, as `btoa` takes no 5 MB at once everywhere. */
function dataUrl(bytes: Uint8Array, mediaType = "application/octet-stream"): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 30_000)
    parts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + 30_000))));
  return `data:${mediaType};base64,${parts.join("")}`;
}

describe("an attachment with its content in a data: URL", () => {
  it("of 5 MB leaves a small record and is an artifact of the session, byte for byte", async () => {
    const { detach, artifacts } = setUp();
    const bytes = new Uint8Array(5 * MB).map((_, index) => (index * 7 + (index >> 8)) % 256);
    const [attachment] = await detach([{ mediaType: "image/png", name: "photo.png", url: dataUrl(bytes) }]);
    expect(JSON.stringify(attachment).length).toBeLessThan(200);
    expect(attachment).toEqual({
      name: "photo.png",
      mediaType: "image/png",
      sizeBytes: 5 * MB,
      artifact: expect.any(String) as string,
    });
    const kept = await artifacts.read(SESSION, attachment?.artifact ?? "");
    expect(kept).toMatchObject({ origin: "attachment", user: "webhook:ada", mediaType: "image/png", bytes: 5 * MB });
    // `toEqual` of 5 MB takes seconds.
    const content = kept?.content as Uint8Array;
    expect(content.length === bytes.length && content.every((byte, index) => byte === bytes[index])).toBe(true);
  });
});

describe("a text attachment", () => {
  it("of a megabyte is read back by artifact_read, every byte of it", async () => {
    const { detach, artifacts } = setUp();
    const line = "häst 😀 line\r\n\t\ufeff";
    const whole = `\ufeff${line.repeat(Math.ceil(MB / 20))}`;
    const bytes = text(whole);
    expect(bytes.length).toBeGreaterThan(MB);
    const [attachment] = await detach([linked(dataUrl(bytes), { name: "log.txt" })]);
    const tools = artifactTools({ artifacts });
    let read = "";
    for (let offset: number | undefined = 0, calls = 0; offset !== undefined; calls += 1) {
      expect(calls).toBeLessThan(100);
      const part = (await callTool(tools, "artifact_read", { id: attachment?.artifact, offset }, contextOf({}))) as {
        text: string;
        next_offset?: number;
      };
      read += part.text;
      offset = part.next_offset;
    }
    expect(read === whole).toBe(true);
  });
});
