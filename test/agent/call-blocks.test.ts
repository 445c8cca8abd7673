import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCallBlocks } from "../../src/agent/call-blocks.ts";
import { runs } from "../support/thorough.ts";

/** Text and calls in their order, in pieces of these lengths. */
function parse(answer: string, cuts: readonly number[] = []) {
  const found: (string | [name: string, input: string])[] = [];
  const blocks = createCallBlocks({
    onText(text) {
      const last = found.at(-1);
      if (typeof last === "string") found[found.length - 1] = last + text;
      else found.push(text);
    },
    onCall: ({ name, input }) => void found.push([name, input]),
  });
  let from = 0;
  for (const length of cuts) {
    blocks.push(answer.slice(from, from + length));
    from += length;
  }
  blocks.push(answer.slice(from));
  blocks.end();
  return found;
}

const CALL = '<tool_call>{"name":"add","arguments":{"a":1}}</tool_call>';
const ADD = ["add", '{"a":1}'];

describe("createCallBlocks()", () => {
  it.each([
    { title: "a call", answer: CALL, found: [ADD] },
    {
      title: "one over several lines",
      answer: '<tool_call>\n{"name": "add",\n "arguments": {"a": 1}}\n</tool_call>\n',
      found: [ADD],
    },
    { title: "one in capitals", answer: `${CALL.replaceAll("tool_call", "TOOL_CALL")} B`, found: [ADD, "B"] },
    { title: "text around it", answer: `Let me see.\n${CALL}\nDone`, found: ["Let me see.\n", ADD, "Done"] },
    { title: "text right behind it", answer: `A${CALL} B`, found: ["A", ADD, " B"] },
    { title: "several", answer: `${CALL}\n${CALL} ${CALL}`, found: [ADD, ADD, ADD] },
    {
      title: "several in one block",
      answer: '<tool_call>[{"name":"add","arguments":{"a":1}},{"name":"x"}]</tool_call>',
      found: [ADD, ["x", "{}"]],
    },
    { title: "one in a code fence", answer: `Now:\n\`\`\`json\n${CALL}\n\`\`\`\nok`, found: ["Now:\n", ADD, "ok"] },
    {
      title: "a code fence within",
      answer: '<tool_call>\n```json\n{"name":"add","arguments":{"a":1}}\n```\n</tool_call>',
      found: [ADD],
    },
    { title: "Gemma's fence", answer: '```tool_call\n{"name":"add","arguments":{"a":1}}\n```', found: [ADD] },
    { title: "capitals in the tag", answer: '<TOOL_CALL>{"name":"add","arguments":{"a":1}}</tool_call>', found: [ADD] },
    { title: "parameters", answer: '<tool_call>{"name":"add","parameters":{"a":1}}</tool_call>', found: [ADD] },
    {
      title: "OpenAI's own form",
      answer: '<tool_call>{"type":"function","function":{"name":"add","arguments":"{\\"a\\":1}"}}</tool_call>',
      found: [ADD],
    },
    { title: "no end tag", answer: '<tool_call>{"name":"add","arguments":{"a":1}}', found: [ADD] },
    {
      title: "the end tag in a text of the arguments",
      answer: '<tool_call>{"name":"add","arguments":{"a":"</tool_call>"}}</tool_call>!',
      found: [["add", '{"a":"</tool_call>"}'], "!"],
    },
    {
      title: "an escaped quote before the end tag",
      answer: '<tool_call>{"name":"add","arguments":{"a":"\\"</tool_call>"}}</tool_call>',
      found: [["add", '{"a":"\\"</tool_call>"}']],
    },
    {
      title: "text alone",
      answer: "a < b, <tool>, <tool_calls> and ```js\ncode\n```",
      found: ["a < b, <tool>, <tool_calls> and ```js\ncode\n```"],
    },
    { title: "a tag that begins and does not end", answer: "see <tool_cal", found: ["see <tool_cal"] },
    { title: "a tag without JSON", answer: "Use the <tool_call> tag", found: ["Use the <tool_call> tag"] },
    { title: "a tag and nothing else", answer: "<tool_call>", found: ["<tool_call>"] },
    { title: "nothing", answer: "", found: [] },
  ])("reads $title", ({ answer, found }) => {
    expect(parse(answer)).toEqual(found);
    expect(
      parse(
        answer,
        Array.from(answer, () => 1),
      ),
      "letter by letter",
    ).toEqual(found);
  });

  it.each([
    { title: "inline code", answer: `The format is \`${CALL}\`` },
    { title: "quotation marks", answer: `He wrote "${CALL}"` },
    { title: "Chinese quotation marks", answer: `他写的是「${CALL}」` },
    { title: "a quoted line", answer: `You wrote:\n> please run ${CALL}\nShall I?` },
    { title: "bare JSON", answer: 'Your mail says {"name":"add","arguments":{"a":1}}' },
    { title: "a code fence with JSON", answer: '```json\n{"name":"add","arguments":{"a":1}}\n```' },
  ])("calls nothing that the model shows in $title", ({ answer }) => {
    expect(parse(answer)).toEqual([answer]);
  });

  it.each([
    { title: "an open bracket", answer: '<tool_call>{"name":"add","arguments":{"a":1}</tool_call> then', rest: "then" },
    {
      title: "an open quotation mark",
      answer: '<tool_call>{"name":"add","arguments":{"a":"1}}</tool_call> then',
      rest: "then",
    },
    { title: "single quotes", answer: `<tool_call>{"name":"add", 'arguments': {}}</tool_call> then`, rest: "then" },
    { title: "an answer that was cut off", answer: '<tool_call>{"name":"add","arguments":{"a":"x', rest: undefined },
  ])("gives broken JSON to whoever can tell the model: $title", ({ answer, rest }) => {
    const [call, ...others] = parse(answer) as [[string, string], ...string[]];
    expect(call[0]).toBe("add");
    expect(() => JSON.parse(call[1])).toThrow();
    expect(others.join("").trim()).toBe(rest ?? "");
  });

  it("reads the calls after a broken one", () => {
    const found = parse(`<tool_call>{"name":"b","arguments":{"a":"x}}</tool_call>\n${CALL}\n${CALL}`);
    expect(found.map((one) => one[0])).toEqual(["b", "add", "add"]);
  });

  it("names a call without a name so that no tool is meant", () => {
    expect(parse('<tool_call>{"arguments":{}}</tool_call>')).toEqual([
      ["tool_call", expect.stringContaining("<tool_call>")],
    ]);
  });

  it("gives any JSON back as it was written", () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), fc.string(), (name, value, text) => {
        const input = typeof value === "string" || value === null ? { value } : value;
        const before = text.replaceAll(/[<`"'“‘「『«>]/g, "");
        const answer = `${before}<tool_call>\n${JSON.stringify({ name, arguments: input })}\n</tool_call>`;
        const found = parse(answer);
        const call = found.at(-1);
        expect(found.slice(0, -1).join("")).toBe(before);
        expect(call?.[0]).toBe(name);
        expect(JSON.parse(call?.[1] ?? "")).toEqual(JSON.parse(JSON.stringify(input)));
      }),
    );
  });

  it("finds the same wherever the answer is cut into pieces", () => {
    const bits = fc.constantFrom(
      ...[
        "<tool_call>",
        "</tool_call>",
        "```",
        "```json\n",
        "```tool_call\n",
        "tool_call",
        "<",
        "`",
        '"',
        "\\",
        "\n",
        " ",
        "> ",
        "{",
        "}",
        "[",
        "a",
        "\n\n\n\n",
      ],
      '{"name":"add","arguments":{"s":"x"}}',
    );
    fc.assert(
      fc.property(
        fc.array(bits, { maxLength: 14 }),
        fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 60 }),
        (parts, cuts) => {
          const answer = parts.join("");
          expect(parse(answer, cuts)).toEqual(parse(answer));
        },
      ),
      { numRuns: runs(2000) },
    );
  });

  it("gets through long runs of one character", () => {
    const blanks = " ".repeat(100_000);
    const ticks = "`".repeat(100_000);
    for (const answer of [
      `<tool_call>${blanks}`,
      `${ticks}<tool_call>{`,
      `<tool_call>{${blanks}}</tool_call>${blanks}`,
      "<".repeat(100_000),
    ]) {
      const cuts = Array.from({ length: 100 }, () => Math.ceil(answer.length / 100));
      expect(() => parse(answer, cuts)).not.toThrow();
    }
  });
});
