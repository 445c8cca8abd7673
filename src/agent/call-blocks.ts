/** A call in a model's text. `input` is JSON or invalid JSON; the caller detects that and tells the model. */
export interface WrittenCall {
  readonly name: string;
  readonly input: string;
}

export interface CallBlockListener {
  onText(text: string): void;
  onCall(call: WrittenCall): void;
}

/** Beginning of a block: the documented tag, also in a code fence, or the fence that Gemma writes instead. */
const OPEN = /(```(?!tool_call\b)[a-z_]{0,12}\s{1,8})?<tool_call>|```tool_call\b/i;
/** The end of a text that can still become a beginning. */
const MAYBE_OPEN = /(?:`{1,2}|```[a-z_]{0,12}\s{0,8})?(?:<[a-z_]{0,9})?$/i;
/** Applied after leading blanks. */
const JSON_BEGINS = /^(?:```[a-z_]{0,12}\s{0,64})?[{[]/i;
const MAYBE_JSON = /^(?:`{0,2}|```[a-z_]{0,12}\s{0,64})$/i;
/** Characters before a quoted tag. */
const QUOTE = /[`"'“‘「『«]/;

/**
 * Parses a model's answer as it streams: text, and blocks `<tool_call>{"name": …, "arguments": {…}}</tool_call>`. The
 * result does not depend on how the stream is chunked. A tag is text if it is in inline code, in quotation marks, in
 * a line that begins with `>`, or without JSON after it: the model only shows it. Each chunk is scanned once, so that
 * a looping model costs linear time.
 */
export function createCallBlocks({ onText, onCall }: CallBlockListener) {
  let state: "text" | "opened" | "block" | "after" = "text";
  /** Text that is not parsed yet. */
  let buffer = "";
  /**
   * The emitted part of the current line: its last character, and whether it begins with
   * `>` (`undefined`: blank so far).
   */
  let last = "";
  let isQuoted: boolean | undefined;
  /** Blanks before the buffer. Whether they are text is not known yet. */
  let gap = "";
  /** The scanned part of a block, before the buffer. */
  let scanned = "";
  let tag = "";
  let close = "";
  let isFenced = false;
  let at = 0;
  let inString = false;
  /** Position of an end tag inside a JSON string. It ends the block if the JSON is broken. */
  let innerClose = -1;

  function tell(text: string): void {
    if (text === "") return;
    const begins = text.lastIndexOf("\n") + 1;
    if (begins > 0) isQuoted = undefined;
    const [first] = isQuoted === undefined ? text.slice(begins).trimStart() : "";
    if (first !== undefined) isQuoted = first === ">";
    last = begins === text.length ? "" : (text.at(-1) ?? "");
    onText(text);
  }

  /** Moves leading blanks from the buffer to `gap`. */
  function leaveBlanks(): void {
    const rest = buffer.trimStart();
    gap += buffer.slice(0, buffer.length - rest.length);
    buffer = rest;
  }

  function takeBlanks(): void {
    buffer = gap + buffer;
    gap = "";
  }

  /** @returns False if more text is needed first. */
  function step(isEnd: boolean): boolean {
    if (state === "text") return readText(isEnd);
    if (state === "opened") return readBeginning(isEnd);
    if (state === "block") return readBlock(isEnd);
    return readAfter(isEnd);
  }

  function readText(isEnd: boolean): boolean {
    const found = OPEN.exec(buffer);
    // `tool_call` could continue as a longer word.
    if (found === null || (!isEnd && !found[0].endsWith(">") && found.index + found[0].length === buffer.length)) {
      const keep = isEnd ? buffer.length : (found?.index ?? MAYBE_OPEN.exec(buffer)?.index ?? buffer.length);
      tell(buffer.slice(0, keep));
      buffer = buffer.slice(keep);
      return false;
    }
    tell(buffer.slice(0, found.index));
    tag = found[0];
    buffer = buffer.slice(found.index + tag.length);
    isFenced = found[1] !== undefined;
    if (isQuoted === true || (!isFenced && QUOTE.test(last))) tell(tag);
    else state = "opened";
    return true;
  }

  function readBeginning(isEnd: boolean): boolean {
    leaveBlanks();
    if (JSON_BEGINS.test(buffer)) {
      close = tag.endsWith(">") ? "</tool_call>" : "```";
      at = gap.length + buffer.search(/[{[]/);
      takeBlanks();
      scanned = "";
      inString = false;
      innerClose = -1;
      state = "block";
      return true;
    }
    if (!isEnd && MAYBE_JSON.test(buffer)) return false;
    tell(tag);
    takeBlanks();
    state = "text";
    return true;
  }

  function readBlock(isEnd: boolean): boolean {
    const end = endInBuffer(isEnd) ?? (isEnd ? buffer.length : undefined);
    if (end !== undefined) return endBlock(scanned.length + end);
    scanned += buffer.slice(0, at);
    buffer = buffer.slice(at);
    at = 0;
    return false;
  }

  /** Position of the end tag. If there is none, `at` is where to continue. */
  function endInBuffer(isEnd: boolean): number | undefined {
    for (; at < buffer.length; at += 1) {
      const character = buffer[at];
      if (character === close[0]) {
        const rest = buffer.slice(at, at + close.length).toLowerCase();
        if (rest === close) {
          if (!inString) return at;
          if (innerClose === -1) innerClose = scanned.length + at;
        } else if (!isEnd && close.startsWith(rest)) return undefined;
      }
      if (character === '"') inString = !inString;
      else if (character === "\\" && inString) {
        if (at + 1 === buffer.length && !isEnd) return undefined;
        at += 1;
      }
    }
    return undefined;
  }

  function endBlock(end: number): true {
    const block = scanned + buffer;
    const calls = callsIn(block.slice(0, end));
    const to = calls === undefined && innerClose !== -1 ? innerClose : end;
    for (const call of calls ?? [brokenCall(block.slice(0, to))]) onCall(call);
    buffer = block.slice(to + close.length);
    state = "after";
    return true;
  }

  function readAfter(isEnd: boolean): boolean {
    leaveBlanks();
    if (!isEnd && (buffer === "" || (isFenced && buffer.length < 3 && "```".startsWith(buffer)))) return false;
    if (isFenced && buffer.startsWith("```")) {
      isFenced = false;
      gap = "";
      buffer = buffer.slice(3);
      return true;
    }
    state = "text";
    if (buffer === "" || last === "" || /\s/.test(last)) gap = "";
    takeBlanks();
    return true;
  }

  return {
    push(text: string): void {
      buffer += text;
      while (buffer !== "" && step(false));
    },
    end(): void {
      while ((buffer !== "" || state === "opened" || state === "block") && step(true));
    },
  };
}

function callsIn(block: string): readonly WrittenCall[] | undefined {
  try {
    const value: unknown = JSON.parse(block.trim().replace(/^```[a-z_]*\s|```$/gi, ""));
    const calls = (Array.isArray(value) ? value : [value]).map(callOf);
    return calls.length > 0 && calls.every((call) => call !== undefined) ? calls : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a call in the documented form, or in another form that models know. */
function callOf(value: unknown): WrittenCall | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const call = value as Readonly<Record<string, unknown>>;
  const { name } = call;
  if (typeof name !== "string") return call["function"] === undefined ? undefined : callOf(call["function"]);
  const given = call["arguments"] ?? call["parameters"] ?? call["input"] ?? {};
  return { name, input: typeof given === "string" ? given : JSON.stringify(given) };
}

function brokenCall(block: string): WrittenCall {
  const name = /"name"\s*:\s*"([^"\\]{1,100})"/.exec(block)?.[1] ?? "tool_call";
  // Never JSON, so that it is not taken for the arguments.
  return { name, input: `<tool_call>${block}` };
}
