import { describe, expect, it } from "vitest";
import { compilePhrasing } from "../../adapters/models/offline/phrasing.ts";

describe("compilePhrasing()", () => {
  it.each<[template: string, language: "en" | "zh", text: string, groups: Record<string, string> | undefined]>([
    ["list files", "en", "List  FILES!", {}],
    ["list files", "en", "list files now", undefined],
    ["(the |)time", "en", "the time", {}],
    ["what's up", "en", "What’s up?", {}],
    ["say:? {words}", "en", "say: one\ntwo", { words: "one\ntwo" }],
    ["say {words}", "en", "say   ", undefined],
    ["write {content} to {path:word}", "en", "write a to b to c.txt.", { content: "a to b", path: "c.txt" }],
    ["write {content} to {path:word}", "en", "write a to my file", undefined],
    ["write {content} to {path:word}", "en", 'write a to "my to file.txt"', { content: "a", path: "my to file.txt" }],
    ["read {path:path}", "en", "read aloud", undefined],
    ["read {path:path}", "en", "read ../a", { path: "../a" }],
    ["read {path:path}", "en", "read https://a.b/c", undefined],
    [
      "swap {a} with {b} in {path:path}",
      "en",
      "swap x with y with z in in.txt",
      { a: "x", b: "y with z", path: "in.txt" },
    ],
    [
      "swap {a} with {b} in {path:path}",
      "en",
      "swap 'x with y' with z in a.txt",
      { a: "x with y", b: "z", path: "a.txt" },
    ],
    ["time in {place:short}", "en", `time in ${"x".repeat(61)}`, undefined],
    ["把{content}写入{path:path}", "zh", "把 你好 写入 a.txt。", { content: "你好", path: "a.txt" }],
    ["{place:short}现在几点(了|)", "zh", "东京现在几点了？", { place: "东京" }],
    ["说(：|:|){words}", "zh", "说“你好！”", { words: "你好！" }],
  ])("matches %s (%s) with “%s”", (template, language, text, groups) => {
    expect(compilePhrasing(template, language).match(text)).toEqual(groups);
  });

  it("knows how its texts begin", () => {
    expect(compilePhrasing("(read|open) (the |)file", "en").beginnings).toEqual(["read", "open"]);
    expect(compilePhrasing("(please |)read", "en").beginnings?.toSorted()).toEqual(["please", "read"]);
    expect(compilePhrasing("(读取|打开)文件", "zh").beginnings).toEqual(["读", "打"]);
    expect(compilePhrasing("{place:short}几点", "zh").beginnings).toBeUndefined();
    expect(compilePhrasing("(文件|){path:path}有多长", "zh").beginnings).toBeUndefined();
  });
});
