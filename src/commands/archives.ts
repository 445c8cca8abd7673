import { judgeList } from "./file-lists.ts";
import { isOption, readOptions } from "./options.ts";
import { judgePath } from "./path-arguments.ts";
import { type ProgramRule, refuse } from "./program-rule.ts";
import type { Argument, Call, Scan } from "./scan.ts";

/** Judges a program that another one starts to compress or decompress. */
function judgeCompressor(scan: Scan, { text, source }: Argument): void {
  if (
    !/^(?:gzip|pigz|bzip2|pbzip2|lbzip2|xz|pixz|lzma|lzip|lz4|lzop|zstd|zstdmt|brotli|compress)(?: -[\w=]+)*$/u.test(
      text,
    )
  )
    refuse(scan, "hidden command", source, "that option runs a command", "name a packer such as gzip, xz or zstd");
}

/** `tar`: a name in its list that begins with a dash is an option, unless another option makes all names verbatim. */
function judgeTarList(scan: Scan, call: Call): void {
  const [first, ...others] = call.words;
  // `tar cTf list x.tar` is `tar -c -T list -f x.tar`.
  const isOldStyle = first !== undefined && /^[a-zA-Z]*T[a-zA-Z]*$/u.test(first.text);
  const words = isOldStyle ? others : call.words;
  const { options } = readOptions(
    words,
    "-f -C -T -X -b -g -H -I -K -L -N -V -F --file --directory --files-from --exclude-from --exclude --transform --xform",
  );
  const lists = options.filter(({ name }) => name === "-T" || (name !== "--file" && isOption(name, "--files-from")));
  const isVerbatim = options.some(({ name }) => isOption(name, "--null", "--verbatim-files-from"));
  const isFromInput = lists.every(({ value }) => value?.text === "-") && !isOldStyle;
  if (lists.length > 0 || isOldStyle)
    judgeList(scan, call, isFromInput, isVerbatim ? undefined : /^(?:find|fd|fdfind)$/u);
}

export const archive: ProgramRule = (scan, call) => {
  judgeTarList(scan, call);
  const { words } = call;
  for (let index = 0; index < words.length; index++) {
    const { text, source } = words[index] as Argument;
    const [, action] = /^--checkpoint-act[a-z-]*=?(.*)$/su.exec(text) ?? [];
    if (action !== undefined) {
      const value = action === "" ? (words[index + 1]?.text ?? "") : action;
      if (value.startsWith("exec"))
        return refuse(scan, "hidden command", source, "that option runs a command", "leave it out");
    }
    if (
      /^--(?:to-com|use-comp|rsh-c|rmt-c|info-s|new-vol)/u.test(text) ||
      /^-[a-zA-Z]*[IF]$/u.test(text) ||
      (index === 0 && /^[a-zA-Z]*[IF][a-zA-Z]*$/u.test(text))
    ) {
      const value = text.includes("=") ? { text: text.replace(/^[^=]*=/su, ""), source } : words[index + 1];
      if (value !== undefined) judgeCompressor(scan, value);
    } else if (/^-I./u.test(text)) judgeCompressor(scan, { text: text.slice(2), source });
    if (
      /^--absolute-names$|^--absolute-n/u.test(text) ||
      (/^-?[a-zA-Z]*P[a-zA-Z]*$/u.test(text) && (index === 0 || text.startsWith("-")))
    )
      return refuse(
        scan,
        "outside the workspace",
        source,
        "files of the archive may land outside",
        "leave out that option",
      );
    if (/^[\w.-]+@?[\w.-]*:/u.test(text) && !text.startsWith("-"))
      return refuse(scan, "exfiltration", source, "the archive is on another machine", "use a file of the workspace");
  }
  return words;
};

export const sort: ProgramRule = (scan, call) => {
  const { options, rest } = readOptions(
    call.words,
    "-o -k -t -S -T --output --key --field-separator --buffer-size --temporary-directory --compress-program --files0-from --random-source --batch-size --parallel",
  );
  const paths: Argument[] = [...rest];
  for (const { name, value } of options) {
    if (isOption(name, "--files0-from")) judgeList(scan, call, value?.text === "-");
    if (value === undefined) continue;
    if (isOption(name, "--compress-program")) judgeCompressor(scan, value);
    else if (name === "-o" || isOption(name, "--output")) judgePath(scan, value, call.place, "write");
    else if (name === "-T" || isOption(name, "--temporary-directory", "--random-source")) paths.push(value);
  }
  return paths;
};
