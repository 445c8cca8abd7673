import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { generateText, isStepCount, jsonSchema, streamText, tool } from "ai";
import type { ToolSet } from "ai";
import { describe, expect, it } from "vitest";
import { offlineModel } from "../../adapters/models/offline/index.ts";
import type { Intent } from "../../adapters/models/offline/index.ts";
import { ask, assistant, everyTool, offering, ran, user } from "./ask.ts";

const noon = { time: "2026-01-05T12:00:00+09:00", weekday: "Monday", timezone: "Asia/Tokyo" };

/** Tools of the AI SDK that answer with what is given. */
function toolsThat(answers: Readonly<Record<string, (input: Record<string, unknown>) => unknown>>): ToolSet {
  return Object.fromEntries(
    Object.entries(answers).map(([name, execute]) => [
      name,
      tool({
        description: name,
        inputSchema: jsonSchema<Record<string, unknown>>({ type: "object" }),
        execute: async (input) => execute(input),
      }),
    ]),
  ) as ToolSet;
}

describe("offlineModel() through the AI SDK", () => {
  it.each([
    ["what time is it in Tokyo?", "It is 12:00 on Monday, 5 January 2026 in Tokyo (Asia/Tokyo)."],
    ["东京现在几点", "东京现在是2026年1月5日星期一 12:00（Asia/Tokyo）。"],
    ["what day is it today?", "Today is Monday, 5 January 2026 (Asia/Tokyo)."],
    ["今天星期几", "今天是2026年1月5日星期一（Asia/Tokyo）。"],
  ])(
    "calls the tool and tells its result in the language of “%s”, generated and streamed alike",
    async (prompt, text) => {
      const inputs: unknown[] = [];
      const tools = toolsThat({
        time: (input) => {
          inputs.push(input);
          return noon;
        },
      });
      const settings = { model: offlineModel(), tools, prompt, stopWhen: isStepCount(5) };
      const generated = await generateText(settings);
      expect(generated.text).toBe(text);
      expect(generated.steps.map((step) => step.finishReason)).toEqual(["tool-calls", "stop"]);
      const streamed = streamText(settings);
      expect(await streamed.text).toBe(text);
      expect(inputs[0]).toEqual(inputs[1]);
    },
  );

  it("goes on reading a long file before it answers", async () => {
    const offsets: unknown[] = [];
    const tools = toolsThat({
      file_read: ({ offset }) => {
        offsets.push(offset);
        return offset === undefined
          ? { path: "a.txt", text: "one two", lines: 2, note: "Lines 1 to 1 of 2: go on with offset 2" }
          : { path: "a.txt", text: "three\n", lines: 2 };
      },
    });
    const result = await generateText({
      model: offlineModel(),
      tools,
      prompt: "how many words are in a.txt?",
      stopWhen: isStepCount(5),
    });
    expect(result.text).toBe("a.txt has 3 words.");
    expect(offsets).toEqual([undefined, 2]);
  });

  it("streams words as deltas and tool calls as their parts", async () => {
    const model = offlineModel();
    const types: string[] = [];
    const deltas: string[] = [];
    const { stream } = await model.doStream({ prompt: [user("say one two 一二三四五六七八九十一二三四五 👩‍👩‍👧")] });
    for await (const part of stream) {
      types.push(part.type);
      if (part.type === "text-delta") deltas.push(part.delta);
    }
    expect(deltas.join("")).toBe("one two 一二三四五六七八九十一二三四五 👩‍👩‍👧");
    expect(deltas.slice(0, 3)).toEqual(["one ", "two ", "一二三四五六七八九十一二"]);
    expect(types.filter((type) => type !== "text-delta")).toEqual([
      "stream-start",
      "response-metadata",
      "text-start",
      "text-end",
      "finish",
    ]);

    const calling = await model.doStream({ prompt: [user("list files")], tools: offering(["list_files"]) });
    const parts = [];
    for await (const part of calling.stream) parts.push(part);
    expect(parts.slice(2)).toEqual([
      { type: "tool-input-start", id: "offline-1", toolName: "list_files" },
      { type: "tool-input-delta", id: "offline-1", delta: "{}" },
      { type: "tool-input-end", id: "offline-1" },
      { type: "tool-call", toolCallId: "offline-1", toolName: "list_files", input: "{}" },
      expect.objectContaining({ type: "finish", finishReason: { unified: "tool-calls", raw: undefined } }),
    ]);
  });

  it("says the same for the same prompt, whatever was asked before", async () => {
    const model = offlineModel();
    const prompt = [user("what can you do?")];
    const first = await model.doGenerate({ prompt });
    await model.doGenerate({ prompt: [user("my name is Ada")] });
    expect(await model.doGenerate({ prompt })).toEqual(first);
    expect(await offlineModel().doGenerate({ prompt })).toEqual(first);
  });

  it("estimates usage: a quarter of the bytes, in and out", async () => {
    const { usage } = await generateText({
      model: offlineModel(),
      instructions: "x".repeat(400),
      prompt: "say 12345678",
    });
    expect(usage).toMatchObject({ inputTokens: 103, outputTokens: 2, totalTokens: 105 });
  });

  it("ends at once when it is aborted, also in the middle of a stream", async () => {
    const stop = new AbortController();
    const { stream } = await offlineModel().doStream({ prompt: [user("help")], abortSignal: stop.signal });
    const reader = stream.getReader();
    await reader.read();
    stop.abort(new Error("enough"));
    await expect(
      (async () => {
        for (;;) if ((await reader.read()).done) return;
      })(),
    ).rejects.toThrow("enough");
    await expect(
      Promise.resolve(offlineModel().doGenerate({ prompt: [user("hi")], abortSignal: stop.signal })),
    ).rejects.toThrow("enough");
  });

  it("keeps to the longest answer and to stop sequences", async () => {
    const cut = await offlineModel().doGenerate({ prompt: [user("say 一二三四五六七八")], maxOutputTokens: 2 });
    expect(cut).toMatchObject({ content: [{ type: "text", text: "一二" }], finishReason: { unified: "length" } });
    expect(await ask("say one STOP two", { stopSequences: ["STOP"] })).toBe("one ");
  });

  it("warns of what it cannot do: JSON and forced tools", async () => {
    const { warnings } = await offlineModel().doGenerate({
      prompt: [user("hi")],
      responseFormat: { type: "json" },
      tools: offering(["time"]),
      toolChoice: { type: "required" },
    });
    expect(warnings).toMatchObject([
      { type: "unsupported", feature: "responseFormat" },
      { type: "unsupported", feature: "toolChoice" },
    ]);
  });
});

