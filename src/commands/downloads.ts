import { isOption, readOptions } from "./options.ts";
import { judgePath } from "./path-arguments.ts";
import { type ProgramRule, refuse } from "./program-rule.ts";
import { UNKNOWN } from "./scan.ts";

/** `curl` and `wget`: in mode open they may download, and nothing else. */
export const curl: ProgramRule = (scan, call) => {
  const { options, rest } = readOptions(
    call.words,
    "-o --output -d --data --data-raw --data-binary --data-urlencode --data-ascii --json -F --form --form-string -T --upload-file -H --header -A --user-agent -e --referer -u --user -b --cookie -c --cookie-jar -X --request -K --config -m --max-time --connect-timeout -x --proxy -E --cert --key --cacert --unix-socket -w --write-out --retry -r --range -D --dump-header --output-dir --url --trace --trace-ascii --resolve --connect-to --interface -O --output-document -P --directory-prefix --post-data --post-file --body-data --body-file --method -i --input-file --use-askpass --execute -U -t --tries -T --timeout --dns-servers --doh-url".replace(
      call.name === "curl"
        ? /(?<= )-O --output-document -P |(?<= )-i --input-file /gu
        : /(?<= )-[deFoHAbcXKmxErwDTu] /gu,
      "",
    ),
  );
  const sends = options.find(
    ({ name }) =>
      isOption(
        name,
        "--data",
        "--data-raw",
        "--data-binary",
        "--data-urlencode",
        "--data-ascii",
        "--json",
        "--form",
        "--form-string",
        "--upload-file",
        "--post-data",
        "--post-file",
        "--body-data",
        "--body-file",
      ) ||
      (call.name === "curl" && /^-[dFT]$/u.test(name)),
  );
  const stop = (offending: string, why: string) =>
    refuse(scan, "exfiltration", offending, why, "download only, from an address that is written out");
  if (sends !== undefined) return stop(call.source, "it sends data to another machine");
  const method =
    options.find(({ name }) => name === "-X" || isOption(name, "--request", "--method"))?.value?.text ?? "GET";
  if (!/^(?:get|head|options)$/iu.test(method)) return stop(call.source, "it sends data to another machine");
  for (const { name, value } of options) {
    // `wget -e` sets any option of a wgetrc, also one that sends a file.
    const isWgetrc = call.name === "wget" && (name === "-e" || isOption(name, "--execute"));
    if (isWgetrc || name === "-K" || isOption(name, "--config", "--unix-socket", "--use-askpass", "--input-file"))
      return stop(call.source, "what it does is written elsewhere");
    if (value === undefined) continue;
    if (name === "-o" || name === "-O" || isOption(name, "--output", "--output-document")) {
      judgePath(scan, value, call.place, "write");
      scan.downloaded.add(value.text.replace(/^\.\//u, ""));
    } else if (
      name === "-H" ||
      name === "-b" ||
      name === "-A" ||
      name === "-e" ||
      isOption(name, "--header", "--cookie", "--user-agent", "--referer")
    ) {
      if (value.text.includes(UNKNOWN) || value.text.startsWith("@"))
        return stop(value.source, "it sends something that is known only when it runs");
    }
  }
  for (const { text, source } of [
    ...rest,
    ...options.flatMap(({ name, value }) => (name === "--url" && value !== undefined ? [value] : [])),
  ]) {
    if (text.includes(UNKNOWN) && /\$\(|`/u.test(source))
      return stop(source, "the address holds the output of a command");
    if (/^(?:file|dict|gopher|ftps?|scp|sftp|smb|smtp|tftp|ldap|telnet|imap|pop3|mqtt|rtsp):/iu.test(text))
      return stop(source, "only http and https are for downloads");
    if (/^(?:https?:\/\/)?(?:169\.254\.|metadata\.|\[?fd00:ec2|100\.100\.100\.200)/iu.test(text))
      return refuse(scan, "credentials", source, "that address hands out the machine's credentials", "leave it alone");
    const file = text.replace(/[?#].*$/su, "").replace(/^.*\//su, "");
    if (file !== "") scan.downloaded.add(file);
  }
  return [];
};
