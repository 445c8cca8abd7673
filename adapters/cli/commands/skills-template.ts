/** A `SKILL.md` to fill in, valid as it is. The commented parts are optional. */
export function skillTemplate(name: string, description?: string): string {
  const words = name.replaceAll("-", " ");
  const phrases = [...new Set([words, name])].join("|");
  const said = description ?? `What ${words} does and when to use it, in one or two sentences`;
  return `---
name: ${name}
# What people and the assistant read to decide whether to use it.
description: ${JSON.stringify(said)}

# When the skill activates by itself. Without triggers it activates only when a person asks for it by name.
triggers:
  # Regular expressions (RE2 syntax, case is ignored): one match in the message is enough.
  intent_patterns: [${JSON.stringify(phrases)}]
  # Tools that were just used and make it more likely:
  # tool_signals: [web_search, web_fetch]
  # Words that the message is about, and what the session is about:
  # context_signals:
  #   keywords: [report, week]
  #   slots: { language: [en] }
  # confidence_threshold: 0.5       # 0 to 1: an intent pattern alone reaches 0.5

# priority: 5                       # 1 to 10: of several that match, the higher comes first
# exclusive_group: reports          # only the best skill of a group activates
# prerequisites: [other-skill]      # their text comes before this one's
# max_tokens: 2000                  # text beyond this is cut
# cooldown: 300                     # seconds before it activates again in the same session

# Requirements. If one is missing, the skill is not offered, and \`wakeful doctor\` says why:
# requires:
#   tools: [web_fetch]
#   bins: [git]
#   env: [REPORT_TOKEN]
#   channels: [telegram]
#   runtimes: [node, bun, deno, workers]
---

# ${words.charAt(0).toUpperCase()}${words.slice(1)}

Write below what the assistant should do, as you would tell a new colleague. It is read whenever the skill activates, so keep it short and put long material into other files of this folder (\`references/…\`).

## Steps

1. Find out what is missing, and ask for it once.
2. Do the work: name the tools to use and what to do when one fails.
3. Check the result against the list below before you answer.

## Done when

- The answer has the form that was asked for.
- Every fact in it has a source.

## Example

A person says: "${words}, please". The answer begins with the result, in one sentence, and then the details as a list.
`;
}