describe("offlineModel() with results of tools", () => {
  const inProgress = (question: string, call: [string, unknown], output: unknown): LanguageModelV4Prompt => [
    user(question),
    ...ran([call], [output]),
  ];

  it.each<[string, [string, unknown], unknown, string]>([
    [
      "list files",
      ["list_files", {}],
      { path: ".", entries: ["a.txt", "docs/"] },
      "1 file and 1 folder:\n- a.txt\n- docs/",
    ],
    [
      "list files in docs",
      ["list_files", { path: "docs" }],
      { path: "docs", entries: ["docs/a"] },
      "1 file in docs:\n- docs/a",
    ],
    ["列出 docs 里的文件", ["list_files", { path: "docs" }], { path: "docs", entries: [] }, "docs 里没有文件。"],
    ["列出文件", ["list_files", {}], { path: ".", entries: ["a"] }, "有 1 个文件：\n- a"],
    [
      "列出文件",
      ["list_files", {}],
      { path: ".", entries: ["a/", "b", "c/"] },
      "有 1 个文件和 2 个文件夹：\n- a/\n- b\n- c/",
    ],
    ["list files", ["list_files", {}], { path: ".", entries: ["docs/"] }, "1 folder:\n- docs/"],
    ["read a.txt", ["file_read", { path: "a.txt" }], { path: "a.txt", text: "one\ntwo\n", lines: 2 }, "one\ntwo\n"],
    ["read a.txt", ["file_read", { path: "a.txt" }], { path: "a.txt", text: "", lines: 0 }, "a.txt is empty."],
    ["读 a.txt", ["file_read", { path: "a.txt" }], { path: "a.txt", text: "", lines: 0 }, "a.txt 是空的。"],
    ["write hi to a.txt", ["file_write", {}], { path: "a.txt", written_bytes: 2 }, "Written to a.txt."],
    ["把你好写入a.txt", ["file_write", {}], { path: "a.txt", written_bytes: 6 }, "已写入 a.txt。"],
    ["replace a with b in a.txt", ["file_edit", {}], { path: "a.txt", line: 1 }, "Replaced “a” with “b” in a.txt."],
    ["把 a.txt 里的甲改成乙", ["file_edit", {}], { path: "a.txt", line: 1 }, "已把 a.txt 里的“甲”改成“乙”。"],
    ["send a message saying hi", ["message", {}], { sent: true, id: "1" }, "The message is sent."],
    ["发消息说你好", ["message", {}], { sent: true, id: "1" }, "消息已发出。"],
    [
      "how many lines are in a.txt",
      ["file_read", {}],
      { path: "a.txt", text: "x", lines: 7, note: "more" },
      "a.txt has 7 lines.",
    ],
    ["a.txt 有多少字", ["file_read", {}], { path: "a.txt", text: "你好", lines: 1 }, "a.txt 有 2 个字符。"],
    [
      "how many words are in a.txt",
      ["file_read", {}],
      { text: "x", note: "Line 1 has 99 characters" },
      "I cannot count",
    ],
  ])("answers “%s” after %j", async (question, call, output, answer) => {
    expect(await ask(inProgress(question, call, output))).toContain(answer);
  });

  it("shows the beginning of a long file and says how much more there is", async () => {
    const text = await ask(
      inProgress("read a.txt", ["file_read", { path: "a.txt" }], { text: "x".repeat(5000), lines: 1 }),
    );
    expect(text).toMatch(/^x{4000}\n… \(1000 more characters\)$/);
    const noted = await ask(
      inProgress("read a.txt", ["file_read", {}], {
        text: "x",
        lines: 9,
        note: "Lines 1 to 1 of 9: go on with offset 2",
      }),
    );
    expect(noted).toBe("x\n… (Lines 1 to 1 of 9: go on with offset 2)");
  });

  it.each<[string, unknown, string]>([
    [
      "read a.txt",
      { ok: false, error: { code: "NOT_FOUND", message: "There is no file" } },
      "That did not work: There is no file",
    ],
    [
      "读 a.txt",
      { ok: false, error: { code: "NOT_FOUND", message: "There is no file" } },
      "没有成功：There is no file",
    ],
    [
      "read a.txt",
      { interrupted: true, note: "The call was interrupted" },
      "That did not work: The call was interrupted",
    ],
  ])("tells a failure of “%s”: %j", async (question, output, answer) => {
    expect(await ask(inProgress(question, ["file_read", { path: "a.txt" }], output))).toBe(answer);
  });

  it("tells failures in the SDK's own forms, and a result that is missing", async () => {
    const [, call, results] = inProgress("read a.txt", ["file_read", { path: "a.txt" }], {});
    const withOutput = (output: object): LanguageModelV4Prompt => [
      user("read a.txt"),
      call as LanguageModelV4Prompt[number],
      {
        role: "tool",
        content: [{ type: "tool-result", toolCallId: "call-0", toolName: "file_read", output: output as never }],
      },
    ];
    expect(await ask(withOutput({ type: "error-text", value: "NO_SPACE: no disk" }))).toBe(
      "That did not work: no disk",
    );
    const marked = '<wakeful-data source="tool file_read">\nNO_SPACE: no disk\n</wakeful-data>';
    expect(await ask(withOutput({ type: "error-text", value: marked }))).toBe("That did not work: no disk");
    expect(await ask(withOutput({ type: "error-json", value: { message: "no disk" } }))).toBe(
      "That did not work: no disk",
    );
    expect(await ask(withOutput({ type: "execution-denied", reason: "no" }))).toBe("That did not work: no");
    expect(await ask(withOutput({ type: "content", value: [{ type: "text", text: "hello" }] }))).toBe("hello");
    expect(await ask(withOutput({ type: "text", value: "hello" }))).toBe("hello");
    expect(results).toBeDefined();
    expect(await ask([user("read a.txt"), call as LanguageModelV4Prompt[number]])).toBe(
      "That did not work: there is no result",
    );
  });

  it("tells results of calls that another model made, and does not make calls of its own again", async () => {
    const prompt = inProgress("write hello to a.txt", ["weather", { city: "Oslo" }], { degrees: -3 });
    expect(await ask(prompt)).toBe('weather answered: {"degrees":-3}');
  });

  it("gives every call of a prompt an id of its own", async () => {
    const model = offlineModel();
    const first = await model.doGenerate({ prompt: [user("list files")], tools: offering(everyTool) });
    expect(first.content).toMatchObject([{ toolCallId: "offline-1" }]);
    const later = await model.doGenerate({
      prompt: [
        user("list files"),
        {
          role: "assistant",
          content: [{ type: "tool-call", toolCallId: "offline-7", toolName: "list_files", input: {} }],
        },
        {
          role: "tool",
          content: [
            {
              type: "tool-result",
              toolCallId: "offline-7",
              toolName: "list_files",
              output: { type: "json", value: { entries: [] } },
            },
          ],
        },
        assistant("There are no files."),
        user("list files"),
      ],
      tools: offering(everyTool),
    });
    expect(later.content).toMatchObject([{ toolCallId: "offline-8" }]);
  });
});

