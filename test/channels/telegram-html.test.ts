import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { telegramHtml } from "../../adapters/channels/telegram/html.ts";
import { visibleText } from "../support/telegram-platform.ts";
import { runs } from "../support/thorough.ts";

describe("telegramHtml()", () => {
  it.each([
    { markdown: "plain", html: "plain" },
    { markdown: "a < b && c > d", html: "a &lt; b &amp;&amp; c &gt; d" },
    { markdown: "**bold** __bold__", html: "<b>bold</b> <b>bold</b>" },
    { markdown: "*it* _it_", html: "<i>it</i> <i>it</i>" },
    { markdown: "~~gone~~", html: "<s>gone</s>" },
    { markdown: "***both***", html: "<i><b>both</b></i>" },
    { markdown: "snake_case_name 2*3*4", html: "snake_case_name 2<i>3</i>4" },
    { markdown: "`a < b`", html: "<code>a &lt; b</code>" },
    { markdown: "```ts\nif (a < b) {}\n```", html: '<pre><code class="language-ts">if (a &lt; b) {}</code></pre>' },
    { markdown: "```c++ title=x\nx\n```", html: '<pre><code class="language-c++">x</code></pre>' },
    { markdown: '```"><b>\nx\n```', html: "<pre>x</pre>" },
    { markdown: "```\nno info\n```", html: "<pre>no info</pre>" },
    { markdown: "```\nnot closed", html: "<pre>not closed</pre>" },
    { markdown: "[label](https://a.example/?x=1&y=2)", html: '<a href="https://a.example/?x=1&amp;y=2">label</a>' },
    {
      markdown: '[label](https://a.example/"onclick=x)',
      html: '<a href="https://a.example/&quot;onclick=x">label</a>',
    },
    { markdown: "[**bold** label](https://a.example)", html: '<a href="https://a.example"><b>bold</b> label</a>' },
    { markdown: "[no](javascript:alert(1))", html: "no (javascript:alert(1))" },
    { markdown: "[file](./notes.md)", html: "file (./notes.md)" },
    { markdown: "see https://a.example/x?y=1&z=2 now", html: "see https://a.example/x?y=1&amp;z=2 now" },
    { markdown: "![alt](https://a.example/i.png)", html: '<a href="https://a.example/i.png">alt</a>' },
    { markdown: "# Title *it* **b**\ntext", html: "<b>Title <i>it</i> b</b>\n\ntext" },
    {
      markdown: "- one\n- two\n  - deep\n    - deeper\n- three",
      html: "• one\n• two\n  • deep\n    • deeper\n• three",
    },
    { markdown: "3. three\n4. four", html: "3. three\n4. four" },
    { markdown: "- [x] done\n- [ ] open", html: "☑ done\n☐ open" },
    { markdown: "- one\n\n- two **b**", html: "• one\n• two <b>b</b>" },
    { markdown: "- code:\n  ```js\n  x\n  ```", html: '• code:\n<pre><code class="language-js">x</code></pre>' },
    {
      markdown: "> quoted **b**\n> > deeper\n\nafter",
      html: "<blockquote>quoted <b>b</b>\n\ndeeper</blockquote>\n\nafter",
    },
    { markdown: "one\ntwo  \nthree\\\nfour", html: "one\ntwo\nthree\nfour" },
    { markdown: "one<br>two<br/>three", html: "one\ntwo\nthree" },
    { markdown: "<b>raw</b> <script>x</script>", html: "&lt;b&gt;raw&lt;/b&gt; &lt;script&gt;x&lt;/script&gt;" },
    { markdown: "<div>\nblock\n</div>", html: "&lt;div&gt;\nblock\n&lt;/div&gt;" },
    { markdown: "one\n\n---\n\ntwo", html: "one\n\n———\n\ntwo" },
    { markdown: "| a | b |\n|---|---|\n| 1 | <2 |", html: "<pre>| a | b |\n|---|---|\n| 1 | &lt;2 |</pre>" },
    { markdown: "\\*not it\\* \\<", html: "*not it* &lt;" },
    { markdown: "你好 **世界** 👩‍👩‍👧", html: "你好 <b>世界</b> 👩‍👩‍👧" },
  ])("turns $markdown into Telegram's HTML", async ({ markdown, html }) => {
    expect((await telegramHtml(markdown)).html).toBe(html);
  });

  it("says what a reader sees", async () => {
    expect((await telegramHtml("**a** < `b` & [c](https://d.example)")).visible).toBe("a < b & c");
  });

  it("gives HTML that Telegram accepts for any text, and says what of it is seen", async () => {
    const pieces = fc.constantFrom(
      "**",
      "*",
      "_",
      "~~",
      "`",
      "```",
      "\n",
      "\n\n",
      "    ",
      "- ",
      "1. ",
      "> ",
      "# ",
      "| a |\n|---|\n",
      "[",
      "](",
      ")",
      "https://a.example",
      "<",
      ">",
      "&",
      "&lt;",
      "&quot;",
      '"',
      "<b>",
      "</a>",
      "<!--",
      "![",
      "\\",
      "- [ ] ",
      "word",
      "字",
      "😀",
      "<br>",
      "javascript:",
      "\ud83d",
    );
    const text = fc.oneof(
      fc.array(pieces, { maxLength: 40 }).map((list) => list.join("")),
      fc.string({ unit: "grapheme", maxLength: 100 }),
    );
    await fc.assert(
      fc.asyncProperty(text, async (markdown) => {
        const { html, visible } = await telegramHtml(markdown);
        const seen = visibleText({ text: html, parse_mode: "HTML" });
        if (visible.trim() === "") expect(seen).toEqual({ refusal: "Bad Request: message text is empty" });
        else expect(seen).toBe(visible);
      }),
      { numRuns: runs(1000) },
    );
  });
});
