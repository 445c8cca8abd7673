import { expect } from "vitest";
import type { PlacedNotice } from "../../src/attention/index.ts";
import { MAX_DIGEST, digestOf } from "../../src/attention/digest.ts";

export const WORDS = "The build of the main branch failed again. ";

function notice(id: number, text: string, more: Partial<PlacedNotice> = {}): PlacedNotice {
  return { id: `${id}`, type: "note", user: "telegram:42", channel: "telegram", sessionKey: "s", text, ...more };
}

export function digest(texts: readonly string[], more: (at: number) => Partial<PlacedNotice> = () => ({})) {
  const notices = texts.map((text, at) => notice(at, text, more(at)));
  return digestOf(notices[0]!, notices);
}

export const of = (count: number, text: (at: number) => string) => Array.from({ length: count }, (_, at) => text(at));

/** One message of so many texts, of which it shows some, and the whole beside it. */
export function fitsIntoOne({ title, texts, shown }: { title: string; texts: readonly string[]; shown: number }): void {
  const { text, whole = "" } = digest(texts);
  expect(text.length).toBeLessThanOrEqual(MAX_DIGEST);
  expect(text.match(/^\d+\. /gm)).toHaveLength(shown);
  const left = texts.length - shown;
  const isChinese = title.endsWith("Chinese");
  expect(text.split("\n\n").at(-1)).toBe(
    isChinese
      ? "全文在网页的通知里，也可以用 GET /api/v1/notifications 读取。"
      : `${left > 0 ? `And ${left} more. ` : ""}The whole texts are among the notices of the page, and at GET /api/v1/notifications.`,
  );
  expect(text).not.toContain("```");
  for (const one of texts) expect(whole).toContain(one.trim());
}