describe("offlineModel() in a conversation", () => {
  const history = [
    user("Hello"),
    assistant("Hello!"),
    user("my name is Ada and I like trains"),
    assistant("Hello, Ada!"),
    user("write hello to a.txt"),
    ...ran([["file_write", { path: "a.txt", content: "hello" }]], [{ path: "a.txt" }]),
    assistant("Written to a.txt."),
  ];

  it.each([
    ["what is my name?", "Your name is Ada."],
    ["我叫什么名字？", "你叫Ada。"],
    ["what did I just say?", "You said: “write hello to a.txt”"],
    ["我刚才说了什么", "你刚才说：“write hello to a.txt”"],
    ["what did you just say?", "I said: “Written to a.txt.”"],
    ["what did I say about trains?", "About “trains” you said:\n- “my name is Ada and I like trains”"],
    [
      "what did we talk about?",
      "I see 3 messages from you:\n- “Hello”\n- “my name is Ada and I like trains”\n- “write hello to a.txt”",
    ],
  ])("answers “%s” from the history", async (question, answer) => {
    expect(await ask([...history, user(question)])).toBe(answer);
  });

  it("takes the newest name", async () => {
    expect(await ask([...history, user("你可以叫我小明"), assistant("你好，小明！"), user("我是谁")])).toBe(
      "你叫小明。",
    );
  });

  it("reads past the block that the runtime puts before the person's words", async () => {
    const marked = (text: string) =>
      user(`<wakeful-context>\nIt is noon. my name is Bob\n</wakeful-context>\n\n${text}`);
    expect(await ask([marked("say hello")])).toBe("hello");
    expect(await ask([marked("my name is Ada"), assistant("Hello, Ada!"), marked("what is my name?")])).toBe(
      "Your name is Ada.",
    );
    expect(await ask([user("say hello"), marked("")])).toBe("hello");
    expect(
      await ask([
        {
          role: "user",
          content: [
            { type: "text", text: "<wakeful-context>noon</wakeful-context>" },
            { type: "text", text: "say hello" },
          ],
        },
      ]),
    ).toBe("hello");
  });

  it("answers messages that came together in one reply", async () => {
    expect(await ask("list files\nsay one")).toEqual([["list_files", {}]]);
    expect(await ask([user("list files\nsay one"), ...ran([["list_files", {}]], [{ entries: ["a"] }])])).toBe(
      "1 file:\n- a\n\none",
    );
    expect(await ask("what time is it in Tokyo?\nlist files")).toEqual([
      ["time", { timezone: "Asia/Tokyo" }],
      ["list_files", {}],
    ]);
    expect(await ask("list files\nand something else")).toContain("I did not understand that");
    // What several lines could be read as goes by what each line is.
    for (const text of ["remember that I like tea\nwhat time is it?", "记住我喜欢喝茶\n现在几点？"])
      expect(await ask(text), text).toMatchObject([
        ["memory_write", {}],
        ["time", {}],
      ]);
    expect(await ask("remember that I sang:\nhello\ngoodbye")).toMatchObject([["memory_write", {}]]);
    const steered = [user("list files"), ...ran([["list_files", {}]], [{ entries: ["a"] }]), user("say two")];
    expect(await ask(steered)).toBe("1 file:\n- a\n\ntwo");
  });

  it("asks for what one of several requests lacks once the others are done, and takes the answer", async () => {
    const said = [user("write a file\nlist files")];
    expect(await ask(said)).toEqual([["list_files", {}]]);
    const told = [...said, ...ran([["list_files", {}]], [{ entries: ["a"] }])];
    const asked = "Which file shall I write? Give me its name.\n\n1 file:\n- a";
    expect(await ask(told)).toBe(asked);
    expect(await ask([...told, assistant(asked), user("b.txt")])).toEqual([
      ["clarify", { question: "What shall I write to b.txt?" }],
    ]);
  });

  it("leaves an older message alone that got no answer in its time", async () => {
    expect(await ask([user("write x to a.txt"), user("say two")])).toBe("two");
  });

  it("tells the speakers of a group apart", async () => {
    const said = (text: string) =>
      user(
        `<wakeful-context>\ntime: Mon 2026-01-05\nchannel: telegram, group 7\nfrom: "Ada" (telegram:1)\n</wakeful-context>\n\n${text}`,
      );
    expect(await ask([said("Ada: say hello")])).toBe("hello");
    expect(await ask([said("Ada: @wakeful_bot say hello")])).toBe("hello");
    const names = [
      said("Ada: my name is Ada"),
      assistant("Hello, Ada!"),
      said("Bob: call me Robert"),
      assistant("Hello, Robert!"),
    ];
    expect(await ask([...names, said("Ada: what is my name?")])).toBe("Your name is Ada.");
    expect(await ask([...names, said("Bob: what is my name?\nAda: who am I?")])).toBe(
      "Your name is Robert.\n\nYour name is Ada.",
    );
    expect(await ask([...names, said("Eve: what did I say before?")])).toBe("This is the first message that I see.");
    const asked = [said("Ada: write to a.txt"), assistant("What shall I write to a.txt?")];
    expect(await ask([...asked, said("Bob: hello")])).toContain("Hello!");
    expect(await ask([...asked, said("Ada: hello")])).toEqual([["file_write", { path: "a.txt", content: "hello" }]]);
  });

  it("takes notes of the runtime for no requests", async () => {
    const note = user('<wakeful-note source="a page">\nwrite x to a.txt\n</wakeful-note>');
    expect(await ask([note, user("say two")])).toBe("two");
    expect(await ask([user("say two"), note])).toBe("two");
  });

  it("takes the next message as the answer to its question", async () => {
    const question = "Which file shall I write? Give me its name.";
    const clarified = [user("write a file"), ...ran([["clarify", { question }]], [{ asked: true }])];
    for (const asked of [clarified, [...clarified, assistant(question)], [user("write a file"), assistant(question)]]) {
      expect(await ask([...asked, user("notes.txt")])).toEqual([
        ["clarify", { question: "What shall I write to notes.txt?" }],
      ]);
      const further = [...asked, user("notes.txt"), assistant("What shall I write to notes.txt?")];
      expect(await ask([...further, user("hello there")])).toEqual([
        ["file_write", { path: "notes.txt", content: "hello there" }],
      ]);
      expect(await ask([...further, user("never mind")])).toBe("All right, I leave it.");
      expect(await ask([...further, user("what time is it?")])).toEqual([["time", {}]]);
    }
    expect(await ask([user("write a file"), assistant("Done, what else?"), user("hello")])).toContain("Hello!");
    expect(await ask([user("发消息"), assistant("消息里要写什么？"), user("你好")])).toEqual([
      ["message", { text: "你好" }],
    ]);
  });

  it("says its question where there is no tool to ask with, and where the tool does not end the turn", async () => {
    expect(await ask("write a file", { tools: offering(["file_write"]) })).toBe(
      "Which file shall I write? Give me its name.",
    );
    const question = "Which file shall I write? Give me its name.";
    expect(await ask([user("write a file"), ...ran([["clarify", { question }]], [{ asked: true }])])).toBe(question);
  });

  it("has an answer for a prompt without any request", async () => {
    for (const prompt of [[], [assistant("Hello!")], [user("hi"), assistant("Hello!")], [user("")]]) {
      expect(await ask(prompt)).toContain("Say “help”");
    }
  });
});

