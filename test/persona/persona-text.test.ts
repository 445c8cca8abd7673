import { describe, expect, it } from "vitest";
import { saidIn } from "../../src/persona/persona-text.ts";

describe("saidIn()", () => {
  it.each([
    { title: "nothing", file: "", said: "" },
    { title: "blank lines", file: "\n  \r\n\t\n", said: "" },
    { title: "headings", file: "# Soul\n\n###### Deep\n#\n  ## Indented", said: "" },
    { title: "a comment over several lines", file: "# Soul\n<!-- who\n\nyou are -->\n", said: "" },
    { title: "a comment that nothing closes", file: "# Soul\n<!-- who you are\n- be kind", said: "" },
    { title: "frontmatter", file: "---\ntitle: Soul\n---\n# Soul\n", said: "" },
    { title: "a heading behind a comment", file: "<!-- a --># Soul <!-- b -->\n", said: "" },
    { title: "a line", file: "# Soul\n<!-- who -->\n\nBe kind.\n", said: "# Soul\n\n\nBe kind." },
    { title: "a list's item", file: "- look at the mail", said: "- look at the mail" },
    { title: "what only begins like a heading", file: "#kind", said: "#kind" },
    { title: "a rule between two parts", file: "Be kind.\n\n---\n\nBe brief.", said: "Be kind.\n\n---\n\nBe brief." },
    { title: "a line between comments", file: "<!-- a -->be kind<!-- b -->", said: "be kind" },
  ])("finds $said in $title", ({ file, said }) => {
    expect(saidIn(file)).toBe(said);
  });
});
