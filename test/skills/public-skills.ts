// Frontmatters after the conventions that public skills follow: the standard's own fields, and what Claude, OpenClaw, Codex, Cursor and others add to them.
// The texts are our own.

/** A frontmatter, and what of it must be read. `warns`: the places of the warnings, as `line field`; none by default. */
export interface PublicSkill {
  readonly from: string;
  readonly yaml: string;
  readonly name: string;
  readonly description: string | RegExp;
  readonly warns?: readonly string[];
}

const skill = (
  from: string,
  name: string,
  description: string | RegExp,
  yaml: string,
  warns?: readonly string[],
): PublicSkill => ({ from, name, description, yaml, ...(warns && { warns }) });

export const PUBLIC_SKILLS: readonly PublicSkill[] = [
  skill(
    "the standard, least",
    "pdf-forms",
    "Fills in PDF forms. Use when a form is attached.",
    `name: pdf-forms
description: Fills in PDF forms. Use when a form is attached.`,
  ),
  skill(
    "the standard, everything",
    "data-cleaning",
    "Cleans tables of data",
    `name: data-cleaning
description: Cleans tables of data
license: Apache-2.0
compatibility: Requires Python 3.12 and uv
metadata:
  author: example-org
  version: "1.0"
allowed-tools: Bash(uv:*) Bash(jq:*) Read`,
  ),
  skill(
    "a licence beside the file",
    "brand-colours",
    "Applies the colours of a brand to slides and pages",
    `name: brand-colours
description: Applies the colours of a brand to slides and pages
license: Complete terms in LICENSE.txt`,
  ),
  skill(
    "quoted",
    "quoted-one",
    "Says: hello",
    `name: "quoted-one"
description: 'Says: hello'
license: 'Proprietary. LICENSE.txt has complete terms'`,
  ),
  skill(
    "folded",
    "folded-one",
    "Reads long reports and says what stands in them. Use it for PDF and Word.",
    `name: folded-one
description: >-
  Reads long reports and says what stands in them.
  Use it for PDF and Word.`,
  ),
  skill(
    "literal with a list",
    "literal-one",
    /^Plans a journey\.\n- trains\n- hotels$/,
    `name: literal-one
description: |
  Plans a journey.
  - trains
  - hotels`,
  ),
  skill(
    "a colon that is not quoted",
    "colon-one",
    'Reviews code. Use when: a pull request is opened, or somebody says "review"',
    `name: colon-one
description: Reviews code. Use when: a pull request is opened, or somebody says "review"
license: MIT`,
    ["3 "],
  ),
  skill(
    "a colon on the second line of a plain text",
    "colon-two",
    "Writes release notes. Triggers: release, changelog",
    `name: colon-two
description: Writes release notes.
  Triggers: release, changelog`,
    ["3 "],
  ),
  skill(
    "Claude Code, tools in a list",
    "commit-helper",
    "Writes commit messages",
    `name: commit-helper
description: Writes commit messages
allowed-tools:
  - Bash(git diff:*)
  - Read
  - Grep`,
  ),
  skill(
    "Claude Code, tools with commas",
    "reader",
    "Reads and searches files",
    `name: reader
description: Reads and searches files
allowed-tools: Read, Grep, Glob`,
  ),
  skill(
    "Claude Code, who may call it",
    "deploy",
    "Deploys the site",
    `name: deploy
description: Deploys the site
disable-model-invocation: true
user-invocable: true
argument-hint: "[environment]"
model: sonnet
context: fork
agent: Explore`,
  ),
  skill(
    "Claude Code, hooks",
    "safe-shell",
    "Runs commands with a check before each",
    `name: safe-shell
description: Runs commands with a check before each
hooks:
  PreToolUse:
    - matcher: Bash
      hooks:
        - type: command
          command: ./scripts/check.sh`,
  ),
  skill(
    "Claude Code, paths and effort",
    "react-rules",
    "Rules for components",
    `name: react-rules
description: Rules for components
paths: ["src/**/*.tsx"]
effort: high
when_to_use: Whenever a component is changed`,
  ),
  skill(
    "OpenClaw, JSON in one line",
    "video-frames",
    "Takes frames out of videos with ffmpeg.",
    `name: video-frames
description: Takes frames out of videos with ffmpeg.
homepage: https://ffmpeg.org
metadata: {"openclaw":{"emoji":"🎞️","requires":{"bins":["ffmpeg"]},"install":[{"id":"brew","kind":"brew","formula":"ffmpeg","bins":["ffmpeg"],"label":"Install ffmpeg (brew)"}]}}`,
  ),
  skill(
    "OpenClaw, indented JSON",
    "weather-now",
    "Weather and forecasts, without a key.",
    `name: weather-now
description: Weather and forecasts, without a key.
metadata:
  {
    "openclaw":
      {
        "emoji": "🌦️",
        "os": ["darwin", "linux"],
        "requires": { "bins": ["curl"], "anyBins": ["jq", "python3"], "env": [], "config": ["browser.enabled"] },
      },
  }`,
  ),
  skill(
    "OpenClaw, JSON that is not indented",
    "notes-cli",
    "Manages notes",
    `name: notes-cli
description: Manages notes
metadata:
{
  "openclaw": {
    "emoji": "📝",
    "requires": { "bins": ["notes"] }
  }
}
user-invocable: false`,
    ["5 "],
  ),
  skill(
    "ClawHub, an earlier name",
    "issue-tracker",
    "Works with issues and pull requests",
    `name: issue-tracker
version: 1.2.0
description: Works with issues and pull requests
metadata: {"clawdbot":{"primaryEnv":"TRACKER_TOKEN","requires":{"env":["TRACKER_TOKEN"]},"always":false}}
command-dispatch: tool
command-tool: exec
command-arg-mode: raw`,
  ),
  skill(
    "ClawHub, tags and repository",
    "translator",
    "Translates texts between languages",
    `name: translator
version: 1.0.0
description: Translates texts between languages
homepage: https://example.com/translator
repository: https://github.com/example/translator
tags:
  - translation
  - language`,
  ),
  skill(
    "Codex",
    "draft-answer",
    "Drafts an answer to a letter",
    `name: draft-answer
description: Drafts an answer to a letter
metadata:
  short-description: Drafts answers`,
  ),
  skill(
    "Cursor",
    "api-style",
    "How interfaces are named here",
    `name: api-style
description: How interfaces are named here
globs: src/api/**
alwaysApply: false`,
  ),
  skill(
    "Copilot, words to come at",
    "cloud-costs",
    'Explains bills. WHEN: "cost", "bill", "why so expensive". DO NOT USE FOR: taxes',
    `name: cloud-costs
description: 'Explains bills. WHEN: "cost", "bill", "why so expensive". DO NOT USE FOR: taxes'
license: MIT
metadata:
  author: example
  version: "0.0.0-placeholder"`,
  ),
  skill(
    "phrases as triggers",
    "meeting-minutes",
    "Writes minutes",
    `name: meeting-minutes
description: Writes minutes
triggers:
  - "write the minutes"
  - 会议纪要`,
    ["4 triggers"],
  ),
  skill(
    "a text as triggers",
    "triage",
    "Sorts mail",
    `name: triage
description: Sorts mail
triggers: inbox, mail, triage`,
    ["4 triggers"],
  ),
  skill(
    "requirements in words",
    "scraper",
    "Reads tables from pages",
    `name: scraper
description: Reads tables from pages
requires:
  - python >= 3.10
  - playwright
prerequisites: Node.js 18 or later`,
    ["4 requires", "7 prerequisites"],
  ),
  skill(
    "a list of what must be installed first",
    "notebook",
    "Works with notebooks",
    `name: notebook
description: Works with notebooks
prerequisites:
  - Python 3.10+
  - A running Jupyter server`,
    ["4 prerequisites"],
  ),
  skill(
    "output in words",
    "slides",
    "Makes slides",
    `name: slides
description: Makes slides
output: A .pptx file in the current folder
inputs:
  - name: topic
    type: string
    required: true`,
    ["4 output"],
  ),
  skill(
    "output in other keys",
    "charts",
    "Draws charts",
    `name: charts
description: Draws charts
output: { type: image, path: chart.png }
requires: { python: ">=3.9" }`,
    ["4 output", "5 requires"],
  ),
  skill(
    "dependencies and numbers",
    "sql-tuning",
    "Makes queries faster",
    `name: sql-tuning
version: 2
description: Makes queries faster
dependencies: python>=3.8, sqlglot>=20
category: data
rating: 4.5
deprecated: false
updated: 2026-03-01`,
  ),
  skill(
    "anchors",
    "shared-words",
    "Shares words between fields",
    `name: shared-words
description: &d Shares words between fields
metadata:
  summary: *d`,
  ),
  skill(
    "Chinese",
    "weekly-report",
    "写周报：汇总本周完成的工作、风险与下周计划。当用户说“写周报”时使用。",
    `name: weekly-report
description: 写周报：汇总本周完成的工作、风险与下周计划。当用户说“写周报”时使用。
metadata:
  作者: 示例
  tags: [办公, 报告]`,
  ),
  skill(
    "fields without values",
    "empty-fields",
    "Has fields without values",
    `name: empty-fields
description: Has fields without values
license:
compatibility:
metadata:
allowed-tools:
triggers:
tags: []`,
  ),
  skill(
    "blank lines and comments",
    "airy-one",
    "Leaves room",
    `
# what it is called
name: airy-one

description: Leaves room   # and says so

`,
  ),
  skill(
    "compatibility as a list",
    "many-hosts",
    "Runs in several programs",
    `name: many-hosts
description: Runs in several programs
compatibility: [claude-code, codex, cursor]
author: { name: Somebody, email: somebody@example.com }`,
    ["4 compatibility"],
  ),
  skill(
    "a folder in capitals",
    "upper-case",
    "Lies in a folder of another name",
    `name: upper-case
description: Lies in a folder of another name
interface:
  display_name: Upper Case
  icon: ./icon.png`,
  ),
  skill(
    "a plugin's namespace in metadata",
    "brain-storm",
    "You MUST use this before anything is built: it finds what is wanted",
    `name: brain-storm
description: "You MUST use this before anything is built: it finds what is wanted"
metadata: { superpower: true, stage: "design" }`,
  ),
];