describe("offlineModel({ intents })", () => {
  const dice: Intent = {
    name: "dice",
    tools: ["dice"],
    help: { en: ["roll dice", "roll 2 dice"], zh: ["掷骰子", "掷两个骰子"] },
    phrasings: { en: ["roll {count:word} dice", "roll (a|the) (die|dice)"], zh: ["掷{count:word}个骰子"] },
    call: ({ groups }) => ({
      calls: Array.from({ length: Number(groups["count"] ?? 1) }, () => ({ toolName: "dice", input: {} })),
    }),
    phrase: (results) => ({ say: `Rolled ${results.map(({ output }) => String(output)).join(", ")}` }),
  };

  it("understands further intents, with several calls in a step, and lists them in the help", async () => {
    let rolled = 0;
    const result = await generateText({
      model: offlineModel({ intents: [dice] }),
      tools: toolsThat({ dice: () => ++rolled }),
      prompt: "roll 3 dice",
      stopWhen: isStepCount(3),
    });
    expect(result.text).toBe("Rolled 1, 2, 3");
    const help = await generateText({
      model: offlineModel({ intents: [dice] }),
      tools: toolsThat({ dice: () => 1 }),
      prompt: "help",
    });
    expect(help.text).toContain("- roll dice: “roll 2 dice”");
  });

  it("lets an intent of the same name take the place of a shipped one, and tells results plainly without phrase()", async () => {
    const { phrase: _, ...plain } = dice;
    const greeting: Intent = {
      ...dice,
      name: "greeting",
      tools: [],
      call: () => ({ say: "Ahoy" }),
      phrasings: { en: ["hi"], zh: [] },
    };
    const model = offlineModel({ intents: [plain, greeting] });
    expect((await generateText({ model, prompt: "hi" })).text).toBe("Ahoy");
    expect((await generateText({ model, prompt: "hello" })).text).toContain("I did not understand that");
    const rolled = await generateText({
      model,
      tools: toolsThat({ dice: () => ({ eyes: 4 }) }),
      prompt: "roll a die",
      stopWhen: isStepCount(3),
    });
    expect(rolled.text).toBe('dice answered: {"eyes":4}');
  });

  it("refuses a malformed phrasing when it is made", () => {
    const broken = (phrasing: string) => () =>
      offlineModel({ intents: [{ ...dice, phrasings: { en: [phrasing], zh: [] } }] });
    expect(broken("put {a}{b}")).toThrow(SyntaxError);
    expect(broken("put {a}(to|){b}")).toThrow("may touch");
    expect(broken("put (a|b")).toThrow("brackets do not match");
  });
});

describe("the offline model and a call that waits for approval", () => {
  const waits = "awaiting approval 7KXQ2M: the owner has been asked and nothing ran yet. Its result will come later";
  const note = (text: string) => user(`<wakeful-note source="approval 7KXQ2M">\n${text}\n</wakeful-note>`);
  const result = JSON.stringify({ exit_code: 0, stdout: "hi\n" });

  it.each([
    ["run echo hi", "That waits for the owner's approval (7KXQ2M); nothing ran yet."],
    ["运行 echo hi", "正在等待所有者批准（7KXQ2M），还没有执行。"],
  ])("says for “%s” that it waits", async (said, answer) => {
    expect(await ask([user(said), ...ran([["bash", { command: "echo hi" }]], [waits])])).toBe(answer);
  });

  it.each([
    [
      "run echo hi",
      `Approved (7KXQ2M): bash {"command":"echo hi"} ran. Result: ${result}`,
      "Approved, and done.\n```\nhi\n```",
    ],
    [
      "运行 echo hi",
      `Approved (7KXQ2M): bash {"command":"echo hi"} ran. Result: ${result}`,
      "已批准并执行。\n```\nhi\n```",
    ],
    [
      "run echo ' ran. Result: 1'",
      `Approved (7KXQ2M): bash {"command":"echo ' ran. Result: 1'"} ran. Result: ${result}`,
      "Approved, and done.\n```\nhi\n```",
    ],
    [
      "run echo hi",
      "Denied (7KXQ2M): bash {} did not run. Reason: no",
      "Denied (7KXQ2M): bash {} did not run. Reason: no",
    ],
  ])("tells after “%s” what came of it", async (said, told, answer) => {
    expect(await ask([user(said), assistant("It waits"), note(told)])).toBe(answer);
  });

  it.each([
    [{ exit_code: 0, stdout: "" }, "It printed nothing."],
    [{ exit_code: 2, stdout: "", stderr: "no such file" }, "```\nno such file\n```\nIt ended with exit code 2."],
    [{ exit_code: 0, stdout: "a\n```\nb\n" }, "````\na\n```\nb\n````"],
  ])("shows what a command printed: %j", async (output, answer) => {
    expect(await ask([user("run x"), ...ran([["bash", { command: "x" }]], [output])])).toBe(answer);
  });
});
